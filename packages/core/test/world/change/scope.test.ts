import { beforeEach, describe, expect, it } from "vitest";
import { add, clone, defer, entityOf, observe, patch, release, type SpawnTerm } from "../../../src/index.ts";
import { component, withHooks } from "../../defining.ts";
import { ChildOf, Frozen, Parent, Position } from "../../definitions.ts";
import {
  createWorld,
  dock,
  type Entity,
  setShipAndDock,
  ship,
  spawn,
  spawnMany,
  type World,
  world,
} from "../../fixture.ts";
import { insideScope, scopeOf } from "../../internal.ts";
import { codeOf, get, isAlive, parentOf, subjectsOf, verify } from "../../reading.ts";
import { destroy } from "../destroy.ts";
import { snapshot } from "../snapshot.ts";

beforeEach(setShipAndDock);

const spawns: [string, (...terms: SpawnTerm[]) => Entity][] = [
  ["spawn", (...terms) => spawn(world, Position, ...terms)],
  ["spawn of nothing else", (...terms) => spawn(world, ...terms)],
  ["spawnMany", (...terms) => spawnMany(world, 2, Position, ...terms)[1]!],
  ["clone", (...terms) => clone(world, dock, { with: terms })],
];

describe("an entity spawned in a scope", () => {
  it.each(spawns)("is a child of its parent: %s", (_, spawnOne) => {
    const spawned = insideScope(world, ship, () => spawnOne());

    expect(parentOf(world, spawned)).toBe(ship);
    expect(subjectsOf(world, ship, Parent)).toEqual([]);
    expect(verify(world)).toEqual([]);
  });

  it.each(spawns)("has its own parent if one is given, in either storage: %s", (_, spawnOne) => {
    const spawned = insideScope(world, ship, () => [spawnOne(ChildOf(dock)), spawnOne(Parent(dock))]);

    expect(spawned.map((one) => parentOf(world, one))).toEqual([dock, dock]);
  });

  it("is the same as one with the parent among its terms, also if such were spawned before", () => {
    const spawned = [1, 2].flatMap(() => [
      insideScope(world, ship, () => spawn(world, Position({ x: 1 }))),
      spawn(world, Position({ x: 1 }), ChildOf(ship)),
      spawn(world, Position({ x: 1 })),
    ]);

    expect(spawned.map((one) => parentOf(world, one))).toEqual([
      ship,
      ship,
      undefined,
      ship,
      ship,
      undefined,
    ]);
  });

  it("as a clone gets the parent of the scope in place of its original's, whichever way that is stored", () => {
    const originals = [spawn(world, ChildOf(dock)), spawn(world, Parent(dock))];

    const copies = insideScope(world, ship, () => originals.map((one) => clone(world, one, { deep: true })));

    expect(subjectsOf(world, ship, ChildOf)).toEqual(copies);
    expect(subjectsOf(world, ship, Parent)).toEqual([]);
  });

  it("as a deep clone gets it for the root only: its descendants stay below it", () => {
    spawn(world, ChildOf(dock), Frozen);

    const copy = insideScope(world, ship, () => clone(world, dock, { deep: true }));

    expect(subjectsOf(world, ship, ChildOf)).toEqual([copy]);
    expect(subjectsOf(world, copy, ChildOf)).toHaveLength(1);
  });

  it("is not a component entity: those are roots", () => {
    expect(
      parentOf(
        world,
        insideScope(world, ship, () => entityOf(world, Frozen)),
      ),
    ).toBeUndefined();
  });

  it.each(spawns)("inside an iteration has the parent of the moment of the call: %s", (_, spawnOne) => {
    const spawned = defer(world, () => {
      const inside = insideScope(world, ship, () => spawnOne());
      return [inside, spawnOne()];
    });

    expect(spawned.map((one) => parentOf(world, one))).toEqual([ship, undefined]);
  });

  it.each(spawns)("is refused as dead-entity if the parent was destroyed meanwhile: %s", (_, spawnOne) => {
    spawnOne();
    let before: unknown;
    let code: unknown;

    insideScope(world, ship, () => {
      release(world, ship);
      before = snapshot(world);
      code = codeOf(() => spawnOne());
    });

    expect(code).toBe("dead-entity");
    expect(snapshot(world)).toEqual(before);
  });

  it("by a deferred function has the parent of the moment of the call", () => {
    add(world, dock, Position);
    const spawned: Entity[] = [];
    const spawnOne = (): void => void spawned.push(spawn(world));

    insideScope(world, dock, () => {
      defer(world, () => {
        add(world, dock, Frozen);
        insideScope(world, ship, () => patch(world, dock, Position, spawnOne));
        insideScope(world, undefined, () => patch(world, dock, Position, spawnOne));
        patch(world, dock, Position, spawnOne);
        expect(spawned).toEqual([]);
      });
      expect(scopeOf(world)).toBe(dock);
    });

    expect(spawned.map((one) => parentOf(world, one))).toEqual([ship, undefined, dock]);
  });

  it("while pending is destroyed with its parent, as with any parent", () => {
    const spawned = defer(world, () => {
      const one = insideScope(world, ship, () => spawn(world, Position));
      destroy(world, ship);
      return one;
    });

    expect([isAlive(world, ship), isAlive(world, spawned)]).toEqual([false, false]);
  });

  it("is refused for wrong terms as outside", () => {
    insideScope(world, ship, () => {
      expect(codeOf(() => spawn(world, undefined as never))).toBe("bad-term");
      expect(codeOf(() => spawn(world, null as never))).toBe("bad-term");
      expect(codeOf(() => spawn(world, ChildOf as never))).toBe("bad-term");
      expect(codeOf(() => spawn(world, 0.5 as never))).toBe("bad-term");
    });
  });
});

describe("a scope", () => {
  it("returns what the function returns, and then ends", () => {
    expect(insideScope(world, ship, () => scopeOf(world))).toBe(ship);
    expect(scopeOf(world)).toBeUndefined();
  });

  it("inside another one replaces it until it ends; undefined means roots", () => {
    const scopes = insideScope(world, ship, () => [
      scopeOf(world),
      insideScope(world, dock, () => scopeOf(world)),
      insideScope(world, undefined, () => parentOf(world, spawn(world))),
      scopeOf(world),
    ]);

    expect(scopes).toEqual([ship, dock, undefined, ship]);
  });

  it("ends after an error as well", () => {
    expect(() =>
      insideScope(world, ship, () =>
        insideScope(world, dock, () => {
          throw new Error("out");
        }),
      ),
    ).toThrow("out");

    expect(scopeOf(world)).toBeUndefined();
  });

  it("accepts only a parent that is alive", () => {
    release(world, ship);
    let isCalled = false;

    expect(
      codeOf(() =>
        insideScope(world, ship, () => {
          isCalled = true;
        }),
      ),
    ).toBe("dead-entity");

    expect([isCalled, scopeOf(world)]).toEqual([false, undefined]);
  });

  it("applies to one world", () => {
    const other = createWorld();

    const spawned = insideScope(world, ship, () => spawn(other));

    expect(parentOf(other, spawned)).toBeUndefined();
  });
});

describe("code that is called for a change", () => {
  it("is outside of the scope in which it was made: observers", () => {
    const seen: unknown[] = [];
    observe(world, { added: Position, removed: Position }, ({ kind }) => {
      seen.push(kind, scopeOf(world));
      if (kind === "added") seen.push(spawn(world, Frozen));
    });

    insideScope(world, ship, () => {
      release(world, spawn(world, Position));
      expect(scopeOf(world)).toBe(ship);
    });

    expect(seen).toEqual(["added", undefined, expect.any(Number), "removed", undefined]);
    expect(parentOf(world, seen[2] as Entity)).toBeUndefined();
  });

  it("is outside of the scope in which it was made: hooks, though they throw", () => {
    const seen: unknown[] = [];
    const inspect = (world: World): void => {
      seen.push(scopeOf(world));
      if (throws) throw new Error("no");
    };
    let throws = false;
    const Hooked = withHooks(component<string>("Hooked"), {
      check: inspect,
      written: inspect,
      onSet: inspect,
      onRemove: inspect,
    });
    const scopes = insideScope(world, ship, () => {
      const one = spawn(world, Hooked("h"));
      throws = true;
      return [() => spawn(world, Hooked("h")), () => release(world, one)].map((act) => {
        expect(act).toThrow("no");
        return scopeOf(world);
      });
    });

    expect(seen).toEqual(new Array(5).fill(undefined));
    expect(scopes).toEqual([ship, ship]);
  });

  it("is outside of the scope in which it was made: functions that copy the values of a clone", () => {
    const Copied = withHooks(component<readonly Entity[]>("Copied"), {
      copy: (value) => [...value, spawn(world, Frozen)],
    });
    const original = spawn(world, Copied([]));

    const copy = insideScope(world, ship, () => clone(world, original));

    const [made] = get(world, copy, Copied)!;
    expect([parentOf(world, made!), parentOf(world, copy)]).toEqual([undefined, ship]);
  });
});
