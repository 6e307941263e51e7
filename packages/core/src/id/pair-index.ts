// Which number a pair has; allocates, finds and frees numbers (`addPair`, `findPair`, `dropPair`).
import { growAll, grownInt32 } from "../base/growing.ts";
import type { Definition } from "./definition.ts";

/** (relation, target) <-> a small number, from 1; the id of a pair in a type is minus that number. Numbers are reused. */
export class PairIndex {
  /** Number of the relation's definition; 0 while the number is free. */
  relation: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Index of the target entity. */
  target: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** PAIR_ bits. */
  traits: Uint16Array<ArrayBuffer> = new Uint16Array(0);
  /** Next pair with the same target; also links free numbers. */
  nextOfTarget: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Entity index -> the first pair with it as target; 0 for entities that are not targets. */
  firstOfTarget: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Numbers ever allocated, 0 included. */
  length = 1;
  firstFree = 0;
  alive = 0;
}

/** Whether the entity is the target of a pair in use. */
export function isTarget(pairs: PairIndex, index: number): boolean {
  return index < pairs.firstOfTarget.length && pairs.firstOfTarget[index] !== 0;
}

/** The first pair that has the entity as its target, or 0; `nextOfTarget` links the others. */
export function firstPairOf(pairs: PairIndex, index: number): number {
  return index < pairs.firstOfTarget.length ? pairs.firstOfTarget[index]! : 0;
}

/**
 * @returns the pair's number, or 0 if the pair is not in use.
 *
 * @cost the number of pairs with this target.
 */
export function findPair(pairs: PairIndex, relation: number, target: number): number {
  let pair = firstPairOf(pairs, target);
  while (pair !== 0 && pairs.relation[pair] !== relation) pair = pairs.nextOfTarget[pair]!;
  return pair;
}

/** Allocates a number for a pair that has none: `findPair` returned 0. */
export function addPair(pairs: PairIndex, relation: Definition, target: number): number {
  let pair = pairs.firstFree;
  if (pair !== 0) pairs.firstFree = pairs.nextOfTarget[pair]!;
  else {
    pair = pairs.length++;
    if (pair >= pairs.relation.length) growAll(pairs, pairs.length);
  }
  if (target >= pairs.firstOfTarget.length) pairs.firstOfTarget = grownInt32(pairs.firstOfTarget, target + 1);

  pairs.alive++;
  pairs.relation[pair] = relation.id;
  pairs.target[pair] = target;
  pairs.traits[pair] = relation.pairTraits;
  pairs.nextOfTarget[pair] = pairs.firstOfTarget[target]!;
  pairs.firstOfTarget[target] = pair;
  return pair;
}

/** Frees the number of a pair that is no longer in use. */
export function dropPair(pairs: PairIndex, pair: number): void {
  const target = pairs.target[pair]!;
  let before = 0;
  let at = pairs.firstOfTarget[target]!;
  while (at !== pair) {
    before = at;
    at = pairs.nextOfTarget[at]!;
  }
  const after = pairs.nextOfTarget[pair]!;
  if (before === 0) pairs.firstOfTarget[target] = after;
  else pairs.nextOfTarget[before] = after;

  pairs.relation[pair] = 0;
  pairs.nextOfTarget[pair] = pairs.firstFree;
  pairs.firstFree = pair;
  pairs.alive--;
}
