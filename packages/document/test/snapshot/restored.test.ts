import {
  add,
  ChildOf,
  component,
  createCommands,
  createWorld,
  defer,
  disposeWorld,
  type Entity,
  entity,
  entityOf,
  f32,
  get,
  has,
  isAlive,
  OrderedChildren,
  observe,
  observeEntity,
  Parent,
  parentOf,
  plainMemory,
  record,
  remove,
  set,
  sparse,
  spawn,
  spawnMany,
  targetsOf,
  value,
  type World,
  withHooks,
} from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { Alias, lookup, Name, path, pathOf, rename } from "@treeline/names";
import {
  added,
  cascade,
  changed,
  children,
  destroy,
  each,
  entities,
  insertAt,
  monitor,
  not,
  observeAbove,
  orderBy,
  type Query,
  query,
  up,
} from "@treeline/query";
import { beforeEach, describe, expect, it } from "vitest";
import {
  checksum,
  observeRestored,
  restore,
  type Snapshot,
  snapshot,
  withTransient,
} from "../../src/snapshot.ts";
import { codeOf, Likes, Lit, Position, smallWorld, Target } from "../small-world.ts";

const Speed = component("Speed", { by: f32 });
const Mesh = component<{ id: number }>("Mesh");

let world: World;
let ship: Entity;
let gun: Entity;
beforeEach(() => {
  ({ world, ship, gun } = smallWorld());
});

describe("a restored world", () => {
  it("has the values, parents and entities of the snapshot again, under their handles", () => {
    const taken = snapshot(world);
    set(world, gun, Position, { x: 9 });
    destroy(world, ship);

    restore(world, taken);

    expect(get(world, gun, Position)).toEqual({ x: 3, y: 4 });
    expect(parentOf(world, gun)).toBe(ship);
    expect(verify(world)).toEqual([]);
  });

  it("gives entities that are spawned next the handles that they would have got without what was given up", () => {
    const taken = snapshot(world);
    const first = spawn(world, Position);
    const second = spawn(world);

    restore(world, taken);

    expect(isAlive(world, first)).toBe(false);
    expect([spawn(world), spawn(world)]).toEqual([first, second]);
  });

  it("has tags in bits and sparse values again, and none that came since", () => {
    add(world, ship, Lit, Target({ x: 5 }));
    const taken = snapshot(world);
    remove(world, ship, Lit);
    set(world, ship, Target, { x: 6 });
    add(world, gun, Lit, Target({ x: 7 }));

    restore(world, taken);

    expect([has(world, ship, Lit), has(world, gun, Lit)]).toEqual([true, false]);
    expect([get(world, ship, Target), get(world, gun, Target)]).toEqual([{ x: 5 }, undefined]);
    expect(verify(world)).toEqual([]);
  });

  it("has siblings in their order again, in both storages of parents", () => {
    const fleet = spawn(world, OrderedChildren);
    const some = [spawn(world, ChildOf(fleet)), spawn(world, Parent(fleet)), spawn(world, ChildOf(fleet))];
    const taken = snapshot(world);
    insertAt(world, fleet, some[2]!, 0);
    destroy(world, some[1]!);

    restore(world, taken);

    expect(children(world, fleet)).toEqual(some);
    expect(verify(world)).toEqual([]);
  });

  it("has several targets of one relation in the order of adding", () => {
    const [one, other] = [spawn(world), spawn(world)];
    add(world, ship, Likes(other));
    add(world, ship, Likes(one));
    const taken = snapshot(world);
    remove(world, ship, Likes(other));

    restore(world, taken);

    expect(targetsOf(world, ship, Likes)).toEqual([other, one]);
  });

  it("gives back an earlier state from buffers that a later one has used", () => {
    const kept = snapshot(world);
    set(world, ship, Position, { x: 7, y: 8 });
    const late = spawn(world, Position, Lit);

    expect(snapshot(world, { into: kept })).toBe(kept);
    destroy(world, late);
    destroy(world, ship);
    restore(world, kept);

    expect(get(world, ship, Position)).toEqual({ x: 7, y: 8 });
    expect(parentOf(world, gun)).toBe(ship);
    expect(has(world, late, Lit)).toBe(true);
    expect(verify(world)).toEqual([]);
  });

  it("lists archetypes in the order of the snapshot, however they were founded since", () => {
    const all = query(world, Position);
    entities(all);
    const taken = snapshot(world);
    spawn(world, Position, Speed, Lit);
    spawn(world, Position, Mesh({ id: 1 }));
    entities(all);

    restore(world, taken);
    const meshed = spawn(world, Position, Mesh({ id: 2 }));
    const fast = spawn(world, Position, Speed);

    expect(entities(all)).toEqual([ship, gun, meshed, fast]);
  });

  it("has no component entities that were made since, and has those that were destroyed", () => {
    const before = entityOf(world, Speed);
    const taken = snapshot(world);
    entityOf(world, Position);
    destroy(world, before);

    restore(world, taken);

    expect(entityOf(world, Speed)).toBe(before);
    expect(verify(world)).toEqual([]);
  });

  it("can be restored to later snapshots too, in any order", () => {
    const taken: Snapshot[] = [];
    for (let x = 0; x < 4; x++) {
      set(world, ship, Position, { x });
      spawn(world, Name(`Buoy ${x}`), ...(x % 2 === 0 ? [Speed] : [Mesh({ id: x })]));
      taken.push(snapshot(world));
    }
    const seen = [1, 3, 0, 2, 2, 3].map((at) => {
      restore(world, taken[at]!);
      expect(verify(world)).toEqual([]);
      return [get(world, ship, Position)!.x, entities(query(world, Name)).length];
    });

    expect(seen).toEqual([1, 3, 0, 2, 2, 3].map((at) => [at, 3 + at]));
  });

  it("shares JavaScript values with the snapshot, but has copies of those with a `copy` hook", () => {
    const Bag = withHooks(component<string[]>("Bag"), { copy: (list) => [...list] });
    add(world, ship, Bag(["rope"]), Mesh({ id: 1 }));
    const taken = snapshot(world);
    get(world, ship, Bag)!.push("lamp");
    get(world, ship, Mesh)!.id = 2;

    restore(world, taken);
    get(world, ship, Bag)!.push("axe");
    restore(world, taken);

    expect([get(world, ship, Bag), get(world, ship, Mesh)]).toEqual([["rope"], { id: 2 }]);
  });

  it("has copies of JavaScript values in fields too, with a `copy` hook, and numbers as they were", () => {
    const options = [{}, { storage: sparse }];
    const [Bag, Box] = options.map((option, at) =>
      withHooks(
        component(`Bag ${at}`, { list: value<string[] | undefined>(), weight: f32, of: entity }, option),
        {
          copy: ({ list }) => ({ list: [...(list ?? [])], weight: 100, of: undefined }),
        },
      ),
    );
    for (const Held of [Bag!, Box!]) add(world, ship, Held({ list: ["rope"], weight: 2, of: gun }));
    const taken = snapshot(world);
    get(world, ship, Bag!)!.list!.push("lamp");
    get(world, ship, Box!)!.list!.push("lamp");

    restore(world, taken);
    get(world, ship, Bag!)!.list!.push("axe");
    restore(world, taken);

    const before = { list: ["rope"], weight: 2, of: gun };
    expect([get(world, ship, Bag!), get(world, ship, Box!)]).toEqual([before, before]);
  });

  it("keeps the values of transient components on entities that had them then and have them now", () => {
    const Shown = withTransient(component("Shown", { x: 0 }));
    const Drawn = withTransient(component<string>("Drawn"));
    add(world, ship, Shown({ x: 1 }), Drawn("a"));
    add(world, gun, Shown({ x: 2 }));
    const taken = snapshot(world);
    set(world, ship, Shown, { x: 10 });
    set(world, ship, Drawn, "b");
    remove(world, gun, Shown);

    restore(world, taken);

    expect([get(world, ship, Shown), get(world, gun, Shown), get(world, ship, Drawn)]).toEqual([
      { x: 10 },
      { x: 2 },
      "b",
    ]);
  });
});

describe("names after a restore", () => {
  it("are those of the snapshot, and aliases that came since are free", () => {
    const taken = snapshot(world);
    rename(world, ship, "Wreck");
    add(world, gun, Alias("Cannon"));

    restore(world, taken);

    expect([lookup(world, "Ship::Gun"), lookup(world, "Wreck"), lookup(world, "Cannon")]).toEqual([
      gun,
      undefined,
      undefined,
    ]);
    add(world, ship, Alias("Cannon"));
    expect(lookup(world, "Cannon")).toBe(ship);
    expect(verify(world)).toEqual([]);
  });

  it("are found again by path handles, which had found others meanwhile", () => {
    const found = path(world, "Ship");
    expect(found.entity).toBe(ship);
    const taken = snapshot(world);
    rename(world, ship, "Wreck");
    const other = spawn(world, Name("Ship"));
    expect(found.entity).toBe(other);

    restore(world, taken);

    expect(found.entity).toBe(ship);
  });
});

describe("queries after a restore", () => {
  it("match what the world has, made before or after the snapshot, shared or with a target", () => {
    const before = [
      query(world, Position),
      query(world, ChildOf(ship)),
      query(world, Position, cascade(Position)),
    ];
    for (const one of before) entities(one);
    const taken = snapshot(world);
    const more = spawnMany(world, 20, Position, Speed, ChildOf(gun));
    const after = [query(world, Speed), query(world, ChildOf(gun), Position)];
    for (const one of [...before, ...after]) entities(one);

    restore(world, taken);

    expect(before.map((one) => entities(one))).toEqual([[ship, gun], [gun], [ship, gun]]);
    expect(after.map((one) => entities(one))).toEqual([[], []]);
    expect(more.some((one) => isAlive(world, one))).toBe(false);
  });

  it("list batches in the order in which a world that never went on lists them", () => {
    const other = createWorld();
    const build = (where: World): { where: World; list: Query; low: Entity[] } => {
      const top = spawn(where, Position);
      const list = query(where, Position, cascade(Position));
      const low = Array.from({ length: 12 }, () => spawn(where, Position, ChildOf(top)));
      entities(list);
      for (const [at, it] of low.entries()) if (at % 3 === 0) add(where, it, ChildOf(low[at + 1]!));
      entities(list);
      return { where, list, low };
    };
    const [one, two] = [build(world), build(other)];
    const taken = snapshot(one.where);
    for (const it of one.low.slice(4)) add(one.where, it, ChildOf(one.low[0]!));
    entities(one.list);

    restore(one.where, taken);

    const placesIn = ({ list, low }: typeof one): number[] =>
      entities(list)
        .map((it) => low.indexOf(it))
        .filter((at) => at >= 0);
    expect(placesIn(one)).toEqual(placesIn(two));
  });

  it("read on from what they had read at the snapshot", () => {
    const moved = query(world, changed(Position));
    entities(moved);
    set(world, gun, Position, { x: 5 });
    const taken = snapshot(world);
    expect(entities(moved)).toEqual([gun]);
    set(world, ship, Position, { x: 6 });
    expect(entities(moved)).toEqual([ship]);

    restore(world, taken);

    expect(entities(moved)).toEqual([gun]);
    expect(entities(moved)).toEqual([]);
    set(world, ship, Position, { x: 7 });
    expect(entities(moved)).toEqual([ship]);
  });

  it("have read everything if they were made since the snapshot", () => {
    const taken = snapshot(world);
    set(world, gun, Position, { x: 5 });
    const [moved, came] = [query(world, changed(Position)), query(world, added(Speed))];
    add(world, gun, Speed);

    restore(world, taken);

    expect([entities(moved), entities(came)]).toEqual([[], []]);
    set(world, ship, Position, { x: 7 });
    add(world, ship, Speed);
    expect([entities(moved), entities(came)]).toEqual([[ship], [ship]]);
  });

  it("have read the sources of entities above if they were made since the snapshot", () => {
    add(world, ship, Speed);
    const [station, taken] = [spawn(world, Speed), snapshot(world)];
    const moved = query(world, changed(up(Speed)));
    add(world, gun, ChildOf(station));
    entities(moved);

    restore(world, taken);

    expect(entities(moved)).toEqual([]);
    add(world, gun, ChildOf(station));
    expect(entities(moved)).toEqual([gun]);
    set(world, station, Speed, { by: 2 });
    expect(entities(moved)).toEqual([gun]);
  });

  it("sort by the values of the snapshot", () => {
    const byX = query(world, Position, orderBy(Position, "x"));
    expect(entities(byX)).toEqual([ship, gun]);
    const taken = snapshot(world);
    set(world, gun, Position, { x: -1 });
    expect(entities(byX)).toEqual([gun, ship]);

    restore(world, taken);

    expect(entities(byX)).toEqual([ship, gun]);
  });
});

describe("observers of a restore", () => {
  it("are told once, and no hook and no other observer is called", () => {
    const calls: string[] = [];
    const Watched = withHooks(component("Watched", { n: 0 }), {
      onSet: () => void calls.push("hook"),
      onRemove: () => void calls.push("hook"),
    });
    add(world, ship, Watched({ n: 1 }));
    const taken = snapshot(world);
    remove(world, ship, Watched);
    destroy(world, gun);
    observe(
      world,
      { added: Watched, removed: Watched, set: Position, spawned: true, destroyed: true },
      ({ kind }) => calls.push(kind),
    );
    const stop = observeRestored(world, () => calls.push("restored"));
    calls.length = 0;

    restore(world, taken);
    stop();
    restore(world, taken);

    expect(calls).toEqual(["restored"]);
  });

  it("get their changes made when all have been called", () => {
    const taken = snapshot(world);
    observeRestored(world, () => destroy(world, gun));
    observeRestored(world, () => expect(isAlive(world, gun)).toBe(true));

    restore(world, taken);

    expect(isAlive(world, gun)).toBe(false);
  });

  it("monitors report the net difference", () => {
    const calls: [string, Entity][] = [];
    monitor(query(world, Position, not(Speed)), {
      entered: (entity) => calls.push(["entered", entity]),
      left: (entity) => calls.push(["left", entity]),
    });
    const taken = snapshot(world);
    const buoy = spawn(world, Position);
    add(world, gun, Speed);
    set(world, ship, Position, { x: 8 });
    calls.length = 0;

    restore(world, taken);

    expect(calls).toEqual([
      ["left", buoy],
      ["entered", gun],
    ]);
  });

  it("observers of components above go on with the sources of the restored world", () => {
    const events: unknown[] = [];
    const taken = snapshot(world);
    add(world, ship, Speed);
    observeAbove(world, Speed, ({ kind, entity }) => events.push([kind, entity]));

    restore(world, taken);
    add(world, ship, Speed);

    expect(events).toEqual([["added", gun]]);
  });

  it("observers of an entity that was spawned since do not hear of another entity with its handle", () => {
    const events: unknown[] = [];
    const taken = snapshot(world);
    const buoy = spawn(world, Position);
    observeEntity(world, buoy, { set: Position }, (event) => events.push(event));

    restore(world, taken);
    const other = spawn(world, Position);
    set(world, other, Position, { x: 1 });

    expect([other, events]).toEqual([buoy, []]);
  });
});

describe("snapshots and restores are refused", () => {
  const calls: [string, (taken: Snapshot) => void][] = [
    ["snapshot", () => snapshot(world)],
    ["snapshot into another", (taken) => snapshot(world, { into: taken })],
    ["restore", (taken) => restore(world, taken)],
    ["checksum", () => checksum(world)],
  ];

  it.each(calls)("inside iterations, observers and hooks: %s", (_, call) => {
    const taken = snapshot(world);
    const codes: unknown[] = [];
    const note = (): void => void codes.push(codeOf(() => call(taken)));
    const Noted = withHooks(component("Noted", { n: 0 }), { check: note, onSet: note });
    observe(world, { added: Speed }, note);
    defer(world, note);
    each(query(world, Position), note);
    add(world, ship, Speed);
    add(world, ship, Noted);

    expect(codes).toEqual(["iterating", "iterating", "iterating", "iterating", "iterating", "iterating"]);
  });

  it.each(calls)("while there are recorded commands: %s", (_, call) => {
    const taken = snapshot(world);
    const commands = createCommands(world);
    record(commands, () => spawn(world));

    expect(codeOf(() => call(taken))).toBe("iterating");
  });

  it("for another world, for what is no snapshot, and for a world that was disposed", () => {
    const taken = snapshot(world);
    const other = createWorld();

    expect(codeOf(() => restore(other, taken))).toBe("bad-value");
    expect(codeOf(() => snapshot(other, { into: taken }))).toBe("bad-value");
    expect(codeOf(() => restore(world, {} as Snapshot))).toBe("bad-value");
    disposeWorld(world);
    expect(codeOf(() => restore(world, taken))).toBe("disposed");
    expect(codeOf(() => snapshot(world))).toBe("disposed");
  });

  it("if memory is refused: then nothing has changed", () => {
    const memory = plainMemory();
    let isRefusing = false;
    const full = createWorld({
      memory: {
        ...memory,
        allocate: (bytes, moved) => {
          if (isRefusing) throw new RangeError("no memory");
          return memory.allocate(bytes, moved);
        },
      },
    });
    spawnMany(full, 100, Position({ x: 1 }), Speed);
    const taken = snapshot(full);
    spawnMany(full, 5000, Position({ x: 2 }), Speed);
    spawnMany(full, 50, Position, Mesh({ id: 1 }));
    const [before, sum] = [dump(full), checksum(full)];
    isRefusing = true;

    expect(codeOf(() => restore(full, taken))).toBeInstanceOf(RangeError);

    expect([dump(full), checksum(full), verify(full)]).toEqual([before, sum, []]);
    isRefusing = false;
    restore(full, taken);
    expect([entities(query(full, Position)).length, verify(full)]).toEqual([100, []]);
  });

  it("after a `copy` hook threw: the snapshot into which it was taken is not whole", () => {
    let isThrowing = false;
    const Bag = withHooks(component<string[]>("Bag"), {
      copy: (list) => {
        if (isThrowing) throw new Error("no copy");
        return [...list];
      },
    });
    add(world, ship, Bag([]));
    const taken = snapshot(world);
    isThrowing = true;

    expect(codeOf(() => restore(world, taken))).toEqual(new Error("no copy"));
    expect(codeOf(() => snapshot(world, { into: taken }))).toEqual(new Error("no copy"));
    isThrowing = false;
    expect(codeOf(() => restore(world, taken))).toBe("bad-value");
    expect(verify(world)).toEqual([]);
  });
});

it("paths in messages are those of the restored world", () => {
  const taken = snapshot(world);
  rename(world, ship, "Wreck");
  restore(world, taken);

  expect(pathOf(world, gun)).toBe("Ship::Gun");
});
