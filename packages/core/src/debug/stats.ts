// Counts entities, tables, runs, pairs, bytes by part, relations (`stats`).
import { bytesIn } from "../base/growing.ts";
import { CHILD_OF, ChildOf } from "../id/builtins.ts";
import { valueCountOf } from "../records/families.ts";
import { type Archetype, hasDefinition } from "../storage/archetype.ts";
import { bytesOfLanes } from "../storage/lanes.ts";
import { bytesOfSparse } from "../storage/sparse.ts";
import type { TableNumber } from "../storage/table.ts";
import { countSubjects, pairsOfTable } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";
import { relationOf } from "./relation-of.ts";
import { countTypes } from "./types.ts";

/** Counts and sizes of a world. */
export interface Stats {
  /** Living entities. */
  readonly entities: number;
  /** Types that entities have, each with other components, tags or targets, parents included; and tables that are kept empty. */
  readonly tables: number;
  /** Tables without entities, which are kept since they may have some again. */
  readonly emptyTables: number;
  /** Archetypes that have had a row. */
  readonly archetypes: number;
  /** Runs of adjacent rows: one for each archetype with rows, since these are dense. */
  readonly runs: number;
  /** Rows in use, which is one per entity. */
  readonly rows: number;
  /** Rows that fit in the allocated memory. */
  readonly reservedRows: number;
  /** Pairs in use. */
  readonly pairs: number;
  /** Bytes of columns, and of the ticks of tracked changes. */
  readonly columnBytes: number;
  /** All bytes of `bytesByPart`. Each JavaScript value counts as eight bytes. */
  readonly bytes: number;
  /** The allocated bytes, used or not; they add up to `bytes`. What JavaScript objects take beside them is not known. */
  readonly bytesByPart: PartBytes;
  /** The relations that entities have pairs of, in the order of their first pairs. */
  readonly relations: readonly RelationStats[];
}

/** Where the bytes of a world are. */
export interface PartBytes {
  /** The same as `columnBytes`. */
  readonly columns: number;
  /** Tags that are stored as bits, the rows that they leave to loops, and the runs of these. */
  readonly bits: number;
  /** Archetypes and tables, the lists of entities with the same pairs, and the hash that finds tables. */
  readonly tables: number;
  /** Pairs, their lists of tables, and depths. */
  readonly pairs: number;
  /** Families: the lists of children, and of the roots, in order. */
  readonly siblings: number;
  /** The entity index: handles of entities, their tables and rows, their places in families, and their order. */
  readonly entities: number;
  /** What changed lately, for queries; and plans and lists that verbs use again for each call. */
  readonly buffers: number;
}

/** The pairs of one relation. */
export interface RelationStats {
  /** Its name. `Is` for entities that are used as tags; `ChildOf` covers both storages of parents. */
  readonly relation: string;
  /** Types of entities that have a pair of it, and tables with one that are kept empty. */
  readonly tables: number;
  /** Entities that are the target of a pair which some entity has. */
  readonly targets: number;
  /** Pairs that entities have: for an exclusive relation, its subjects. */
  readonly subjects: number;
  /** How many of those are parents stored by value. */
  readonly byValue: number;
  /**
   * How many targets have how many subjects, in powers of two: the number at place k counts targets with 2^k to 2^(k + 1) - 1
   * subjects. For ChildOf, how many parents have 1, 2 or 3, 4 to 7 children, and so on. As long as it must be; adds up to
   * `targets`.
   */
  readonly histogram: readonly number[];
}

/**
 * Counts and measures what a world contains.
 *
 * @cost the archetypes, tables and pairs, and the entities with `ChildOf`.
 */
export function stats(world: World): Stats {
  const { entities, states, collected, plans } = world;
  const { archetypes, tables, pairs, records, families, buckets, wanted, journal } = world.graph;
  const sparse = world.graph.sparse.filter((one) => one !== undefined);
  const sum = (numberOf: (archetype: Archetype) => number): number =>
    archetypes.reduce((all, archetype) => all + numberOf(archetype), 0);
  const own = states.filter((state): state is object => typeof state === "object" && state !== null);
  const moves = archetypes.flatMap(({ movePlans }) => [...movePlans.values()]);
  const types = new Map(archetypes.flatMap((archetype) => [...countTypes(world, archetype)]));
  const emptyTables = sum(
    ({ empty, plainTable, rows }) => empty.length + (plainTable !== 0 && rows === 0 ? 1 : 0),
  );
  const bytesByPart: PartBytes = {
    columns:
      sum(({ lanes }) => bytesOfLanes(lanes)) + sparse.reduce((all, one) => all + bytesOfSparse(one), 0),
    bits: sum(({ whole, bits }) => bytesIn(whole) + (bits?.bytes ?? 0)),
    tables: bytesIn(tables, tables.lists, ...archetypes, ...moves) + buckets.byteLength,
    pairs: bytesIn(pairs, records),
    siblings: bytesIn(families),
    entities: bytesIn(entities),
    buffers: bytesIn(journal, collected, ...plans, ...own) + wanted.byteLength,
  };
  return {
    entities: entities.alive,
    tables: [...types.values()].reduce((all, count) => all + count, emptyTables),
    emptyTables,
    archetypes: world.graph.founded.length,
    runs: sum(({ rows }) => (rows > 0 ? 1 : 0)),
    rows: sum(({ rows }) => rows),
    reservedRows: sum(({ lanes }) => lanes.capacity),
    pairs: pairs.alive,
    columnBytes: bytesByPart.columns,
    bytes: Object.values(bytesByPart).reduce((all: number, bytes: number) => all + bytes, 0),
    bytesByPart,
    relations: relationsOf(world, types),
  };
}

/** @param types table with entities -> how many types they have. */
function relationsOf(world: World, types: ReadonlyMap<TableNumber, number>): RelationStats[] {
  const { graph } = world;
  const { pairs, tables, families, archetypes } = graph;
  const found = new Map<number, { -readonly [Name in keyof RelationStats]: RelationStats[Name] }>();
  for (let pair = 1; pair < pairs.length; pair++) {
    const id = pairs.relation[pair]!;
    if (id === 0) continue;
    if (!found.has(id)) {
      const relation = relationOf(graph, id).name;
      found.set(id, { relation, tables: 0, targets: 0, subjects: 0, byValue: 0, histogram: [] });
    }
    const one = found.get(id)!;
    const subjects = countSubjects(world, pair);
    if (subjects === 0) continue; // it has empty tables only
    one.targets++;
    one.subjects += subjects;
    one.byValue += valueCountOf(families, pair);
    const counts = one.histogram as number[];
    const power = 31 - Math.clz32(subjects);
    while (counts.length <= power) counts.push(0);
    counts[power]!++;
  }
  for (let table = 1; table < tables.length; table++) {
    if (tables.archetype[table]! < 0) continue;
    const count = types.get(table) ?? 1; // it is kept empty
    const own = Array.from(pairsOfTable(graph, table), (pair) => pairs.relation[pair]!);
    for (const id of new Set(own)) found.get(id)!.tables += count;
    const hasParent = types.has(table) && hasDefinition(archetypes[tables.archetype[table]!]!, ChildOf);
    if (hasParent) found.get(CHILD_OF)!.tables += count;
  }
  return [...found.values()];
}
