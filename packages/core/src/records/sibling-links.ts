import { grownInt32 } from "../base/growing.ts";
import type { PairNumber } from "../storage/table.ts";

/**
 * Ordered lists of children, and the parents that are stored as values. The children of a parent, of both storages, are
 * either all in its list or none is; with a child whose parent is a value they are. Attaching, detaching and moving
 * within a list cost the same for every length.
 *
 *   (ChildOf, Ship)   first -> e4 <-> e9 <-> e7 <- last      count 3, loose 1
 *   e9                pair: that of (ChildOf, Ship), since its parent is a value; 0 for e4 and e7
 *
 * Arrays are empty until somebody uses lists; read them only while `used`.
 */
export interface SiblingLinks {
  /** There has been a list in this world. */
  used: boolean;
  /** By entity index: (ChildOf, parent) of those whose parent is stored as a value ("loose"); 0 for all others. */
  pair: Int32Array<ArrayBuffer>;
  /** By entity index: neighbours; 0 at the ends and for those in no list. */
  next: Int32Array<ArrayBuffer>;
  previous: Int32Array<ArrayBuffer>;
  /** By pair number: 1 while its sources are in a list. */
  listed: Uint8Array<ArrayBuffer>;
  first: Int32Array<ArrayBuffer>;
  last: Int32Array<ArrayBuffer>;
  count: Int32Array<ArrayBuffer>;
  /** By pair number: how many of the list are loose. */
  loose: Int32Array<ArrayBuffer>;
}

export function createSiblingLinks(): SiblingLinks {
  const none = new Int32Array(0);
  return {
    used: false,
    pair: none,
    next: none,
    previous: none,
    listed: new Uint8Array(0),
    first: none,
    last: none,
    count: none,
    loose: none,
  };
}

/** The pair of an entity whose parent is stored as a value, or 0. */
export function loosePairOf(links: SiblingLinks, index: number): PairNumber {
  return links.used && index < links.pair.length ? links.pair[index]! : 0;
}

/** How many sources of a pair are loose. */
export function looseCountOf(links: SiblingLinks, pair: PairNumber): number {
  return links.used && pair < links.loose.length ? links.loose[pair]! : 0;
}

export function isListed(links: SiblingLinks, pair: PairNumber): boolean {
  return links.used && pair < links.listed.length && links.listed[pair] === 1;
}

/** Begins an empty list. */
export function openList(links: SiblingLinks, pair: PairNumber): void {
  links.used = true;
  if (pair >= links.first.length) growPairs(links, pair + 1);
  links.listed[pair] = 1;
  links.first[pair] = 0;
  links.last[pair] = 0;
  links.count[pair] = 0;
  links.loose[pair] = 0;
}

/** Ends a list that is empty, or whose order the order numbers have taken over. */
export function closeList(links: SiblingLinks, pair: PairNumber): void {
  for (let index = links.first[pair]!; index !== 0; ) {
    const after = links.next[index]!;
    links.next[index] = 0;
    links.previous[index] = 0;
    index = after;
  }
  links.first[pair] = 0;
  links.last[pair] = 0;
  links.count[pair] = 0;
  links.listed[pair] = 0;
}

/** Ends a list all of whose entities are about to die: nobody is taken out one by one. */
export function endList(links: SiblingLinks, pair: PairNumber): void {
  for (let index = links.first[pair]!; index !== 0; index = links.next[index]!) links.pair[index] = 0;
  links.loose[pair] = 0;
  closeList(links, pair);
}

function growPairs(links: SiblingLinks, length: number): void {
  links.first = grownInt32(links.first, length);
  links.last = grownInt32(links.last, length);
  links.count = grownInt32(links.count, length);
  links.loose = grownInt32(links.loose, length);
  const listed = new Uint8Array(links.first.length);
  listed.set(links.listed);
  links.listed = listed;
}

/** Puts an entity that is in no list before another one of the list; before 0 is the end. */
export function linkBefore(links: SiblingLinks, pair: PairNumber, index: number, after: number): void {
  if (index >= links.next.length) growEntities(links, index + 1);
  const before = after === 0 ? links.last[pair]! : links.previous[after]!;
  links.previous[index] = before;
  links.next[index] = after;
  if (before === 0) links.first[pair] = index;
  else links.next[before] = index;
  if (after === 0) links.last[pair] = index;
  else links.previous[after] = index;
  links.count[pair]!++;
}

function growEntities(links: SiblingLinks, length: number): void {
  links.pair = grownInt32(links.pair, length);
  links.next = grownInt32(links.next, length);
  links.previous = grownInt32(links.previous, length);
}

/** Takes an entity out of the list of a pair. */
export function unlink(links: SiblingLinks, pair: PairNumber, index: number): void {
  const before = links.previous[index]!;
  const after = links.next[index]!;
  if (before === 0) links.first[pair] = after;
  else links.next[before] = after;
  if (after === 0) links.last[pair] = before;
  else links.previous[after] = before;
  links.previous[index] = 0;
  links.next[index] = 0;
  links.count[pair]!--;
}

/**
 * Moves an entity within its list, before another one; before 0 is the end.
 *
 * @returns false if it stands there already.
 */
export function linkElsewhere(links: SiblingLinks, pair: PairNumber, index: number, after: number): boolean {
  if (after === index || links.next[index] === after) return false;
  unlink(links, pair, index);
  linkBefore(links, pair, index, after);
  return true;
}

/** Puts a list into another order. @param order exactly those in it. */
export function relist(links: SiblingLinks, pair: PairNumber, order: readonly number[]): void {
  let before = 0;
  for (const index of order) {
    links.previous[index] = before;
    if (before === 0) links.first[pair] = index;
    else links.next[before] = index;
    before = index;
  }
  links.last[pair] = before;
  if (before !== 0) links.next[before] = 0;
}

/**
 * Who stands at a place of a list, from 0, when one entity is not counted; 0 behind the last one. Cost: the steps from the
 * nearer end.
 *
 * @param others how many are counted.
 * @param index of the one that is not counted; it need not be in the list.
 */
export function siblingAt(
  links: SiblingLinks,
  pair: PairNumber,
  { place, others, except }: { readonly place: number; readonly others: number; readonly except: number },
): number {
  const { next, previous } = links;
  if (place * 2 <= others) {
    let at = links.first[pair]!;
    if (at === except) at = next[at]!;
    for (let step = 0; step < place; step++) {
      at = next[at]!;
      if (at === except) at = next[at]!;
    }
    return at;
  }
  let at = 0;
  for (let step = place; step < others; step++) {
    at = at === 0 ? links.last[pair]! : previous[at]!;
    if (at === except) at = previous[at]!;
  }
  return at;
}

/** From now on the parent of a listed entity is stored as a value. */
export function loosen(links: SiblingLinks, pair: PairNumber, index: number): void {
  links.pair[index] = pair;
  links.loose[pair]!++;
}

/** From now on it is not. */
export function tighten(links: SiblingLinks, index: number): void {
  links.loose[links.pair[index]!]!--;
  links.pair[index] = 0;
}

/** Calls `visit` with each loose source of a pair, in order; it may leave the list meanwhile. */
export function eachLoose(links: SiblingLinks, pair: PairNumber, visit: (index: number) => void): void {
  if (looseCountOf(links, pair) === 0) return;
  for (let index = links.first[pair]!; index !== 0; ) {
    const after = links.next[index]!;
    if (links.pair[index] === pair) visit(index);
    index = after;
  }
}

export function bytesOfLinks(links: SiblingLinks): number {
  return links.pair.byteLength * 3 + links.first.byteLength * 4 + links.listed.byteLength;
}
