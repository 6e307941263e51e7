import {
  add,
  applyCommands,
  array,
  bool,
  ChildOf,
  component,
  createCommands,
  createWorld,
  defer,
  type Entity,
  entity,
  type FieldAccess,
  f32,
  f64,
  field,
  get,
  i32,
  isAlive,
  observe,
  pack,
  record,
  release,
  remove,
  sparse,
  spawn,
  spawnMany,
  tag,
  u8,
  value,
  type World,
  webAssemblyMemory,
  withHooks,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { restore, type Snapshot, snapshot } from "@treeline/document/snapshot";
import { changed, each, query } from "@treeline/query";
import { beforeEach, describe, expect, it } from "vitest";
import { createDice, type Dice } from "../src/base/dice.ts";

/*
 * What accessors of fields keep for a world: columns by archetype, and whether a write is plain. Each case makes it stale in one way, the
 * walk in all ways in turns.
 */

const FIELDS = {
  x: f32,
  y: f64,
  count: i32,
  small: u8,
  on: bool,
  at: entity,
  list: array(f32, 3),
  text: value<string>(""),
};
const Body = component("Body", FIELDS);
const Apart = component("Apart", FIELDS, { storage: sparse });
const Other = component("Other", { x: f32 });
const Tags = Array.from({ length: 4 }, (_, at) => tag(`Tag${at}`));

type Access = FieldAccess<unknown>;
const accessesOf = (what: typeof Body): (readonly [string, Access])[] =>
  Object.keys(FIELDS).map((name) => [name, field(what, name as "x") as Access] as const);
const ACCESSES = new Map([Body, Apart].map((what) => [what, accessesOf(what)]));
const x = field(Body, "x");
const y = field(Body, "y");
const count = field(Body, "count");
const apart = field(Apart, "x");

/** What accessors read of an entity, as `get` returns it. */
function readBy(world: World, one: Entity, what: typeof Body): unknown {
  const entries = ACCESSES.get(what)!.map(([name, access]) => [name, access.get(world, one)] as const);
  return entries.every(([, own]) => own === undefined) ? undefined : Object.fromEntries(entries);
}

const DEAD = expect.objectContaining({ code: "dead-entity" });

let world: World;
let one: Entity;
beforeEach(() => {
  world = createWorld();
  one = spawn(world, Body({ x: 1, y: 2, count: 3 }), Apart({ x: 4 }));
  expect([x.get(world, one), y.get(world, one), count.get(world, one), apart.get(world, one)]).toEqual([
    1, 2, 3, 4,
  ]);
  for (const own of [x, y, count, apart]) own.set(world, one, own.get(world, one)!);
});

/** Writes another number to each field, by which it is read, and by `get`. */
function expectWritten(given = world, own = one): void {
  for (const access of [x, y, count, apart]) access.set(given, own, access.get(given, own)! + 10);
  const body = get(given, own, Body)!;
  expect([x.get(given, own), y.get(given, own), count.get(given, own)]).toEqual([body.x, body.y, body.count]);
  expect(apart.get(given, own)).toBe(get(given, own, Apart)!.x);
  expect(verify(given)).toEqual([]);
}

describe("accessors find the present columns", () => {
  it("after columns have grown", () => {
    spawnMany(world, 1000, Body, Apart);

    expect([x.get(world, one), y.get(world, one), count.get(world, one), apart.get(world, one)]).toEqual([
      1, 2, 3, 4,
    ]);
    expectWritten();
  });

  it("after a WebAssembly memory has moved", () => {
    world = createWorld({ memory: webAssemblyMemory({ bytes: 65_536 }) });
    one = spawn(world, Body({ x: 1 }), Apart);
    expectWritten();

    spawnMany(world, 10_000, Tags[0]!, Other);

    expect(x.get(world, one)).toBe(11);
    expectWritten();
  });

  it("after an archetype has lost all rows and its columns, and has rows again", () => {
    const crowd = spawnMany(world, 2000, Body({ x: 9 }), Tags[0]!);
    expect(x.get(world, crowd[1999]!)).toBe(9);
    for (const entity of crowd) release(world, entity);
    pack(world);

    const again = spawn(world, Body({ x: 7 }), Tags[0]!, Apart);

    expect(x.get(world, again)).toBe(7);
    expectWritten(world, again);
  });

  it("after rows have moved within and between archetypes", () => {
    const [first, second] = spawnMany(world, 2, Body, Apart);
    x.set(world, second!, 5);
    release(world, first!);
    add(world, one, Tags[1]!, ChildOf(second!));

    expect([x.get(world, second!), x.get(world, one)]).toEqual([5, 1]);
    expectWritten();
    expectWritten(world, second!);
  });

  it("after a restore, to fewer rows and archetypes", () => {
    const saved = snapshot(world);
    const later = spawnMany(world, 500, Body({ x: 9 }), Apart);
    const tagged = spawn(world, Body({ x: 8 }), Tags[2]!, Apart);
    expect([x.get(world, later[400]!), x.get(world, tagged)]).toEqual([9, 8]);
    x.set(world, one, 100);

    restore(world, saved);

    expect(x.get(world, one)).toBe(1);
    expectWritten();
    expectWritten(world, spawn(world, Body({ x: 8 }), Tags[2]!, Apart));
  });

  it("after the component was removed and added", () => {
    remove(world, one, Body);
    remove(world, one, Apart);
    expect([x.get(world, one), count.get(world, one), apart.get(world, one)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);

    add(world, one, Body({ x: 6 }));
    add(world, one, Apart({ x: 6 }));

    expect([x.get(world, one), apart.get(world, one)]).toEqual([6, 6]);
    expectWritten();
  });

  it("of each world, in turns", () => {
    const other = createWorld();
    const far = spawn(other, Tags[3]!, Body({ x: 50 }), Apart({ x: 60 }));

    for (let turn = 0; turn < 3; turn++) {
      expect([x.get(other, far), x.get(world, one)]).toEqual([50 + turn * 10, 1 + turn * 10]);
      expectWritten(other, far);
      expectWritten();
    }
  });
});

describe("a write that is not plain any more", () => {
  const seenBy = (observed: object, of: Access, given: unknown): number => {
    let seen = 0;
    const stop = observe(world, { set: observed as typeof Body }, () => seen++);
    of.set(world, one, given);
    stop();
    of.set(world, one, given);
    return seen;
  };

  it.each([
    ["f32", x],
    ["f64", y],
    ["i32", count],
  ])("of kind %s notifies observers, as long as there are any", (_, access) => {
    expect([seenBy(Body, access, 5), seenBy(Other, access, 6)]).toEqual([1, 0]);
    expectWritten();
  });

  it("of a sparse component notifies observers, as long as there are any", () => {
    expect([seenBy(Apart, apart, 5), seenBy(Body, apart, 6)]).toEqual([1, 0]);
    expectWritten();
  });

  it("is found by a query for changes, as long as there is one", () => {
    const all = query(world, Body, changed(Body));
    const found = (): number => {
      let rows = 0;
      each(all, () => void rows++);
      return rows;
    };
    found();

    const seen = [x, y, count].map((access) => {
      access.set(world, one, 5);
      return found();
    });

    expect([...seen, found()]).toEqual([1, 1, 1, 0]);
    expectWritten();
  });

  it("is deferred behind a deferred change of its entity, and not behind others", () => {
    const other = spawn(world, Body, Apart);
    const during: unknown[] = [];

    defer(world, () => {
      add(world, other, Tags[0]!);
      x.set(world, one, 5);
      x.set(world, other, 6);
      during.push(x.get(world, one), x.get(world, other));
    });

    expect([...during, x.get(world, other)]).toEqual([5, 0, 6]);
    expectWritten();
  });

  it("is made at once in an iteration without deferred changes, also of a strict world", () => {
    world = createWorld({ strict: true });
    one = spawn(world, Body, Apart);

    each(query(world, Body), () => expectWritten());
  });

  it("is recorded by a command buffer", () => {
    const commands = createCommands(world);

    record(commands, () => x.set(world, one, 9));
    const before = x.get(world, one);
    applyCommands(commands);

    expect([before, x.get(world, one)]).toEqual([1, 9]);
    expectWritten();
  });

  it("calls the hooks of its component", () => {
    const given: number[] = [];
    const Fuel = withHooks(component("Fuel", { tons: f32 }), {
      onSet: (_w, _e, { tons }) => void given.push(tons),
    });
    const tons = field(Fuel, "tons");
    add(world, one, Fuel({ tons: 1 }));

    for (const next of [2, 3]) tons.set(world, one, next);

    expect([given, tons.get(world, one)]).toEqual([[1, 2, 3], 3]);
    expect(verify(world)).toEqual([]);
  });

  it("is refused for a handle that is not alive, in all its forms", () => {
    const gone = spawn(world, Body({ x: 1 }));
    release(world, gone);

    for (const wrong of [gone, -gone, -one, 0, Number.NaN, undefined, one + 0.5]) {
      expect(() => x.get(world, wrong as Entity)).toThrow(DEAD);
      expect(() => x.set(world, wrong as Entity, 5)).toThrow(DEAD);
      expect(() => count.get(world, wrong as Entity)).toThrow(DEAD);
      expect(() => apart.set(world, wrong as Entity, 5)).toThrow(DEAD);
    }
    expectWritten();
  });
});

/** One change of a world that has `alive` entities, by which accessors may become stale. */
function change(dice: Dice, given: World, alive: Entity[], saved: Snapshot[]): void {
  const some = alive[dice.below(alive.length)]!;
  const what = dice.pick([Body, Apart]);
  switch (dice.below(9)) {
    case 0:
      alive.push(...spawnMany(given, 1 + dice.below(dice.chance(0.2) ? 200 : 3), what({ x: dice.below(9) })));
      break;
    case 1:
      for (const entity of dice.chance(0.1) ? alive.slice(1) : [some])
        if (entity !== alive[0]) release(given, entity);
      break;
    case 2:
      add(given, some, dice.pick(Tags));
      break;
    case 3:
      remove(given, some, dice.pick([...Tags, what]));
      break;
    case 4:
      add(given, some, what({ y: dice.below(9) }));
      break;
    case 5:
      saved[0] = snapshot(given);
      break;
    case 6:
      if (saved[0] !== undefined) restore(given, saved[0]);
      break;
    case 7:
      if (alive[0] !== some) add(given, some, ChildOf(alive[0]!));
      break;
    default:
      pack(given);
  }
}

const SEEDS = Array.from({ length: 6 * Number(process.env.TREELINE_WALKS ?? 1) }, (_, at) => at + 1);

describe.each(SEEDS)("in a walk over two worlds, seed %i", (seed) => {
  it("accessors read and write what get and set do", () => {
    const dice = createDice(seed);
    const sides = [createWorld(), createWorld({ memory: webAssemblyMemory({ bytes: 65_536 }) })].map(
      (own) => ({
        own,
        first: spawn(own, Body, Apart),
        alive: [] as Entity[],
        saved: [] as Snapshot[],
        stops: [] as (() => void)[],
        seen: 0,
      }),
    );
    for (let step = 0; step < 300; step++) {
      const side = dice.pick(sides);
      const { own, first, saved, stops } = side;
      if (dice.chance(0.05))
        stops.push(observe(own, { set: dice.pick([Body, Other]) }, () => void side.seen++));
      if (dice.chance(0.05)) stops.pop()?.();
      side.alive = [first, ...side.alive.filter((each) => each !== first && isAlive(own, each))];
      change(dice, own, side.alive, saved);
      side.alive = side.alive.filter((each) => isAlive(own, each));
      for (let reads = 0; reads < 4; reads++) {
        const entity = dice.pick(side.alive);
        const what = dice.pick([Body, Apart]);
        expect(readBy(own, entity, what)).toEqual(get(own, entity, what));
        const number = dice.below(100);
        const access = dice.pick([field(what, "x"), field(what, "y"), field(what, "count")]);
        const write = (): void => access.set(own, entity, number);
        if (dice.chance(0.2)) {
          defer(own, () => {
            if (dice.chance(0.5)) add(own, dice.pick(side.alive), dice.pick(Tags));
            write();
          });
        } else write();
        expect([access.get(own, entity), readBy(own, entity, what)]).toEqual([
          number,
          get(own, entity, what),
        ]);
      }
      if (step % 10 === 0) expect(verify(own)).toEqual([]);
    }
    for (const { own } of sides) expect(verify(own)).toEqual([]);
  });
});
