import { beforeEach, describe, expect, it } from "vitest";
import {
  add,
  ChildOf,
  Disabled,
  type Entity,
  release,
  spawn,
  spawnMany,
  type World,
} from "../../src/index.ts";
import type { Archetype } from "../../src/storage/archetype.ts";
import type { Cut } from "../../src/storage/bits.ts";
import { indexOf } from "../handles.ts";
import { verify } from "../reading.ts";
import {
  archetypeFor,
  brokenInvariants,
  type Healthy,
  Likes,
  Position,
  plantHealthy,
  tableOf,
} from "./healthy.ts";

type Break = readonly [string, (healthy: Healthy) => unknown];

/** The numbers of the list of a crew, which has two pairs, and those of another table with one. */
function plantLists(): Healthy & {
  readonly fans: readonly Entity[];
  readonly table: number;
  readonly other: number;
} {
  const healthy = plantHealthy();
  const { world, crew, ship } = healthy;
  const fans = spawnMany(world, 3, Likes(ship));
  expect(verify(world)).toEqual([]);
  return { ...healthy, fans, table: tableOf(world, crew[0]), other: tableOf(world, fans[0]!) };
}

describe("verify reports I1", () => {
  const breaks: readonly Break[] = [
    [
      "two entities claim one row",
      ({ world: { entities }, crew }) => {
        entities.row[indexOf(crew[0])] = entities.row[indexOf(crew[1])]!;
      },
    ],
    [
      "a row has another entity than claims it",
      ({ world, crew }) => {
        const { i32 } = archetypeFor(world, crew[0]).lanes;
        i32[world.entities.row[indexOf(crew[0])]!] = indexOf(crew[1]);
      },
    ],
    [
      "a record names a row that the archetype does not have",
      ({ world, cockpit }) => {
        world.entities.row[indexOf(cockpit)] = 7;
      },
    ],
    [
      "a record names a table of another archetype",
      ({ world, cockpit, ship }) => {
        world.entities.table[indexOf(cockpit)] = tableOf(world, ship);
      },
    ],
    [
      "a record names a table that is free",
      ({ world, cockpit }) => {
        world.entities.table[indexOf(cockpit)] = world.graph.tables.length + 3;
      },
    ],
    ["an archetype has a row too many", ({ world, cockpit }) => archetypeFor(world, cockpit).rows++],
  ];

  it.each(breaks)("when %s", (_, spoil) => {
    const healthy = plantHealthy();

    spoil(healthy);

    expect(brokenInvariants(healthy.world)).toContain("I1");
  });

  const ofLists: readonly (readonly [string, (lists: ReturnType<typeof plantLists>) => unknown])[] = [
    [
      "an entity is at another place of the list of its table than it says",
      ({ world, crew }) => {
        world.graph.tables.lists.placeOf[indexOf(crew[0])] = 2;
      },
    ],
    [
      "a place is beyond the list",
      ({ world, crew }) => {
        world.graph.tables.lists.placeOf[indexOf(crew[0])] = 4;
      },
    ],
    [
      "the list of a table has an entity of another table",
      ({ world, table, fans }) => {
        const { first, lists } = world.graph.tables;
        lists.pool[first[table]!] = indexOf(fans[0]!);
      },
    ],
    [
      "the list of a table has an entity twice",
      ({ world, table }) => {
        const { first, lists } = world.graph.tables;
        lists.pool[first[table]!] = lists.pool[first[table]! + 1]!;
      },
    ],
    [
      "the list of a table has an index that no entity has",
      ({ world, table }) => {
        const { first, lists } = world.graph.tables;
        lists.pool[first[table]!] = 9999;
      },
    ],
    [
      "a record names another table of its archetype",
      ({ world, fans }) => {
        const other = spawn(world, Likes(fans[0]!));
        world.entities.table[indexOf(fans[1]!)] = tableOf(world, other);
      },
    ],
  ];

  it.each(ofLists)("when %s", (_, spoil) => {
    const lists = plantLists();

    spoil(lists);

    expect(brokenInvariants(lists.world)).toContain("I1");
  });
});

describe("verify tells of I1 from both ends", () => {
  it.each<readonly [string, (lists: ReturnType<typeof plantLists>) => unknown, readonly RegExp[]]>([
    [
      "rows",
      ({ world, crew }) => {
        world.entities.row[indexOf(crew[0])] = 1;
      },
      [
        /row 1 of archetype \d+ does not hold #4/,
        /row 0 of archetype \d+ holds #4, which is recorded elsewhere/,
      ],
    ],
    [
      "lists",
      ({ world, crew }) => {
        world.graph.tables.lists.placeOf[indexOf(crew[0])] = 1;
      },
      [/place 1 of t\d+ does not hold #4/, /place 0 of t\d+ holds #4, which is recorded elsewhere/],
    ],
    [
      "rows that do not exist",
      ({ world, crew }) => {
        world.entities.row[indexOf(crew[0])] = 100;
      },
      [/#4 is recorded in row 100 of archetype \d+, which has 4/, /row 0 of archetype \d+ holds #4/],
    ],
  ])("for %s", (_, spoil, texts) => {
    const lists = plantLists();

    spoil(lists);

    const found = verify(lists.world).filter((text) => text.startsWith("I1:"));
    expect(texts.filter((text) => !found.some((one) => text.test(one)))).toEqual([]);
  });
});

describe("verify reports nothing but I1", () => {
  it.each([
    ["was never used", 1000],
    ["is free", 0],
  ])("when a record names a table whose number %s", (_, number) => {
    const { world, crew, fans, table } = plantLists();
    for (const one of crew) release(world, one);
    expect(world.graph.tables.archetype[table]).toBe(-1);
    const index = indexOf(fans[0]!);
    world.entities.table[index] = number || table;

    expect(verify(world)).toEqual([`I1: #${index} is recorded in t${number || table}, which does not exist`]);
  });
});

describe("verify reports I2", () => {
  const ofLists: readonly (readonly [string, (lists: ReturnType<typeof plantLists>) => unknown])[] = [
    [
      "two lists overlap",
      ({ world: { graph }, table, other }) => {
        graph.tables.first[other] = graph.tables.first[table]! + 1;
      },
    ],
    [
      "a list ends behind the pool",
      ({ world: { graph } }) => {
        graph.tables.lists.end--;
      },
    ],
    [
      "a list begins before the pool",
      ({ world: { graph }, table }) => {
        graph.tables.first[table] = -1;
      },
    ],
    [
      "a list has no power of two as its length",
      ({ world: { graph }, other }) => {
        graph.tables.capacity[other] = 3;
      },
    ],
    [
      "a table counts more entities than its list has room for",
      ({ world: { graph }, table }) => {
        graph.tables.capacity[table] = 2;
      },
    ],
    [
      "the slice of a list is free as well",
      ({ world: { graph }, table }) => {
        const { first, lists } = graph.tables;
        lists.free[1] = first[table]! + 1;
        lists.pool[first[table]!] = 0;
      },
    ],
    [
      "free slices are cyclic",
      ({ world, crew }) => {
        const { lists } = world.graph.tables;
        for (const one of crew) release(world, one);
        const at = lists.free[2]! - 1;
        expect([at >= 0, verify(world)]).toEqual([true, []]);
        lists.pool[at] = at + 1;
      },
    ],
    [
      "numbers of the pool are in no slice",
      ({ world: { graph } }) => {
        const { lists } = graph.tables;
        lists.pool = new Int32Array([...lists.pool.subarray(0, lists.end), 0, 0]);
        lists.end += 2;
      },
    ],
    ["the pool is shorter than what is in use", ({ world }) => (world.graph.tables.lists.end += 4096)],
    [
      "a table without pairs has a list",
      ({ world: { graph } }) => {
        graph.tables.first[graph.root.plainTable] = 4;
      },
    ],
  ];

  it.each(ofLists)("when %s", (_, spoil) => {
    const lists = plantLists();
    spawn(lists.world);

    spoil(lists);

    expect(brokenInvariants(lists.world)).toContain("I2");
  });

  it("when rows end behind the columns", () => {
    const { world, cockpit } = plantHealthy();
    const archetype = archetypeFor(world, cockpit);
    archetype.rows = archetype.lanes.capacity + 1;

    expect(brokenInvariants(world)).toContain("I2");
  });

  it("when lanes are shorter than the columns", () => {
    const { world, cockpit } = plantHealthy();
    const { lanes } = archetypeFor(world, cockpit);
    lanes.i32 = lanes.i32.subarray(0, lanes.capacity);

    expect(brokenInvariants(world)).toContain("I2");
  });
});

describe("verify reports I13", () => {
  let world: World;
  let crowd: Entity[];
  let archetype: Archetype;
  const cut: Cut = { key: "", required: [], excluded: [Disabled] };

  beforeEach(() => {
    ({ world } = plantHealthy());
    crowd = spawnMany(world, 40, Position);
    for (const [at, entity] of crowd.entries()) if (at % 3 === 0) add(world, entity, Disabled);
    archetype = archetypeFor(world, crowd[0]!);
    archetype.bits!.rowsIn(cut);
    expect(verify(world)).toEqual([]);
  });

  const column = () => archetype.bits!.columns[0]!;
  it.each<[string, () => unknown]>([
    ["a row behind the last has a tag", () => (column().words[1]! |= 1 << (archetype.rows & 31))],
    ["a tag is miscounted", () => column().count++],
    ["a bit is turned without its count", () => (column().words[0]! ^= 2)],
    ["there are too few bits", () => Object.assign(column(), { words: column().words.slice(0, 1) })],
    ["there are too many bits", () => Object.assign(column(), { words: new Int32Array(64) })],
    ["a kept cut leaves another row", () => (archetype.bits!.rowsIn(cut).words[0]! ^= 2)],
    ["a kept cut has other runs", () => archetype.bits!.rowsIn(cut).bounds[0]!--],
    [
      "the runs of a kept cut end behind the rows",
      () => {
        const left = archetype.bits!.rowsIn(cut);
        left.bounds[left.length - 1]!++;
      },
    ],
    ["the run of all rows begins elsewhere", () => (archetype.whole.bounds[0] = 1)],
    ["bits of all rows are not set", () => (archetype.whole.words = new Int32Array(2))],
    ["an archetype miscounts its rows", () => archetype.rows--],
    ["a table without pairs counts entities", () => world.graph.tables.count[archetype.plainTable]!++],
  ])("when %s", (_, spoil) => {
    spoil();

    expect(brokenInvariants(world)).toContain("I13");
  });

  it("when tables with pairs miscount their entities", () => {
    const { crew, world: other } = plantHealthy();
    other.graph.tables.count[tableOf(other, crew[0])]!--;

    expect(brokenInvariants(other)).toContain("I13");
  });
});

describe("verify reports I14", () => {
  const breaks: readonly Break[] = [
    [
      "a table is listed as empty but is not",
      ({ world, crew }) => {
        const own = spawn(world, Likes(crew[0]));
        const { empty } = archetypeFor(world, own);
        release(world, own);
        world.graph.tables.count[empty.first] = 1;
      },
    ],
    [
      "a table is listed as filled but is empty",
      ({ world, crew }) => {
        world.graph.tables.count[tableOf(world, crew[0])] = 0;
      },
    ],
    [
      "a table does not know that it is listed",
      ({ world, crew }) => {
        world.graph.tables.listed[tableOf(world, crew[0])] = 0;
      },
    ],
    [
      "a table does not know what it is listed behind",
      ({ world, crew }) => {
        world.graph.tables.previous[tableOf(world, crew[0])] = 1;
      },
    ],
    ["an archetype miscounts its tables", ({ world, crew }) => archetypeFor(world, crew[0]).filled.length++],
    [
      "an archetype is wrong about its last table",
      ({ world, crew }) => {
        archetypeFor(world, crew[0]).filled.last = 1;
      },
    ],
    [
      "tables are listed in a circle",
      ({ world, crew }) => {
        const table = tableOf(world, crew[0]);
        spawn(world, ChildOf(crew[0]), Likes(crew[1]), Likes(crew[2]));
        const last = archetypeFor(world, crew[0]).filled.last;
        expect(last).not.toBe(table);
        world.graph.tables.next[last] = table;
        world.graph.tables.previous[table] = last;
      },
    ],
  ];

  it.each(breaks)("when %s", (_, spoil) => {
    const healthy = plantHealthy();

    spoil(healthy);

    expect(brokenInvariants(healthy.world)).toContain("I14");
  });
});
