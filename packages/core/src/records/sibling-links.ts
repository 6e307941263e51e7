import { grownInt32 } from "../base/growing.ts";
import { PAIR_LISTED } from "../id/definition.ts";
import type { PairIndex } from "../id/pair-index.ts";
import type { PairNumber } from "../storage/table.ts";

/** The numbers of an entity in `siblings`. */
export const PER_SIBLING = 4;
export const PAIR = 0;
export const NEXT = 1;
export const PREVIOUS = 2;
export const GENERATION = 3;
/** A flag in GENERATION: a change of the parent needs more than links, because the archetype has hooks or builtins. */
export const CONCERNS_MORE: number = 0x4000_0000;

/** The numbers of a list in `lists`. */
export const LIST = 4;
const FIRST = 0;
export const LAST = 1;
export const COUNT = 2;
export const BY_VALUE = 3;

/**
 * Ordered lists of children, and the parents that are stored as values. Either all children of a parent, in both storages, are in
 * its list, or none; if the parent of any is stored as a value, all are. Attaching, detaching and moving cost the same for every
 * length. Arrays are empty until lists are used. The numbers of an entity are adjacent, because nearly every child that is read
 * in random order is a cache miss.
 *
 *   (ChildOf, Ship)   first -> e4 <-> e9 <-> e7 <- last      count 3, by value 1
 *   e9                pair: (ChildOf, Ship), because its parent is stored as a value; 0 for e4 and e7
 */
export class SiblingLinks {
  /**
   * By entity index: (ChildOf, parent) if the parent is stored as a value (a value pair), else 0; the neighbours in the list, 0
   * at its ends and outside lists; and, with a value pair, the generation: so one read shows whether a handle is alive.
   */
  siblings: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** By pair number: first, last and count of a list, and how many in it have the pair as a value. */
  lists: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Holds PAIR_LISTED of each pair: set while its subjects are in a list. */
  readonly pairs: PairIndex;

  constructor(pairs: PairIndex) {
    this.pairs = pairs;
  }
}

/** The pair of an entity whose parent is stored as a value, or 0. */
export function valuePairOf({ siblings }: SiblingLinks, index: number): PairNumber {
  return index * PER_SIBLING < siblings.length ? siblings[index * PER_SIBLING + PAIR]! : 0;
}

export function valueCountOf({ lists }: SiblingLinks, pair: PairNumber): number {
  return pair * LIST < lists.length ? lists[pair * LIST + BY_VALUE]! : 0;
}

export function isListed({ pairs }: SiblingLinks, pair: PairNumber): boolean {
  return (pairs.traits[pair]! & PAIR_LISTED) !== 0;
}

/** The first entity in the list of a pair; 0 if the list is empty. */
export function firstInList({ lists }: SiblingLinks, pair: PairNumber): number {
  return lists[pair * LIST + FIRST]!;
}

export function countInList({ lists }: SiblingLinks, pair: PairNumber): number {
  return lists[pair * LIST + COUNT]!;
}

/** The next entity in the list; 0 after the last one, and for entities in no list. */
export function nextInList({ siblings }: SiblingLinks, index: number): number {
  return siblings[index * PER_SIBLING + NEXT]!;
}

export function openList(links: SiblingLinks, pair: PairNumber): void {
  if ((pair + 1) * LIST > links.lists.length) links.lists = grown(links.lists, pair + 1);
  links.lists.fill(0, pair * LIST, (pair + 1) * LIST);
  links.pairs.traits[pair]! |= PAIR_LISTED;
}

/** Drops a list: it is empty, or its order was copied to the order numbers, or all in it are about to be destroyed. */
export function closeList(links: SiblingLinks, pair: PairNumber): void {
  const { siblings } = links;
  for (let index = firstInList(links, pair); index !== 0; ) {
    const at = index * PER_SIBLING;
    index = siblings[at + NEXT]!;
    siblings[at + PAIR] = 0;
    siblings[at + NEXT] = 0;
    siblings[at + PREVIOUS] = 0;
    siblings[at + GENERATION] = 0;
  }
  links.lists.fill(0, pair * LIST, (pair + 1) * LIST);
  links.pairs.traits[pair]! &= ~PAIR_LISTED;
}

/** Grows an array to at least `count` entities or lists of four numbers each; its length stays a multiple of four. */
function grown(array: Int32Array<ArrayBuffer>, count: number): Int32Array<ArrayBuffer> {
  return grownInt32(array, Math.max(count, Math.ceil((array.length * 3) / 8)) * 4);
}

/** Makes room for the links of entities with indexes below `indexes`. */
export function reserveLinks(links: SiblingLinks, indexes: number): void {
  if (indexes * PER_SIBLING > links.siblings.length) links.siblings = grown(links.siblings, indexes);
}

/** Inserts an entity that is in no list before another one of the list; 0 means at the end. */
export function linkBefore(links: SiblingLinks, pair: PairNumber, index: number, after: number): void {
  if ((index + 1) * PER_SIBLING > links.siblings.length) links.siblings = grown(links.siblings, index + 1);
  const { siblings, lists } = links;
  const list = pair * LIST;
  const before = after === 0 ? lists[list + LAST]! : siblings[after * PER_SIBLING + PREVIOUS]!;
  siblings[index * PER_SIBLING + PREVIOUS] = before;
  siblings[index * PER_SIBLING + NEXT] = after;
  if (before === 0) lists[list + FIRST] = index;
  else siblings[before * PER_SIBLING + NEXT] = index;
  if (after === 0) lists[list + LAST] = index;
  else siblings[after * PER_SIBLING + PREVIOUS] = index;
  lists[list + COUNT]!++;
}

export function unlink({ siblings, lists }: SiblingLinks, pair: PairNumber, index: number): void {
  const list = pair * LIST;
  const before = siblings[index * PER_SIBLING + PREVIOUS]!;
  const after = siblings[index * PER_SIBLING + NEXT]!;
  if (before === 0) lists[list + FIRST] = after;
  else siblings[before * PER_SIBLING + NEXT] = after;
  if (after === 0) lists[list + LAST] = before;
  else siblings[after * PER_SIBLING + PREVIOUS] = before;
  siblings[index * PER_SIBLING + PREVIOUS] = 0;
  siblings[index * PER_SIBLING + NEXT] = 0;
  lists[list + COUNT]!--;
}

/** Moves an entity within its list, before another one; 0 means to the end. @returns false if it is there already. */
export function linkElsewhere(links: SiblingLinks, pair: PairNumber, index: number, after: number): boolean {
  if (after === index || nextInList(links, index) === after) return false;
  unlink(links, pair, index);
  linkBefore(links, pair, index, after);
  return true;
}

/** Reorders a list. @param order exactly the entities in it. */
export function relist(links: SiblingLinks, pair: PairNumber, order: readonly number[]): void {
  for (const index of order) {
    unlink(links, pair, index);
    linkBefore(links, pair, index, 0);
  }
}

/**
 * The entity at a place, from 0, among the `others` entities that are not `except`; 0 after the last.
 *
 * @cost steps from the nearer end.
 */
export function siblingAt(
  { siblings, lists }: SiblingLinks,
  pair: PairNumber,
  { place, others, except }: { readonly place: number; readonly others: number; readonly except: number },
): number {
  const isForth = place * 2 <= others;
  let at = 0;
  for (let left = isForth ? place + 1 : others - place; left > 0; ) {
    if (at === 0) at = lists[pair * LIST + (isForth ? FIRST : LAST)]!;
    else at = siblings[at * PER_SIBLING + (isForth ? NEXT : PREVIOUS)]!;
    if (at === 0) return 0;
    if (at !== except) left--;
  }
  return at;
}

/** From now on the parent of a listed entity is stored as a value. */
export function setValuePair(links: SiblingLinks, pair: PairNumber, index: number, generation: number): void {
  links.siblings[index * PER_SIBLING + PAIR] = pair;
  links.siblings[index * PER_SIBLING + GENERATION] = generation;
  links.lists[pair * LIST + BY_VALUE]!++;
}

/** From now on it is not. */
export function clearValuePair({ siblings, lists }: SiblingLinks, index: number): void {
  lists[siblings[index * PER_SIBLING + PAIR]! * LIST + BY_VALUE]!--;
  siblings[index * PER_SIBLING + PAIR] = 0;
  siblings[index * PER_SIBLING + GENERATION] = 0;
}

/**
 * Moves an entity with a value pair from one list to the end of another: the common reparent, 20 % faster than its four parts.
 */
export function moveLink(links: SiblingLinks, from: PairNumber, index: number, to: PairNumber): void {
  const { siblings, lists } = links;
  const at = index * PER_SIBLING;
  const left = from * LIST;
  const joined = to * LIST;
  const before = siblings[at + PREVIOUS]!;
  const after = siblings[at + NEXT]!;
  const last = lists[joined + LAST]!;
  if (before === 0) lists[left + FIRST] = after;
  else siblings[before * PER_SIBLING + NEXT] = after;
  if (after === 0) lists[left + LAST] = before;
  else siblings[after * PER_SIBLING + PREVIOUS] = before;
  lists[left + COUNT]!--;
  lists[left + BY_VALUE]!--;

  siblings[at + PAIR] = to;
  siblings[at + NEXT] = 0;
  siblings[at + PREVIOUS] = last;
  if (last === 0) lists[joined + FIRST] = index;
  else siblings[last * PER_SIBLING + NEXT] = index;
  lists[joined + LAST] = index;
  lists[joined + COUNT]!++;
  lists[joined + BY_VALUE]!++;
}

/** Calls `call` with each subject that has the pair as a value, in order; that entity may leave the list during the call. */
export function eachByValue(links: SiblingLinks, pair: PairNumber, call: (index: number) => void): void {
  if (valueCountOf(links, pair) === 0) return;
  for (let index = firstInList(links, pair); index !== 0; ) {
    const after = nextInList(links, index);
    if (valuePairOf(links, index) === pair) call(index);
    index = after;
  }
}
