import { bytesIn } from "../base/growing.ts";
import { valueCountOf } from "../records/families.ts";
import type { Archetype } from "../storage/archetype.ts";
import { refreshRuns } from "../storage/bits.ts";
import { bytesOfLanes } from "../storage/lanes.ts";
import { bytesOfSparse } from "../storage/sparse.ts";
import { countSubjects, pairsOfTable } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";
import { relationOf } from "./relation-of.ts";

/** Counts and sizes of a world. */
export interface Stats {
  /** Living entities. */
  readonly entities: number;
  /** Tables with and without rows. */
  readonly tables: number;
  readonly emptyTables: number;
  /** Archetypes that have had a row. */
  readonly archetypes: number;
  /** Runs of adjacent used rows, over all archetypes. */
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
  /** Used bits, and tags that are stored as bits. */
  readonly bits: number;
  /** Archetypes and tables, and the hash that finds tables. */
  readonly tables: number;
  /** Pairs, their lists of tables, and depths. */
  readonly pairs: number;
  /** Lists of children, and of the roots. */
  readonly siblings: number;
  /** The entity index: handles, places and order of entities. */
  readonly entities: number;
  /** What changed lately, for queries; and plans and lists that verbs use again for each call. */
  readonly buffers: number;
}

/** The pairs of one relation. */
export interface RelationStats {
  /** Its name. `Is` for entities that are used as tags; `ChildOf` covers both storages of parents. */
  readonly relation: string;
  /** Tables that have a pair of it in their type, with and without rows. */
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
 * @cost the archetypes, tables and pairs, and their runs if rows have changed.
 */
export function stats(world: World): Stats {
  const { entities, states, collected, plans } = world;
  const { archetypes, tables, pairs, records, families, buckets, wanted, journal } = world.graph;
  const sparse = world.graph.sparse.filter((one) => one !== undefined);
  const sum = (numberOf: (archetype: Archetype) => number): number =>
    archetypes.reduce((all, archetype) => all + numberOf(archetype), 0);
  for (const { used, end } of archetypes) refreshRuns(used, end);
  const own = states.filter((state): state is object => typeof state === "object" && state !== null);
  const moves = archetypes.flatMap(({ movePlans }) => [...movePlans.values()]);
  const bytesByPart: PartBytes = {
    columns:
      sum(({ lanes }) => bytesOfLanes(lanes)) + sparse.reduce((all, one) => all + bytesOfSparse(one), 0),
    bits: sum(({ used, bits }) => bytesIn(used) + (bits?.bytes ?? 0)),
    tables: bytesIn(tables, ...archetypes, ...moves) + buckets.byteLength,
    pairs: bytesIn(pairs, records),
    siblings: bytesIn(families),
    entities: bytesIn(entities),
    buffers: bytesIn(journal, collected, ...plans, ...own) + wanted.byteLength,
  };
  return {
    entities: entities.alive,
    tables: tables.alive,
    emptyTables: sum(({ empty }) => empty.length),
    archetypes: world.graph.founded.length,
    runs: sum(({ used }) => used.length / 2),
    rows: sum(({ rows }) => rows),
    reservedRows: sum(({ lanes }) => lanes.capacity),
    pairs: pairs.alive,
    columnBytes: bytesByPart.columns,
    bytes: Object.values(bytesByPart).reduce((all: number, bytes: number) => all + bytes, 0),
    bytesByPart,
    relations: relationsOf(world),
  };
}

function relationsOf(world: World): RelationStats[] {
  const { graph } = world;
  const { pairs, tables, families } = graph;
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
    const own = Array.from(pairsOfTable(graph, table), (pair) => pairs.relation[pair]!);
    for (const id of new Set(own)) found.get(id)!.tables++;
  }
  return [...found.values()];
}
