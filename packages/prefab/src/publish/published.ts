import { componentsOf, type Definition, type Entity, pairsOf, tagsOf, type World } from "@treeline/core";
import {
  archetypeViewAt,
  ChildOf,
  columnsOf,
  handleOf,
  indexOf,
  Parent,
  Prefab,
  rowAt,
} from "@treeline/core/internal";
import { children } from "@treeline/query";
import { BareIsA } from "../base/definitions.ts";
import { editionOf, ensureNumber, linkAt, numberOf, recordsOf, renewNumber } from "../state/part-records.ts";
import { areSame, type Cells, columnOf, hasCells, lengthOf, NO_CELLS, placeOf, readCells } from "./raw.ts";

/** A pair that instances got. */
export interface PublishedPair {
  readonly relation: Definition;
  readonly target: Entity;
  readonly cells: Cells;
}

/** What instances with one number got of a part of a prefab. */
export interface Published {
  /** The part, and the root of its prefab. */
  readonly part: Entity;
  readonly root: Entity;
  /** The number by which the part was linked itself, since it was made from another one; or 0. */
  readonly link: number;
  /** Own components and tags, without those that instances skip. */
  readonly values: ReadonlyMap<Definition, Cells>;
  readonly pairs: readonly PublishedPair[];
  /** Of a root: each part below it with its parent; parents before children, siblings in order. */
  readonly tree: ReadonlyMap<Entity, Entity> | undefined;
  /** Of a root: the places of its parts in this order, from 1. */
  readonly places: ReadonlyMap<Entity, number> | undefined;
  /** Compares the part with this. */
  readonly watched: Watched;
}

/** The arrays of the values of a part, to compare many numbers at little cost. */
interface Watched {
  edition: number;
  version: number;
  archetype: ReturnType<typeof archetypeViewAt> | undefined;
  readonly definitions: readonly Definition[];
  arrays: ArrayLike<unknown>[];
}

export function publishedOf(world: World, number: number): Published | undefined {
  return recordsOf(world).published[number] as Published | undefined;
}

/**
 * Gives the root and all parts of a prefab their numbers, and keeps what new instances get, so that `refreshInstances` can tell later what an
 * instance has changed. A part that has changed since gets another number: instances with the former one keep what they were made with.
 *
 * Cost: a comparison of each number of the prefab; after an edit, a copy of its values.
 */
export function publish(world: World, root: number): void {
  const edition = editionOf(world);
  const records = recordsOf(world);
  const number = numberOf(world, root);
  const known = number === 0 ? undefined : publishedOf(world, number);
  if (known !== undefined && known.watched.edition === edition) {
    let isSame = isUnchanged(world, root, known);
    for (const part of known.tree!.keys()) {
      if (!isSame) break;
      const index = indexOf(part);
      isSame = isUnchanged(world, index, publishedOf(world, numberOf(world, index))!);
    }
    if (isSame) return;
  }
  const tree = treeOf(world, root);
  for (const part of [handleOf(world, root), ...tree.keys()]) {
    const index = indexOf(part);
    const now = take(world, root, index, index === root ? tree : undefined);
    const before = numberOf(world, index);
    const old = before === 0 ? undefined : publishedOf(world, before);
    if (old === undefined) records.published[ensureNumber(world, index)] = now;
    else if (isEqual(old, now)) Object.assign(old.watched, now.watched);
    else records.published[renewNumber(world, index)] = now;
  }
  const after = editionOf(world);
  for (const part of [handleOf(world, root), ...tree.keys()])
    publishedOf(world, numberOf(world, indexOf(part)))!.watched.edition = after;
}

/** The parts below the root of a prefab, each with its parent: parents before children, siblings in order. */
export function treeOf(world: World, root: number): Map<Entity, Entity> {
  const tree = new Map<Entity, Entity>();
  const stack = [handleOf(world, root)];
  for (let parent = stack.pop(); parent !== undefined; parent = stack.pop()) {
    const below = children(world, parent);
    for (const child of below) tree.set(child, parent);
    for (let at = below.length - 1; at >= 0; at--) stack.push(below[at]!);
  }
  return tree;
}

/** What instances get of a part now. @param tree of a root. */
export function take(
  world: World,
  root: number,
  index: number,
  tree?: ReadonlyMap<Entity, Entity>,
): Published {
  const entity = handleOf(world, index);
  const values = new Map<Definition, Cells>();
  for (const definition of [...componentsOf(world, entity), ...tagsOf(world, entity)]) {
    if (typeof definition !== "number" && isGiven(definition, tree !== undefined))
      values.set(definition, cellsOf(world, index, definition));
  }
  const pairs: PublishedPair[] = [];
  for (const { relation, target, value } of pairsOf(world, entity)) {
    if (
      relation === ChildOf ||
      relation === Parent ||
      relation === BareIsA ||
      relation.onInstantiate === "skip"
    )
      continue;
    pairs.push({ relation, target, cells: value === undefined ? NO_CELLS : Object.values(value as object) });
  }
  const places = tree && new Map([...tree.keys()].map((part, at) => [part, at + 1]));
  const watched: Watched = {
    edition: editionOf(world),
    version: -1,
    archetype: undefined,
    definitions: [...values.keys()].filter(
      ({ storage, holds }) => storage === "table" && holds !== "nothing",
    ),
    arrays: [],
  };
  return {
    part: entity,
    root: handleOf(world, root),
    link: linkAt(world, index),
    values,
    pairs,
    tree,
    places,
    watched,
  };
}

/** Do instances get it? The root of an instance has a name of its own. */
export function isGiven(definition: Definition, isRoot: boolean): boolean {
  const { identifies } = (definition.hooks ?? {}) as { readonly identifies?: "siblings" | "world" };
  const isOwn = identifies === "world" || (isRoot && identifies === "siblings");
  return !isOwn && definition.onInstantiate !== "skip" && definition !== Prefab;
}

/** The own value of an entity; of a tag no cells. */
export function cellsOf(world: World, index: number, definition: Definition): Cells {
  const place = definition.holds === "nothing" ? undefined : placeOf(world, index, definition);
  return place === undefined ? NO_CELLS : readCells(place, definition);
}

function isEqual(one: Published, other: Published): boolean {
  if (one.root !== other.root || one.values.size !== other.values.size) return false;
  if (one.pairs.length !== other.pairs.length) return false;
  for (const [definition, cells] of one.values) {
    const now = other.values.get(definition);
    if (now === undefined || !areSame(cells, now)) return false;
  }
  const isPair = (pair: PublishedPair, at: number): boolean => {
    const now = other.pairs[at]!;
    return pair.relation === now.relation && pair.target === now.target && areSame(pair.cells, now.cells);
  };
  return one.pairs.every(isPair) && isSameTree(one.tree, other.tree);
}

export function isSameTree(one: Published["tree"], other: Published["tree"]): boolean {
  if (one?.size !== other?.size) return false;
  const now = [...(other ?? [])];
  return [...(one ?? [])].every(([part, parent], at) => now[at]![0] === part && now[at]![1] === parent);
}

/** Has a part the values that were published? What it has is the same, since no prefab was edited. */
function isUnchanged(world: World, index: number, { values, pairs, watched }: Published): boolean {
  const archetype = archetypeViewAt(world, index);
  const { definitions } = watched;
  if (watched.archetype !== archetype || watched.version !== archetype.lanes.version) {
    watched.archetype = archetype;
    watched.version = archetype.lanes.version;
    watched.arrays = definitions.flatMap((definition) => {
      const columns = columnsOf(archetype, definition);
      return definition.fields.map((_, field) => columnOf(columns, definition, field));
    });
  }
  const row = rowAt(world, index);
  let array = 0;
  for (const definition of definitions) {
    const cells = values.get(definition)!;
    let next = 0;
    for (let field = 0; field < definition.fields.length; field++) {
      const column = watched.arrays[array++]!;
      const length = lengthOf(definition, field);
      for (let at = row * length; at < (row + 1) * length; at++)
        if (!Object.is(column[at], cells[next++])) return false;
    }
  }
  return (
    pairs.every(({ cells }) => cells === NO_CELLS) && hasSameApart(world, index, values, definitions.length)
  );
}

/** The same for values in sparse stores. */
function hasSameApart(world: World, index: number, values: Published["values"], compared: number): boolean {
  if (values.size === compared) return true;
  for (const [definition, cells] of values) {
    if (definition.storage !== "sparse" || definition.holds === "nothing") continue;
    const place = placeOf(world, index, definition);
    if (place === undefined || !hasCells(place, definition, cells)) return false;
  }
  return true;
}
