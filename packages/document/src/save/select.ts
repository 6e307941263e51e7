import { definitionAt, type Entity, parentOf, subjectsOf, TreelineError, type World } from "@treeline/core";
import {
  ChildOf,
  type EntityIndex,
  entitiesIn,
  handleOf,
  hasDefinition,
  indexOf,
  pairCursor,
  requireAlive,
  sizesOf,
} from "@treeline/core/internal";
import type { Selected } from "../format/entities.ts";

/** Which entities are saved. Component entities never are. */
export interface Selection {
  /** This entity and all below it. */
  readonly root?: Entity;
  /** These entities, such as `entities(query)` returns them; each below its parent if that is among them, else as a root. */
  readonly entities?: Iterable<Entity>;
  /** All entities. */
  readonly all?: true;
}

/**
 * @param selection its root is alive. @param isLeftOut is an entity left out, with all below it? @throws TreelineError `dead-entity`; `bad-value` unless exactly one of the three is given.
 */
export function select(
  world: World,
  selection: Selection,
  isLeftOut?: (entity: Entity) => boolean,
): Selected {
  const { root, entities, all } = selection;
  if (Number(root !== undefined) + Number(entities !== undefined) + Number(all === true) !== 1)
    throw new TreelineError("bad-value", "toDocument takes one of root, entities and all: { all: true }");
  const places = new Int32Array(sizesOf(world).entities);
  let tops: EntityIndex[];
  if (root !== undefined) {
    if (definitionAt(world, root) !== undefined)
      throw new TreelineError("bad-value", "a component entity is not saved: every program makes its own");
    tops = [indexOf(root)];
  } else tops = rootsOf(world);
  if (entities !== undefined) {
    for (const entity of entities) {
      requireAlive(world, entity);
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
    if (isLeftOut?.(handleOf(world, index))) continue;
    const isChosen =
      entities === undefined
        ? definitionAt(world, handleOf(world, index)) === undefined
        : places[index] !== 0;
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

function reverseFrom(list: number[], first: number): void {
  for (let left = first, right = list.length - 1; left < right; left++, right--) {
    const one = list[left]!;
    list[left] = list[right]!;
    list[right] = one;
  }
}

export function rootsOf(world: World): EntityIndex[] {
  return entitiesIn(world, (one) => !hasDefinition(one, ChildOf) && !one.hasValueParent);
}

/** All siblings of an entity, itself included. */
export function siblingsOf(world: World, entity: Entity): readonly Entity[] {
  const parent = parentOf(world, entity);
  if (parent !== undefined) return subjectsOf(world, parent, ChildOf);
  return rootsOf(world).map((index) => handleOf(world, index));
}
