import { KEPT_EMPTY_TABLES } from "../base/limits.ts";
import { findTable } from "../graph/table-graph.ts";
import { CHILD_OF, Parent } from "../id/builtins.ts";
import { PAIR_EXCLUSIVE, PAIR_HAS_DATA } from "../id/definition.ts";
import { erasedIdOf, type Shape } from "../storage/shape.ts";
import { needsNow } from "../world/state/needs-of.ts";
import type { World } from "../world/state/world.ts";
import type { Say } from "./say.ts";

/** L3, L4, L6, L9, L14, L22 for every shape and table. */
export function verifyTables(world: World, say: Say): void {
  const { graph } = world;
  const types = new Map<string, number>();
  const erased = new Map<string, number>();
  const listed = new Map([...graph.shapesWith].map(([id, shapes]) => [id, new Set(shapes)]));
  let alive = 0;
  for (const shape of graph.shapes) {
    if (shape.spare !== 0) verifySpare(world, shape, say);
    const key = shape.erasedType.join(" ");
    const twin = erased.get(key);
    if (twin !== undefined) say(`L3: shapes ${twin} and ${shape.number} share the erased type [${key}]`);
    erased.set(key, shape.number);
    verifyShape(shape, listed, say);
    if (shape.needsEpoch === world.events.epoch && shape.needs !== needsNow(world, shape))
      say(`L22: shape ${shape.number} keeps the needs ${shape.needs}, not ${needsNow(world, shape)}`);
    for (const [start, isEmpty] of [
      [shape.firstTable, false],
      [shape.firstEmpty, true],
    ] as const) {
      for (let table = start; table !== 0; table = graph.tables.next[table]!) {
        alive++;
        const type = `${shape.number}: ${pairsOf(world, table).join(" ")}`;
        const other = types.get(type);
        if (other !== undefined) say(`L3: t${table} and t${other} share the type ${type}`);
        types.set(type, table);
        verifyTable(world, shape, table, isEmpty, say);
      }
    }
  }
  const inLimbo = world.limbo === 0 ? 0 : 1;
  if (alive + inLimbo !== graph.tables.alive)
    say(`L4: ${alive} tables in shapes, ${graph.tables.alive - inLimbo} are counted`);
  if (inLimbo === 1 && graph.tables.count[world.limbo] !== 0) say("L14: limbo has rows");
}

/** A spare table is filed under a pair that nobody has. */
function verifySpare({ graph }: World, { number, spare }: Shape, say: Say): void {
  const { tables, pairs, records } = graph;
  const pair = tables.parentPair[spare]!;
  const isFiled = records.main[pair] === spare && records.nodePair[tables.nodes[spare]!] === pair;
  const isRight =
    isFiled && records.tables[pair] === 1 && tables.shape[spare] === -1 && pairs.relation[pair] === 0;
  if (!isRight) say(`L4: t${spare}, the spare table of shape ${number}, is somebody's`);
}

function pairsOf({ graph }: World, table: number): number[] {
  const first = graph.tables.nodes[table]!;
  return [...graph.records.nodePair.subarray(first, first + graph.tables.pairs[table]!)];
}

function verifyShape(shape: Shape, listed: ReadonlyMap<number, ReadonlySet<Shape>>, say: Say): void {
  const { erasedType, number } = shape;
  if (erasedType.some((id, at) => at > 0 && id < erasedType[at - 1]!))
    say(`L3: shape ${number} is not sorted`);
  if (shape.founded) {
    for (const { id, name } of shape.definitions) {
      if (listed.get(id)?.has(shape) !== true) say(`L4: ${name} does not list shape ${number}`);
    }
  }
  verifyEdges(shape, say);
  const { emptyTables, tables } = shape;
  if (shape.hasPairs && emptyTables > Math.max(KEPT_EMPTY_TABLES, (emptyTables + tables) / 4) + 1) {
    say(`L14: shape ${number} keeps ${emptyTables} empty tables beside ${tables}`);
  }
}

/** L9: an edge leads to the shape with exactly one more, or one fewer; or back, where that changes nothing. */
function verifyEdges(shape: Shape, say: Say): void {
  for (const [id, other] of shape.withId) {
    const isRight = other === shape ? hasWord(shape, id) : isOneMore(other, shape, id);
    if (!isRight) say(`L9: shape ${shape.number} with ${id} is not ${other.number}`);
  }
  for (const [id, other] of shape.withoutId) {
    const isRight = other === shape ? !hasWord(shape, id) : isOneMore(shape, other, id);
    if (!isRight) say(`L9: shape ${shape.number} without ${id} is not ${other.number}`);
  }
}

function hasWord({ erasedType }: Shape, id: number): boolean {
  return erasedType.includes(id) || erasedType.includes(-id);
}

/** The larger erased type is the smaller one with one word more, which is `id` or its wildcard. */
function isOneMore(larger: Shape, smaller: Shape, id: number): boolean {
  const more = larger.erasedType;
  const less = smaller.erasedType;
  if (more.length !== less.length + 1) return false;
  let at = 0;
  while (at < less.length && more[at] === less[at]) at++;
  if (Math.abs(more[at]!) !== id) return false;
  for (; at < less.length; at++) if (more[at + 1] !== less[at]) return false;
  return true;
}

function verifyTable(world: World, shape: Shape, table: number, isEmpty: boolean, say: Say): void {
  const { tables, pairs } = world.graph;
  const own = pairsOf(world, table);
  if (tables.shape[table] !== shape.number) say(`L4: t${table} is listed by shape ${shape.number}`);
  if (isEmpty && (tables.count[table] !== 0 || tables.capacity[table] !== 0)) {
    say(`L14: t${table} is listed as empty and owns a slice`);
  }
  if (isEmpty && own.length > 1) say(`L14: t${table} has ${own.length} pairs and no row`);
  if (own.some((pair, at) => at > 0 && pair <= own[at - 1]!))
    say(`L3: the pairs of t${table} are not sorted`);
  if (!isFound(world, shape, table, own)) say(`L4: t${table} is not found by its type`);
  for (const pair of own) {
    if (pairs.relation[pair] === 0) say(`L10: t${table} has the pair ${-pair}, which was taken back`);
  }
  for (const { id } of shape.definitions) {
    const same = own.filter((pair) => pairs.relation[pair] === id);
    if (same.length > 1 && (pairs.traits[same[0]!]! & PAIR_EXCLUSIVE) !== 0) {
      say(`L6: t${table} has ${same.length} pairs of an exclusive relation`);
    }
  }
  const parentPair = own.find((pair) => pairs.relation[pair] === CHILD_OF) ?? 0;
  if (parentPair !== tables.parentPair[table]) say(`L4: t${table} is wrong about its parent`);
  if (erasedKey(world, own, shape) !== shape.erasedType.filter((id) => id < 0).join(" ")) {
    say(`L4: the pairs of t${table} do not make up its shape ${shape.number}`);
  }
}

function isFound({ graph }: World, shape: Shape, table: number, own: readonly number[]): boolean {
  const wanted = graph.wanted;
  graph.wanted = Int32Array.from(own);
  const found = findTable(graph, shape, own.length);
  graph.wanted = wanted;
  return found === table;
}

/**
 * The relations of a list of pairs as a shape has them: once without data, once per pair with data. A parent that is
 * stored as a value has no pair in the list.
 */
function erasedKey({ graph }: World, own: readonly number[], shape: Shape): string {
  const ids: number[] = [];
  for (const definition of new Set(shape.definitions)) {
    if (definition.kind !== "relation") continue;
    if (definition === Parent) {
      ids.push(erasedIdOf(Parent));
      continue;
    }
    const same = own.filter((pair) => graph.pairs.relation[pair] === definition.id);
    const hasData = same.some((pair) => (graph.pairs.traits[pair]! & PAIR_HAS_DATA) !== 0);
    for (let at = 0; at < (hasData ? same.length : Math.min(1, same.length)); at++)
      ids.push(erasedIdOf(definition));
  }
  const strangers = own.some(
    (pair) => !shape.definitions.some(({ id }) => id === graph.pairs.relation[pair]),
  );
  return strangers ? "strangers" : ids.sort((one, other) => one - other).join(" ");
}
