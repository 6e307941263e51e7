import { shapeWith, shapeWithout } from "../graph/edges.ts";
import { holdRooms, type Kind, letGo } from "../graph/hold.ts";
import { closeIfIdle } from "../graph/table-graph.ts";
import type { Definition } from "../id/definition.ts";
import { findPair } from "../id/pair-book.ts";
import type { Shape } from "../storage/shape.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { loosePairOfTerms, type PlainTerm, wantPairsOfTerms } from "./destination.ts";
import { enterLimbo, isInLimbo, leaveLimbo } from "./limbo.ts";
import { ensurePair } from "./pair.ts";
import { shapeAt } from "./values.ts";
import type { World } from "./world.ts";

/**
 * A birth or a move may bring others: the other sides of symmetric pairs follow. A course is what all of them will be, told
 * before anything changes, so that there is room for everybody or nothing happens. It goes the steps of `mirrorBonds`.
 */
interface Course {
  /** By index: what those who have moved are by now. */
  readonly kinds: Map<number, Kind>;
  readonly ofTable: Map<TableNumber, Kind>;
  readonly arrivals: Map<Kind, number>;
  /** Pairs that may have got their number for it. */
  readonly pairs: Set<PairNumber>;
}

function createCourse(): Course {
  return {
    kinds: new Map(),
    ofTable: new Map(),
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
  const isSymmetric = shapeAt(world, index).isSymmetric || shapeOfTable(world, to).isSymmetric;
  if (isHolding(world) || !isSymmetric) return change();
  const course = createCourse();
  if (loose !== 0) course.pairs.add(loose);
  const was = kindAt(world, course, index);
  if (to !== world.entities.table[index]) arrive(course, index, kindOf(world, course, to));
  foreseeBonds(world, course, index, was);
  return held(world, course, change);
}

/** Entities that are about to be born with the same terms. */
export interface Births {
  readonly shape: Shape;
  readonly terms: readonly PlainTerm[];
  /** Their indexes if they are in limbo, else 0. */
  readonly unborn: readonly number[];
}

/** Does a birth bring others? */
export function isFollowed(world: World, shape: Shape): boolean {
  return shape.isSymmetric && !isHolding(world);
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
      for (const index of unborn[at]!) foreseeBirth(world, course, index === 0 ? --nameless : index, kind);
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

function foreseeBirth(world: World, course: Course, index: number, kind: Kind): void {
  arrive(course, index, kind);
  foreseeBonds(world, course, index, { shape: world.graph.root, pairs: [] });
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
