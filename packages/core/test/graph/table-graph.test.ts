import { describe, expect, it } from "vitest";
import { dropTable, findTable, freePair, tableFor } from "../../src/graph/graph.ts";
import { findPair } from "../../src/id/pair-index.ts";
import { ChildOf, relation } from "../../src/index.ts";
import { linkBelow } from "../../src/records/pair-records.ts";
import { Likes, Position } from "../definitions.ts";
import { createDice } from "../dice.ts";
import {
  archetypeFor,
  drain,
  empty,
  fill,
  type GraphFixture,
  pairFor,
  pairsFor,
  startGraph,
  tableOf,
  want,
} from "./graph-fixture.ts";

/** An archetype may keep this many empty tables, and a quarter of its tables. */
const KEPT_EMPTY_TABLES = 64;

const Owns = relation("Owns");

describe("the table of a type", () => {
  it("is created once and found again (I3)", () => {
    const { graph } = startGraph();
    const archetype = archetypeFor(graph, Likes);
    const pairs = pairsFor(graph, [Likes, 1], [Likes, 2]);

    const table = tableOf(graph, archetype, ...pairs);

    expect(tableOf(graph, archetype, ...pairs)).toBe(table);
    expect(graph.tables.alive).toBe(1);
  });

  it("is another one for other pairs, for fewer pairs and for another archetype", () => {
    const { graph } = startGraph();
    const [one, other] = pairsFor(graph, [Likes, 1], [Likes, 2]) as [number, number];
    const archetype = archetypeFor(graph, Likes);

    const tables = [
      tableOf(graph, archetype, one),
      tableOf(graph, archetype, other),
      tableOf(graph, archetype, one, other),
      tableOf(graph, archetypeFor(graph, Likes, Position), one),
      tableOf(graph, archetypeFor(graph, Position)),
      tableOf(graph, graph.root),
    ];

    expect(new Set(tables).size).toBe(6);
  });

  it("is not created by a search for it", () => {
    const { graph } = startGraph();
    const archetype = archetypeFor(graph, Likes);
    const pairs = pairsFor(graph, [Likes, 1]);

    expect(findTable(graph, archetype, want(graph, pairs))).toBe(0);
    expect(findTable(graph, graph.root, 0)).toBe(0);
    expect([graph.tables.alive, archetype.founded]).toEqual([0, false]);
  });

  it("starts without entities, rows and a list (I14)", () => {
    const { graph } = startGraph();
    const archetype = archetypeFor(graph, Likes);

    const table = tableOf(graph, archetype, ...pairsFor(graph, [Likes, 1]));

    expect([graph.tables.count[table], graph.tables.capacity[table], archetype.lanes.capacity]).toEqual([
      0, 0, 0,
    ]);
    expect([archetype.filled.first, archetype.filled.length]).toEqual([0, 0]);
  });

  it("knows its pairs, sorted", () => {
    const { graph } = startGraph();
    const pairs = pairsFor(graph, [Likes, 1], [Owns, 2], [Likes, 3]);

    const table = tableOf(graph, archetypeFor(graph, Likes, Owns), ...pairs.toReversed());

    const first = graph.tables.nodes[table]!;
    expect([...graph.records.nodePair.subarray(first, first + 3)]).toEqual(pairs);
    expect(graph.tables.pairs[table]).toBe(3);
  });

  it("without pairs is found by its archetype", () => {
    const { graph } = startGraph();
    const archetype = archetypeFor(graph, Position);

    const table = tableOf(graph, archetype);

    expect([archetype.plainTable, graph.root.plainTable, graph.hashed]).toEqual([table, 0, 0]);
    dropTable(graph, archetype, table);
    expect([archetype.plainTable, findTable(graph, archetype, 0)]).toEqual([0, 0]);
  });

  it("is found among thousands, whatever is added and dropped (I3, I4)", () => {
    const { graph } = startGraph();
    const archetypes = [archetypeFor(graph, Likes), archetypeFor(graph, Likes, Position)];
    const twin = new Map<string, number>();
    const dice = createDice(17);
    const wrong: string[] = [];

    for (let step = 0; step < 20_000; step++) {
      const archetype = dice.pick(archetypes);
      const targets = [...new Set([1 + dice.below(60), 1 + dice.below(60)])];
      const pairs = pairsFor(graph, ...targets.map((target) => [Likes, target] as const));
      const key = `${archetype.number}: ${targets.toSorted().join()}`;
      const known = twin.get(key) ?? 0;
      if (findTable(graph, archetype, want(graph, pairs)) !== known) wrong.push(`step ${step}`);
      if (known === 0) twin.set(key, tableOf(graph, archetype, ...pairs));
      else if (dice.chance(0.6)) {
        dropTable(graph, archetype, known);
        twin.delete(key);
      }
    }

    expect(wrong.slice(0, 5)).toEqual([]);
    expect(graph.tables.alive).toBe(twin.size);
  });
});

describe("an archetype", () => {
  it("is founded with its first table, and listed then", () => {
    const { graph } = startGraph();
    const archetype = archetypeFor(graph, Likes);
    const before = [...graph.founded];

    tableOf(graph, archetype, ...pairsFor(graph, [Likes, 1]));

    expect(graph.founded).toEqual([...before, archetype]);
    expect([before.includes(archetype), archetype.founded]).toEqual([false, true]);
  });

  it("is listed once, however many tables follow and even after all are dropped", () => {
    const { graph } = startGraph();
    const before = [...graph.founded];
    const archetype = archetypeFor(graph, Likes);

    const tables = Array.from({ length: 1000 }, (_, at) =>
      tableOf(graph, archetype, ...pairsFor(graph, [Likes, at + 1])),
    );
    for (const table of tables) dropTable(graph, archetype, table);
    tableOf(graph, archetype, ...pairsFor(graph, [Likes, 1]));

    expect(graph.founded).toEqual([...before, archetype]);
  });
});

describe("dropping a table", () => {
  it("frees the pairs that no other table has, and only those (I10)", () => {
    const { graph } = startGraph();
    const archetype = archetypeFor(graph, Likes, Owns);
    const [shared, alone] = pairsFor(graph, [Likes, 1], [Owns, 1]) as [number, number];
    tableOf(graph, archetypeFor(graph, Likes), shared);
    const table = tableOf(graph, archetype, shared, alone);

    dropTable(graph, archetype, table);

    expect(findPair(graph.pairs, Likes.id, 1)).toBe(shared);
    expect(findPair(graph.pairs, Owns.id, 1)).toBe(0);
    expect(graph.pairs.alive).toBe(1);
  });

  it("removes the table from its archetype and frees its number", () => {
    const fixture = startGraph();
    const { graph } = fixture;
    const archetype = archetypeFor(graph, Likes);
    const table = tableOf(graph, archetype, ...pairsFor(graph, [Likes, 1]));
    fill(fixture, table);
    empty(fixture, table);

    dropTable(graph, archetype, table);

    expect([archetype.empty.length, archetype.empty.first, graph.tables.alive]).toEqual([0, 0, 0]);
    expect(graph.tables.archetype[table]).toBe(-1);
  });

  it("removes the record of a freed pair from the tree", () => {
    const { graph } = startGraph();
    const archetype = archetypeFor(graph, ChildOf);
    const [above, below] = pairsFor(graph, [ChildOf, 1], [ChildOf, 2]) as [number, number];
    tableOf(graph, archetype, above);
    const table = tableOf(graph, archetype, below);
    linkBelow(graph.records, below, above);

    dropTable(graph, archetype, table);

    expect(graph.records.firstBelow[above]).toBe(0);
  });

  it("drops all tables of a pair at once, and no other", () => {
    const { graph } = startGraph();
    const [mine, other] = pairsFor(graph, [Likes, 1], [Likes, 2]) as [number, number];
    tableOf(graph, archetypeFor(graph, Likes), mine);
    tableOf(graph, archetypeFor(graph, Likes, Position), mine);
    tableOf(graph, archetypeFor(graph, Likes), mine, other);
    const kept = tableOf(graph, archetypeFor(graph, Likes), other);

    freePair(graph, mine);

    expect([graph.tables.alive, graph.pairs.alive]).toEqual([1, 1]);
    expect(tableOf(graph, archetypeFor(graph, Likes), other)).toBe(kept);
  });
});

describe("a table that has lost its last row (I14)", () => {
  function emptied(fixture: GraphFixture, count: number, filled = 0): number[] {
    const { graph } = fixture;
    const archetype = archetypeFor(graph, Likes);
    const tables = Array.from({ length: count + filled }, (_, at) =>
      tableOf(graph, archetype, pairFor(graph, Likes, at + 1)),
    );
    for (const table of tables) fill(fixture, table);
    for (const table of tables.slice(0, count)) drain(fixture, table);
    return tables;
  }

  it("stays for the next row while few are empty", () => {
    const fixture = startGraph();

    emptied(fixture, 10);

    expect(fixture.graph.tables.alive).toBe(10);
  });

  it("is dropped at once if it has more than one pair", () => {
    const fixture = startGraph();
    const { graph } = fixture;
    const table = tableOf(graph, archetypeFor(graph, Likes), ...pairsFor(graph, [Likes, 1], [Likes, 2]));
    fill(fixture, table);

    drain(fixture, table);

    expect([graph.tables.alive, graph.pairs.alive]).toEqual([0, 0]);
  });

  it("always stays if it has no pair", () => {
    const fixture = startGraph();
    const table = tableOf(fixture.graph, archetypeFor(fixture.graph, Position));
    fill(fixture, table);

    drain(fixture, table);

    expect(tableOf(fixture.graph, archetypeFor(fixture.graph, Position))).toBe(table);
  });

  it("stays as long as no more than 64 are empty; then the oldest are dropped", () => {
    const fixture = startGraph();
    const { graph } = fixture;

    const tables = emptied(fixture, KEPT_EMPTY_TABLES + 3);

    const archetype = archetypeFor(graph, Likes);
    expect(archetype.empty.length).toBe(KEPT_EMPTY_TABLES);
    expect(tables.slice(0, 3).map((_, at) => findPair(graph.pairs, Likes.id, at + 1))).toEqual([0, 0, 0]);
    expect(findPair(graph.pairs, Likes.id, 4)).not.toBe(0);
  });

  it("stays as long as no more than a quarter of its archetype's tables are empty", () => {
    const fixture = startGraph();

    emptied(fixture, 150, 310);

    const archetype = archetypeFor(fixture.graph, Likes);
    expect(archetype.empty.length).toBeGreaterThan(KEPT_EMPTY_TABLES);
    expect(archetype.empty.length).toBe(Math.floor((archetype.empty.length + archetype.filled.length) / 4));
  });

  it("takes no more memory while tables are created and dropped", () => {
    const fixture = startGraph();
    const { graph } = fixture;
    emptied(fixture, 500);
    const lengths = [graph.tables.length, graph.pairs.length, graph.records.nodes, graph.buckets.length];

    for (let target = 1; target <= 20_000; target++) {
      const table = tableOf(graph, archetypeFor(graph, Likes), pairFor(graph, Likes, 1 + (target % 500)));
      fill(fixture, table);
      drain(fixture, table);
    }

    expect([graph.tables.length, graph.pairs.length, graph.records.nodes, graph.buckets.length]).toEqual(
      lengths,
    );
  });
});

describe("new tables of a known archetype", () => {
  it("allocate no arrays of rows", () => {
    const { graph } = startGraph();
    const archetype = archetypeFor(graph, Likes, Position);

    for (let target = 1; target <= 1000; target++) {
      tableFor(graph, archetype, want(graph, pairsFor(graph, [Likes, target])));
    }

    expect([archetype.lanes.capacity, archetype.lanes.version, archetype.rows]).toEqual([0, 0, 0]);
  });
});
