import { describe, expect, it } from "vitest";
import { DisabledFromAbove } from "../../src/id/builtins.ts";
import { PAIR_DISABLES, PAIR_LISTED } from "../../src/id/definition.ts";
import { add, createWorld, defer, type Entity, spawn, type World } from "../../src/index.ts";
import {
  BY_VALUE,
  COUNT,
  GENERATION,
  LAST,
  LIST,
  linkBefore,
  NEXT,
  openList,
  PAIR,
  PER_SIBLING,
  PREVIOUS,
  setValuePair,
  unlink,
} from "../../src/records/sibling-links.ts";
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
  /** (ChildOf, ship), in a list; (ChildOf, dock), in none. */
  readonly pair: number;
  readonly plain: number;
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
    plain: pairOf(world, ChildOf, dock),
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
    ["a child is in no list", ({ world, pair, crew }) => unlink(world.graph.links, pair, indexOf(crew[0]))],
    [
      "an entity that is not a child is in a list",
      ({ world, pair, dock }) => linkBefore(world.graph.links, pair, indexOf(dock), 0),
    ],
    [
      "a list is cyclic",
      ({ world, crew }) => {
        world.graph.links.siblings[indexOf(crew[3]) * PER_SIBLING + NEXT] = indexOf(crew[1]);
      },
    ],
    [
      "neighbours disagree",
      ({ world, crew }) => {
        world.graph.links.siblings[indexOf(crew[2]) * PER_SIBLING + PREVIOUS] = indexOf(crew[0]);
      },
    ],
    [
      "a list is wrong about its end",
      ({ world, crew, pair }) => {
        world.graph.links.lists[pair * LIST + LAST] = indexOf(crew[1]);
      },
    ],
    ["children are miscounted", ({ world, pair }) => world.graph.links.lists[pair * LIST + COUNT]!++],
    [
      "children by value are miscounted",
      ({ world, pair }) => world.graph.links.lists[pair * LIST + BY_VALUE]!--,
    ],
    [
      "a child by ChildOf has a value pair",
      ({ world, pair, crew }) => setValuePair(world.graph.links, pair, indexOf(crew[0]), 1),
    ],
    [
      "a child by Parent is not",
      ({ world, crew }) => {
        world.graph.links.siblings[indexOf(crew[1]) * PER_SIBLING + PAIR] = 0;
      },
    ],
    [
      "a value pair is of another relation",
      ({ world, crew, dock }) => {
        world.graph.links.siblings[indexOf(crew[1]) * PER_SIBLING + PAIR] = pairOf(world, Likes, dock);
      },
    ],
    [
      "links are wrong about a generation",
      ({ world, crew }) => world.graph.links.siblings[indexOf(crew[1]) * PER_SIBLING + GENERATION]!++,
    ],
    ["a list is opened and stays empty", ({ world, plain }) => openList(world.graph.links, plain)],
    [
      "a list is closed and its children keep neighbours",
      ({ world, pair }) => {
        world.graph.pairs.traits[pair]! &= ~PAIR_LISTED;
      },
    ],
    [
      "sources of another relation are in a list",
      ({ world, ship }) => openList(world.graph.links, pairOf(world, Likes, ship)),
    ],
    [
      "an entity that is not a child has neighbours",
      ({ world, fan, ship }) => {
        world.graph.links.siblings[indexOf(ship) * PER_SIBLING + NEXT] = indexOf(fan);
      },
    ],
    [
      "OrderedChildren keep no list",
      ({ world, ship, pair, crew }) => {
        for (const byValue of [crew[1], crew[3]]) add(world, byValue, ChildOf(ship));
        add(world, ship, OrderedChildren);
        const { links } = world.graph;
        for (const child of crew) unlink(links, pair, indexOf(child));
        world.graph.pairs.traits[pair]! &= ~PAIR_LISTED;
      },
    ],
  ];

  it.each(breaks)("when %s", (_, spoil) => {
    const parents = plantParents();

    spoil(parents);

    expect(brokenInvariants(parents.world)).toContain("I16");
  });

  it("when an entity stores a parent by value and its archetype does not, or the other way round", () => {
    const [one, other] = [plantParents(), plantParents()];
    setValuePair(one.world.graph.links, one.pair, indexOf(one.crew[0]), 1);
    other.world.graph.links.siblings[indexOf(other.crew[1]) * PER_SIBLING + PAIR] = 0;

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
    world.graph.links.lists[alone * LIST + BY_VALUE] = 0;

    expect(brokenInvariants(world)).toContain("I10");
  });
});
