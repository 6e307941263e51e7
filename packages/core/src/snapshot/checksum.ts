import { INDEX_SPAN } from "../base/limits.ts";
import type { Definition } from "../id/definition.ts";
import { GENERATION, PER_SIBLING } from "../records/sibling-links.ts";
import type { Archetype } from "../storage/archetype.ts";
import { refreshRuns } from "../storage/bits.ts";
import type { Column, LaneField, Lanes } from "../storage/lanes.ts";
import type { PairStore } from "../storage/pair-store.ts";
import type { World } from "../world/state/world.ts";
import { requireIdle } from "./snapshot.ts";

const FACTOR = 0x9e3779b1;
/** In place of all NaN. */
const NAN = 0x7fc0_0000;

/** Mixes numbers into one of 32 bits, in order. */
class Mixer {
  hash = 0;
  private readonly double: Float64Array = new Float64Array(1);
  private readonly words: Int32Array = new Int32Array(this.double.buffer);

  add(number: number): void {
    const { hash } = this;
    this.hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ number, FACTOR);
  }

  addText(text: string): void {
    let hash = text.length;
    for (let at = 0; at < text.length; at++)
      hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ text.charCodeAt(at), FACTOR);
    this.add(hash);
  }

  /** Two sums at once, so that the processor need not wait for each product. */
  addAll(numbers: Int32Array | Uint32Array | Int16Array | Int8Array, from: number, end: number): void {
    let even = this.hash;
    let odd = end - from;
    let at = from;
    for (; at + 1 < end; at += 2) {
      even = Math.imul(((even << 5) | (even >>> 27)) ^ numbers[at]!, FACTOR);
      odd = Math.imul(((odd << 5) | (odd >>> 27)) ^ numbers[at + 1]!, FACTOR);
    }
    if (at < end) even = Math.imul(((even << 5) | (even >>> 27)) ^ numbers[at]!, FACTOR);
    this.hash = even;
    this.add(odd);
  }

  /** The same for numbers of which -0 equals 0, and all NaN are one. */
  addFloats(numbers: Float32Array, words: Int32Array, from: number, end: number): void {
    let even = this.hash;
    let odd = end - from;
    for (let at = from; at < end; at++) {
      const number = numbers[at]!;
      const word = number === 0 ? 0 : Number.isNaN(number) ? NAN : words[at]!;
      const next = Math.imul(((even << 5) | (even >>> 27)) ^ word, FACTOR);
      even = odd;
      odd = next;
    }
    this.hash = even;
    this.add(odd);
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
    if (typeof value === "string") this.addText(value);
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
export function checksumOf(world: World, isLeftOut: (definition: Definition) => boolean): number {
  requireIdle(world, "checksum");
  const { entities, graph } = world;
  const { links } = graph;
  const { handles, row, order, length, firstGeneration } = entities;
  const mixer = new Mixer();
  for (const number of [length, entities.lastOrder, entities.free, entities.lastFree, row[0] ?? 0])
    mixer.add(number);
  const base = firstGeneration * INDEX_SPAN;
  for (let index = 1; index < length; index++) {
    const handle = handles[index]!;
    mixer.add(handle > 0 ? (handle - base) / INDEX_SPAN : (handle + base) / INDEX_SPAN - 1);
  }
  mixer.addAll(order, 1, length);
  mixer.addAll(graph.pairs.target, 1, graph.pairs.length);
  for (const archetype of graph.founded)
    if (archetype.rows > 0) addArchetype(mixer, world, archetype, isLeftOut);
  for (const store of graph.sparse) {
    if (store === undefined || store.count === 0) continue;
    mixer.addText(store.definition.name);
    mixer.addAll(store.lanes.i32, 0, store.count);
    const { links } = store as Partial<PairStore>;
    if (links !== undefined) mixer.addAll(links, 0, links.length);
    if (store.column === undefined || isLeftOut(store.definition)) continue;
    addColumn(mixer, store.lanes, store.column, 0, store.count, base);
  }
  if (links.lists.length > 0) {
    const { siblings } = links;
    const end = Math.min(siblings.length, length * PER_SIBLING);
    for (let at = 0; at < end; at++) if (at % PER_SIBLING !== GENERATION) mixer.add(siblings[at]!);
  }
  return mixer.hash >>> 0;
}

function addArchetype(
  mixer: Mixer,
  { graph, entities }: World,
  archetype: Archetype,
  isLeftOut: (definition: Definition) => boolean,
): void {
  const { tables, records, pairs } = graph;
  const { lanes, used, bits, definitions, filled } = archetype;
  const relations = new Map<number, string>();
  for (const { id, name } of definitions) {
    mixer.addText(name);
    relations.set(id, name);
  }
  for (let table = filled.first; table !== 0; table = tables.next[table]!) {
    mixer.add(tables.first[table]!);
    mixer.add(tables.count[table]!);
    const first = tables.nodes[table]!;
    for (let node = first; node < first + tables.pairs[table]!; node++) {
      const pair = records.nodePair[node]!;
      mixer.addText(relations.get(pairs.relation[pair]!) ?? "");
      mixer.add(pairs.target[pair]!);
    }
  }
  const base = entities.firstGeneration * INDEX_SPAN;
  refreshRuns(used, archetype.end);
  for (let at = 0; at < used.length; at += 2) {
    const [from, end] = [used.bounds[at]!, used.bounds[at + 1]!];
    mixer.add(from);
    mixer.addAll(lanes.i32, from, end);
    for (const column of lanes.plan.columns)
      if (!isLeftOut(column.definition)) addColumn(mixer, lanes, column, from, end, base);
  }
  for (const { definition, count, words } of bits?.columns ?? []) {
    if (count === 0) continue;
    mixer.addText(definition.name);
    mixer.addAll(words, 0, (archetype.end + 31) >>> 5);
  }
}

function addColumn(
  mixer: Mixer,
  lanes: Lanes,
  column: Column,
  from: number,
  end: number,
  base: number,
): void {
  for (const field of column.fields) addField(mixer, lanes, field, from, end, base);
}

function addField(
  mixer: Mixer,
  lanes: Lanes,
  { kind, slot, lane, length }: LaneField,
  from: number,
  end: number,
  base: number,
): void {
  const first = lane * lanes.stride;
  const [start, stop] = [first + from * length, first + end * length];
  if (slot >= 0) {
    const values = lanes.objects[slot]!;
    for (let row = from; row < end; row++) mixer.addValue(values[row]);
  } else if (kind === "f32") mixer.addFloats(lanes.f32, lanes.i32, start, stop);
  else if (kind === "f64" || kind === "entity") {
    const shift = kind === "entity" ? base : 0;
    for (let at = start; at < stop; at++) {
      const number = lanes.f64[at]!;
      mixer.addDouble(shift > 0 && number > 0 ? number - shift : number);
    }
  } else if (kind === "bool") mixer.addAll(lanes.i8, start, stop);
  else mixer.addAll(lanes[kind as "i32" | "u32" | "i16" | "i8"], start, stop);
}
