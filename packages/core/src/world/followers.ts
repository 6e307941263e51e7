import { shapeWith, shapeWithout } from "../graph/edges.ts";
import { holdRoomBeside, holdRooms, type Kind, letGo } from "../graph/hold.ts";
import { closeIfIdle } from "../graph/table-graph.ts";
import { CHILD_OF, DisabledTree, Hidden } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";
import { indexOf } from "../id/entity.ts";
import { findPair, isTarget } from "../id/pair-book.ts";
import { hasDefinition, type Shape } from "../storage/shape.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import {
  loosePairOfTerms,
  type PlainTerm,
  parentOfTerms,
  wantPairsOf,
  wantPairsOfTerms,
} from "./destination.ts";
import { hasListeners } from "./facts.ts";
import { childrenOf, hidesBelow } from "./hide.ts";
import { enterLimbo, isInLimbo, leaveLimbo } from "./limbo.ts";
import { ensurePair } from "./pair.ts";
import { parentIndexAt, parentPairAt } from "./targets.ts";
import { shapeAt } from "./values.ts";
import type { World } from "./world.ts";

/**
 * A birth or a move may bring others: whoever comes below a DisabledTree is hidden with all below, and the other sides of
 * symmetric pairs follow. A course is what all of them will be, told before anything changes, so that there is room for
 * everybody or nothing happens. It goes the steps of `settleHidden`, `hideBelow` and `mirrorBonds`.
 */
interface Course {
  /** By index: what those who have moved are by now. */
  readonly kinds: Map<number, Kind>;
  /** By index: the new parent's index, or 0, of those who get another one. */
  readonly parents: Map<number, number>;
  readonly ofTable: Map<TableNumber, Kind>;
  /** A type -> the same hidden, or shown. */
  readonly twins: Map<Kind, Kind>;
  readonly arrivals: Map<Kind, number>;
  /** Pairs that may have got their number for it. */
  readonly pairs: Set<PairNumber>;
}

function createCourse(): Course {
  return {
    kinds: new Map(),
    parents: new Map(),
    ofTable: new Map(),
    twins: new Map(),
    arrivals: new Map(),
    pairs: new Set(),
  };
}

/** Are rooms held already, by who called? */
export function isHolding({ graph }: World): boolean {
  return graph.vacated !== undefined;
}

/**
 * Makes a change of one entity for which `to` was found, after making room for all who follow.
 *
 * @throws TreelineError `capacity`, or what the memory throws: nothing has changed then, and `to` is gone again if it was
 *   founded for the change.
 */
export function withFollowers<Result>(
  world: World,
  index: number,
  to: TableNumber,
  loose: PairNumber,
  change: () => Result,
): Result {
  const { tables } = world.graph;
  const after = tables.parentPair[to]! + loose;
  const is = shapeOfTable(world, to);
  if (
    isHolding(world) ||
    !bringsOthers(world, shapeAt(world, index), is, after !== parentPairAt(world, index))
  )
    return change();
  if (!isTarget(world.graph.pairs, index) && !shapeAt(world, index).isSymmetric && !is.isSymmetric)
    return hiddenOrShown(world, index, to, loose, after, change);
  const course = createCourse();
  if (loose !== 0) course.pairs.add(loose);
  const was = kindAt(world, course, index);
  const before = parentPairAt(world, index);
  if (to !== world.entities.table[index]) arrive(course, index, kindOf(world, course, to));
  if (before !== after) course.parents.set(index, after === 0 ? 0 : world.graph.pairs.target[after]!);
  foresee(world, course, index, was, before !== after);
  return held(world, course, change);
}

/** Nobody follows, but who moves may go on at once to a table of those who are hidden, or of those who are not. */
function hiddenOrShown<Result>(
  world: World,
  index: number,
  to: TableNumber,
  loose: PairNumber,
  after: PairNumber,
  change: () => Result,
): Result {
  const { graph } = world;
  const shape = shapeOfTable(world, to);
  const isBelow = after !== 0 && hidesBelow(shapeAt(world, graph.pairs.target[after]!));
  if (hasDefinition(shape, Hidden) === isBelow) return change();
  const twin = isBelow ? shapeWith(graph, shape, Hidden) : shapeWithout(graph, shape, Hidden);
  try {
    holdRoomBeside(graph, to === world.entities.table[index] ? 0 : to, twin, wantPairsOf(world, to));
  } catch (error) {
    if (loose !== 0) closeIfIdle(graph, loose);
    throw error;
  }
  try {
    return change();
  } finally {
    letGo(graph);
  }
}

function bringsOthers(world: World, was: Shape, is: Shape, isReparent: boolean): boolean {
  if (was.isSymmetric || is.isSymmetric || (world.hiding && isReparent)) return true;
  return hasDefinition(was, DisabledTree) !== hasDefinition(is, DisabledTree);
}

/** Entities that are about to be born with the same terms. */
export interface Births {
  readonly shape: Shape;
  readonly terms: readonly PlainTerm[];
  /** Their indexes if they are in limbo, else 0. */
  readonly unborn: readonly number[];
}

/** May a birth bring others, or lead through a second table? */
export function isFollowed(world: World, shape: Shape, unborn: number): boolean {
  if (isHolding(world)) return false;
  if (shape.isSymmetric || (unborn !== 0 && shape.isSpecial)) return true;
  return world.hiding && (unborn !== 0 || hasListeners(world)) && (shape.hasPairs || shape.isLoose);
}

/**
 * The shape in which somebody is born of whom nobody hears: hidden at once, if the parent hides all below it.
 *
 * @param shape of the terms.
 */
export function shapeAtBirth(world: World, shape: Shape, terms: readonly PlainTerm[]): Shape {
  if (isHolding(world) || hasListeners(world)) return shape;
  const parent = parentOfTerms(terms);
  if (parent === undefined || world.entities.table[indexOf(parent)] === 0) return shape;
  return hidesBelow(shapeAt(world, indexOf(parent))) ? shapeWith(world.graph, shape, Hidden) : shape;
}

/**
 * Gives birth, after making room for all newborns and all who follow. Inside a visit, if somebody is told.
 *
 * @param bear gets the indexes: others than 0 for those in limbo, where everybody is whose handle must be known before.
 * @throws TreelineError `capacity`, or what the memory throws: nothing has changed then, and limbo is left.
 */
export function withRoomForBirths<Result>(
  world: World,
  births: readonly Births[],
  bear: (unborn: readonly number[]) => Result,
): Result {
  const course = createCourse();
  const unborn = births.map(({ shape, unborn: given }) =>
    given.map((index) => (index === 0 && shape.isSymmetric ? enterLimbo(world) : index)),
  );
  try {
    let nameless = 0;
    births.forEach(({ shape, terms }, at) => {
      const kind = kindOfTerms(world, course, shape, terms);
      const loose = shape.isLoose ? loosePairOfTerms(world, terms) : 0;
      if (loose !== 0) course.pairs.add(loose);
      const parent = parentOf(world, kind, loose);
      for (const index of unborn[at]!)
        foreseeBirth(world, course, index === 0 ? --nameless : index, kind, parent);
    });
    return held(world, course, () => bear(unborn.flat()));
  } catch (error) {
    births.forEach(({ unborn: given }, at) => {
      given.forEach((index, place) => {
        const own = unborn[at]![place]!;
        if (index === 0 && own !== 0 && isInLimbo(world, own)) leaveLimbo(world, own);
      });
    });
    throw error;
  }
}

function kindOfTerms(world: World, course: Course, shape: Shape, terms: readonly PlainTerm[]): Kind {
  const count = shape.hasPairs ? wantPairsOfTerms(world, terms) : 0;
  const pairs = [...world.graph.wanted.subarray(0, count)];
  for (const pair of pairs) course.pairs.add(pair);
  return { shape, pairs };
}

function parentOf({ graph }: World, { pairs }: Kind, loose: PairNumber): number {
  const pair = loose !== 0 ? loose : pairs.find((one) => graph.pairs.relation[one] === CHILD_OF);
  return pair === undefined ? 0 : graph.pairs.target[pair]!;
}

function foreseeBirth(world: World, course: Course, index: number, kind: Kind, parent: number): void {
  arrive(course, index, kind);
  course.parents.set(index, parent);
  foresee(world, course, index, { shape: world.graph.root, pairs: [] }, parent !== 0);
}

function held<Result>(world: World, course: Course, change: () => Result): Result {
  const { graph } = world;
  try {
    holdRooms(graph, course.arrivals);
  } catch (error) {
    for (const pair of course.pairs) if (graph.pairs.relation[pair] !== 0) closeIfIdle(graph, pair);
    throw error;
  }
  try {
    return change();
  } finally {
    letGo(graph);
  }
}

function shapeOfTable({ graph }: World, table: TableNumber): Shape {
  return graph.shapes[graph.tables.shape[table]!]!;
}

/** The type of a table. */
function kindOf(world: World, { ofTable }: Course, table: TableNumber): Kind {
  let kind = ofTable.get(table);
  if (kind === undefined) {
    const { tables, records } = world.graph;
    const first = tables.nodes[table]!;
    const pairs = [...records.nodePair.subarray(first, first + tables.pairs[table]!)];
    kind = { shape: shapeOfTable(world, table), pairs };
    ofTable.set(table, kind);
  }
  return kind;
}

/** What somebody is by now. */
function kindAt(world: World, course: Course, index: number): Kind {
  return course.kinds.get(index) ?? kindOf(world, course, world.entities.table[index]!);
}

function arrive({ kinds, arrivals }: Course, index: number, kind: Kind): void {
  kinds.set(index, kind);
  arrivals.set(kind, (arrivals.get(kind) ?? 0) + 1);
}

/** What follows when an entity has arrived. */
function foresee(world: World, course: Course, index: number, was: Kind, isReparent: boolean): void {
  const is = kindAt(world, course, index);
  if (hasDefinition(was.shape, DisabledTree) !== hasDefinition(is.shape, DisabledTree))
    foreseeBelow(world, course, index);
  if (isReparent && foreseeHidden(world, course, index)) foreseeBelow(world, course, index);
  if (was.shape.isSymmetric || is.shape.isSymmetric) foreseeBonds(world, course, index, was);
}

function foreseeBelow(world: World, course: Course, index: number): void {
  const waiting = index < 0 ? [] : childrenOf(world, index);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (foreseeHidden(world, course, at)) for (const child of childrenOf(world, at)) waiting.push(child);
  }
}

/** @returns whether it will be hidden, or shown. */
function foreseeHidden(world: World, course: Course, index: number): boolean {
  const kind = kindAt(world, course, index);
  const parent = course.parents.get(index) ?? parentIndexAt(world, index);
  const above = parent === 0 ? undefined : kindAt(world, course, parent).shape;
  const isBelow = above !== undefined && hidesBelow(above);
  if (hasDefinition(kind.shape, Hidden) === isBelow) return false;
  arrive(course, index, twinOf(world, course, kind));
  return true;
}

function twinOf({ graph }: World, { twins }: Course, kind: Kind): Kind {
  let twin = twins.get(kind);
  if (twin === undefined) {
    const { shape, pairs } = kind;
    const isHidden = hasDefinition(shape, Hidden);
    twin = { shape: isHidden ? shapeWithout(graph, shape, Hidden) : shapeWith(graph, shape, Hidden), pairs };
    twins.set(kind, twin);
  }
  return twin;
}

/** The other sides of bonds that go or come, in the order of `mirrorBonds`. */
function foreseeBonds(world: World, course: Course, index: number, was: Kind): void {
  const { target } = world.graph.pairs;
  const is = kindAt(world, course, index);
  const had = new Set(was.pairs);
  const has = new Set(is.pairs);
  for (const relation of was.shape.definitions) {
    if (!relation.symmetric) continue;
    for (const pair of pairsOf(world, was, relation)) {
      if (!has.has(pair)) foreseeLoose(world, course, relation, target[pair]!, index);
    }
  }
  for (const relation of is.shape.definitions) {
    if (!relation.symmetric) continue;
    for (const pair of pairsOf(world, is, relation)) {
      if (!had.has(pair)) foreseeTied(world, course, relation, target[pair]!, index);
    }
  }
}

function pairsOf({ graph }: World, { pairs }: Kind, relation: Definition): PairNumber[] {
  return pairs.filter((pair) => graph.pairs.relation[pair] === relation.id);
}

/** As `loosenBond`. */
function foreseeLoose(
  world: World,
  course: Course,
  relation: Definition,
  index: number,
  target: number,
): void {
  const { graph } = world;
  const kind = kindAt(world, course, index);
  const lost = findPair(graph.pairs, relation.id, target);
  if (lost === 0 || !kind.pairs.includes(lost)) return;
  const isLast = pairsOf(world, kind, relation).length === 1;
  const shape = isLast ? shapeWithout(graph, kind.shape, relation) : kind.shape;
  arrive(course, index, { shape, pairs: kind.pairs.filter((pair) => pair !== lost) });
}

/** As `tieBond`. */
function foreseeTied(
  world: World,
  course: Course,
  relation: Definition,
  index: number,
  target: number,
): void {
  const { graph } = world;
  if (index === target) return;
  const pair = ensurePair(world, relation, target);
  course.pairs.add(pair);
  const kind = kindAt(world, course, index);
  if (kind.pairs.includes(pair)) return;
  const [old] = relation.exclusive ? pairsOf(world, kind, relation) : [];
  const pairs = [...kind.pairs.filter((one) => one !== old), pair].sort((one, other) => one - other);
  arrive(course, index, { shape: shapeWith(graph, kind.shape, relation), pairs });
  const third = old === undefined ? index : graph.pairs.target[old]!;
  if (third !== index) foreseeLoose(world, course, relation, third, index);
}
