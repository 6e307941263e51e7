import { describe, expect, it } from "vitest";
import { DisabledFromAbove } from "../../src/id/builtins.ts";
import { PAIR_DISABLES } from "../../src/id/definition.ts";
import { add, createWorld, defer, type Entity, spawn, type World } from "../../src/index.ts";
import {
  changeStorage,
  closeFamily,
  joinFamily,
  leaveFamily,
  sliceOf,
  startOf,
} from "../../src/records/families.ts";
import { losePair } from "../../src/world/change/change-entity.ts";
import { hasBitAt } from "../../src/world/state/values.ts";
import { moveSibling } from "../../src/world/verb/reparent.ts";
import { ChildOf, DisabledTree, Knows, Likes, OrderedChildren, Parent } from "../definitions.ts";
import { indexOf, pairOf } from "../handles.ts";
import { verify } from "../reading.ts";
import { brokenInvariants } from "./healthy.ts";

interface Parents {
  readonly world: World;
  readonly ship: Entity;
  readonly dock: Entity;
  /** Of the ship: by ChildOf, by Parent, by ChildOf, by Parent. */
  readonly crew: readonly [Entity, Entity, Entity, Entity];
  /** (ChildOf, ship). */
  readonly pair: number;
  /** Below a DisabledTree. */
  readonly disabledFromAbove: Entity;
  /** Likes the dock and, since then, the ship. */
  readonly fan: Entity;
}

function plantParents(): Parents {
  const world = createWorld();
  const [ship, dock] = [spawn(world), spawn(world)];
  const crew = [ChildOf, Parent, ChildOf, Parent].map((storage) => spawn(world, storage(ship)));
  spawn(world, ChildOf(dock));
  spawn(world, Parent(crew[1]!), OrderedChildren);
  const cellar = spawn(world, DisabledTree, ChildOf(dock));
  const disabledFromAbove = spawn(world, Parent(spawn(world, ChildOf(cellar))));
  const other = spawn(world, Likes(ship));
  const fan = spawn(world, Likes(dock));
  add(world, fan, Likes(ship));
  add(world, other, Likes(dock));
  return {
    world,
    ship,
    dock,
    crew: crew as unknown as Parents["crew"],
    pair: pairOf(world, ChildOf, ship),
    disabledFromAbove,
    fan,
  };
}

describe("verify finds nothing", () => {
  it("for children in both storages, disabled subtrees and kept orders", () => {
    const { world } = plantParents();

    expect(world.orders.size).toBeGreaterThan(0);
    expect(verify(world)).toEqual([]);
  });

  it("while spawns are pending", () => {
    const { world, ship } = plantParents();

    const inside = defer(world, () => {
      const spawned = spawn(world, ChildOf(ship));
      add(world, spawn(world), ChildOf(spawned));
      return verify(world);
    });

    expect(inside).toEqual([]);
    expect(verify(world)).toEqual([]);
  });
});

describe("verify reports I16", () => {
  const breaks: readonly (readonly [string, (parents: Parents) => void])[] = [
    [
      "a child is in no list",
      ({ world, crew }) => leaveFamily(world.graph.families, world.entities, indexOf(crew[0]), false),
    ],
    [
      "a root is in no list",
      ({ world, fan }) => leaveFamily(world.graph.families, world.entities, indexOf(fan), false),
    ],
    [
      "an entity is in two lists",
      ({ world, pair, dock }) => joinFamily(world.graph.families, world.entities, pair, indexOf(dock), false),
    ],
    [
      "an entity names another place than it has",
      ({ world, crew }) => {
        world.entities.place[indexOf(crew[2])]!--;
      },
    ],
    [
      "an entity names another family than it is in",
      ({ world, crew, dock }) => {
        world.entities.family[indexOf(crew[2])] = pairOf(world, ChildOf, dock);
      },
    ],
    [
      "two siblings change places in the list only",
      ({ world, pair }) => {
        const { families } = world.graph;
        const start = startOf(families, pair);
        families.pool.copyWithin(start, start + 1, start + 2);
      },
    ],
    [
      "a list begins with a hole",
      ({ world, pair }) => {
        world.graph.families.pool[startOf(world.graph.families, pair)] = 0;
      },
    ],
    [
      "children by value are miscounted",
      ({ world, pair }) => changeStorage(world.graph.families, pair, false),
    ],
    [
      "the family is that of another relation",
      ({ world, crew, dock }) => {
        const { families } = world.graph;
        leaveFamily(families, world.entities, indexOf(crew[1]), true);
        joinFamily(families, world.entities, pairOf(world, Likes, dock), indexOf(crew[1]), true);
      },
    ],
    [
      "a list has more holes than entities",
      ({ world, pair, crew }) => {
        const { families } = world.graph;
        for (let index = 1000; index < 1100; index++)
          joinFamily(families, world.entities, pair, index, false);
        joinFamily(families, world.entities, pair, 2000, false);
        const start = startOf(families, pair);
        families.pool.fill(0, start + crew.length, start + 100);
      },
    ],
    [
      "two lists overlap",
      ({ world, pair, dock }) => {
        const { families } = world.graph;
        const { first, room } = sliceOf(families, pairOf(world, ChildOf, dock));
        const own = sliceOf(families, pair).first;
        const at = families.records.indexOf(own);
        expect(room).toBeGreaterThan(0);
        families.records[at] = first;
      },
    ],
    [
      "a free slice overlaps a list",
      ({ world, pair }) => {
        const { families } = world.graph;
        families.free[1] = sliceOf(families, pair).first + 1;
      },
    ],
  ];

  it.each(breaks)("when %s", (_, spoil) => {
    const parents = plantParents();

    spoil(parents);

    expect(brokenInvariants(parents.world)).toContain("I16");
  });

  it("when an entity has a parent and its archetype does not, or the other way round", () => {
    const [one, other] = [plantParents(), plantParents()];
    one.world.entities.family[indexOf(one.fan)] = one.pair;
    other.world.entities.family[indexOf(other.crew[1])] = 0;

    const found = [one, other].map(({ world }) =>
      verify(world).filter((text) => text.includes("does not fit")),
    );

    expect(found.map(({ length }) => length)).toEqual([1, 1]);
  });

  it("not when children are put into another order", () => {
    const { world, pair, crew } = plantParents();

    moveSibling(world, pair, indexOf(crew[3]), indexOf(crew[0]));

    expect(verify(world)).toEqual([]);
  });
});

describe("verify reports I17", () => {
  it("when an entity below a DisabledTree is not disabled", () => {
    const { world, disabledFromAbove } = plantParents();

    turnDisabledFromAbove(world, disabledFromAbove);

    expect(brokenInvariants(world)).toContain("I17");
  });

  it("when any other entity is", () => {
    const { world, fan } = plantParents();

    turnDisabledFromAbove(world, fan);

    expect(brokenInvariants(world)).toContain("I17");
  });

  it("when the pair of a parent disagrees", () => {
    const { world, pair } = plantParents();

    world.graph.pairs.traits[pair]! ^= PAIR_DISABLES;

    expect(brokenInvariants(world)).toContain("I17");
  });
});

/** Inverts whether an entity is disabled from above, without any check. */
function turnDisabledFromAbove(world: World, entity: Entity): void {
  const index = indexOf(entity);
  const on = !hasBitAt(world, index, DisabledFromAbove);
  world.slots.bits!.turn(world, index, [{ definition: DisabledFromAbove, on }]);
}

describe("verify reports I18", () => {
  it("when a kept order lacks a pair", () => {
    const { world } = plantParents();
    const [[index, order]] = [...world.orders] as [[number, readonly number[]]];

    world.orders.set(index, order.slice(1));

    expect(brokenInvariants(world)).toContain("I18");
  });

  it("when a kept order holds another relation's pair, or one twice", () => {
    const { world, pair } = plantParents();
    const [[index, order]] = [...world.orders] as [[number, readonly number[]]];

    world.orders.set(index, [...order, pair]);
    expect(brokenInvariants(world)).toContain("I18");
    world.orders.set(index, [...order, order[0]!]);

    expect(brokenInvariants(world)).toContain("I18");
  });

  it("when the order of a destroyed entity is kept", () => {
    const { world, fan } = plantParents();

    world.orders.set(indexOf(fan) + 1, []);

    expect(brokenInvariants(world)).toContain("I18");
  });
});

describe("verify reports I19", () => {
  it("when one side of a symmetric pair lacks it", () => {
    const { world, fan, crew } = plantParents();
    add(world, fan, Knows(crew[0]));
    add(world, fan, Knows(fan));
    expect(verify(world)).toEqual([]);

    losePair(world, indexOf(crew[0]), pairOf(world, Knows, fan));

    expect(brokenInvariants(world)).toContain("I19");
  });
});

describe("verify reports I1", () => {
  it("when a spawn is pending and nothing is deferred", () => {
    const { world, fan } = plantParents();
    defer(world, () => spawn(world));

    world.entities.table[indexOf(fan)] = world.pendingTable;

    expect(brokenInvariants(world)).toContain("I1");
  });
});

describe("verify reports I10", () => {
  it("not for a pair that only children by value have, but for an unused one", () => {
    const { world, crew } = plantParents();
    const alone = pairOf(world, ChildOf, crew[1]);

    expect(world.graph.records.tables[alone]).toBe(0);
    expect(verify(world)).toEqual([]);
    closeFamily(world.graph.families, alone);

    expect(brokenInvariants(world)).toContain("I10");
  });
});
