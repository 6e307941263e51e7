import { describe, expect, it } from "vitest";
import { DisabledFromAbove } from "../../src/id/builtins.ts";
import { PAIR_DISABLES } from "../../src/id/definition.ts";
import {
  add,
  createWorld,
  defer,
  type Entity,
  release,
  spawn,
  spawnMany,
  type World,
} from "../../src/index.ts";
import {
  closeFamily,
  type Families,
  joinFamily,
  KEPT_ROOM,
  sliceOf,
  startOf,
} from "../../src/records/families.ts";
import { losePair } from "../../src/world/change/change-entity.ts";
import { hasBitAt } from "../../src/world/state/values.ts";
import { moveSibling } from "../../src/world/verb/reparent.ts";
import { ChildOf, DisabledTree, Knows, Likes, OrderedChildren, Parent } from "../definitions.ts";
import { indexOf, pairOf } from "../handles.ts";
import { verify } from "../reading.ts";
import { brokenInvariants, tableOf } from "./healthy.ts";

interface Parents {
  readonly world: World;
  readonly ship: Entity;
  readonly dock: Entity;
  /** Of the ship: by ChildOf, by Parent, by ChildOf, by Parent. */
  readonly crew: readonly [Entity, Entity, Entity, Entity];
  /** (ChildOf, ship) and (ChildOf, dock). */
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

/** The numbers of the record of a family. */
const [HEAD, LENGTH, ROOM, COUNT, BY_VALUE] = [1, 2, 3, 4, 5];

function recordOf({ records }: Families, pair: number): Int32Array {
  return records.subarray(pair * 8, pair * 8 + 8);
}

describe("verify reports I16", () => {
  const breaks: readonly (readonly [string, (parents: Parents) => unknown])[] = [
    [
      "a child is in no list",
      ({ world: { graph, entities }, crew }) => {
        const { family, place } = entities;
        const index = indexOf(crew[1]);
        graph.families.pool[sliceOf(graph.families, family[index]!).first + place[index]!] = 0;
        recordOf(graph.families, family[index]!)[COUNT]!--;
        recordOf(graph.families, family[index]!)[BY_VALUE]!--;
      },
    ],
    [
      "an entity is in two lists",
      ({ world: { graph, entities }, pair, dock }) =>
        joinFamily(graph.families, entities, pair, indexOf(dock), false),
    ],
    [
      "a list has an entity twice",
      ({ world: { graph }, pair }) => {
        const start = startOf(graph.families, pair);
        graph.families.pool[start] = graph.families.pool[start + 1]!;
      },
    ],
    [
      "an index that no entity has is in a list",
      ({ world: { graph }, pair }) => {
        graph.families.pool[startOf(graph.families, pair) + 1] = 9999;
      },
    ],
    [
      "a child is at another place than it says",
      ({ world, crew }) => {
        world.entities.place[indexOf(crew[2])] = 0;
      },
    ],
    [
      "a child says that it has another parent",
      ({ world, crew, plain }) => {
        world.entities.family[indexOf(crew[2])] = plain;
      },
    ],
    [
      "a root says that it has a parent",
      ({ world, ship, plain }) => {
        world.entities.family[indexOf(ship)] = plain;
      },
    ],
    [
      "a list begins with a hole",
      ({ world, pair }) => (world.graph.families.pool[startOf(world.graph.families, pair)] = 0),
    ],
    [
      "a list ends with a hole",
      ({ world: { graph }, pair }) => {
        const record = recordOf(graph.families, pair);
        graph.families.pool[record[0]! + record[LENGTH]!] = 0;
        if (record[LENGTH]! < record[ROOM]!) record[LENGTH]!++;
        else graph.families.pool[record[0]! + record[LENGTH]! - 1] = 0;
      },
    ],
    [
      "an entity is before the beginning of a list",
      ({ world, pair }) => recordOf(world.graph.families, pair)[HEAD]!++,
    ],
    [
      "a list is longer than its slice",
      ({ world, pair }) => {
        recordOf(world.graph.families, pair)[ROOM] = 2;
      },
    ],
    ["children are miscounted", ({ world, pair }) => recordOf(world.graph.families, pair)[COUNT]!++],
    [
      "children by value are miscounted",
      ({ world, pair }) => recordOf(world.graph.families, pair)[BY_VALUE]!--,
    ],
    ["roots are miscounted", ({ world }) => recordOf(world.graph.families, 0)[COUNT]!++],
    [
      "a list has too many holes",
      ({ world, pair }) => {
        const { graph, entities } = world;
        const [first] = spawnMany(
          world,
          KEPT_ROOM * 4,
          ChildOf(entities.handles[graph.pairs.target[pair]!] as Entity),
        );
        const record = recordOf(graph.families, pair);
        const from = record[0]! + entities.place[indexOf(first!)]!;
        // All but the last lose their places, and become roots.
        for (let at = from; at < record[0]! + record[LENGTH]! - 1; at++) {
          const index = graph.families.pool[at]!;
          graph.families.pool[at] = 0;
          record[COUNT]!--;
          entities.table[index] = graph.root.plainTable;
          joinFamily(graph.families, entities, 0, index, false);
        }
        expect(verify(world).join()).toContain(
          `I16: the list of pair ${-pair} has ${KEPT_ROOM * 4 - 1} holes`,
        );
      },
    ],
    [
      "a pair of another relation has a list",
      ({ world: { graph, entities }, ship, dock }) =>
        joinFamily(graph.families, entities, pairOf({ graph } as World, Likes, ship), indexOf(dock), false),
    ],
    [
      "a free pair keeps its slice",
      ({ world, dock }) => {
        const child = spawn(world, ChildOf(spawn(world)));
        const pair = world.entities.family[indexOf(child)]!;
        release(world, child);
        expect(world.graph.pairs.relation[pair]).toBe(0);
        Object.assign(
          recordOf(world.graph.families, pair),
          recordOf(world.graph.families, pairOf(world, ChildOf, dock)),
        );
      },
    ],
    [
      "two lists overlap",
      ({ world: { graph }, pair, plain }) => {
        recordOf(graph.families, plain)[0] = recordOf(graph.families, pair)[0]!;
      },
    ],
    [
      "the slice of a list is free as well",
      ({ world: { graph }, pair }) => {
        const { families } = graph;
        const { first, room } = sliceOf(families, pair);
        families.free[31 - Math.clz32(room)] = first + 1;
      },
    ],
    [
      "numbers of the pool are in no slice",
      ({ world: { graph }, pair }) => {
        const { families } = graph;
        const { first, room } = sliceOf(families, pair);
        closeFamily(families, pair);
        families.free[31 - Math.clz32(room)] = 0;
        expect(first + room).toBeLessThan(families.end);
      },
    ],
    [
      "a pending spawn is in a family",
      ({ world, ship, plain }) => {
        defer(world, () => {
          const pending = indexOf(spawn(world, ChildOf(ship)));
          world.entities.family[pending] = plain;
          expect(brokenInvariants(world)).toContain("I16");
          world.entities.family[pending] = 0;
        });
        world.entities.family[indexOf(ship)] = plain;
      },
    ],
    [
      "an entity with a parent is among the roots",
      ({ world, fan }) => {
        const { graph, entities } = world;
        const other = spawn(world, ChildOf(fan));
        const index = indexOf(other);
        const pair = entities.family[index]!;
        closeFamily(graph.families, pair);
        joinFamily(graph.families, entities, 0, index, false);
        expect(tableOf(world, other)).toBeGreaterThan(0);
      },
    ],
  ];

  it.each(breaks)("when %s", (_, spoil) => {
    const parents = plantParents();
    expect(verify(parents.world)).toEqual([]);

    spoil(parents);

    expect(brokenInvariants(parents.world)).toContain("I16");
  });

  it("when an archetype has a parent and an entity has none, or the other way round", () => {
    const [one, other] = [plantParents(), plantParents()];
    one.world.entities.family[indexOf(one.crew[0])] = 0;
    other.world.entities.family[indexOf(other.dock)] = other.pair;

    const found = [one, other].map(({ world }) =>
      verify(world).filter((text) => text.includes("does not fit its family")),
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
