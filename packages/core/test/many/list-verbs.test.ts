import { beforeEach, describe, expect, it } from "vitest";
import {
  Any,
  add,
  addMany,
  component,
  defer,
  destroyMany,
  type Entity,
  f32,
  get,
  isAlive,
  observe,
  parentOf,
  relation,
  release,
  remove,
  removeMany,
  reparentMany,
  type SpawnTerm,
  sparse,
  spawn,
  subjectsOf,
  TreelineError,
  tag,
  type World,
  withHooks,
} from "../../src/index.ts";
import {
  ChildOf,
  Damage,
  Disabled,
  DisabledTree,
  DockedTo,
  Follows,
  Frozen,
  Knows,
  Label,
  Likes,
  MarriedTo,
  OrderedChildren,
  Owns,
  Parent,
  Position,
  storages,
} from "../definitions.ts";
import { createWorld, setWorld, world } from "../fixture.ts";
import { codeOf, has, verify } from "../reading.ts";
import { refusing } from "../storage/memory/refused-memory.ts";
import { destroy } from "../world/destroy.ts";
import { refuseEachRequest, stateOf } from "../world/refused.ts";
import { expectAlike } from "./alike.ts";

const Limited = relation("Limited", { maxSubjects: 3 });
const Target = component("Target", { x: f32 }, { storage: sparse });
const Marked = tag("Marked", { storage: sparse });
const Velocity = component("Velocity", { x: f32 });

beforeEach(setWorld);

/** Two ships with crates in both storages, some with children of their own; returns them in an order of their own. */
function fleet(inWorld: World, likes = 5): Entity[] {
  const ship = spawn(inWorld, Position({ x: 1 }));
  const dock = spawn(inWorld, OrderedChildren);
  const list: Entity[] = [];
  for (let place = 0; place < 12; place++) {
    const storage = place % 3 === 0 ? Parent : ChildOf;
    const own = place % 2 === 0 ? [Position({ x: place })] : [Frozen, Likes(ship)];
    list.push(spawn(inWorld, storage(place % 4 < 2 ? ship : dock), ...own));
  }
  for (const one of list.slice(0, 4))
    spawn(inWorld, ChildOf(one), ...(likes > 0 ? [Likes(list[likes]!)] : []));
  list.push(ship, dock);
  return [7, 2, 0, 11, 5, 3, 8, 1, 10, 4, 6, 9].map((place) => list[place]!);
}

describe("addMany is like one add after another", () => {
  it.each<[string, (inWorld: World, list: Entity[]) => Parameters<typeof addMany>[2][]]>([
    ["of a component", () => [Velocity({ x: 2 })]],
    ["of a component that some have", () => [Position({ x: 5 })]],
    ["of several", () => [Velocity, Label("a")]],
    ["of sparse components", () => [Target({ x: 2 }), Marked]],
    ["of a tag that is stored as bits", () => [Disabled]],
    ["of a tag that disables what is below", () => [DisabledTree, Velocity]],
    ["of a tag to which core reacts", () => [OrderedChildren]],
    ["of a pair", (_, list) => [Likes(list[0]!), Likes(list[3]!)]],
    ["of a pair that replaces another", (_, list) => [DockedTo(list[3]!)]],
    ["of a pair with values", (_, list) => [Damage(list[0]!, { amount: 3 })]],
    ["of a parent", (inWorld) => [ChildOf(spawn(inWorld))]],
    ["of a parent by value", (inWorld) => [Parent(spawn(inWorld)), Velocity]],
  ])("%s", (_, terms) => {
    const given = new Map<World, Parameters<typeof addMany>[2][]>();
    const termsIn = (inWorld: World, list: Entity[]): Parameters<typeof addMany>[2][] => {
      if (!given.has(inWorld)) given.set(inWorld, terms(inWorld, list));
      return given.get(inWorld)!;
    };

    expectAlike(
      fleet,
      (inWorld, list) => addMany(inWorld, list, ...termsIn(inWorld, list)),
      (inWorld, one, __, list) => add(inWorld, one, ...(termsIn(inWorld, list) as SpawnTerm[])),
    );
  });
});

describe("removeMany is like one remove after another", () => {
  it.each<[string, (list: Entity[]) => Parameters<typeof removeMany>[2]]>([
    ["of a component", () => Position],
    ["of a tag", () => Frozen],
    ["of a pair", () => Likes(Any)],
    ["of a parent", () => ChildOf(Any)],
    ["of a parent by value", () => Parent(Any)],
    ["of all pairs", () => Any(Any)],
  ])("%s", (_, what) => {
    expectAlike(
      fleet,
      (inWorld, list) => removeMany(inWorld, list, what(list)),
      (inWorld, one, __, list) => remove(inWorld, one, what(list)),
    );
  });
});

const destroyOne = (inWorld: World, one: Entity): unknown => destroy(inWorld, one);

/** 24 entities with texts below three parents, and eight without; every fifth is marked; and the order of 32 places. */
function crowdOf(inWorld: World, storage: typeof ChildOf): { crowd: Entity[]; order: number[] } {
  const decks = [spawn(inWorld), spawn(inWorld), spawn(inWorld, OrderedChildren)];
  const crowd = Array.from({ length: 32 }, (_, place) => {
    const above = place % 4 === 3 ? [] : [storage(decks[place % 4]!)];
    const marked = place % 5 === 0 ? [Marked] : [];
    return spawn(inWorld, Position({ x: place }), Label(`crate ${place}`), ...above, ...marked);
  });
  return { crowd, order: crowd.map((_, place) => (place * 13 + 7) % 32) };
}

describe("destroyMany is like one destroy after another", () => {
  describe.each(storages)("of leaves of several tables below parents stored by %s", (_, storage) => {
    it.each([1, 9, 20, 31, 32])("%i of 32", (count) => {
      expectAlike(
        (inWorld) => {
          const { crowd, order } = crowdOf(inWorld, storage);
          return order.slice(0, count).map((place) => crowd[place]!);
        },
        destroyMany,
        destroyOne,
        [false],
      );
    });

    it("leaves the values of all others as they were", () => {
      const { crowd, order } = crowdOf(world, storage);

      destroyMany(
        world,
        order.slice(0, 20).map((place) => crowd[place]!),
      );

      for (const place of order.slice(20)) {
        const [position, label] = [get(world, crowd[place]!, Position), get(world, crowd[place]!, Label)];
        expect([position?.x, label]).toEqual([place, `crate ${place}`]);
      }
      expect(order.slice(0, 20).some((place) => isAlive(world, crowd[place]!))).toBe(false);
      expect(verify(world)).toEqual([]);
    });
  });

  it("of a whole list", () => expectAlike((inWorld) => fleet(inWorld, 0), destroyMany, destroyOne));

  it("of leaves", () => {
    const leaves = (inWorld: World): Entity[] =>
      fleet(inWorld, 0).filter((one) => subjectsOf(inWorld, one, ChildOf).length === 0);

    expectAlike(leaves, destroyMany, destroyOne);
  });

  it("of what a relation deletes with its target", () => {
    const owners = (inWorld: World): Entity[] => {
      const list = fleet(inWorld);
      add(inWorld, list[9]!, Owns(list[2]!));
      return list.slice(0, 4);
    };

    expectAlike(owners, destroyMany, destroyOne);
  });

  it("tells first of the pairs that entities lose which stay alive", () => {
    const [one, other, fan] = [spawn(world), spawn(world), spawn(world)];
    add(world, fan, Likes(one), Likes(other));
    const events: unknown[] = [];
    observe(world, { removed: Likes }, ({ entity, target }) => events.push([entity, target]));
    observe(world, { destroyed: true }, ({ entity }) => events.push(entity));

    destroyMany(world, [one, other]);

    expect(events).toEqual([[fan, one], [fan, other], one, other]);
  });

  it("ignores what is not alive, and what goes with an earlier one", () => {
    const ship = spawn(world);
    const seat = spawn(world, ChildOf(ship));
    const gone = spawn(world);
    release(world, gone);
    const kept = spawn(world);

    destroyMany(world, [gone, ship, seat, ship]);

    expect([ship, seat, kept].map((one) => isAlive(world, one))).toEqual([false, false, true]);
  });
});

describe.each(storages)("reparentMany in a tree stored by %s", (_, storage) => {
  const Storage = storage;

  function planted(inWorld: World): Entity[] {
    const [a, b, c] = [spawn(inWorld), spawn(inWorld), spawn(inWorld)];
    const list = Array.from({ length: 9 }, (__, place) =>
      spawn(inWorld, Storage(place < 5 ? a : b), ...(place % 2 === 0 ? [Position({ x: place })] : [])),
    );
    spawn(inWorld, ChildOf(list[1]!), DisabledTree);
    spawn(inWorld, Parent(list[2]!));
    return [...list, a, b, c];
  }
  const parentsOf = (list: Entity[]): Entity[] => {
    const [a, b, c] = list.slice(9);
    return [c!, a!, b!, c!, list[0]!, c!, b!, list[1]!, a!];
  };

  it("is like one add after another, with a parent for each", () => {
    expectAlike(
      planted,
      (inWorld, list) => reparentMany(inWorld, list.slice(0, 9), parentsOf(list)),
      (inWorld, one, place, list) => {
        if (place < 9) add(inWorld, one, Storage(parentsOf(list)[place]!));
      },
    );
  });

  it.each(storages)("is like one add of %s after another, if that is named", (__, named) => {
    expectAlike(
      planted,
      (inWorld, list) => reparentMany(inWorld, list.slice(0, 9), list[11]!, named),
      (inWorld, one, place, list) => {
        if (place < 9) add(inWorld, one, named(list[11]!));
      },
    );
  });

  it("moves into parents that have children already", () => {
    expectAlike(
      (inWorld) => {
        const list = planted(inWorld);
        for (const one of list.slice(9)) for (let count = 3; count > 0; count--) spawn(inWorld, Storage(one));
        for (const one of list.slice(9)) spawn(inWorld, Storage(one), Position);
        return list;
      },
      (inWorld, list) => reparentMany(inWorld, list.slice(3, 9), list.slice(9).concat(list.slice(9))),
      (inWorld, one, place, list) => {
        if (place > 2 && place < 9) add(inWorld, one, Storage(list[9 + ((place - 3) % 3)]!));
      },
    );
  });

  it("allows a parent that a move before it has taken out of the entity", () => {
    const [root, a] = [spawn(world), spawn(world)];
    const b = spawn(world, Storage(a));

    reparentMany(world, [b, a], [root, b]);

    expect([parentOf(world, b), parentOf(world, a), verify(world)]).toEqual([root, b, []]);
  });

  it.each<[string, (list: Entity[]) => [Entity[], Entity | Entity[]]]>([
    ["below itself", (list) => [[list[0]!], list[0]!]],
    ["below its child", ([a, b]) => [[a!], b!]],
    [
      "below what a move before has put below it",
      ([, b, c, d]) => [[c!, b!], [b!, c!].concat(d === undefined ? [] : [])],
    ],
    [
      "in a circle of leaves",
      ([, , c, d]) => [
        [c!, d!],
        [d!, c!],
      ],
    ],
  ])("changes nothing if one would be %s", (__, call) => {
    const a = spawn(world);
    const list = [a, spawn(world, Storage(a)), spawn(world, Storage(a)), spawn(world, Storage(a))];
    const before = stateOf(world);

    expect(codeOf(() => reparentMany(world, ...call(list)))).toBe("cycle");
    expect([stateOf(world), verify(world)]).toEqual([before, []]);
  });
});

describe("a list", () => {
  let list: Entity[];
  let gone: Entity;

  beforeEach(() => {
    list = fleet(world);
    gone = spawn(world);
    release(world, gone);
  });

  it.each<[string, string, () => void]>([
    ["addMany of one that is not alive", "dead-entity", () => addMany(world, [list[0]!, gone], Velocity)],
    ["addMany below one that is not alive", "dead-entity", () => addMany(world, list, ChildOf(gone))],
    ["addMany of no list", "bad-value", () => addMany(world, list[0] as never, Velocity)],
    ["addMany of a wrong value", "bad-value", () => addMany(world, list, Velocity({ x: "no" } as never))],
    ["addMany of the same twice", "bad-term", () => addMany(world, list, Velocity, Velocity)],
    ["addMany of a component that needs a value", "bad-value", () => addMany(world, list, Label as never)],
    ["addMany to more than a relation allows", "full", () => addMany(world, list, Limited(list[0]!))],
    ["addMany in a cycle", "cycle", () => addMany(world, list, Follows(list[4]!))],
    [
      "removeMany of one that is not alive",
      "dead-entity",
      () => removeMany(world, [list[0]!, gone], Position),
    ],
    ["removeMany of no term", "bad-term", () => removeMany(world, list, {} as never)],
    ["destroyMany of no list", "bad-value", () => destroyMany(world, undefined as never)],
    [
      "destroyMany of what is no handle",
      "dead-entity",
      () => destroyMany(world, [list[0]!, Number.NaN as Entity]),
    ],
    [
      "reparentMany of one that is not alive",
      "dead-entity",
      () => reparentMany(world, [list[0]!, gone], list[4]!),
    ],
    ["reparentMany below one that is not alive", "dead-entity", () => reparentMany(world, list, gone)],
    ["reparentMany with too few parents", "bad-value", () => reparentMany(world, list, [list[0]!])],
    ["reparentMany by another relation", "bad-term", () => reparentMany(world, [], list[0]!, Likes as never)],
  ])("changes nothing if it is refused: %s", (_, code, call) => {
    const before = stateOf(world);

    expect(codeOf(call)).toBe(code);
    expect([stateOf(world), verify(world)]).toEqual([before, []]);
  });

  it("counts an entity once that is in it twice", () => {
    const events: Entity[] = [];
    observe(world, { added: Any, removed: Any }, ({ entity }) => events.push(entity));
    const [one, other] = [list[0]!, list[2]!];
    const dock = spawn(world);

    addMany(world, [one, other, one], Velocity);
    reparentMany(world, [one, other, one], dock);
    removeMany(world, [one, one, other], Velocity);

    expect(events).toEqual([one, other, one, one, other, other, one, other]);
    expect(subjectsOf(world, dock, ChildOf)).toEqual([one, other]);
  });

  it("may have a value for each", () => {
    const [one, other] = list as [Entity, Entity];

    addMany(world, [one, other, one], Label.each(["a", "b", "c"]), Velocity({ x: 3 }));

    expect([one, other].map((each) => [get(world, each, Label), get(world, each, Velocity)])).toEqual([
      ["a", { x: 3 }],
      ["b", { x: 3 }],
    ]);
    expect(codeOf(() => addMany(world, [one], ChildOf.each([other])))).toBe("bad-term");
    expect(codeOf(() => addMany(world, [one], Label.each([])))).toBe("bad-value");
  });

  it("may be empty", () => {
    const before = stateOf(world);

    addMany(world, [], Velocity);
    removeMany(world, [], Position);
    reparentMany(world, [], list[0]!);
    destroyMany(world, []);

    expect(stateOf(world)).toEqual(before);
  });

  it("waits for the end of an iteration, without those destroyed by then", () => {
    const [one, other, third] = list as [Entity, Entity, Entity];

    defer(world, () => {
      addMany(world, [one, other], Velocity({ x: 4 }));
      destroy(world, one);
      expect(has(world, other, Velocity)).toBe(false);
      removeMany(world, [one, other], Velocity);
      addMany(world, [third], Velocity);
      destroyMany(world, [one]);
    });

    expect([isAlive(world, one), has(world, other, Velocity), has(world, third, Velocity)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("is destroyed with a deferred parent that is not alive at the end", () => {
    const [one, other, third] = list as [Entity, Entity, Entity];
    const dock = spawn(world);

    defer(world, () => {
      reparentMany(world, [one, other], [dock, third]);
      destroy(world, dock);
    });

    expect([isAlive(world, one), parentOf(world, other)]).toEqual([false, third]);
  });

  it("is refused inside an iteration of a strict world", () => {
    const strict = createWorld({ strict: true });
    const one = spawn(strict);

    const codes = [
      () => addMany(strict, [one], Velocity),
      () => removeMany(strict, [one], Velocity),
      () => destroyMany(strict, [one]),
      () => reparentMany(strict, [one], spawn(strict)),
    ].map((call) => codeOf(() => defer(strict, call)));

    expect(codes).toEqual(Array(4).fill("iterating"));
  });
});

describe("hooks and observers", () => {
  it("of a symmetric relation are told of both sides", () => {
    const [a, b, c] = [spawn(world), spawn(world), spawn(world)];

    addMany(world, [a, b], Knows(c));
    addMany(world, [a, b], MarriedTo(c));

    expect([a, b, c].map((one) => subjectsOf(world, one, Knows))).toEqual([[c], [c], [a, b]]);
    expect([a, b, c].map((one) => subjectsOf(world, one, MarriedTo))).toEqual([[], [c], [b]]);
    removeMany(world, [a, b], Knows(Any));
    expect([subjectsOf(world, c, Knows), verify(world)]).toEqual([[], []]);
  });

  it("refuse all if they refuse one", () => {
    const Sealed = withHooks(component<number>("Sealed"), {
      check: (_, entity, value, parent) => {
        if (value === 2 || parent === entity) throw new TreelineError("refused", "sealed");
      },
    });
    const list = fleet(world);
    add(world, list[3]!, Sealed(1));
    const before = stateOf(world);

    expect(codeOf(() => addMany(world, list, Sealed(2), Velocity))).toBe("refused");
    expect(stateOf(world)).toEqual(before);
    addMany(world, list, Sealed(3));
    expect(list.map((one) => get(world, one, Sealed))).toEqual(Array(12).fill(3));
  });

  it("see the changes of observers only after the whole list", () => {
    const list = fleet(world);
    const seen: boolean[] = [];
    observe(world, { added: Velocity }, ({ entity }) => {
      seen.push(has(world, list[0]!, Label));
      add(world, entity, Label("new"));
    });

    addMany(world, list, Velocity);

    expect(seen).toEqual(Array(12).fill(false));
    expect(list.every((one) => has(world, one, Label))).toBe(true);
  });

  it("refuse a value that identifies entities to more than one of them", () => {
    const Id = withHooks(component<number>("Id"), { identifies: "world" });
    const list = fleet(world);
    const before = stateOf(world);

    expect(codeOf(() => addMany(world, list, Id(1)))).toBe("name-taken");
    expect(stateOf(world)).toEqual(before);
  });
});

describe("memory that is refused changes nothing", () => {
  const many = (inWorld: World): Entity[] => {
    const [ship, dock] = [spawn(inWorld), spawn(inWorld)];
    const list = Array.from({ length: 40 }, (_, place) =>
      spawn(inWorld, ChildOf(place % 2 === 0 ? ship : dock), Position),
    );
    return [...list, ship, dock];
  };

  it.each<[string, (inWorld: World, list: Entity[], ship: Entity, dock: Entity) => void]>([
    ["addMany", (inWorld, list) => addMany(inWorld, list, Velocity)],
    ["addMany of a symmetric pair", (inWorld, list, ship) => addMany(inWorld, list, Knows(ship))],
    ["addMany of a parent", (inWorld, list, ship) => addMany(inWorld, list, ChildOf(ship), Velocity)],
    ["removeMany", (inWorld, list) => removeMany(inWorld, list, ChildOf(Any))],
    ["reparentMany by value", (inWorld, list, ship) => reparentMany(inWorld, list, ship, Parent)],
  ])("%s", (_, call) => {
    const refused = refuseEachRequest((inWorld) => {
      const list = many(inWorld);
      const [ship, dock] = list.splice(40) as [Entity, Entity];
      spawn(inWorld, Knows(dock));
      return { call: () => call(inWorld, list, ship, dock), calls: [] };
    });

    expect(refused).toBeGreaterThan(0);
  });

  it("reparentMany requests none: no row moves", () => {
    const memory = refusing();
    const inWorld = createWorld({ memory });
    const list = many(inWorld);
    const [ship, dock] = list.splice(40) as [Entity, Entity];

    memory.refuse(1, false);
    reparentMany(inWorld, list, dock);

    expect([memory.requests, subjectsOf(inWorld, ship, ChildOf)]).toEqual([0, []]);
    expect(subjectsOf(inWorld, dock, ChildOf)).toHaveLength(40);
    expect(verify(inWorld)).toEqual([]);
  });
});
