import {
  array,
  ChildOf,
  type ColumnsOf,
  component,
  createWorld,
  type Entity,
  f32,
  get,
  type Memory,
  pack,
  spawn,
} from "@treeline/core";
import { cascade, eachStretch, type Query, query, type Stretch } from "@treeline/query";
import { checksumOf } from "./proof.ts";

const SIXTEEN = {
  ...{ m0: f32, m1: f32, m2: f32, m3: f32 },
  ...{ m4: f32, m5: f32, m6: f32, m7: f32 },
  ...{ m8: f32, m9: f32, m10: f32, m11: f32 },
  ...{ m12: f32, m13: f32, m14: f32, m15: f32 },
};
type Lanes = ColumnsOf<typeof SIXTEEN>;

/** Matrices, column by column, with one lane for each number ... */
export const LocalLanes = component("LocalLanes", SIXTEEN);
export const WorldLanes = component("WorldLanes", SIXTEEN);

/** ... or with one lane for all, a row's sixteen side by side. */
export const LocalMatrix = component("LocalMatrix", { m: array(f32, 16) });
export const WorldMatrix = component("WorldMatrix", { m: array(f32, 16) });

/** Nodes with a local matrix each, a shift by (1, 2, 3), and a world matrix. */
export interface Scaffold {
  readonly world: ReturnType<typeof createWorld>;
  readonly nodes: readonly Entity[];
  readonly placing: Query;
  readonly place: () => void;
  readonly checksum: () => number;
}

/**
 * @param form with how many lanes a matrix lies in columns.
 * @param isPacked otherwise nodes lie in the tree's order.
 */
export function erect(
  tree: Int32Array,
  form: "lanes" | "matrix",
  memory: Memory,
  isPacked = false,
): Scaffold {
  const world = createWorld({ memory });
  const isLanes = form === "lanes";
  const terms = isLanes
    ? [LocalLanes({ m0: 1, m5: 1, m10: 1, m15: 1, m12: 1, m13: 2, m14: 3 }), WorldLanes()]
    : [LocalMatrix({ m: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1] }), WorldMatrix()];
  const nodes: Entity[] = new Array(tree.length);
  tree.forEach((parent, node) => {
    nodes[node] = parent < 0 ? spawn(world, ...terms) : spawn(world, ...terms, ChildOf(nodes[parent]!));
  });
  if (isPacked) pack(world);
  const placing: Query = isLanes
    ? query(world, LocalLanes, WorldLanes, cascade(WorldLanes))
    : query(world, LocalMatrix, WorldMatrix, cascade(WorldMatrix));
  const numberAt = (node: number): number => {
    if (isLanes) {
      return weighed(Object.values(get(world, nodes[node]!, WorldLanes)!)); // fields come in the schema's order
    }
    return weighed(get(world, nodes[node]!, WorldMatrix)!.m);
  };
  return {
    world,
    nodes,
    placing,
    place: () => eachStretch(placing, isLanes ? placeLanes : placeMatrices),
    checksum: () => checksumOf(nodes.length, numberAt),
  };
}

function placeMatrices(stretch: Stretch): void {
  const { rows, parentRows, from, to } = stretch;
  const { m: local } = stretch.columns(LocalMatrix);
  const { m: world } = stretch.columns(WorldMatrix);
  if (!stretch.hasParents) {
    for (let at = from; at < to; at++) {
      const row = rows[at]! * 16;
      for (let number = 0; number < 16; number++) world[row + number] = local[row + number]!;
    }
    return;
  }
  const { m: above } = stretch.parentColumns(WorldMatrix);
  for (let at = from; at < to; at++) multiply(world, rows[at]! * 16, above, parentRows[at]! * 16, local);
}

/** The matrix at `to` becomes the one at `parent` times the local one of the same row. */
function multiply(
  world: Float32Array,
  to: number,
  above: Float32Array,
  parent: number,
  local: Float32Array,
): void {
  const a0 = above[parent]!;
  const a1 = above[parent + 1]!;
  const a2 = above[parent + 2]!;
  const a3 = above[parent + 3]!;
  const a4 = above[parent + 4]!;
  const a5 = above[parent + 5]!;
  const a6 = above[parent + 6]!;
  const a7 = above[parent + 7]!;
  const a8 = above[parent + 8]!;
  const a9 = above[parent + 9]!;
  const a10 = above[parent + 10]!;
  const a11 = above[parent + 11]!;
  const a12 = above[parent + 12]!;
  const a13 = above[parent + 13]!;
  const a14 = above[parent + 14]!;
  const a15 = above[parent + 15]!;
  const x0 = local[to]!;
  const y0 = local[to + 1]!;
  const z0 = local[to + 2]!;
  const w0 = local[to + 3]!;
  world[to] = a0 * x0 + a4 * y0 + a8 * z0 + a12 * w0;
  world[to + 1] = a1 * x0 + a5 * y0 + a9 * z0 + a13 * w0;
  world[to + 2] = a2 * x0 + a6 * y0 + a10 * z0 + a14 * w0;
  world[to + 3] = a3 * x0 + a7 * y0 + a11 * z0 + a15 * w0;
  const x1 = local[to + 4]!;
  const y1 = local[to + 5]!;
  const z1 = local[to + 6]!;
  const w1 = local[to + 7]!;
  world[to + 4] = a0 * x1 + a4 * y1 + a8 * z1 + a12 * w1;
  world[to + 5] = a1 * x1 + a5 * y1 + a9 * z1 + a13 * w1;
  world[to + 6] = a2 * x1 + a6 * y1 + a10 * z1 + a14 * w1;
  world[to + 7] = a3 * x1 + a7 * y1 + a11 * z1 + a15 * w1;
  const x2 = local[to + 8]!;
  const y2 = local[to + 9]!;
  const z2 = local[to + 10]!;
  const w2 = local[to + 11]!;
  world[to + 8] = a0 * x2 + a4 * y2 + a8 * z2 + a12 * w2;
  world[to + 9] = a1 * x2 + a5 * y2 + a9 * z2 + a13 * w2;
  world[to + 10] = a2 * x2 + a6 * y2 + a10 * z2 + a14 * w2;
  world[to + 11] = a3 * x2 + a7 * y2 + a11 * z2 + a15 * w2;
  const x3 = local[to + 12]!;
  const y3 = local[to + 13]!;
  const z3 = local[to + 14]!;
  const w3 = local[to + 15]!;
  world[to + 12] = a0 * x3 + a4 * y3 + a8 * z3 + a12 * w3;
  world[to + 13] = a1 * x3 + a5 * y3 + a9 * z3 + a13 * w3;
  world[to + 14] = a2 * x3 + a6 * y3 + a10 * z3 + a14 * w3;
  world[to + 15] = a3 * x3 + a7 * y3 + a11 * z3 + a15 * w3;
}

/** The same work in two plain arrays, level by level: the floor. */
export interface HandScaffold {
  readonly place: () => void;
  readonly checksum: () => number;
}

/** @param tree with parents before their children, level by level. */
export function erectByHand(tree: Int32Array): HandScaffold {
  const local = new Float32Array(tree.length * 16);
  const world = new Float32Array(tree.length * 16);
  for (let node = 0; node < tree.length; node++) {
    local.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1], node * 16);
  }
  return {
    place: () => placeByHand(tree, local, world),
    checksum: () => checksumOf(tree.length, (node) => weighed(world.subarray(node * 16, node * 16 + 16))),
  };
}

function placeByHand(parents: Int32Array, local: Float32Array, world: Float32Array): void {
  const { length } = parents;
  for (let node = 0; node < length; node++) {
    const parent = parents[node]!;
    const to = node * 16;
    if (parent >= 0) multiply(world, to, world, parent * 16, local);
    else for (let number = to; number < to + 16; number++) world[number] = local[number]!;
  }
}

/** One number for a matrix: shifts and the corners that must stay 1. */
export function weighed(m: ArrayLike<number>): number {
  return m[0]! + 2 * m[12]! + 3 * m[13]! + 5 * m[15]!;
}

function placeLanes(stretch: Stretch): void {
  const { rows, parentRows, from, to } = stretch;
  const local = stretch.columns(LocalLanes);
  const world = stretch.columns(WorldLanes);
  if (stretch.hasParents) {
    multiplyLanes(rows, parentRows, from, to, world, stretch.parentColumns(WorldLanes), local);
    return;
  }
  for (const name of Object.keys(SIXTEEN) as (keyof Lanes)[]) {
    for (let at = from; at < to; at++) world[name][rows[at]!] = local[name][rows[at]!]!;
  }
}

/** The same product, all lanes of a row together: this is where lanes on one cache set would hurt. */
function multiplyLanes(
  rows: Int32Array,
  parentRows: Int32Array,
  from: number,
  to: number,
  world: Lanes,
  above: Lanes,
  local: Lanes,
): void {
  const { m0: w0, m1: w1, m2: w2, m3: w3, m4: w4, m5: w5, m6: w6, m7: w7 } = world;
  const { m8: w8, m9: w9, m10: w10, m11: w11, m12: w12, m13: w13, m14: w14, m15: w15 } = world;
  const { m0: a0, m1: a1, m2: a2, m3: a3, m4: a4, m5: a5, m6: a6, m7: a7 } = above;
  const { m8: a8, m9: a9, m10: a10, m11: a11, m12: a12, m13: a13, m14: a14, m15: a15 } = above;
  const { m0: l0, m1: l1, m2: l2, m3: l3, m4: l4, m5: l5, m6: l6, m7: l7 } = local;
  const { m8: l8, m9: l9, m10: l10, m11: l11, m12: l12, m13: l13, m14: l14, m15: l15 } = local;
  for (let at = from; at < to; at++) {
    const row = rows[at]!;
    const up = parentRows[at]!;
    const p0 = a0[up]!;
    const p1 = a1[up]!;
    const p2 = a2[up]!;
    const p3 = a3[up]!;
    const p4 = a4[up]!;
    const p5 = a5[up]!;
    const p6 = a6[up]!;
    const p7 = a7[up]!;
    const p8 = a8[up]!;
    const p9 = a9[up]!;
    const p10 = a10[up]!;
    const p11 = a11[up]!;
    const p12 = a12[up]!;
    const p13 = a13[up]!;
    const p14 = a14[up]!;
    const p15 = a15[up]!;
    const x0 = l0[row]!;
    const y0 = l1[row]!;
    const z0 = l2[row]!;
    const t0 = l3[row]!;
    w0[row] = p0 * x0 + p4 * y0 + p8 * z0 + p12 * t0;
    w1[row] = p1 * x0 + p5 * y0 + p9 * z0 + p13 * t0;
    w2[row] = p2 * x0 + p6 * y0 + p10 * z0 + p14 * t0;
    w3[row] = p3 * x0 + p7 * y0 + p11 * z0 + p15 * t0;
    const x1 = l4[row]!;
    const y1 = l5[row]!;
    const z1 = l6[row]!;
    const t1 = l7[row]!;
    w4[row] = p0 * x1 + p4 * y1 + p8 * z1 + p12 * t1;
    w5[row] = p1 * x1 + p5 * y1 + p9 * z1 + p13 * t1;
    w6[row] = p2 * x1 + p6 * y1 + p10 * z1 + p14 * t1;
    w7[row] = p3 * x1 + p7 * y1 + p11 * z1 + p15 * t1;
    const x2 = l8[row]!;
    const y2 = l9[row]!;
    const z2 = l10[row]!;
    const t2 = l11[row]!;
    w8[row] = p0 * x2 + p4 * y2 + p8 * z2 + p12 * t2;
    w9[row] = p1 * x2 + p5 * y2 + p9 * z2 + p13 * t2;
    w10[row] = p2 * x2 + p6 * y2 + p10 * z2 + p14 * t2;
    w11[row] = p3 * x2 + p7 * y2 + p11 * z2 + p15 * t2;
    const x3 = l12[row]!;
    const y3 = l13[row]!;
    const z3 = l14[row]!;
    const t3 = l15[row]!;
    w12[row] = p0 * x3 + p4 * y3 + p8 * z3 + p12 * t3;
    w13[row] = p1 * x3 + p5 * y3 + p9 * z3 + p13 * t3;
    w14[row] = p2 * x3 + p6 * y3 + p10 * z3 + p14 * t3;
    w15[row] = p3 * x3 + p7 * y3 + p11 * z3 + p15 * t3;
  }
}
