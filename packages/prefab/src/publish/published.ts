import {
  componentsOf,
  type Definition,
  type Entity,
  pairsOf,
  tagsOf,
  targetOf,
  type World,
} from "@treeline/core";
import {
  archetypeViewAt,
  ChildOf,
  columnsOf,
  handleOf,
  hasDefinition,
  Is,
  indexOf,
  Parent,
  Prefab,
  rowAt,
} from "@treeline/core/internal";
import { children } from "@treeline/query";
import { BareIsA } from "../base/definitions.ts";
import { ownCopiesAt } from "../state/own-copies.ts";
import { ownerOf } from "../state/owners.ts";
import { editionOf, ensureNumber, linkAt, numberOf, recordsOf, renewNumber } from "../state/part-records.ts";
import {
  areSame,
  type Cells,
  columnOf,
  hasCells,
  lengthOf,
  NO_CELLS,
  type Place,
  placeOf,
  readCells,
} from "./raw.ts";

/** A pair that instances got; an entity that is used as a tag is a pair of `Is`. */
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
  /** What the part was made from itself, and the number by which it was linked to that; both 0 if it was not. */
  readonly from: Entity;
  readonly link: number;
  /** The prefab that the part is an instance of, which instances get; `undefined` for a root, which gives none. */
  readonly base: Entity | undefined;
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

/** The arrays of the values of a part, to compare many numbers at little cost: see `watch`. */
interface Watched {
  edition: number;
  version: number;
  archetype: ReturnType<typeof archetypeViewAt> | undefined;
  arrays: ArrayLike<unknown>[];
  /** The numbers of fields, parallel to `arrays`; and all cells. */
  lengths: number[];
  cells: unknown[];
  /** What is in no array of the archetype: sparse values, and inherited ones. */
  apart: Definition[];
  /** Of a root: what was published of it and of all its parts, as of the edition. */
  tree: readonly Published[] | undefined;
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
  const all = known?.watched.edition === edition ? known.watched.tree : undefined;
  if (all !== undefined) {
    let at = 0;
    while (at < all.length && isUnchanged(world, all[at]!)) at++;
    if (at === all.length) return;
  }
  const tree = treeOf(world, root);
  for (const part of [handleOf(world, root), ...tree.keys()]) {
    const index = indexOf(part);
    const now = take(world, root, index, index === root ? tree : undefined);
    const before = numberOf(world, index);
    const old = before === 0 ? undefined : publishedOf(world, before);
    if (old === undefined) records.published[ensureNumber(world, index)] = now;
    else if (!isEqual(old, now)) records.published[renewNumber(world, index)] = now;
  }
  const after = editionOf(world);
  const present = [handleOf(world, root), ...tree.keys()].map(
    (part) => publishedOf(world, numberOf(world, indexOf(part)))!,
  );
  for (const one of present) one.watched.edition = after;
  present[0]!.watched.tree = present;
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
  const pairs = linksOf(world, entity).filter(({ relation }) => relation.onInstantiate !== "skip");
  for (const definition of ownCopiesAt(world, index)) {
    if (values.has(definition) || !hasDefinition(archetypeViewAt(world, index), definition)) continue;
    if (isGiven(definition, tree !== undefined)) values.set(definition, cellsOf(world, index, definition));
  }
  const places = tree && new Map([...tree.keys()].map((part, at) => [part, at + 1]));
  return {
    part: entity,
    root: handleOf(world, root),
    from: recordsOf(world).handles[linkAt(world, index)]!,
    link: linkAt(world, index),
    base: tree === undefined ? targetOf(world, entity, BareIsA) : undefined,
    values,
    pairs,
    tree,
    places,
    watched: {
      edition: 0,
      version: -1,
      archetype: undefined,
      arrays: [],
      lengths: [],
      cells: [],
      apart: [],
      tree: undefined,
    },
  };
}

/** The pairs of an entity but for its place and what it is an instance of, and its entity tags. */
export function linksOf(world: World, entity: Entity): PublishedPair[] {
  const found: PublishedPair[] = [];
  for (const { relation, target, value } of pairsOf(world, entity)) {
    if (relation === ChildOf || relation === Parent || relation === BareIsA) continue;
    found.push({ relation, target, cells: value === undefined ? NO_CELLS : Object.values(value as object) });
  }
  for (const used of tagsOf(world, entity))
    if (typeof used === "number") found.push({ relation: Is, target: used, cells: NO_CELLS });
  return found;
}

/** Do instances get it? The root of an instance has a name of its own. */
export function isGiven(definition: Definition, isRoot: boolean): boolean {
  const { identifies } = (definition.hooks ?? {}) as { readonly identifies?: "siblings" | "world" };
  const isOwn = identifies === "world" || (isRoot && identifies === "siblings");
  return !isOwn && definition.onInstantiate !== "skip" && definition !== Prefab;
}

/** The value of an entity, be it inherited; of a tag no cells. */
function cellsOf(world: World, index: number, definition: Definition): Cells {
  const place = definition.holds === "nothing" ? undefined : placeOrSharedOf(world, index, definition);
  return place === undefined ? NO_CELLS : readCells(place, definition);
}

function placeOrSharedOf(world: World, index: number, definition: Definition): Place | undefined {
  return placeOf(world, index, definition) ?? placeOf(world, ownerOf(world, index, definition), definition);
}

function isEqual(one: Published, other: Published): boolean {
  if (one.root !== other.root || one.base !== other.base || one.values.size !== other.values.size)
    return false;
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
function isUnchanged(world: World, published: Published): boolean {
  const { part, watched } = published;
  const index = indexOf(part);
  const archetype = archetypeViewAt(world, index);
  if (watched.archetype !== archetype || watched.version !== archetype.lanes.version)
    watch(published, archetype);
  const row = rowAt(world, index);
  const { arrays, lengths, cells } = watched;
  let next = 0;
  for (let array = 0; array < arrays.length; array++) {
    const column = arrays[array]!;
    const length = lengths[array]!;
    for (let at = row * length, end = at + length; at < end; at++) {
      const cell = column[at];
      if (cell !== cells[next++] && !Object.is(cell, cells[next - 1])) return false;
    }
  }
  return hasSameApart(world, index, published);
}

function watch({ watched, values }: Published, archetype: NonNullable<Watched["archetype"]>): void {
  watched.archetype = archetype;
  watched.version = archetype.lanes.version;
  watched.arrays = [];
  watched.lengths = [];
  watched.cells = [];
  watched.apart = [];
  for (const [definition, cells] of values) {
    if (definition.holds === "nothing") continue;
    const columns = columnsOf(archetype, definition);
    if (columns === undefined) {
      watched.apart.push(definition);
      continue;
    }
    for (const cell of cells) watched.cells.push(cell);
    for (let field = 0; field < definition.fields.length; field++) {
      watched.arrays.push(columnOf(columns, definition, field));
      watched.lengths.push(lengthOf(definition, field));
    }
  }
}

/** The same for values in sparse stores, inherited ones, and those of pairs. */
function hasSameApart(world: World, index: number, { values, pairs, watched }: Published): boolean {
  for (const { cells } of pairs) if (cells !== NO_CELLS) return false;
  for (const definition of watched.apart) {
    const place = placeOrSharedOf(world, index, definition);
    if (place === undefined || !hasCells(place, definition, values.get(definition)!)) return false;
  }
  return true;
}

/** The children of each parent of a tree, in order. */
export function childrenIn(tree: ReadonlyMap<Entity, Entity>): Map<Entity, Entity[]> {
  const found = new Map<Entity, Entity[]>();
  for (const [part, parent] of tree) {
    const list = found.get(parent);
    if (list === undefined) found.set(parent, [part]);
    else list.push(part);
  }
  return found;
}
