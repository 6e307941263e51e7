// What counts in a checksum, and in which order (`checksumOf`).
import { INDEX_SPAN } from "../base/limits.ts";
import type { Definition } from "../id/definition.ts";
import type { EntityIndex } from "../records/entity-index.ts";
import { countIn, endOf, startOf } from "../records/families.ts";
import type { Archetype } from "../storage/archetype.ts";
import { allRowsOf, type RowBits } from "../storage/bits.ts";
import { bitsOf, type Column, type LaneField, type Lanes } from "../storage/lanes.ts";
import type { PairStore } from "../storage/pair-store.ts";
import type { World } from "../world/state/world.ts";
import { requireIdle } from "./snapshot.ts";

const FACTOR = 0x9e3779b1;
/** In place of all NaN. */
const NAN = 0x7fc0_0000;
/** What `plain` compares words of floats with: above it are zeros and NaN. */
const FLOATS = 0x7eff_ffff;
/** Above it is nothing. */
const INTEGERS = 0x7fff_ffff;

/** Of text, a hash is known already: the second of two numbers by entity index. */
export interface KnownHashes {
  readonly definition: Definition;
  readonly hashes: Int32Array;
}

type Words = Int32Array | Int16Array | Int8Array;

/** Rows: [first, end, first, end, ...], of which `length` numbers are valid. */
type Runs = Pick<RowBits, "bounds" | "length">;

function runOf(first: number, end: number): Runs {
  return { bounds: Int32Array.of(first, end), length: 2 };
}

function mixed(hash: number, number: number): number {
  return Math.imul(((hash << 5) | (hash >>> 27)) ^ number, FACTOR);
}

/** Without the sign and less one, so that one comparison finds both zeros and all NaN. */
function plain(word: number, limit: number): number {
  return (((word << 1) - 1) ^ 0x8000_0000) > limit ? (word << 1 === 0 ? 0 : NAN) : word;
}

function hashOfText(text: string): number {
  let hash = text.length;
  for (let at = 0; at < text.length; at++) hash = mixed(hash, text.charCodeAt(at));
  return hash;
}

/** Mixes numbers into one of 32 bits, in order. Long lists are mixed into two at once: the processor need not wait for each product. */
class Mixer {
  hash = 0;
  private readonly double: Float64Array = new Float64Array(1);
  private readonly words: Int32Array = new Int32Array(this.double.buffer);

  add(number: number): void {
    this.hash = mixed(this.hash, number);
  }

  /**
   * `length` numbers of each row; those of row 0 begin at `first`.
   * @param limit FLOATS, then -0 equals 0 and all NaN are one; or INTEGERS.
   */
  addRows(words: Words, first: number, length: number, { bounds, length: count }: Runs, limit: number): void {
    let even = this.hash;
    let odd = count;
    for (let run = 0; run < count; run += 2) {
      const end = first + bounds[run + 1]! * length;
      let at = first + bounds[run]! * length;
      for (; at + 1 < end; at += 2) {
        even = mixed(even, plain(words[at]!, limit));
        odd = mixed(odd, plain(words[at + 1]!, limit));
      }
      if (at < end) even = mixed(even, plain(words[at]!, limit));
    }
    this.hash = mixed(even, odd);
  }

  addAll(words: Words, first: number, end: number): void {
    this.addRows(words, 0, 1, runOf(first, end), INTEGERS);
  }

  /** Generations, counted from the first one of the world, and whether the entities are alive. */
  addHandles({ handles, length, firstGeneration }: EntityIndex): void {
    let { hash } = this;
    for (let index = 1; index < length; index++) {
      const generation = (handles[index]! / INDEX_SPAN) | 0;
      hash = mixed(hash, generation > 0 ? generation - firstGeneration : generation + firstGeneration - 1);
    }
    this.hash = hash;
  }

  /** Hashes of the entities in rows. */
  addKnown(hashes: Int32Array, indexes: Int32Array, { bounds, length }: Runs): void {
    let { hash } = this;
    for (let run = 0; run < length; run += 2)
      for (let row = bounds[run]!; row < bounds[run + 1]!; row++)
        hash = mixed(hash, hashes[indexes[row]! * 2 + 1]!);
    this.hash = hash;
  }

  addDouble(number: number): void {
    this.double[0] = number === 0 ? 0 : number;
    if (Number.isNaN(number)) this.add(NAN);
    else {
      this.add(this.words[0]!);
      this.add(this.words[1]!);
    }
  }

  /** Text, numbers and truth values; of all others only the type. */
  addValue(value: unknown): void {
    if (typeof value === "string") this.add(hashOfText(value));
    else if (typeof value === "number") this.addDouble(value);
    else if (typeof value === "boolean") this.add(value ? 1 : 2);
    else this.add(value === undefined ? 3 : 4);
  }
}

/**
 * A number for the whole state of a world, with handles and the order of everything.
 * @param isLeftOut whether the values of a definition do not count.
 * @throws TreelineError `iterating`.
 */
export function checksumOf(
  world: World,
  isLeftOut: (definition: Definition) => boolean,
  known: KnownHashes,
): number {
  requireIdle(world, "checksum");
  const { entities, graph } = world;
  const { row, order, length, firstGeneration } = entities;
  const mixer = new Mixer();
  for (const number of [
    length,
    entities.lastOrder,
    entities.newGeneration - firstGeneration,
    entities.free,
    entities.lastFree,
    row[0] ?? 0,
  ])
    mixer.add(number);
  mixer.addHandles(entities);
  mixer.addAll(new Int32Array(order.buffer), 1, length);
  mixer.addAll(graph.pairs.target, 1, graph.pairs.length);
  const addColumn = (lanes: Lanes, column: Column, runs: Runs): void => {
    if (column.definition === known.definition) mixer.addKnown(known.hashes, lanes.i32, runs);
    else if (!isLeftOut(column.definition))
      for (const field of column.fields) addField(mixer, lanes, field, runs, firstGeneration * INDEX_SPAN);
  };
  for (const archetype of graph.founded) {
    if (archetype.rows === 0) continue;
    addArchetype(mixer, world, archetype);
    for (const column of archetype.lanes.plan.columns)
      addColumn(archetype.lanes, column, allRowsOf(archetype));
  }
  for (const store of graph.sparse) {
    if (store === undefined || store.count === 0) continue;
    const { definition, lanes, count, column } = store;
    mixer.add(hashOfText(definition.name));
    mixer.addAll(lanes.i32, 0, count);
    const { links } = store as Partial<PairStore>;
    if (links !== undefined) mixer.addAll(links, 0, links.length);
    if (column !== undefined) addColumn(lanes, column, runOf(0, count));
  }
  // Families in order; where their lists have holes shows nowhere.
  for (let pair = 0; pair < graph.pairs.length; pair++) {
    const end = endOf(graph.families, pair);
    mixer.add(countIn(graph.families, pair));
    for (let at = startOf(graph.families, pair); at < end; at++)
      if (graph.families.pool[at] !== 0) mixer.add(graph.families.pool[at]!);
  }
  return mixer.hash >>> 0;
}

/** Its tables with their pairs and entities, its rows, and their tags in bits. */
function addArchetype(mixer: Mixer, { graph }: World, archetype: Archetype): void {
  const { tables, records, pairs } = graph;
  const { lanes, rows, bits, definitions, filled } = archetype;
  const relations = new Map<number, number>();
  for (const { id, name } of definitions) {
    const hash = hashOfText(name);
    mixer.add(hash);
    relations.set(id, hash);
  }
  for (let table = filled.first; table !== 0; table = tables.next[table]!) {
    mixer.add(tables.count[table]!);
    const start = tables.first[table]!;
    mixer.addAll(tables.lists.pool, start, start + tables.count[table]!);
    const first = tables.nodes[table]!;
    for (let node = first; node < first + tables.pairs[table]!; node++) {
      const pair = records.nodePair[node]!;
      mixer.add(relations.get(pairs.relation[pair]!)!);
      mixer.add(pairs.target[pair]!);
    }
  }
  mixer.addAll(lanes.i32, 0, rows);
  for (const { definition, count, words } of bits?.columns ?? []) {
    if (count === 0) continue;
    mixer.add(hashOfText(definition.name));
    mixer.addAll(words, 0, (rows + 31) >>> 5);
  }
}

/** @param base what handles have more than those of a world with the first generations. */
function addField(
  mixer: Mixer,
  lanes: Lanes,
  { kind, width, slot, lane, length }: LaneField,
  runs: Runs,
  base: number,
): void {
  const first = lane * lanes.stride;
  if (slot < 0 && width < 8) {
    mixer.addRows(bitsOf(lanes, width) as Words, first, length, runs, kind === "f32" ? FLOATS : INTEGERS);
    return;
  }
  const values = slot < 0 ? lanes.f64 : lanes.objects[slot]!;
  const shift = kind === "entity" ? base : 0;
  for (let run = 0; run < runs.length; run += 2) {
    const end = first + runs.bounds[run + 1]! * length;
    for (let at = first + runs.bounds[run]! * length; at < end; at++) {
      const value = values[at];
      mixer.addValue(shift > 0 && (value as number) > 0 ? (value as number) - shift : value);
    }
  }
}
