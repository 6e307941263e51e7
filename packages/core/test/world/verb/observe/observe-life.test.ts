import { beforeEach, describe, expect, it } from "vitest";
import {
  add,
  clone,
  defer,
  type Entity,
  entityOf,
  type LifeEvent,
  type ObserveOptions,
  observe,
  release,
  remove,
  spawn,
  spawnMany,
} from "../../../../src/index.ts";
import { component, f32, withHooks } from "../../../defining.ts";
import { Any, ChildOf, DockedTo, Frozen, Lit, Owns, Parent } from "../../../definitions.ts";
import { codeOf, has, isAlive, parentOf, verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";
import { calls, dock, nameIn, names, setFixture, ship, textOf, world } from "./recorded-events.ts";

beforeEach(setFixture);

function named(name: string, one: Entity): Entity {
  names.set(one, name);
  return one;
}

function lifeText({ kind, entity }: LifeEvent): string {
  return `${kind} ${nameIn(names, entity)}`;
}

function recordLife(options?: ObserveOptions): () => void {
  return observe(world, { spawned: true, destroyed: true }, (event) => calls.push(lifeText(event)), options);
}

describe("an observer of `spawned`", () => {
  it.each<[string, () => unknown, number]>([
    ["spawn, also of nothing", () => spawn(world), 1],
    ["spawnMany", () => spawnMany(world, 3, Frozen), 3],
    ["a deferred spawn", () => defer(world, () => spawn(world, Frozen)), 1],
    ["a deferred spawnMany", () => defer(world, () => spawnMany(world, 2)), 2],
    [
      "a spawn below a parent, in both storages",
      () => [spawn(world, ChildOf(ship)), spawn(world, Parent(ship))],
      2,
    ],
    ["the entity of a definition", () => entityOf(world, Lit), 1],
  ])("is notified by %s, once for each entity", (_, act, count) => {
    recordLife();

    act();

    expect(calls).toEqual(Array.from({ length: count }, () => "spawned new"));
  });

  it("is notified by a deep clone of each copy", () => {
    spawn(world, ChildOf(ship));
    spawn(world, Parent(ship), Frozen);
    recordLife();

    clone(world, ship, { deep: true });

    expect(calls).toEqual(["spawned new", "spawned new", "spawned new"]);
  });

  it("finds what the entity was spawned with, and comes before its `added` events", () => {
    observe(world, { added: Any, spawned: true }, (event) => {
      if (event.kind === "spawned") {
        const { entity } = event;
        calls.push(`spawned: ${has(world, entity, Frozen)}, ${parentOf(world, entity) === ship}`);
      } else if (event.kind === "added") calls.push(textOf(event));
    });

    spawn(world, Frozen, ChildOf(ship));

    expect(calls).toEqual(["spawned: true, true", "+Frozen of new", "+ChildOf(ship) of new ->ship"]);
  });

  it("is not notified of a deferred spawn that is dropped, nor of its end", () => {
    recordLife();

    defer(world, () => {
      destroy(world, ship);
      spawn(world, ChildOf(ship));
    });

    expect(calls).toEqual(["destroyed ship"]);
  });

  it("is not notified of a spawn that is refused", () => {
    const Refused = withHooks(component("Refused", { x: f32 }), {
      check: () => {
        throw new Error("no");
      },
    });
    recordLife();
    recordLife({ after: true });

    expect(() => spawn(world, Refused)).toThrow("no");
    expect(() => spawn(world, ChildOf(ship), ChildOf(dock))).toThrow();

    expect(calls).toEqual([]);
    expect(verify(world)).toEqual([]);
  });

  it("is notified, with `after`, when everything has been spawned", () => {
    observe(
      world,
      { spawned: true },
      ({ entity }) => calls.push(`${parentOf(world, entity) !== undefined}`),
      {
        after: true,
      },
    );

    defer(world, () => {
      const one = spawn(world);
      add(world, one, ChildOf(ship));
    });

    expect(calls).toEqual(["true"]);
  });
});

describe("an observer of `destroyed`", () => {
  it("is notified before the end, children before parents and siblings in order, in both storages", () => {
    const deck = named("deck", spawn(world, ChildOf(ship)));
    named("seat", spawn(world, Parent(ship)));
    named("lamp", spawn(world, ChildOf(deck)));
    observe(world, { destroyed: true }, (event) =>
      calls.push(`${lifeText(event)}, ${isAlive(world, event.entity)}`),
    );

    destroy(world, ship);

    expect(calls).toEqual([
      "destroyed lamp, true",
      "destroyed deck, true",
      "destroyed seat, true",
      "destroyed ship, true",
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("comes after the `removed` events of the entity, and finds what they named", () => {
    add(world, ship, Frozen, DockedTo(dock));
    observe(world, { removed: Any, destroyed: true }, (event) => {
      if (event.kind === "destroyed") calls.push(`destroyed, ${has(world, event.entity, Frozen)}`);
      else if (event.kind === "removed") calls.push(textOf(event));
    });

    destroy(world, ship);

    expect(calls).toEqual(["-Frozen of ship", "-DockedTo(dock) of ship dock>-", "destroyed, true"]);
  });

  it("is notified of all that goes with an entity by other relations", () => {
    named("cargo", spawn(world, Owns(ship)));
    recordLife();

    destroy(world, ship);

    expect(calls.toSorted()).toEqual(["destroyed cargo", "destroyed ship"]);
  });

  it("is notified of a release", () => {
    recordLife();

    release(world, ship);

    expect(calls).toEqual(["destroyed ship"]);
  });

  it("is notified, with `after`, when everything is gone", () => {
    const deck = spawn(world, ChildOf(ship));
    observe(
      world,
      { destroyed: true },
      ({ entity }) => calls.push(`${entity === deck ? "deck" : "ship"} ${isAlive(world, ship)}`),
      { after: true },
    );

    destroy(world, ship);

    expect(calls).toEqual(["deck false", "ship false"]);
  });
});

describe("observers of spawns and destructions", () => {
  it("are notified of existing entities if they ask for it, those of deferred spawns excluded", () => {
    const stop = defer(world, () => {
      spawn(world);
      return recordLife({ yieldExisting: true });
    });
    calls.push("stop");
    stop();

    expect(calls).toEqual([
      "spawned ship",
      "spawned dock",
      "spawned new",
      "stop",
      "destroyed ship",
      "destroyed dock",
      "destroyed new",
    ]);
  });

  it("are not notified of anything else", () => {
    recordLife();

    add(world, ship, Frozen);
    add(world, ship, ChildOf(dock));
    remove(world, ship, Frozen);

    expect(calls).toEqual([]);
  });

  it.each([false, null, 1, Frozen])("refuse %o instead of true: bad-term", (what) => {
    expect(codeOf(() => observe(world, { spawned: what as never }, () => undefined))).toBe("bad-term");
    expect(world.events.observers).toEqual([]);
  });
});
