import type { Entity, World, WorldOptions } from "@treeline/core";
import {
  add,
  clear,
  clone,
  entityOf,
  get,
  has,
  isAlive,
  pack,
  parentOf,
  release,
  remove,
  set,
  spawn,
  spawnMany,
} from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import type { Query } from "../../src/index.ts";
import {
  ancestors,
  children,
  depthOf,
  descendants,
  destroy,
  destroyWhere,
  each,
  eachBatch,
  eachRun,
  query,
  removeAll,
  roots,
  rows,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Damage, Frozen, Likes, Mesh, Position, Velocity } from "../definitions.ts";
import { matchesOf } from "../matches.ts";
import { Any, ChildOf, Parent } from "../public/builtins.ts";
import { createWorld } from "../public/define.ts";
import { not } from "../public/filters.ts";
import { cascade } from "../public/terms.ts";
import { isIterating } from "../world-state.ts";

let world: World;
let ship: Entity;
let cockpit: Entity;
let dock: Entity;

/** Begins a new world of the same kind. @returns the former one. */
function afresh(options?: WorldOptions): World {
  const former = world;
  world = createWorld(options);
  ship = spawn(world, Position, Mesh("a"));
  cockpit = spawn(world, ChildOf(ship), Position, Damage(ship, { amount: 1 }));
  dock = spawn(world);
  return former;
}

beforeEach(() => {
  afresh();
});

function eachRow(tested: Query, inspect: () => void): void {
  for (const _ of rows(tested)) inspect();
}

const iterations: [title: string, iterate: (inspect: () => void) => void][] = [
  ["each", (inspect) => each(query(world, Position), inspect)],
  ["eachRun", (inspect) => eachRun(query(world, Position), inspect)],
  ["each under cascade", (inspect) => each(query(world, Position, cascade(Position)), inspect)],
  ["eachRun under cascade", (inspect) => eachRun(query(world, Position, cascade(Position)), inspect)],
  ["eachBatch", (inspect) => eachBatch(query(world, Position, cascade(Position)), inspect)],
  ["each of a targeted query", (inspect) => each(query(world, ChildOf(ship)), inspect)],
  ["eachRun of a targeted query", (inspect) => eachRun(query(world, ChildOf(ship)), inspect)],
  ["rows", (inspect) => eachRow(query(world, Position), inspect)],
  ["rows under cascade", (inspect) => eachRow(query(world, Position, cascade(Position)), inspect)],
  ["rows of a targeted query", (inspect) => eachRow(query(world, ChildOf(ship)), inspect)],
  [
    "eachBatch of a targeted query",
    (inspect) => eachBatch(query(world, ChildOf(ship), cascade(Position)), inspect),
  ],
];

/** What each change leaves behind, to be read afterwards. */
const changes: [title: string, change: () => unknown, trace: () => unknown][] = [
  ["spawn", () => spawn(world, Frozen), () => matchesOf(world, Frozen).length],
  ["spawnMany", () => spawnMany(world, 3, Frozen), () => matchesOf(world, Frozen).length],
  ["add of a tag", () => add(world, ship, Frozen), () => has(world, ship, Frozen)],
  ["add of a parent", () => add(world, ship, ChildOf(dock)), () => has(world, ship, ChildOf(dock))],
  [
    "add of a parent as a value",
    () => add(world, cockpit, Parent(ship)),
    () => has(world, cockpit, Parent(ship)),
  ],
  ["remove of a component", () => remove(world, ship, Position), () => has(world, ship, Position)],
  ["remove of a parent", () => remove(world, cockpit, ChildOf(Any)), () => parentOf(world, cockpit)],
  ["set of what is not there", () => set(world, ship, Velocity, { x: 1 }), () => get(world, ship, Velocity)],
  [
    "set of a pair that is not there",
    () => set(world, ship, Damage(cockpit), { amount: 1 }),
    () => get(world, ship, Damage(cockpit)),
  ],
  ["clear", () => clear(world, cockpit), () => has(world, cockpit, Position)],
  ["clone", () => clone(world, dock, { with: [Frozen] }), () => matchesOf(world, Frozen).length],
  ["release", () => release(world, cockpit), () => isAlive(world, cockpit)],
  ["destroy", () => destroy(world, ship), () => [isAlive(world, ship), isAlive(world, cockpit)]],
  ["destroyWhere", () => destroyWhere(world, ChildOf(ship)), () => isAlive(world, cockpit)],
  ["removeAll", () => removeAll(world, Position), () => matchesOf(world, Position).length],
  ["entityOf", () => add(world, entityOf(world, Frozen), Velocity), () => matchesOf(world, Velocity).length],
];

describe.each(iterations)("inside an iteration by %s", (_, iterate) => {
  /** Runs once, whatever the number of rows. */
  const once = (act: () => void): void => {
    let isDone = false;
    iterate(() => {
      if (!isDone) act();
      isDone = true;
    });
  };

  it.each(changes)("%s is deferred to the end, and is made then", (__, change, trace) => {
    const before = trace();
    let during: unknown;

    once(() => {
      change();
      during = trace();
    });
    const after = trace();
    const other = afresh();
    change();
    const right = trace();

    expect(during).toEqual(before);
    expect(after).not.toEqual(before);
    expect(after).toEqual(right);
    expect(verify(other)).toEqual([]);
    expect(verify(world)).toEqual([]);
  });

  it.each(changes)("%s throws in a strict world, and changes nothing", (__, change) => {
    afresh({ strict: true });
    const before = dump(world);
    const codes = new Set<string | undefined>();

    iterate(() => codes.add(codeOf(change)));

    expect([[...codes], dump(world)]).toEqual([["iterating"], before]);
    expect(verify(world)).toEqual([]);
  });

  it("pack is deferred as well, and throws in a strict world", () => {
    once(() => pack(world));
    afresh({ strict: true });
    let code: string | undefined;
    once(() => {
      code = codeOf(() => pack(world));
    });

    expect(code).toBe("iterating");
    expect(verify(world)).toEqual([]);
  });

  it("changes are made in the order of the calls", () => {
    once(() => {
      add(world, cockpit, ChildOf(dock));
      add(world, cockpit, Frozen);
      remove(world, cockpit, Frozen);
      set(world, ship, Velocity, { x: 1 });
      set(world, ship, Velocity, { x: 2 });
      add(world, cockpit, Parent(ship));
    });

    expect([has(world, cockpit, Frozen), get(world, ship, Velocity)]).toEqual([false, { x: 2 }]);
    expect([has(world, cockpit, Parent(ship)), children(world, dock)]).toEqual([true, []]);
  });

  it("a spawned entity can be read at once, and matches nothing until the end", () => {
    let spawned = ship;
    const received: unknown[] = [];

    once(() => {
      spawned = spawn(world, Frozen, Position({ x: 7 }), ChildOf(ship));
      received.push(isAlive(world, spawned), has(world, spawned, Frozen), parentOf(world, spawned));
      received.push(matchesOf(world, Frozen), matchesOf(world, ChildOf(ship)), children(world, ship));
      received.push(
        matchesOf(world).includes(spawned),
        matchesOf(world, not(ChildOf(ship))).includes(spawned),
      );
    });

    expect(received).toEqual([true, true, ship, [], [cockpit], [cockpit], false, false]);
    expect([get(world, spawned, Position), children(world, ship)]).toEqual([{ x: 7 }, [cockpit, spawned]]);
  });

  it("a spawned entity can be changed and be a target before the end", () => {
    const [leaf, root] = [spawn(world), spawn(world)];

    once(() => {
      const spawned = spawn(world, ChildOf(root));
      add(world, spawned, Frozen);
      add(world, leaf, Parent(spawned));
    });

    const [spawned] = matchesOf(world, Frozen);
    expect([parentOf(world, spawned!), parentOf(world, leaf)]).toEqual([root, spawned]);
  });

  it("existing values are set in place, and everything can be read", () => {
    const codes = new Set<string | undefined>();
    const received: unknown[] = [];
    const calls: (() => unknown)[] = [
      () => set(world, ship, Position, { x: 4 }),
      () => set(world, ship, Mesh, "b"),
      () => set(world, cockpit, Damage(ship), { amount: 5 }),
      () => [get(world, ship, Position), has(world, ship, Frozen), parentOf(world, cockpit)],
      () => [roots(world), ancestors(world, cockpit), descendants(world, ship), depthOf(world, cockpit)],
      () => query(world, Velocity),
    ];

    iterate(() => {
      for (const make of calls) codes.add(codeOf(make));
      received.push(get(world, ship, Position), get(world, ship, Mesh), get(world, cockpit, Damage(ship)));
    });

    expect([...codes]).toEqual([undefined]);
    expect(received.slice(0, 3)).toEqual([{ x: 4 }, "b", { amount: 5 }]);
  });

  it("a value is deferred as well if a deferred command changes its entity", () => {
    let during: unknown;

    once(() => {
      remove(world, ship, Position);
      set(world, ship, Position, { x: 9 });
      during = get(world, ship, Position);
    });

    expect([during, get(world, ship, Position)]).toEqual([{ x: 0 }, { x: 9 }]);
  });

  it("destroyed entities, destroyed targets and bad terms are refused at the call", () => {
    const dead = spawn(world);
    destroy(world, dead);
    const codes: (string | undefined)[] = [];

    once(() => {
      codes.push(codeOf(() => add(world, dead, Frozen)));
      codes.push(codeOf(() => add(world, ship, ChildOf(dead))));
      codes.push(codeOf(() => spawn(world, ChildOf(Any) as never)));
      codes.push(codeOf(() => set(world, ship, Position, { x: "far" } as never)));
      codes.push(codeOf(() => removeAll(world, 5.5 as never)));
      codes.push(codeOf(() => destroyWhere(world, Damage as never)));
    });

    expect(codes).toEqual(["dead-entity", "dead-entity", "bad-term", "bad-value", "bad-term", "bad-query"]);
  });

  it("changes to entities that were destroyed meanwhile are dropped, and so are pairs with them", () => {
    const [friend, leaf] = [spawn(world), spawn(world)];

    once(() => {
      destroy(world, dock);
      add(world, dock, Frozen);
      add(world, friend, Likes(dock));
      add(world, friend, Frozen);
      add(world, leaf, ChildOf(dock));
    });

    expect([isAlive(world, dock), isAlive(world, friend), isAlive(world, leaf)]).toEqual([
      false,
      true,
      false,
    ]);
    expect([has(world, friend, Frozen), has(world, friend, Likes(Any))]).toEqual([true, false]);
  });

  it("a refused change is left out, the others are made, and the first error is thrown in the end", () => {
    const code = codeOf(() =>
      once(() => {
        add(world, ship, ChildOf(cockpit));
        add(world, ship, Frozen);
        release(world, ship);
      }),
    );

    expect([code, has(world, ship, Frozen), parentOf(world, ship)]).toEqual(["cycle", true, undefined]);
  });

  it("changes are deferred to the end of the outermost iteration, also if an inner one is left by an error", () => {
    const received: boolean[] = [];

    once(() => {
      once(() => add(world, ship, Frozen));
      received.push(has(world, ship, Frozen));
      codeOf(() =>
        iterate(() => {
          add(world, cockpit, Frozen);
          throw new Error("enough");
        }),
      );
      received.push(has(world, cockpit, Frozen));
    });

    expect(received).toEqual([false, false]);
    expect([has(world, ship, Frozen), has(world, cockpit, Frozen)]).toEqual([true, true]);
  });

  it("an error comes out as it is, after the changes deferred before it are made", () => {
    const error = new Error("enough");
    let caught: unknown;

    try {
      iterate(() => {
        add(world, ship, Frozen);
        add(world, ship, ChildOf(cockpit));
        throw error;
      });
    } catch (thrown) {
      caught = thrown;
    }

    expect([caught, has(world, ship, Frozen)]).toEqual([error, true]);
    expect(codeOf(() => spawn(world))).toBe(undefined);
  });

  it("another world is changed at once", () => {
    const other = createWorld();
    const alive: number[] = [];

    iterate(() => {
      destroyWhere(other, Position);
      alive.push(matchesOf(other, Position).length);
      spawn(other, Position);
      alive.push(matchesOf(other, Position).length);
    });

    expect(alive.slice(0, 2)).toEqual([0, 1]);
  });

  it("nothing is deferred afterwards", () => {
    iterate(() => {});
    destroy(world, ship);

    expect([isIterating(world), isAlive(world, ship)]).toEqual([false, false]);
  });
});
