// The position of each match in the trees of a relation, for `inOrder` (`numberInOrder`).
import { type AnyKindOfRelation, type Definition, subjectsOf, type World } from "@treeline/core";
import { entitiesIn, handleOf, indexOf, pairCursor } from "@treeline/core/internal";
import { archetypeHas } from "../../match/pairs.ts";
import type { Plan } from "../../term/plan.ts";
import type { Sorting } from "../lists/ordering.ts";

/**
 * Gives matches their second sort key by their position in the trees of a relation: parents before children, siblings in order,
 * roots in the order of `roots`. With cascade, that position only decides among matches of one depth. Installed by `inOrder`.
 *
 * @cost the matches and their ancestors; where several of these have one parent, the children of that parent, and where several are
 *   roots, all roots.
 */
export function numberInOrder(world: World, { siblings, cascade }: Plan, { handles, layers }: Sorting): void {
  const relation = siblings!;
  const tree = treeOf(world, relation, handles);
  const numbers = new Map<number, number>();
  const stack = [ROOTS];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    numbers.set(at, numbers.size);
    const own = inSiblingOrder(world, relation, at, tree);
    for (let place = own.length - 1; place >= 0; place--) stack.push(own[place]!);
  }
  const positions = handles.map((handle) => numbers.get(indexOf(handle))!);
  if (cascade === 0) for (let place = 0; place < handles.length; place++) layers[place] = positions[place]!;
  else rankByDepth(layers, positions);
}

/** Replaces layers by dense ones: of a depth first, then of a position. An entity that matches more than once has one. */
function rankByDepth(layers: Int32Array, positions: Float64Array): void {
  const places = Array.from(layers.keys());
  places.sort((one, other) => layers[one]! - layers[other]! || positions[one]! - positions[other]!);
  let rank = 0;
  let before = -1;
  for (const place of places) {
    if (before >= 0 && positions[before] !== positions[place]) rank++;
    before = place;
    layers[place] = rank;
  }
}

/** In place of a parent, for entities that have none. */
const ROOTS = 0;

/** Matches and all their ancestors, by entity index. */
interface Tree {
  readonly all: Set<number>;
  /** Those of them that are directly below one, or roots; not in order. */
  readonly below: Map<number, number[]>;
}

function treeOf(world: World, relation: Definition, handles: Float64Array): Tree {
  const pairs = pairCursor(world);
  const all = new Set([ROOTS]);
  const below = new Map<number, number[]>();
  for (const handle of handles) {
    for (let at = indexOf(handle), above = 0; !all.has(at); at = above) {
      all.add(at);
      const pair = pairs.at(at, relation);
      above = pair === 0 ? ROOTS : pairs.target(pair);
      const known = below.get(above);
      if (known === undefined) below.set(above, [at]);
      else known.push(at);
    }
  }
  return { all, below };
}

function inSiblingOrder(world: World, relation: Definition, parent: number, { all, below }: Tree): number[] {
  const own = below.get(parent) ?? [];
  if (own.length < 2) return own;
  const isKnown = (index: number): boolean => all.has(index);
  if (parent !== ROOTS)
    return subjectsOf(world, handleOf(world, parent), relation as AnyKindOfRelation)
      .map(indexOf)
      .filter(isKnown);
  return entitiesIn(world, (one) => !archetypeHas(one, relation), isKnown);
}
