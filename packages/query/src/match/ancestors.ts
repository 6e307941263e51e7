import type { Definition, World } from "@treeline/core";
import type { PairId, TableId } from "@treeline/core/internal";
import { pairsOf, tableAt } from "@treeline/core/internal";
import { namesTarget, type ParsedTerm, type Traversal } from "../term/plan.ts";
import { hasAt } from "./pairs.ts";

/** Ways up that are longer are noted, so that long chains without a source are walked once. */
const NEAR = 32;

/** A way to sources, with what is known of them: the nearest ancestors along a relation that have something. */
export interface Way {
  /** Those of the world. */
  readonly pairs: ReturnType<typeof pairsOf>;
  readonly relation: Definition;
  readonly what: ParsedTerm;
  /** It is a pair with a target, or a tag that is stored as bits, which archetypes do not tell. */
  readonly isOfRows: boolean;
  /** Of long ways up: pair -> source; along a relation with many targets, table -> source. Good until something changes. */
  readonly far: Map<PairId | TableId, number>;
}

export function createWay(world: World, { relation, what }: Pick<Traversal, "relation" | "what">): Way {
  return {
    pairs: pairsOf(world),
    relation,
    what,
    isOfRows: what.definition.storage === "bits" || namesTarget(what),
    far: new Map(),
  };
}

export function forgetFar(way: Way | undefined): void {
  if (way !== undefined && way.far.size > 0) way.far.clear();
}

/** Has the entity at an index what is looked for? */
export function owns(world: World, { what }: Way, index: number): boolean {
  return hasAt(world, index, what.definition, what.target);
}

/**
 * The index of the nearest ancestor that has something, or 0. Of several targets, the line of the one that has the lowest index
 * is followed to its end before that of the next. Cost: the ancestors up to there; if exclusive, those not passed before.
 */
export function holderAbove(world: World, index: number, way: Way): number {
  if (!way.relation.keepsDepth) return holderOnLines(world, tableAt(world, index), way);
  return holderOf(world, way.pairs.at(index, way.relation), way);
}

/**
 * The same for those who have a pair of a relation that keeps depths: its target, or somebody above. Records of pairs hang
 * below each other, those of ChildOf whichever way parents are stored. Pairs that are passed far up are noted.
 */
export function holderOf(world: World, pair: PairId, way: Way): number {
  const { far, pairs } = way;
  const { definition, target } = way.what;
  let passed: PairId[] | undefined;
  let holder = 0;
  for (let at = pair, steps = 0; at !== 0; at = pairs.above(at), steps++) {
    const known = steps < NEAR ? undefined : far.get(at);
    holder = known ?? pairs.target(at);
    if (known !== undefined || hasAt(world, holder, definition, target)) break;
    holder = 0;
    if (steps >= NEAR) (passed ??= []).push(at);
  }
  if (passed !== undefined) for (const one of passed) far.set(one, holder);
  return holder;
}

/** The same for the rows of a table, along a relation with many targets. Cost: the tables up to there, each once. */
export function holderOnLines(world: World, table: TableId, way: Way): number {
  const { far } = way;
  const known = far.get(table);
  if (known !== undefined) return known;
  const line = [{ table, targets: targetsIn(world, table, way.relation) }];
  for (let last = line.at(-1); last !== undefined; last = line.at(-1)) {
    const target = last.targets.pop();
    if (target === undefined) {
      far.set(last.table, 0);
      line.pop();
      continue;
    }
    const above = tableAt(world, target);
    const holder = owns(world, way, target) ? target : far.get(above);
    if (holder === undefined) line.push({ table: above, targets: targetsIn(world, above, way.relation) });
    else if (holder !== 0) {
      for (const passed of line) far.set(passed.table, holder);
      return holder;
    }
  }
  return 0;
}

/** The targets of a table's rows along a relation with many, the lowest index last. A fresh list. */
function targetsIn(world: World, table: TableId, { id }: Definition): number[] {
  const pairs = pairsOf(world);
  const found: number[] = [];
  let pair = pairs.inTable(table, 0);
  for (let place = 1; pair !== 0; pair = pairs.inTable(table, place++))
    if (pairs.relation(pair) === id) found.push(pairs.target(pair));
  return found.length < 2 ? found : found.sort((one, other) => other - one);
}

/**
 * Steps on the longest way from the entity at an index to a root. Cost: of an exclusive relation next to nothing; else all that
 * lies above it. @param known depths by table, of relations with many targets; what is found is added.
 */
export function longestWayUp(
  world: World,
  index: number,
  relation: Definition,
  known?: Map<TableId, number>,
): number {
  if (!relation.keepsDepth) return longestLine(world, tableAt(world, index), relation, known);
  const pairs = pairsOf(world);
  const pair = pairs.at(index, relation);
  return pair === 0 ? 0 : pairs.depth(pair);
}

/** The same for the rows of a table, along a relation with many targets. */
export function longestLine(
  world: World,
  table: TableId,
  relation: Definition,
  known: Map<TableId, number> = new Map(),
): number {
  const stack = known.has(table) ? [] : [table];
  for (let at = stack.at(-1); at !== undefined; at = stack.at(-1)) {
    const before = stack.length;
    let depth = 0;
    for (const target of targetsIn(world, at, relation)) {
      const above = known.get(tableAt(world, target));
      if (above === undefined) stack.push(tableAt(world, target));
      else depth = Math.max(depth, above + 1);
    }
    if (stack.length > before) continue;
    known.set(at, depth);
    stack.pop();
  }
  return known.get(table)!;
}
