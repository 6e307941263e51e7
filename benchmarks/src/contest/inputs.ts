/** What every contestant is given: who is whose child, who moves where. The same numbers for all, in every process. */
import { diceOf, shuffled } from "../dice.ts";
import { checksumOf } from "../proof.ts";
import { COUPLES, ENTITIES, FAMILIES, HOMES, STEPS } from "./workloads.ts";

/** Entity -> number of its parent: parent by parent, or each a random one. */
export function parentsOf(parents: number, order: "block" | "random", count: number = ENTITIES): Int32Array {
  const dice = diceOf(parents);
  return Int32Array.from({ length: count }, (_, at) => {
    return order === "block" ? Math.floor((at * parents) / count) : dice(parents);
  });
}

export function shuffledFamilies(): Int32Array {
  return shuffled(FAMILIES, diceOf(3));
}

/** How many rounds of moves there are; they come again and again. */
const ROUNDS = 8;

/** Who moves where. */
export interface Moves {
  /** Entities, in the order in which they move. */
  readonly movers: Int32Array;
  /** Round -> entity -> number of its parent from then on. */
  readonly goals: readonly Int32Array[];
}

export function movesOf(order: "creation" | "shuffled"): Moves {
  const dice = diceOf(6);
  const movers =
    order === "shuffled" ? shuffled(ENTITIES, dice) : Int32Array.from({ length: ENTITIES }, (_, at) => at);
  const goals = Array.from({ length: ROUNDS }, () => {
    return Int32Array.from({ length: ENTITIES }, () => dice(HOMES));
  });
  return { movers, goals };
}

/** Step -> the child that moves. */
export function renewals(): Int32Array {
  const dice = diceOf(13);
  return Int32Array.from({ length: STEPS }, () => dice(COUPLES * 2));
}

/** Over two fields of numbered entities. */
export function sumOfPlaces(
  count: number,
  x: (entity: number) => number,
  y: (entity: number) => number,
): number {
  return checksumOf(count, (at) => x(at) + 3 * y(at));
}

/** Over the number of each one's parent, counted from 0. */
export function sumOfParents(count: number, parent: (entity: number) => number): number {
  return checksumOf(count, (at) => parent(at) + 1);
}

/** Over how many children each parent has. */
export function sumOfCounts(parents: number, count: (parent: number) => number): number {
  return checksumOf(parents, count);
}
