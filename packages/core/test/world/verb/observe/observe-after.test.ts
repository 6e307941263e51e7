import { beforeEach, describe, expect, it } from "vitest";
import {
  add,
  defer,
  type Entity,
  emit,
  type Observation,
  observe,
  remove,
  set,
  spawn,
  spawnMany,
} from "../../../../src/index.ts";
import { event } from "../../../defining.ts";
import { Any, ChildOf, Frozen, Lit, Position } from "../../../definitions.ts";
import { get, has, isAlive, parentOf, verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";
import { calls, dock, names, record, setFixture, ship, textOf, world } from "./recorded-events.ts";

beforeEach(setFixture);

function recordAfter(changes: Observation): () => void {
  return observe(world, changes, (event) => calls.push(textOf(event)), { after: true });
}

describe("an observer with `after`", () => {
  it("is notified of a removal when it has been made", () => {
    add(world, ship, Frozen);
    observe(world, { removed: Frozen }, ({ entity }) => calls.push(`has: ${has(world, entity, Frozen)}`), {
      after: true,
    });

    remove(world, ship, Frozen);

    expect(calls).toEqual(["has: false"]);
  });

  it("is notified of entities that are not alive any more, with their old targets, children before parents", () => {
    names.set(spawn(world, ChildOf(ship)), "deck");
    recordAfter({ removed: ChildOf });
    observe(world, { removed: ChildOf }, ({ entity }) => calls.push(`alive: ${isAlive(world, entity)}`), {
      after: true,
    });

    destroy(world, ship);

    expect(calls).toEqual(["-ChildOf(ship) of deck ship>-", "alive: false"]);
  });

  it("is notified of both sides of a retarget when the entity is below its new parent", () => {
    const deck = spawn(world, ChildOf(ship));
    names.set(deck, "deck");
    const parents: (Entity | undefined)[] = [];
    recordAfter({ added: ChildOf, removed: ChildOf });
    observe(world, { added: ChildOf, removed: ChildOf }, () => parents.push(parentOf(world, deck)), {
      after: true,
    });

    add(world, deck, ChildOf(dock));

    expect(calls).toEqual(["-ChildOf(ship) of deck ship>dock", "+ChildOf(dock) of deck ship>dock"]);
    expect(parents).toEqual([dock, dock]);
  });

  it("is notified once per event, in their order, at the end of the outermost iteration", () => {
    recordAfter({ added: Any, removed: Any, set: Any });

    defer(world, () => {
      set(world, ship, Position, { x: 1 });
      defer(world, () => add(world, ship, Lit));
      remove(world, ship, Position);
      calls.push("end");
    });

    expect(calls).toEqual([
      "end",
      "+Position of ship",
      "=Position of ship",
      "+Lit of ship",
      "-Position of ship",
    ]);
  });

  it("sees the changes that other observers have deferred", () => {
    observe(world, { added: Frozen }, ({ entity }) => add(world, entity, Lit));
    observe(world, { added: Frozen }, ({ entity }) => calls.push(`lit: ${has(world, entity, Lit)}`), {
      after: true,
    });
    observe(world, { added: Frozen }, ({ entity }) => calls.push(`lit: ${has(world, entity, Lit)}`));

    add(world, ship, Frozen);

    expect(calls).toEqual(["lit: false", "lit: true"]);
  });

  it("changes the world before the next call, which is notified of that too", () => {
    observe(
      world,
      { added: Any },
      (event) => {
        calls.push(`${textOf(event)}, ${has(world, dock, Lit)}`);
        if (event.entity === ship) add(world, dock, Lit);
      },
      { after: true },
    );

    defer(world, () => {
      add(world, ship, Frozen);
      add(world, dock, Frozen);
    });

    expect(calls).toEqual(["+Frozen of ship, false", "+Frozen of dock, true", "+Lit of dock, true"]);
    expect(verify(world)).toEqual([]);
  });

  it("is not called for earlier events once it is stopped", () => {
    const stop = recordAfter({ added: Frozen });
    recordAfter({ added: Lit });

    defer(world, () => {
      add(world, ship, Frozen, Lit);
      stop();
    });
    add(world, dock, Frozen);

    expect(calls).toEqual(["+Lit of ship"]);
  });

  it("may throw: the others are called, and the verb throws its error when all is done", () => {
    observe(
      world,
      { added: Frozen },
      () => {
        throw new Error("no store");
      },
      { after: true },
    );
    recordAfter({ added: Frozen });

    expect(() => add(world, ship, Frozen)).toThrow("no store");

    expect(calls).toEqual(["+Frozen of ship"]);
    expect(has(world, ship, Frozen)).toBe(true);
  });

  it("is notified of what an iteration did that ends with an error", () => {
    recordAfter({ added: Frozen });

    const act = (): void =>
      defer(world, () => {
        add(world, ship, Frozen);
        throw new Error("stop");
      });

    expect(act).toThrow("stop");
    expect(calls).toEqual(["+Frozen of ship"]);
  });

  it("is notified of what exists at once, and when it is stopped", () => {
    add(world, ship, Frozen);
    const options = { after: true, yieldExisting: true };
    const stop = observe(
      world,
      { added: Frozen, removed: Frozen },
      (event) => calls.push(textOf(event)),
      options,
    );
    calls.push("stop");
    stop();

    expect(calls).toEqual(["+Frozen of ship", "stop", "-Frozen of ship"]);
  });

  it("is notified of custom events when what their observers change has been changed", () => {
    const Hit = event<number>("Hit");
    observe(world, { emitted: Hit }, ({ entity, value }) => set(world, entity, Position, { x: value }));
    observe(world, { emitted: Hit }, ({ entity }) => calls.push(`${get(world, entity, Position)?.x}`), {
      after: true,
    });

    emit(world, ship, Hit, 3);

    expect(calls).toEqual(["3"]);
  });

  // A search through the events for each would take minutes.
  it("is notified of 200,000 events at once", () => {
    let count = 0;
    observe(world, { added: Frozen }, () => count++, { after: true });

    defer(world, () => spawnMany(world, 200_000, Frozen));

    expect(count).toBe(200_000);
  });
});

it("an observer without `after` is called before one with it, whichever came first", () => {
  recordAfter({ added: Frozen });
  record({ removed: Lit });
  add(world, dock, Lit);

  defer(world, () => {
    add(world, ship, Frozen);
    remove(world, dock, Lit);
  });

  expect(calls).toEqual(["-Lit of dock", "+Frozen of ship"]);
});
