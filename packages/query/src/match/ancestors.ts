// The source of an entity (`sourceAbove`) and its depth (`depthAlong`); caches results more than `NEAR` steps up.
import { Any, type Definition, type World } from "@treeline/core";
import type { PairId, TableId } from "@treeline/core/internal";
import { pairCursor, tableAt } from "@treeline/core/internal";
import { namesTarget, type ParsedTerm, type Traversal } from "../term/plan.ts";
import { hasAt } from "./pairs.ts";

/** Results on longer paths are cached, so that long chains without a source are walked once. */
const NEAR = 32;

/** A path to sources, the nearest ancestors along a relation that have something, with what is known of them. */
export interface UpPath {
  /** Those of the world. */
  readonly pairs: ReturnType<typeof pairCursor>;
  readonly relation: Definition;
  readonly what: ParsedTerm;
  /** See `isOfRows`. */
  readonly isOfRows: boolean;
  /** Of long paths: pair -> source; along a relation with many targets, table -> source. Valid until something changes. */
  readonly far: Map<PairId | TableId, number>;
}

export function createPath(world: World, { relation, what }: Pick<Traversal, "relation" | "what">): UpPath {
  return {
    pairs: pairCursor(world),
    relation,
    what,
    isOfRows: isOfRows(what),
    far: new Map(),
  };
}

/** Do archetypes not decide who has it? */
export function isOfRows(what: ParsedTerm): boolean {
  const { definition } = what;
  return definition.storage !== "table" || definition === Any || namesTarget(what);
}

export function forgetFar(path: UpPath | undefined): void {
  if (path !== undefined && path.far.size > 0) path.far.clear();
}

/** Does the entity at an index have what the path looks for? */
export function isSourceOf(world: World, { what }: UpPath, index: number): boolean {
  return hasAt(world, index, what.definition, what.target);
}

/**
 * The index of the nearest ancestor that has something, or 0. Of several targets, the branch of the one that has the lowest index
 * is followed to its end before that of the next.
 *
 * @cost the ancestors up to there; if exclusive, those not passed before.
 */
export function sourceAbove(world: World, index: number, path: UpPath): number {
  if (!path.relation.keepsDepth) return sourceOnBranches(world, tableAt(world, index), path);
  return sourceOfPair(world, path.pairs.at(index, path.relation), path);
}

/**
 * The same for subjects of a pair whose relation keeps depths: its target, or an ancestor of that. The records of pairs form
 * a tree; for ChildOf that holds for both storages of parents. Results for pairs that are passed far up are cached.
 */
export function sourceOfPair(world: World, pair: PairId, path: UpPath): number {
  const { far, pairs } = path;
  const { definition, target } = path.what;
  let passed: PairId[] | undefined;
  let source = 0;
  for (let at = pair, steps = 0; at !== 0; at = pairs.above(at), steps++) {
    const known = steps < NEAR ? undefined : far.get(at);
    source = known ?? pairs.target(at);
    if (known !== undefined || hasAt(world, source, definition, target)) break;
    source = 0;
    if (steps >= NEAR) (passed ??= []).push(at);
  }
  if (passed !== undefined) for (const one of passed) far.set(one, source);
  return source;
}

/**
 * The same for the rows of a table, along a relation with many targets.
 *
 * @cost the tables up to there, each once.
 */
export function sourceOnBranches(world: World, table: TableId, path: UpPath): number {
  const { far } = path;
  const known = far.get(table);
  if (known !== undefined) return known;
  const branch = [{ table, targets: targetsIn(world, table, path.relation) }];
  for (let last = branch.at(-1); last !== undefined; last = branch.at(-1)) {
    const target = last.targets.pop();
    if (target === undefined) {
      far.set(last.table, 0);
      branch.pop();
      continue;
    }
    const above = tableAt(world, target);
    const source = isSourceOf(world, path, target) ? target : far.get(above);
    if (source === undefined) branch.push({ table: above, targets: targetsIn(world, above, path.relation) });
    else if (source !== 0) {
      for (const passed of branch) far.set(passed.table, source);
      return source;
    }
  }
  return 0;
}

/** The targets of a table's rows along a relation with many targets, the lowest index last. A new list. */
function targetsIn(world: World, table: TableId, { id }: Definition): number[] {
  const pairs = pairCursor(world);
  const found: number[] = [];
  let pair = pairs.inTable(table, 0);
  for (let place = 1; pair !== 0; pair = pairs.inTable(table, place++))
    if (pairs.relation(pair) === id) found.push(pairs.target(pair));
  return found.length < 2 ? found : found.sort((one, other) => other - one);
}

/**
 * Steps on the longest path from the entity at an index to a root.
 *
 * @cost next to nothing for an exclusive relation; else all ancestors. @param known depths by table, of relations with many
 *   targets; what is found is added.
 */
export function depthAlong(
  world: World,
  index: number,
  relation: Definition,
  known?: Map<TableId, number>,
): number {
  if (!relation.keepsDepth) return longestBranch(world, tableAt(world, index), relation, known);
  const pairs = pairCursor(world);
  const pair = pairs.at(index, relation);
  return pair === 0 ? 0 : pairs.depth(pair);
}

/** The same for the rows of a table, along a relation with many targets. */
export function longestBranch(
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
