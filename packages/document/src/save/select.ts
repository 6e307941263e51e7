// Which entities are saved, in which order (`select`), of which roots (`givenRoots`); throws `bad-value` for a selection that is none.
import { definitionAt, type Entity, parentOf, subjectsOf, TreelineError, type World } from "@treeline/core";
import {
  ChildOf,
  type EntityIndex,
  handleOf,
  indexOf,
  pairCursor,
  requireAlive,
  rootHandles,
  sizesOf,
  tableAt,
  textOf,
} from "@treeline/core/internal";
import type { Selected } from "../format/entities.ts";

/** Which entities are saved. Component entities never are. */
export interface Selection {
  /**
   * This entity and all below it, or several ones, in their order: they are the roots of the document. One that is listed twice, or is below
   * another one, is saved once.
   */
  readonly root?: Entity | readonly Entity[] | undefined;
  /** These entities, such as `entities(query)` returns them; each below its parent if that is among them, else as a root. */
  readonly entities?: Iterable<Entity> | undefined;
  /** All entities. */
  readonly all?: true | undefined;
  /** Which of them: an entity for which it returns false is left out, with all below it. References to it are to the outside. */
  readonly where?: ((entity: Entity) => boolean) | undefined;
}

/** The entities that are given as `root`; `undefined` without it. @throws TreelineError `dead-entity`; `bad-value` for a component entity. */
export function givenRoots(world: World, { root }: Selection): Entity[] | undefined {
  if (root === undefined) return undefined;
  const list = typeof root === "object" ? [...new Set(root)] : [root];
  for (const one of list) {
    requireRow(world, one);
    let text = "a component entity is not saved";
    CHECK: text += ": every program makes its own";
    if (definitionAt(world, one) !== undefined) throw new TreelineError("bad-value", text);
  }
  return list;
}

/**
 * @param roots what `givenRoots` returns. @param isLeftOut is an entity left out, with all below it, in addition to others?
 * @throws TreelineError `dead-entity`; `bad-value` unless exactly one of the three is given, and for a `where` that is no function.
 */
export function select(
  world: World,
  selection: Selection,
  roots: readonly Entity[] | undefined,
  isLeftOut?: (entity: Entity) => boolean,
): Selected {
  const { root, entities, all, where } = selection;
  // Definitions are functions, too.
  if (where !== undefined && (typeof where !== "function" || "holds" in where))
    throw new TreelineError("bad-value", "where is a function of an entity");
  if (Number(root !== undefined) + Number(entities !== undefined) + Number(all === true) !== 1)
    throw new TreelineError("bad-value", "toDocument takes one of root, entities and all: { all: true }");
  const places = new Int32Array(sizesOf(world).entities);
  const tops = roots === undefined ? rootsOf(world) : topsOf(world, roots);
  if (entities !== undefined) {
    for (const entity of entities) {
      requireRow(world, entity);
      places[indexOf(entity)] = -1; // chosen
    }
  }
  const indexes: EntityIndex[] = [];
  const parents: number[] = [];
  const pairs = pairCursor(world);
  /** What is still to come, the next one last, and below which place. */
  const stack = tops.reverse();
  const above = stack.map(() => -1);
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    let place = above.pop()!;
    const isOwn = definitionAt(world, handleOf(world, index)) === undefined;
    if (isOwn && where !== undefined && !where(handleOf(world, index))) {
      places[index] = 0;
      continue;
    }
    if (isLeftOut?.(handleOf(world, index))) continue;
    const isChosen = entities === undefined ? isOwn : places[index] !== 0;
    if (isChosen) {
      parents.push(place);
      place = indexes.push(index) - 1;
      places[index] = place + 1;
    } else place = -1;
    if (pairs.find(ChildOf, index) === 0) continue;
    const first = stack.length;
    for (const child of subjectsOf(world, handleOf(world, index), ChildOf)) {
      stack.push(indexOf(child));
      above.push(place);
    }
    reverseFrom(stack, first);
  }
  return { indexes, parents, places };
}

/** @throws TreelineError `dead-entity`; `iterating` for an entity that is pending until an iteration ends. */
function requireRow(world: World, entity: Entity): void {
  requireAlive(world, entity);
  if (tableAt(world, indexOf(entity)) !== 0) return;
  let text = `${textOf(world, entity)} is pending`;
  CHECK: text += " until the iteration ends; save it afterwards";
  throw new TreelineError("iterating", text);
}

/**
 * The indexes of entities without those that are below others.
 *
 * @cost their depths.
 */
function topsOf(world: World, roots: readonly Entity[]): EntityIndex[] {
  const given = new Set(roots);
  const tops = roots.filter((root) => {
    let at = parentOf(world, root);
    while (at !== undefined && !given.has(at)) at = parentOf(world, at);
    return at === undefined;
  });
  return tops.map(indexOf);
}

function reverseFrom(list: number[], first: number): void {
  for (let left = first, right = list.length - 1; left < right; left++, right--) {
    const one = list[left]!;
    list[left] = list[right]!;
    list[right] = one;
  }
}

export function rootsOf(world: World): EntityIndex[] {
  return rootHandles(world).map(indexOf);
}

/** All siblings of an entity, itself included. */
export function siblingsOf(world: World, entity: Entity): readonly Entity[] {
  const parent = parentOf(world, entity);
  if (parent !== undefined) return subjectsOf(world, parent, ChildOf);
  return rootHandles(world);
}
