/**
 * The game frame: a character of the examples, instantiated many times. One frame:
 *
 *   1. position += velocity for every third node, the roots among them
 *   2. world = parent's world times local for all nodes, parents before children
 *   3. one in a hundred moves: leaves, below the root of another instance
 *   4. as many leaves die; then as many are born below random roots, with the components that the dead ones had
 *
 * beside fifty live queries for Position. Whoever is dead or alive at the end of a frame is who the lists of its round say.
 */
import { diceOf, shuffled } from "../../fixtures/dice.ts";
import { checksumOf } from "../../measure/proof.ts";
import { sumOfParents } from "../workloads/inputs.ts";
import type { Subject } from "../workloads/subject.ts";
import { BASES, PARENTS, POSITIONS } from "./scene.ts";

/** Of one instance. */
export const NODES: number = PARENTS.length;
export const LIVE_QUERIES = 50;
/** How many rounds of lists there are; they come again and again. */
const ROUNDS = 32;
/** Roots stand in rows, two metres apart. */
const ROW = 32;
const STEP = 2 ** -14;
/** A world matrix, and the position behind it. */
const READ = 15;

/** One frame's lists. Nodes are called by slots: node k of instance i is slot i * NODES + k, whoever lives there. */
export interface Round {
  /** Leaves, and the roots that they move below. */
  readonly movers: Int32Array;
  readonly goals: Int32Array;
  /** Leaves that die, and the roots below which their slots are filled again. */
  readonly victims: Int32Array;
  readonly homes: Int32Array;
}

/** What a slot holds at first, and whoever is born there later. Velocities of those that have none are 0. */
export interface FramePlan {
  readonly instances: number;
  readonly slots: number;
  /** Slot -> its parent's; -1 for roots. Parents stand before their children. */
  readonly parents: Int32Array;
  readonly roots: Int32Array;
  readonly px: Float32Array;
  readonly py: Float32Array;
  readonly pz: Float32Array;
  /** Whether a slot has a Velocity. */
  readonly moves: Uint8Array;
  readonly vx: Float32Array;
  readonly vy: Float32Array;
  readonly vz: Float32Array;
  /** Rotation and scale: nine numbers, column by column. */
  readonly basis: Float32Array;
  readonly rounds: readonly Round[];
}

function rootOf(instance: number): number {
  return instance * NODES;
}

function roundsOf(instances: number): Round[] {
  const dice = diceOf(instances);
  const isInner = new Set(PARENTS);
  const leaves = PARENTS.flatMap((_, node) => (isInner.has(node) ? [] : [node]));
  const count = Math.max(1, Math.floor((instances * NODES) / 100));
  const pick = (): Int32Array =>
    shuffled(instances * leaves.length, dice)
      .subarray(0, count)
      .map((at) => rootOf(Math.floor(at / leaves.length)) + leaves[at % leaves.length]!);
  return Array.from({ length: ROUNDS }, () => {
    const movers = pick();
    const goals = movers.map((slot) => {
      return rootOf((Math.floor(slot / NODES) + 1 + dice(instances - 1)) % instances);
    });
    const victims = pick();
    return { movers, goals, victims, homes: victims.map(() => rootOf(dice(instances))) };
  });
}

export function framePlanOf({ instances }: { readonly instances: number }): FramePlan {
  const slots = instances * NODES;
  const fieldOf = (valueAt: (node: number, instance: number) => number): Float32Array =>
    Float32Array.from({ length: slots }, (_, slot) => valueAt(slot % NODES, Math.floor(slot / NODES)));
  const speedOf = (valueAt: (sum: number) => number): Float32Array =>
    fieldOf((node, instance) => (node % 3 === 0 ? valueAt(node + instance) * STEP : 0));
  return {
    instances,
    slots,
    parents: Int32Array.from({ length: slots }, (_, slot) => {
      const node = slot % NODES;
      return node === 0 ? -1 : slot - node + PARENTS[node]!;
    }),
    roots: Int32Array.from({ length: instances }, (_, instance) => rootOf(instance)),
    px: fieldOf((node, instance) => POSITIONS[node * 3]! + (node === 0 ? 2 * (instance % ROW) : 0)),
    py: fieldOf((node) => POSITIONS[node * 3 + 1]!),
    pz: fieldOf((node, instance) => {
      return POSITIONS[node * 3 + 2]! + (node === 0 ? 2 * Math.floor(instance / ROW) : 0);
    }),
    moves: Uint8Array.from({ length: slots }, (_, slot) => Number((slot % NODES) % 3 === 0)),
    vx: speedOf((sum) => (sum % 5) - 2),
    vy: speedOf((sum) => (sum % 3) - 1),
    vz: speedOf((sum) => 1 + (sum % 2)),
    basis: Float32Array.from({ length: slots * 9 }, (_, at) => BASES[at % BASES.length]!),
    rounds: roundsOf(instances),
  };
}

/** What a contestant's world says of slots, asked after any frame. */
export interface FrameLook {
  /** The parent's slot; -1 for roots. */
  readonly parentOf: (slot: number) => number;
  /** World matrix, then position. */
  readonly read: (slot: number, into: Float64Array) => void;
  /** How many answers all live queries have together. */
  readonly answers: () => number;
}

export function sumOfFrame({ slots }: FramePlan, { parentOf, read, answers }: FrameLook): number {
  const numbers = new Float64Array(READ);
  const weighed = (slot: number): number => {
    read(slot, numbers);
    return checksumOf(READ, (at) => numbers[at]!);
  };
  return checksumOf(slots, weighed) + sumOfParents(slots, parentOf) + answers();
}

/** Who has no live queries at all. */
export function noAnswers({ slots }: FramePlan): number {
  return slots * LIVE_QUERIES;
}

/** @param look makes what is asked once, after some frames. */
export function frameSubject(plan: FramePlan, frame: (round: Round) => void, look: () => FrameLook): Subject {
  let next = 0;
  return {
    run: () => frame(plan.rounds[next++ % ROUNDS]!),
    checksum: () => sumOfFrame(plan, look()),
  };
}
