// Keeps what instances got of each part (`publish`), and finds out whether a part has changed since.
import { type Definition, type Entity, targetOf, type World } from "@treeline/core";
import { archetypeViewAt, columnsOf, handleOf, indexOf, inherits, rowAt } from "@treeline/core/internal";
import { children } from "@treeline/query";
import { BareIsA } from "../base/definitions.ts";
import { ownerOf } from "../state/owners.ts";
import { editionOf, ensureNumber, linkAt, numberOf, recordsOf, renewNumber } from "../state/part-records.ts";
import { changesOf, type Fact, givenFacts } from "./facts.ts";

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
  readonly facts: readonly Fact[];
  /** Of a root: each part below it with its parent; parents before children, siblings in order. */
  readonly tree: ReadonlyMap<Entity, Entity> | undefined;
  /** Of a root: the places of its parts in this order, from 1. */
  readonly places: ReadonlyMap<Entity, number> | undefined;
  /** Of a root: what is compared to tell whether the prefab has still the published values. */
  watched: Watched | undefined;
}

/** Where the parts of a prefab have their values, and their cells as they were published. Valid for one edition. */
interface Watched {
  readonly edition: number;
  readonly groups: Group[];
  readonly cells: unknown[];
  /** The archetypes of the parts, and what `bitsVersion` was of each. */
  readonly bits: Map<Archetype, number>;
  /** Parts with values that are in no column: sparse ones, and those of pairs; and those with pairs that are in no type. */
  readonly apart: Published[];
}

type Archetype = ReturnType<typeof archetypeViewAt>;

/** The columns of a component, for those parts, or what they inherit from, that are in one archetype. */
interface Group {
  readonly archetype: Archetype;
  readonly definition: Definition;
  readonly indexes: number[];
  /** Of the lanes that the columns are of. */
  version: number;
  columns: readonly ArrayLike<unknown>[];
}

export function publishedOf(world: World, number: number): Published | undefined {
  return recordsOf(world).published[number] as Published | undefined;
}

/** What the entity at an index was made with; `undefined` for one that belongs to no instance. */
export function madeAs(world: World, index: number): Published | undefined {
  return publishedOf(world, linkAt(world, index));
}

/**
 * Gives the root and all parts of a prefab their numbers, and keeps what new instances get, so that `refreshInstances` can tell later what an
 * instance has changed. A part that has changed since gets another number: instances with the former one keep what they were made with.
 *
 * @cost a comparison of each number of the prefab; after an edit, a copy of its values.
 * @returns what was published of the root.
 */
export function publish(world: World, root: number): Published {
  const known = publishedOf(world, numberOf(world, root));
  if (known?.watched?.edition === editionOf(world) && isAsWatched(world, known.watched)) return known;
  const { published } = recordsOf(world);
  const tree = treeOf(world, root);
  const present: Published[] = [];
  for (const part of [handleOf(world, root), ...tree.keys()]) {
    const index = indexOf(part);
    const now = take(world, root, index, index === root ? tree : undefined);
    const old = publishedOf(world, numberOf(world, index));
    if (old === undefined) published[ensureNumber(world, index)] = now;
    else if (!isEqual(old, now)) published[renewNumber(world, index)] = now;
    present.push(publishedOf(world, numberOf(world, index))!);
  }
  present[0]!.watched = watch(world, present);
  return present[0]!;
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
export function take(world: World, root: number, index: number, tree?: Published["tree"]): Published {
  const part = handleOf(world, index);
  const link = linkAt(world, index);
  return {
    part,
    root: handleOf(world, root),
    from: recordsOf(world).handles[link]!,
    link,
    base: tree === undefined ? targetOf(world, part, BareIsA) : undefined,
    facts: givenFacts(world, part, tree !== undefined),
    tree,
    places: tree && new Map([...tree.keys()].map((one, at) => [one, at + 1])),
    watched: undefined,
  };
}

export function isEqual(one: Published, other: Published): boolean {
  return (
    one.root === other.root &&
    one.base === other.base &&
    changesOf(one.facts, other.facts).length === 0 &&
    isSameTree(one.tree, other.tree)
  );
}

export function isSameTree(one: Published["tree"], other: Published["tree"]): boolean {
  if (one?.size !== other?.size) return false;
  const now = [...(other ?? [])];
  return [...(one ?? [])].every(([part, parent], at) => now[at]![0] === part && now[at]![1] === parent);
}

function watch(world: World, parts: readonly Published[]): Watched {
  const watched: Watched = { edition: editionOf(world), groups: [], cells: [], bits: new Map(), apart: [] };
  const { groups, bits, apart } = watched;
  for (const published of parts) {
    const index = indexOf(published.part);
    const archetype = archetypeViewAt(world, index);
    bits.set(archetype, bitsVersion(archetype));
    for (const { definition, target, value } of published.facts) {
      const isSparsePair = target !== 0 && definition.storage === "sparse";
      if (value === undefined && definition.holds === "nothing" && !isSparsePair) continue;
      const owner = inherits(archetype, definition) ? ownerOf(world, index, definition) : index;
      const source = archetypeViewAt(world, owner);
      if (target !== 0 || columnsOf(source, definition) === undefined) {
        apart.push(published);
        continue;
      }
      const group = groups.find((one) => one.archetype === source && one.definition === definition);
      if (group !== undefined) group.indexes.push(owner);
      else groups.push({ archetype: source, definition, indexes: [owner], version: -1, columns: [] });
    }
  }
  compareCells(world, watched, true);
  return watched;
}

/** Increases when a row of an archetype gets or loses a tag that is stored as a bit, or a sparse component: prefabs are not told of that. */
function bitsVersion({ bits }: Archetype): number {
  if (bits === undefined) return 0;
  let sum = bits.columns.length;
  for (const { version } of bits.columns) sum += version;
  return sum;
}

/** Has a prefab the values that were published? What is in types is the same, since it was not edited. */
function isAsWatched(world: World, watched: Watched): boolean {
  for (const [archetype, version] of watched.bits) if (bitsVersion(archetype) !== version) return false;
  return (
    compareCells(world, watched, false) &&
    watched.apart.every(
      ({ part, tree, facts }) => changesOf(facts, givenFacts(world, part, tree !== undefined)).length === 0,
    )
  );
}

/** Raw writes of columns leave no trace, so all cells are compared. @param isKept keeps them instead. */
function compareCells(world: World, { groups, cells }: Watched, isKept: boolean): boolean {
  let next = 0;
  for (let at = 0; at < groups.length; at++) {
    const group = groups[at]!;
    const { indexes, definition, archetype } = group;
    if (group.version !== archetype.lanes.version) {
      group.version = archetype.lanes.version;
      const columns = columnsOf(archetype, definition) as { readonly [name: string]: ArrayLike<unknown> };
      group.columns = definition.fields.map(([name]) =>
        name === "" ? (columns as unknown as unknown[]) : columns[name]!,
      );
    }
    for (let place = 0; place < indexes.length; place++) {
      const row = rowAt(world, indexes[place]!);
      for (let field = 0; field < group.columns.length; field++) {
        const column = group.columns[field]!;
        const { length } = definition.fields[field]![1];
        for (let cell = row * length; cell < (row + 1) * length; cell++) {
          if (isKept) cells.push(column[cell]);
          else if (column[cell] !== cells[next++] && !Object.is(column[cell], cells[next - 1])) return false;
        }
      }
    }
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
