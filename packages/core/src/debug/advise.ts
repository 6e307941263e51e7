// Lists relations, components and tags whose storage costs more than it brings (`advise`).
import { isBuiltin } from "../id/builtins.ts";
import { Any, type Definition, Is } from "../id/definition.ts";
import { type Archetype, erasedIdOf } from "../storage/archetype.ts";
import type { BitColumn } from "../storage/bits.ts";
import type { TableId } from "../storage/table.ts";
import { pairsOfTable } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";

/** What every advice says. */
interface Finding {
  /** The definition whose storage costs more than it brings. */
  readonly about: Definition;
  /** How many entities have it. */
  readonly entities: number;
  /** How many tables, archetypes, runs of rows, moves of rows or tests of bits the remedy saves, as `kind` says. Above 0. */
  readonly saves: number;
  /** The numbers and the remedy, as sentences. The wording is not stable. */
  readonly advice: string;
}

/** Something that `advise` has found, which also says when it is found. */
export type Advice = Finding &
  (
    | {
        /** Pairs of a relation make many tables of few rows: fewer than 3, or, if no query names it, fewer than 16. */
        readonly kind: "few rows" | "in no query";
        /**
         * Such tables, which `entities` are in, and how many they would be if it were in no type. Each is a list of entities that may
         * have different parents: a parent costs no table.
         */
        readonly tables: number;
        readonly tablesWithout: number;
      }
    | {
        /** A component or tag that few entities have doubles many archetypes. */
        readonly kind: "scattered";
        /** Archetypes with rows that have it, and how many of them are also there without it. */
        readonly archetypes: number;
        readonly doubled: number;
      }
    | {
        /** Entities move to and fro between archetypes, since they get and lose it. Counted in development builds only. */
        readonly kind: "flips";
        /** How often entities have both got and lost it since the world was created. */
        readonly flips: number;
      }
    | {
        /** It is stored apart from the types of tables, though nearly all entities of its archetypes have it. */
        readonly kind: "nearly all";
        /** The entities of these archetypes. */
        readonly among: number;
      }
    | {
        /** Rows with and without a bit alternate, so that queries go through many short runs. */
        readonly kind: "short runs";
        readonly among: number;
        /** Runs of adjacent rows that have it, and of those that lack it. */
        readonly runs: number;
      }
  );

/** Tables that a relation must save to be worth a word. */
const MANY_TABLES = 100;
/** A table of fewer rows costs more than the places of its entities in its list. */
const FEW_ROWS = 3;
/** The same if no query names the relation. */
const ROWS_WITHOUT_QUERY = 16;
const MANY_ARCHETYPES = 16;
/** A component with fewer rows than this per archetype is scattered. */
const SCATTERED_ROWS = 4;
const MANY_FLIPS = 1000;
/** Rows that bits must be about. */
const MANY_ROWS = 1000;
const NEARLY_ALL = 0.9;
/** Runs of bits are short if they have fewer rows than this on average. */
const SHORT_RUN = 4;

/**
 * Lists relations, components and tags whose storage costs more than it brings in this world as it is now, with numbers and the
 * remedy. Those that cost most come first; a healthy world has none. Call it while you develop, in a world as large as that of
 * your users, after some frames. It finds:
 *
 * - `"few rows"`: its tables of one or two rows would be at least 100 fewer without it;
 * - `"in no query"`: the same with tables of up to 15 rows, and no query has named the relation, though there were queries. For
 *   development builds: others do not note what queries name;
 * - `"scattered"`: at least 16 archetypes exist with it and without it, and those with it have fewer than 4 rows on average;
 * - `"flips"`: entities have got and lost it at least 1,000 times, and once for each entity that has it or could get it. Changes of
 *   one component or tag at a time count. For development builds: others do not count;
 * - `"nearly all"`: it is not stored in tables, but nine in ten of at least 1,000 rows have it;
 * - `"short runs"`: it is stored as bits, and of at least 1,000 rows fewer than 4 on average follow one another that all have it or
 *   all lack it.
 *
 * Builtins, and entities used as tags, are left out: a parent costs no table.
 *
 * @cost all tables, and the rows of archetypes with bits.
 * @example
 * for (const { about, advice } of advise(world)) console.log(about.name, advice);
 */
export function advise(world: World): Advice[] {
  const found = [...adviseOnPairs(world), ...adviseOnTypes(world), ...adviseOnBits(world)];
  return found.sort((one, other) => other.saves - one.saves || one.about.id - other.about.id);
}

// ---- pairs --------------------------------------------------------------------------------------------------------

/** The tables of few rows with pairs of one relation. */
interface Pairs {
  readonly about: Definition;
  tables: number;
  entities: number;
  /** The types of these tables without the relation. */
  readonly others: Set<string>;
}

function adviseOnPairs(world: World): Advice[] {
  const { archetypes, tables } = world.graph;
  const relations = new Map<Definition, Pairs>();
  for (const archetype of archetypes) {
    const own = new Set(archetype.definitions.filter(isSplitting));
    if (own.size === 0) continue;
    for (let table = archetype.filled.first; table !== 0; table = tables.next[table]!) {
      for (const about of own) {
        const pairs = relations.get(about) ?? { about, tables: 0, entities: 0, others: new Set() };
        relations.set(about, pairs);
        if (tables.count[table]! >= fewRowsFor(world, about)) continue;
        pairs.tables++;
        pairs.entities += tables.count[table]!;
        pairs.others.add(typeWithout(world, archetype, table, about.id));
      }
    }
  }
  return [...relations.values()].flatMap((pairs) => adviseOnRelation(world, pairs) ?? []);
}

/** Each combination of its targets has a table of its own. Those of parents have none. */
function isSplitting(definition: Definition): boolean {
  return definition.kind === "relation" && !isBuiltin(definition) && definition !== Is;
}

function typeWithout({ graph }: World, { erasedType }: Archetype, table: TableId, relation: number): string {
  const { relation: relationOf } = graph.pairs;
  const rest = erasedType.filter((id) => id !== -relation);
  return `${rest} ${pairsOfTable(graph, table).filter((pair) => relationOf[pair] !== relation)}`;
}

/** A table with pairs of the relation has few rows if it has fewer than this. */
function fewRowsFor({ namedByQueries: named }: World, relation: Definition): number {
  return named === undefined || named.has(Any) || named.has(relation) ? FEW_ROWS : ROWS_WITHOUT_QUERY;
}

function adviseOnRelation(world: World, { about, tables, entities, others }: Pairs): Advice | undefined {
  const tablesWithout = others.size;
  const saves = tables - tablesWithout;
  if (saves < MANY_TABLES) return undefined;
  const few = fewRowsFor(world, about);
  const kind = few === FEW_ROWS ? "few rows" : "in no query";
  const advice =
    `${tables} tables with pairs of ${about.name} have fewer than ${few} rows, ${entities} in all; ` +
    `without it they would be ${tablesWithout}${kind === "few rows" ? "" : ", and no query has named it"}. ` +
    remedyFor(about);
  return { about, kind, entities, tables, tablesWithout, saves, advice };
}

/** A field saves pairs and tables. A sparse pair takes as many bytes as a share of a small table, but entities may have several. */
function remedyFor(about: Definition): string {
  if (about.exclusive || about.acyclic || about.symmetric)
    return "Keep its targets in an `entity` field of a component: then entities with different targets share tables";
  return "Define it with `storage: sparse`: then its pairs are in no type, and entities with different targets share tables";
}

// ---- components and tags in types ---------------------------------------------------------------------------------

/** A component or tag in the types of archetypes. */
interface InTypes {
  archetypes: number;
  /** Archetypes with rows that also have rows without it. */
  doubled: number;
  entities: number;
  flips: number;
  /** The entities of the archetypes between which entities have moved. */
  movers: number;
}

function adviseOnTypes({ graph }: World): Advice[] {
  const types = new Map<Definition, InTypes>();
  for (const archetype of graph.archetypes) {
    for (const about of archetype.definitions) {
      if (about.kind === "relation" || isBuiltin(about)) continue;
      let one = types.get(about);
      if (one === undefined) {
        one = { archetypes: 0, doubled: 0, entities: 0, flips: 0, movers: 0 };
        types.set(about, one);
      }
      const key = archetype.definitions.filter((other) => other !== about).map(erasedIdOf);
      const without = graph.archetypeByKey.get(key.join(" "));
      if (archetype.rows > 0) {
        one.archetypes++;
        one.entities += archetype.rows;
        if (without !== undefined && without.rows > 0) one.doubled++;
      }
      const flips = without === undefined ? 0 : flipsBetween(without, archetype);
      one.flips += flips;
      if (flips > 0) one.movers += archetype.rows + without!.rows;
    }
  }
  return [...types].flatMap(([about, one]) => [...adviseOnType(about, one)]);
}

/** How often entities have gone from one archetype to another and as many back; 0 in shipped builds, which do not count. */
function flipsBetween(one: Archetype, other: Archetype): number {
  const there = one.movePlans.get(other.number)?.moves ?? 0;
  const back = other.movePlans.get(one.number)?.moves ?? 0;
  return Math.min(there, back);
}

function* adviseOnType(about: Definition, one: InTypes): Generator<Advice> {
  const { archetypes, doubled, entities, flips, movers } = one;
  const { name } = about;
  if (doubled >= MANY_ARCHETYPES && entities < archetypes * SCATTERED_ROWS) {
    const advice =
      `The ${entities} entities with ${name} are in ${archetypes} archetypes; ${doubled} of these are also there without it. ` +
      apart(about);
    yield { about, kind: "scattered", entities, archetypes, doubled, saves: doubled, advice };
  }
  if (flips >= MANY_FLIPS && flips >= movers) {
    const advice = `Entities have got and lost ${name} ${flips} times, and each time moved to another archetype. ${apart(about)}`;
    yield { about, kind: "flips", entities, flips, saves: flips * 2, advice };
  }
}

function apart({ kind, name }: Definition): string {
  return kind === "tag"
    ? `Store it as bits: tag("${name}", { storage: bits })`
    : `Store it by entity: component("${name}", { ... }, { storage: sparse })`;
}

// ---- what is stored apart from types --------------------------------------------------------------------------------

function adviseOnBits({ graph }: World): Advice[] {
  const stored = new Map<Definition, { entities: number; among: number; runs: number }>();
  for (const archetype of graph.archetypes) {
    for (const column of archetype.bits?.columns ?? []) {
      if (column.count === 0 || isBuiltin(column.definition)) continue;
      const one = stored.get(column.definition) ?? { entities: 0, among: 0, runs: 0 };
      stored.set(column.definition, one);
      one.entities += column.count;
      one.among += archetype.rows;
      one.runs += countRuns(archetype, column);
    }
  }
  return [...stored].flatMap(([about, one]) => adviseOnBit(about, one.entities, one.among, one.runs) ?? []);
}

/** Runs of rows that all have the bit, or all lack it. */
function countRuns({ rows }: Archetype, { words }: BitColumn): number {
  let runs = 0;
  let last = -1;
  for (let row = 0; row < rows; row++) {
    const now = (words[row >>> 5]! >>> (row & 31)) & 1;
    if (now !== last) runs++;
    last = now;
  }
  return runs;
}

function adviseOnBit(about: Definition, entities: number, among: number, runs: number): Advice | undefined {
  if (among < MANY_ROWS) return undefined;
  const { name, storage } = about;
  if (entities >= among * NEARLY_ALL) {
    const advice =
      `${entities} of ${among} entities have ${name}. Leave out its storage, so that tables have it; ` +
      "or define its opposite, which few have, if it comes and goes";
    return { about, kind: "nearly all", entities, among, saves: entities, advice };
  }
  if (storage !== "bits" || runs * SHORT_RUN <= among) return undefined;
  const advice =
    `${among} rows, of which ${entities} have ${name}, are ${runs} runs with and without it. ` +
    "Leave out its storage, so that rows with it are adjacent, unless it comes and goes often";
  return { about, kind: "short runs", entities, among, runs, saves: runs, advice };
}
