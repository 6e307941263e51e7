import { shapeWith, shapeWithout } from "../graph/edges.ts";
import { roomyTableFor } from "../graph/table-graph.ts";
import { CHILD_OF, ChildOf, Parent } from "../id/builtins.ts";
import type { Definition, Term } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt } from "../records/entity-index.ts";
import { loosePairOf } from "../records/sibling-links.ts";
import type { Shape } from "../storage/shape.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { requireNoCycle } from "./acyclic.ts";
import { changeType } from "./change-type.ts";
import {
  isParental,
  looseTableFor,
  type PlainTerm,
  unwantPair,
  wantPair,
  wantPairsOf,
} from "./destination.ts";
import { foresee, hasListeners, tellAll } from "./facts.ts";
import { withFollowers } from "./followers.ts";
import {
  askHooks,
  type Change,
  keptChanges,
  NO_CHANGES,
  tellReplaced,
  tellWritten,
  tellWrittenAlone,
} from "./hook-calls.ts";
import { requireParentable, requireRoomAt } from "./limits.ts";
import { insideVisit, whileChanging } from "./lock.ts";
import { ensurePair, followTarget } from "./pair.ts";
import { rehome } from "./rehome.ts";
import { pairAt, parentPairAt } from "./targets.ts";
import { shapeAt } from "./values.ts";
import type { World, WorldState } from "./world.ts";

/** @throws TreelineError `cycle`, `full` or `refused`. */
export function requirePlace(world: World, index: number, definition: Definition, target: number): void {
  if (definition.acyclic) requireNoCycle(world, definition === Parent ? ChildOf : definition, index, target);
  if (definition.maxSources > 0) requireRoomAt(world, definition, index, target);
  if (world.standsFor.size > 0 && isParental(definition)) requireParentable(world, index);
}

/** One pair, without data, of an exclusive relation: the everyday reparent, which has a short way of its own. */
export function isLink(term: PlainTerm): boolean {
  if (typeof term === "function") return false;
  const { definition } = term as Term;
  return definition.exclusive && definition.holds === "nothing";
}

/**
 * Gives an entity another target of an exclusive relation.
 *
 * @param place of a new parent: the index of the child that it will stand before; 0 for the end.
 */
export function retarget(world: World, index: number, { definition, target: handle }: Term, place = 0): void {
  const target = indexOf(handle);
  const isLoose = definition === Parent;
  const isReparent = isLoose || definition.id === CHILD_OF;
  const { graph } = world;
  if (definition === ChildOf && place === 0 && !hasListeners(world) && rehome(world, index, target)) return;
  const old = isReparent ? parentPairAt(world, index) : pairAt(world, index, definition);
  const stays = old !== 0 && graph.pairs.target[old] === target;
  if (stays && (!isReparent || isLoose === (loosePairOf(graph.links, index) !== 0))) return;
  if (!stays) requirePlace(world, index, definition, target);
  const shape = shapeAt(world, index);
  const changes =
    isReparent && !stays && shape.hooked.length > 0 ? keptChanges(world, shape, index) : NO_CHANGES;
  if (changes.length > 0) askHooks(world, handleAt(world.entities, index), changes, handle as Entity);
  turn(world, index, definition, target, changes, place);
}

/** As `retarget` does after everything has been checked and asked: finds the destination, and only then changes. */
function turn(
  world: World,
  index: number,
  definition: Definition,
  target: number,
  changes: readonly Change[],
  place: number,
): void {
  const { graph, entities } = world;
  const from = entities.table[index]!;
  const isLoose = definition === Parent;
  const isReparent = isLoose || definition.id === CHILD_OF;
  const old = isReparent ? parentPairAt(world, index) : pairAt(world, index, definition);
  const pair = ensurePair(world, definition, target);
  let count = wantPairsOf(world, from);
  if (old !== 0) count = unwantPair(world, old, count);
  if (!isLoose) count = wantPair(world, pair, count);
  const shape = shapeAt(world, index);
  const goal = isReparent ? shapeForParent(world, shape, isLoose) : shapeWith(graph, shape, definition);
  const to = isLoose
    ? looseTableFor(world, goal, count, 1, from, pair)
    : roomyTableFor(graph, goal, count, 1, from);
  const loose = isLoose ? pair : isReparent ? 0 : loosePairOf(graph.links, index);

  const followed = !isReparent && definition.keepsDepth ? definition : undefined;
  if (hasListeners(world)) {
    turnLoudly(world, index, { to, loose, place, followed, pair, changes });
    return;
  }
  changeType(world, index, to, loose, place);
  if (followed !== undefined) followTarget(world, followed, index, pair);
  if (changes.length > 0) tellWrittenAlone(world, index, changes);
}

/** What was found for an entity that gets another target. */
interface Turn {
  readonly to: TableNumber;
  readonly loose: PairNumber;
  readonly place: number;
  /** The relation, if records have to follow besides those of parents. */
  readonly followed: Definition | undefined;
  readonly pair: PairNumber;
  readonly changes: readonly Change[];
}

function turnLoudly(world: World, index: number, turned: Turn): void {
  const { to, loose, place, followed, pair, changes } = turned;
  insideVisit(world, () =>
    withFollowers(world, index, to, loose, () => {
      const facts = foresee(world, index, world.entities.table[index]!, to, loose);
      whileChanging(world, () => {
        tellAll(world, facts.removed);
        changeType(world, index, to, loose, place);
        if (followed !== undefined) followTarget(world, followed, index, pair);
        tellWritten(world, index, changes);
      });
      tellAll(world, facts.added);
      tellReplaced(world, index, changes);
    }),
  );
}

/** The shape of an entity that gets a parent, in one storage or the other. */
export function shapeForParent({ graph }: WorldState, shape: Shape, isLoose: boolean): Shape {
  if (isLoose) return shape.isLoose ? shape : shapeWith(graph, shapeWithout(graph, shape, ChildOf), Parent);
  return shape.isLoose
    ? shapeWith(graph, shapeWithout(graph, shape, Parent), ChildOf)
    : shapeWith(graph, shape, ChildOf);
}

/** The storage of an entity's parent; roots have none yet and get ChildOf. */
function storageAt({ graph }: WorldState, index: number): Definition {
  return loosePairOf(graph.links, index) === 0 ? ChildOf : Parent;
}

/**
 * Gives an entity another parent, in the storage that its present one is in.
 *
 * @param place the index of the child of that parent that it will stand before; 0 for the end.
 */
export function reparent(world: World, index: number, parent: number, place: number): void {
  const target = handleAt(world.entities, parent);
  retarget(world, index, { definition: storageAt(world, index), target, value: undefined }, place);
}

/**
 * The same, after everything has been checked and hooks have been asked; the parent is another one.
 *
 * @param changes what `requireMoves` answered for this entity.
 */
export function reparentAsked(
  world: World,
  index: number,
  parent: number,
  place: number,
  changes: readonly Change[] = NO_CHANGES,
): void {
  turn(world, index, storageAt(world, index), parent, changes, place);
}
