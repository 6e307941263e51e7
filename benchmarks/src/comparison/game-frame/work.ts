/**
 * The game frame: a character of the examples, instantiated many times. One frame:
 *
 * - position += velocity for every third node, including the roots
 * - world = parent's world times local for all nodes, parents before children
 * - one in a hundred moves: leaves, below the root of another instance
 * - as many leaves are destroyed; then as many are spawned below random roots, with the components that the destroyed ones had
 *
 * beside fifty live queries for Position. The lists of a round determine which entities are alive at the end of its frame.
 */
import { diceOf, shuffled } from "../../fixtures/dice.ts";
import { checksumOf } from "../../measure/proof.ts";
import { sumOfParents } from "../workloads/inputs.ts";
import type { Subject } from "../workloads/subject.ts";
import { BASES, PARENTS, POSITIONS } from "./scene.ts";

/** Of one instance. */
export const NODES: number = PARENTS.length;
export const LIVE_QUERIES = 50;
/** The number of rounds of lists, which repeat. */
const ROUNDS = 32;
/** Roots are placed in a grid, two metres apart. */
const ROW = 32;
const STEP = 2 ** -14;
/** A world matrix, followed by the position. */
const READ = 15;

/** The lists of one frame. Nodes are identified by slots: node k of instance i is slot i * NODES + k, whichever entity has it. */
export interface Round {
  /** Leaves, and the roots that they move below. */
  readonly movers: Int32Array;
  readonly goals: Int32Array;
  /** Leaves that are destroyed, and the roots below which their slots are filled again. */
  readonly victims: Int32Array;
  readonly homes: Int32Array;
}

/** The values of a slot, at first and for each later spawn. Velocities of slots that have none are 0. */
export interface FramePlan {
  readonly instances: number;
  readonly slots: number;
  /** Slot -> its parent's; -1 for roots. Parents come before their children. */
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

/** Reads the slots of a contestant's world, after any frame. */
export interface FrameReader {
  /** The parent's slot; -1 for roots. */
  readonly parentOf: (slot: number) => number;
  /** World matrix, then position. */
  readonly read: (slot: number, into: Float64Array) => void;
  /** The sum of the matches of all live queries. */
  readonly matches: () => number;
}

export function sumOfFrame({ slots }: FramePlan, { parentOf, read, matches }: FrameReader): number {
  const numbers = new Float64Array(READ);
  const weighed = (slot: number): number => {
    read(slot, numbers);
    return checksumOf(READ, (at) => numbers[at]!);
  };
  return checksumOf(slots, weighed) + sumOfParents(slots, parentOf) + matches();
}

/** For contestants without live queries. */
export function noMatches({ slots }: FramePlan): number {
  return slots * LIVE_QUERIES;
}

/** @param makeReader makes the reader once, after some frames. */
export function frameSubject(
  plan: FramePlan,
  frame: (round: Round) => void,
  makeReader: () => FrameReader,
): Subject {
  let next = 0;
  return {
    run: () => frame(plan.rounds[next++ % ROUNDS]!),
    checksum: () => sumOfFrame(plan, makeReader()),
  };
}
