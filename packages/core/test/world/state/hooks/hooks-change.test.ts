import { beforeEach, describe, expect, it } from "vitest";
import { add, clear, clone, pack, release, remove, set, spawn, spawnMany } from "../../../../src/index.ts";
import { component, withHooks } from "../../../defining.ts";
import { Frozen, Position } from "../../../definitions.ts";
import { createWorld, type Entity, type World } from "../../../fixture.ts";
import { codeOf, has, isAlive, verify } from "../../../reading.ts";
import { livingTables } from "../../snapshot.ts";
import { forgetCalls, Second } from "./recorded-hooks.ts";

beforeEach(forgetCalls);

describe("a change of structure in a hook", () => {
  it.each<[string, boolean, (world: World, one: Entity) => unknown]>(
    [false, true].flatMap((strict): [string, boolean, (world: World, one: Entity) => unknown][] => [
      [`spawn${strict ? " in a strict world" : ""}`, strict, (world) => spawn(world)],
      [`spawnMany${strict ? " in a strict world" : ""}`, strict, (world) => spawnMany(world, 2)],
      [`add${strict ? " in a strict world" : ""}`, strict, (world, one) => add(world, one, Frozen)],
      [`remove${strict ? " in a strict world" : ""}`, strict, (world, one) => remove(world, one, Position)],
      [`release${strict ? " in a strict world" : ""}`, strict, (world, one) => release(world, one)],
      [`clear${strict ? " in a strict world" : ""}`, strict, (world, one) => clear(world, one)],
      [`clone${strict ? " in a strict world" : ""}`, strict, (world, one) => clone(world, one)],
      [`pack${strict ? " in a strict world" : ""}`, strict, (world) => pack(world)],
      [`set${strict ? " in a strict world" : ""}`, strict, (world, one) => set(world, one, Second, "s")],
    ]),
  )("is refused as iterating in check: %s", (_, strict, act) => {
    const codes: (string | undefined)[] = [];
    const Meddler = withHooks(component<string>("Meddler"), {
      check: (world) => {
        codes.push(codeOf(() => act(world, one)));
      },
    });
    const world = createWorld({ strict });
    const one = spawn(world, Position);
    const before = livingTables(world);

    release(world, spawn(world, Meddler("m")));

    expect(codes).toEqual(["iterating"]);
    expect([world.deferDepth, world.checks, livingTables(world)]).toEqual([0, 0, before]);
  });

  it.each(["written", "onSet", "onRemove"] as const)("is deferred to the end of the verb in %s", (hook) => {
    const seen: unknown[] = [];
    let spawned: Entity | undefined;
    const act = (world: World, entity: Entity): void => {
      add(world, entity, Frozen);
      spawned = spawn(world, Position);
      seen.push(has(world, entity, Frozen), isAlive(world, spawned), has(world, spawned, Position));
    };
    const Meddler = withHooks(component<string>("Meddler"), { [hook]: act });
    const world = createWorld();

    const one = spawn(world, Meddler("m"));
    if (hook === "onRemove") remove(world, one, Meddler);

    expect(seen).toEqual([false, true, true]);
    expect([has(world, one, Frozen), has(world, spawned!, Position)]).toEqual([true, true]);
    expect([world.deferDepth, verify(world)]).toEqual([0, []]);
  });

  it.each(["written", "onSet", "onRemove"] as const)("is refused in %s in a strict world", (hook) => {
    const codes: (string | undefined)[] = [];
    const act = (world: World): void => {
      codes.push(codeOf(() => spawn(world)));
    };
    const Meddler = withHooks(component<string>("Meddler"), { [hook]: act });
    const world = createWorld({ strict: true });
    const one = spawn(world, Meddler("m"));

    remove(world, one, Meddler);

    expect(codes).toEqual(["iterating"]);
    expect([world.deferDepth, world.entities.alive]).toEqual([0, 1]);
  });

  it("follows a check that refused: the world is open to changes", () => {
    const Refuser = withHooks(component<string>("Refuser"), {
      check: () => {
        throw new Error("no");
      },
    });
    const world = createWorld();

    expect(() => spawn(world, Refuser("r"))).toThrow("no");

    expect(codeOf(() => spawn(world))).toBeUndefined();
  });
});
