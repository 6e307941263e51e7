import { beforeEach, describe, expect, it } from "vitest";
import {
  type AnyObservation,
  add,
  clear,
  defer,
  type Entity,
  emit,
  type ObserveOptions,
  observe,
  observeEntity,
  remove,
  set,
  spawn,
  spawnMany,
} from "../../../../src/index.ts";
import { event } from "../../../defining.ts";
import { Any, ChildOf, DockedTo, Frozen, Likes, Lit, Position } from "../../../definitions.ts";
import { codeOf, isAlive, verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";
import { calls, dock, nameIn, names, setFixture, ship, textOf, world } from "./recorded-events.ts";

beforeEach(setFixture);

const EVERYTHING: AnyObservation = { added: Any, removed: Any, set: Any, destroyed: true };

function recordOf(
  entity: Entity,
  changes: AnyObservation = EVERYTHING,
  options?: ObserveOptions,
): () => void {
  return observeEntity(
    world,
    entity,
    changes,
    (event) => {
      if (event.kind === "spawned" || event.kind === "destroyed" || event.kind === "emitted")
        calls.push(`${event.kind} ${nameIn(names, event.entity)}`);
      else calls.push(textOf(event));
    },
    options,
  );
}

/** How many observers the world itself has. */
function observersOfWorld(): number {
  return world.events.observers.length;
}

describe("an observer of one entity", () => {
  it("is notified of everything about it, and nothing about others", () => {
    recordOf(ship);

    for (const one of [dock, ship]) {
      add(world, one, Frozen, Likes(dock));
      set(world, one, Position, { x: 1 });
      remove(world, one, Frozen);
      add(world, spawn(world), Likes(one));
    }

    expect(calls).toEqual([
      "+Frozen of ship",
      "+Likes(dock) of ship",
      "+Position of ship",
      "=Position of ship",
      "-Frozen of ship",
    ]);
  });

  it("is notified of what it names alone, by pair and by wildcard", () => {
    recordOf(ship, { added: Likes(dock) });
    recordOf(ship, { added: Likes(Any), removed: Any(dock) });

    add(world, ship, Likes(ship), Frozen);
    add(world, ship, Likes(dock), DockedTo(dock));
    remove(world, ship, DockedTo(dock));

    expect(calls).toEqual([
      "+Likes(ship) of ship",
      "+Likes(dock) of ship",
      "+Likes(dock) of ship",
      "-DockedTo(dock) of ship dock>-",
    ]);
  });

  it("is notified of the custom events of that entity", () => {
    const Hit = event("Hit");
    recordOf(ship, { emitted: Hit });

    emit(world, dock, Hit);
    emit(world, ship, Hit);

    expect(calls).toEqual(["emitted ship"]);
  });

  it("is notified of its end last, and ends with it", () => {
    add(world, ship, Frozen, ChildOf(dock));
    recordOf(ship);

    destroy(world, dock);

    expect(calls).toEqual(["-Frozen of ship", "-ChildOf(dock) of ship dock>-", "destroyed ship"]);
    expect(observersOfWorld()).toBe(0);
    expect(verify(world)).toEqual([]);
  });

  it("is notified with `after` of what was there, when the entity is gone", () => {
    add(world, ship, Frozen);
    recordOf(ship, EVERYTHING, { after: true });
    observeEntity(world, ship, { destroyed: true }, () => calls.push(`${isAlive(world, ship)}`), {
      after: true,
    });

    destroy(world, ship);

    expect(calls).toEqual(["-Frozen of ship", "destroyed ship", "false"]);
    expect(observersOfWorld()).toBe(0);
  });

  it("is notified of what the entity has, and when it is stopped of what it has then", () => {
    add(world, ship, Frozen, Likes(dock));
    add(world, dock, Lit);
    const stop = recordOf(ship, EVERYTHING, { yieldExisting: true });
    remove(world, ship, Frozen);
    stop();
    stop();

    expect(calls).toEqual([
      "+Frozen of ship",
      "+Likes(dock) of ship",
      "-Frozen of ship",
      "-Likes(dock) of ship",
      "destroyed ship",
    ]);
    expect(observersOfWorld()).toBe(0);
  });

  it("is not notified any more when it is stopped after the end of the entity", () => {
    add(world, ship, Frozen);
    const stop = recordOf(ship, EVERYTHING, { yieldExisting: true });
    destroy(world, ship);
    calls.length = 0;

    stop();

    expect(calls).toEqual([]);
  });

  it("is notified of a spawn that was deferred", () => {
    defer(world, () => {
      const one = spawn(world, Frozen);
      names.set(one, "one");
      recordOf(one, { added: Any, spawned: true }, { yieldExisting: true });
    });

    expect(calls).toEqual(["spawned one", "+Frozen of one"]);
  });

  it("is not notified of the next entity that has its place", () => {
    recordOf(ship, { added: Frozen, removed: Frozen });
    destroy(world, ship);

    add(world, spawn(world), Frozen);

    expect(calls).toEqual([]);
  });

  it("may stop itself and others of the entity while it is called", () => {
    const stops: (() => void)[] = [];
    observeEntity(world, ship, { added: Any }, () => {
      calls.push("first");
      for (const stop of stops) stop();
    });
    stops.push(recordOf(ship));

    add(world, ship, Frozen);

    expect(calls).toEqual(["first"]);
  });

  it("is called in order of registration with others of the entity, and may throw", () => {
    observeEntity(world, ship, { added: Any }, () => {
      throw new Error("no panel");
    });
    recordOf(ship);
    observe(world, { added: Frozen }, () => calls.push("of all"));

    expect(() => add(world, ship, Frozen)).toThrow("no panel");
    expect(calls).toEqual(["+Frozen of ship", "of all"]);
  });

  it("changes the world after the verb, as other observers do", () => {
    observeEntity(world, ship, { added: Frozen }, () => {
      clear(world, ship);
      calls.push("called");
    });
    recordOf(ship, { removed: Any });

    add(world, ship, Frozen);

    expect(calls).toEqual(["called", "-Frozen of ship"]);
  });

  it("is refused for an entity that is not alive: dead-entity", () => {
    destroy(world, ship);

    for (const one of [ship, undefined as never])
      expect(codeOf(() => observeEntity(world, one, { added: Any }, () => undefined))).toBe("dead-entity");
    expect(observersOfWorld()).toBe(0);
  });

  it("is refused without changes or a function: bad-term", () => {
    expect(codeOf(() => observeEntity(world, ship, {}, () => undefined))).toBe("bad-term");
    expect(codeOf(() => observeEntity(world, ship, { added: Any }, undefined as never))).toBe("bad-term");
    expect(observersOfWorld()).toBe(0);
  });
});

describe("ten thousand observers of as many entities", () => {
  it("are one observer of the world, and each is notified of its own entity", () => {
    const all = spawnMany(world, 10_000, Position);
    const counts = new Uint32Array(all.length);
    const stops = all.map((one, at) => observeEntity(world, one, { set: Position }, () => counts[at]!++));
    expect(observersOfWorld()).toBe(1);

    for (let round = 0; round < 10; round++) for (const one of all) set(world, one, Position, { x: round });

    expect(counts.every((count) => count === 10)).toBe(true);
    for (const stop of stops) stop();
    expect(observersOfWorld()).toBe(0);
  });

  it("do not pile up when entities end unnoticed: they are dropped once there are twice as many", () => {
    const others = spawnMany(world, 1_000);
    for (const one of others) observeEntity(world, one, { removed: Frozen }, () => undefined);
    for (const one of others) destroy(world, one);

    for (const one of spawnMany(world, 1_100)) observeEntity(world, one, { removed: Lit }, () => undefined);

    expect(world.events.observers.map(({ definition }) => definition)).toEqual([Lit]);
  });
});
