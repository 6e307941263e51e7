/** The game frame over plain arrays by small numbers, for libraries whose entities are such numbers. */
import { type ChildList, detach } from "../workloads/child-list.ts";
import type { FramePlan } from "./work.ts";

/** Entity -> its values. */
export interface FrameFields {
  readonly px: Float32Array;
  readonly py: Float32Array;
  readonly pz: Float32Array;
  readonly vx: Float32Array;
  readonly vy: Float32Array;
  readonly vz: Float32Array;
  /** Nine numbers each: rotation and scale. */
  readonly basis: Float32Array;
  /** Twelve numbers each: three columns, and the position. */
  readonly world: Float32Array;
}

export function createFrameFields(capacity: number): FrameFields {
  return {
    px: new Float32Array(capacity),
    py: new Float32Array(capacity),
    pz: new Float32Array(capacity),
    vx: new Float32Array(capacity),
    vy: new Float32Array(capacity),
    vz: new Float32Array(capacity),
    basis: new Float32Array(capacity * 9),
    world: new Float32Array(capacity * 12),
  };
}

/** Sets the values of a new entity to those planned for its slot. */
export function fillFrameNode(fields: FrameFields, entity: number, plan: FramePlan, slot: number): void {
  const { px, py, pz, vx, vy, vz, basis, world } = fields;
  px[entity] = plan.px[slot]!;
  py[entity] = plan.py[slot]!;
  pz[entity] = plan.pz[slot]!;
  if (plan.moves[slot] === 1) {
    vx[entity] = plan.vx[slot]!;
    vy[entity] = plan.vy[slot]!;
    vz[entity] = plan.vz[slot]!;
  }
  const from = slot * 9;
  const to = entity * 9;
  for (let number = 0; number < 9; number++) basis[to + number] = plan.basis[from + number]!;
  const place = entity * 12;
  for (let number = 0; number < 12; number++) world[place + number] = 0;
}

/** For the first `count` entities of those that have a velocity. */
export function moveListed(fields: FrameFields, entities: ArrayLike<number>, count: number): void {
  const { px, py, pz, vx, vy, vz } = fields;
  for (let at = 0; at < count; at++) {
    const entity = entities[at]!;
    px[entity]! += vx[entity]!;
    py[entity]! += vy[entity]!;
    pz[entity]! += vz[entity]!;
  }
}

export function placeRoot({ px, py, pz, basis, world }: FrameFields, node: number): void {
  const to = node * 12;
  const from = node * 9;
  for (let number = 0; number < 9; number++) world[to + number] = basis[from + number]!;
  world[to + 9] = px[node]!;
  world[to + 10] = py[node]!;
  world[to + 11] = pz[node]!;
}

export function placeBelow(fields: FrameFields, node: number, parent: number): void {
  const { px, py, pz, basis, world } = fields;
  multiplyFrame(world, node * 12, world, parent * 12, basis, node * 9, px, py, pz, node);
}

/**
 * Sets the matrix at `to` to the one at `up` times basis and position. All contestants multiply and add in this order. Numbers
 * are passed in arrays: as arguments they would be boxed.
 */
export function multiplyFrame(
  world: Float32Array,
  to: number,
  above: Float32Array,
  up: number,
  basis: Float32Array,
  from: number,
  px: ArrayLike<number>,
  py: ArrayLike<number>,
  pz: ArrayLike<number>,
  node: number,
): void {
  const a0 = above[up]!;
  const a1 = above[up + 1]!;
  const a2 = above[up + 2]!;
  const a3 = above[up + 3]!;
  const a4 = above[up + 4]!;
  const a5 = above[up + 5]!;
  const a6 = above[up + 6]!;
  const a7 = above[up + 7]!;
  const a8 = above[up + 8]!;
  const x0 = basis[from]!;
  const y0 = basis[from + 1]!;
  const z0 = basis[from + 2]!;
  world[to] = a0 * x0 + a3 * y0 + a6 * z0;
  world[to + 1] = a1 * x0 + a4 * y0 + a7 * z0;
  world[to + 2] = a2 * x0 + a5 * y0 + a8 * z0;
  const x1 = basis[from + 3]!;
  const y1 = basis[from + 4]!;
  const z1 = basis[from + 5]!;
  world[to + 3] = a0 * x1 + a3 * y1 + a6 * z1;
  world[to + 4] = a1 * x1 + a4 * y1 + a7 * z1;
  world[to + 5] = a2 * x1 + a5 * y1 + a8 * z1;
  const x2 = basis[from + 6]!;
  const y2 = basis[from + 7]!;
  const z2 = basis[from + 8]!;
  world[to + 6] = a0 * x2 + a3 * y2 + a6 * z2;
  world[to + 7] = a1 * x2 + a4 * y2 + a7 * z2;
  world[to + 8] = a2 * x2 + a5 * y2 + a8 * z2;
  const x = px[node]!;
  const y = py[node]!;
  const z = pz[node]!;
  world[to + 9] = a0 * x + a3 * y + a6 * z + above[up + 9]!;
  world[to + 10] = a1 * x + a4 * y + a7 * z + above[up + 10]!;
  world[to + 11] = a2 * x + a5 * y + a8 * z + above[up + 11]!;
}

/** Instance by instance, level by level: parents are in the cache when their children are placed. */
export function placeTrees(
  fields: FrameFields,
  { children }: ChildList,
  roots: Int32Array,
  queue: Int32Array,
): void {
  const { px, py, pz, basis, world } = fields;
  for (let at = 0; at < roots.length; at++) {
    placeRoot(fields, roots[at]!);
    queue[0] = roots[at]!;
    let length = 1;
    for (let place = 0; place < length; place++) {
      const parent = queue[place]!;
      const below = children[parent];
      if (below === undefined) continue;
      const up = parent * 12;
      for (let child = 0; child < below.length; child++) {
        const node = below[child]!;
        multiplyFrame(world, node * 12, world, up, basis, node * 9, px, py, pz, node);
        queue[length++] = node;
      }
    }
  }
}

/**
 * Takes a node and all below it out of the list, so that their numbers can be used again.
 *
 * @returns how many they are: the first entries of the queue, parents before children.
 */
export function takeOut(list: ChildList, node: number, queue: Int32Array): number {
  const { parent, children } = list;
  detach(list, node);
  queue[0] = node;
  let length = 1;
  for (let place = 0; place < length; place++) {
    const deleted = queue[place]!;
    const below = children[deleted];
    if (below === undefined) continue;
    for (let child = 0; child < below.length; child++) {
      queue[length++] = below[child]!;
      parent[below[child]!] = -1;
    }
    children[deleted] = undefined;
  }
  return length;
}

/** Slot -> entity, inverted: -1 for entities without a slot. */
export function slotsOf(handles: Int32Array): Int32Array {
  const slots = new Int32Array(handles.reduce((most, entity) => Math.max(most, entity), 0) + 1).fill(-1);
  handles.forEach((entity, slot) => {
    slots[entity] = slot;
  });
  return slots;
}

export function readFields(fields: FrameFields, entity: number, into: Float64Array): void {
  const { px, py, pz, world } = fields;
  for (let number = 0; number < 12; number++) into[number] = world[entity * 12 + number]!;
  into[12] = px[entity]!;
  into[13] = py[entity]!;
  into[14] = pz[entity]!;
}
