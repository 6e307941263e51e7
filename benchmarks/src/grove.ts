import { add, ChildOf, createWorld, type Entity, locate, pack, spawn, TreelineError } from "@treeline/core";
import { cascade, each, eachStretch, type Query, query, type Stretch } from "@treeline/query";
import { Local, World } from "./components.ts";
import { type Dice, diceOf, shuffled } from "./dice.ts";
import { checksumOf } from "./proof.ts";
import type { Storage } from "./storages.ts";
import { levelOrder } from "./trees.ts";

/** A tree of nodes with Local = (1, 2) and World. */
export interface Grove {
  /** In the tree's order. */
  readonly nodes: readonly Entity[];
  /** Node -> parent as it is now. */
  readonly parents: Int32Array;
  readonly world: ReturnType<typeof createWorld>;
  readonly placing: Query;
}

/** Parents first as the tree has them; or all made first, then attached, both in random order; or the first, packed. */
export type Growth = "in order" | "in random order" | "packed";

export function plant(tree: Int32Array, growth: Growth, below: Storage["below"] = ChildOf): Grove {
  const world = createWorld();
  const nodes: Entity[] = new Array(tree.length);
  if (growth === "in random order") {
    const order = shuffled(tree.length, diceOf(7));
    for (const node of order) nodes[node] = spawn(world, Local({ x: 1, y: 2 }), World());
    for (const node of order) {
      if (tree[node]! >= 0) add(world, nodes[node]!, below(nodes[tree[node]!]!));
    }
  } else {
    tree.forEach((parent, node) => {
      nodes[node] =
        parent < 0
          ? spawn(world, Local({ x: 1, y: 2 }), World())
          : spawn(world, Local({ x: 1, y: 2 }), World(), below(nodes[parent]!));
    });
  }
  if (growth === "packed") pack(world);
  return { world, nodes, parents: tree.slice(), placing: askPlacing(world) };
}

function askPlacing(
  world: Grove["world"],
): Query<readonly [typeof Local, typeof World, ReturnType<typeof cascade<Place>>]> {
  return query(world, Local, World, cascade(World));
}

/** Hangs `count` random nodes below random others; what would be a cycle is refused and tried anew. */
export function reparentSome({ world, nodes, parents }: Grove, count: number, dice: Dice): void {
  for (let done = 0; done < count; ) {
    const node = dice(nodes.length);
    const parent = dice(nodes.length);
    try {
      add(world, nodes[node]!, ChildOf(nodes[parent]!));
      parents[node] = parent;
      done++;
    } catch (error) {
      if (!(error instanceof TreelineError) || error.code !== "cycle") throw error;
    }
  }
}

function placeStretch(stretch: Stretch): void {
  const { rows, parentRows, from, to } = stretch;
  const { x: lx, y: ly } = stretch.columns(Local);
  const { x: wx, y: wy } = stretch.columns(World);
  if (!stretch.hasParents) {
    for (let at = from; at < to; at++) {
      const row = rows[at]!;
      wx[row] = lx[row]!;
      wy[row] = ly[row]!;
    }
    return;
  }
  const { x: px, y: py } = stretch.parentColumns(World);
  for (let at = from; at < to; at++) {
    const row = rows[at]!;
    const parent = parentRows[at]!;
    wx[row] = px[parent]! + lx[row]!;
    wy[row] = py[parent]! + ly[row]!;
  }
}

export function placeByStretches({ placing }: Grove): void {
  eachStretch(placing, placeStretch);
}

interface Place {
  x: number;
  y: number;
}

function placeRow(local: Place, world: Place, above: Readonly<Place> | undefined): void {
  world.x = above === undefined ? local.x : above.x + local.x;
  world.y = above === undefined ? local.y : above.y + local.y;
}

export function placeByRows({ placing }: Grove): void {
  each(placing as ReturnType<typeof askPlacing>, placeRow);
}

/** World places of all nodes, in the tree's order. */
export function checksumOfGrove({ world, nodes }: Grove): number {
  return checksumOf(nodes.length, (node) => {
    const place = locate(world, nodes[node]!, World);
    if (place === undefined) throw new Error("a node has lost its place");
    return place.columns.x[place.row]! + 3 * place.columns.y[place.row]!;
  });
}

/** The same work in plain arrays, sorted parents first, level by level. */
export interface HandGrove {
  /** Position -> position of the parent, -1 for roots. */
  readonly parents: Int32Array;
  /** They stand first. */
  readonly roots: number;
  /** Node -> position. */
  readonly positions: Int32Array;
  /** Local x and y, World x and y. */
  readonly columns: readonly Float32Array[];
}

export function plantByHand(tree: Int32Array): HandGrove {
  const order = levelOrder(tree);
  const positions = new Int32Array(tree.length);
  order.forEach((node, position) => {
    positions[node] = position;
  });
  const parents = order.map((node) => (tree[node]! < 0 ? -1 : positions[tree[node]!]!));
  const columns = [1, 2, 0, 0].map((value) => new Float32Array(tree.length).fill(value));
  const roots = parents.filter((parent) => parent < 0).length;
  return { parents, roots, positions, columns };
}

/** The floor. The compiler does not know the arrays beforehand. */
export function placeByHand({ parents, roots, columns }: HandGrove): void {
  const [lx, ly, wx, wy] = columns;
  placeRows(parents, roots, lx!, ly!, wx!, wy!);
}

function placeRows(
  parents: Int32Array,
  roots: number,
  lx: Float32Array,
  ly: Float32Array,
  wx: Float32Array,
  wy: Float32Array,
): void {
  const { length } = parents;
  for (let at = 0; at < roots; at++) {
    wx[at] = lx[at]!;
    wy[at] = ly[at]!;
  }
  for (let at = roots; at < length; at++) {
    const parent = parents[at]!;
    wx[at] = wx[parent]! + lx[at]!;
    wy[at] = wy[parent]! + ly[at]!;
  }
}

export function checksumByHand({ positions, columns }: HandGrove): number {
  const [, , wx, wy] = columns;
  return checksumOf(positions.length, (node) => wx![positions[node]!]! + 3 * wy![positions[node]!]!);
}
