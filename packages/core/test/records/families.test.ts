import { describe, expect, it } from "vitest";
import { bytesIn } from "../../src/base/growing.ts";
import { PairIndex } from "../../src/id/pair-index.ts";
import {
  clearValuePair,
  closeList,
  countInList,
  eachByValue,
  firstInList,
  isListed,
  LAST,
  LIST,
  linkBefore,
  linkElsewhere,
  nextInList,
  openList,
  PER_SIBLING,
  PREVIOUS,
  relist,
  SiblingLinks,
  setValuePair,
  siblingAt,
  unlink,
  valueCountOf,
  valuePairOf,
} from "../../src/records/sibling-links.ts";

/** Lists read nothing but the traits from an index of pairs. */
function cacheOf(pairs: number): PairIndex {
  return { ...new PairIndex(), traits: new Uint16Array(pairs) };
}

const PAIR = 3;

function listOf(...indexes: number[]): SiblingLinks {
  const links = new SiblingLinks(cacheOf(4096));
  openList(links, PAIR);
  for (const index of indexes) linkBefore(links, PAIR, index, 0);
  return links;
}

/** The list from its first to its last one, if it is the same from its last to its first one. */
function read(links: SiblingLinks): number[] {
  const forth: number[] = [];
  const back: number[] = [];
  for (let index = firstInList(links, PAIR); index !== 0; index = nextInList(links, index)) forth.push(index);
  const { siblings, lists } = links;
  for (let index = lists[PAIR * LIST + LAST]!; index !== 0; index = siblings[index * PER_SIBLING + PREVIOUS]!)
    back.unshift(index);
  expect(back).toEqual(forth);
  expect(countInList(links, PAIR)).toBe(forth.length);
  return forth;
}

describe("sibling links", () => {
  it("are empty, and can be read, while they are unused", () => {
    const links = new SiblingLinks(cacheOf(4096));

    expect([isListed(links, PAIR), valuePairOf(links, 7), valueCountOf(links, PAIR)]).toEqual([false, 0, 0]);
    expect(bytesIn(links)).toBe(0);
  });

  it("can be read for entities and pairs behind the end of their arrays", () => {
    const links = listOf(4);

    expect([
      isListed(links, 1_000_000),
      valuePairOf(links, 1_000_000),
      valueCountOf(links, 1_000_000),
    ]).toEqual([false, 0, 0]);
  });

  it("link at the end and before others", () => {
    const links = listOf(4, 9);

    linkBefore(links, PAIR, 700, 4);
    linkBefore(links, PAIR, 5, 9);

    expect(read(links)).toEqual([700, 4, 5, 9]);
  });

  it("unlink the first, the last, one between, and the only one", () => {
    const links = listOf(4, 5, 6, 7);

    unlink(links, PAIR, 4);
    expect(read(links)).toEqual([5, 6, 7]);
    unlink(links, PAIR, 6);
    expect(read(links)).toEqual([5, 7]);
    unlink(links, PAIR, 7);
    unlink(links, PAIR, 5);

    expect(read(links)).toEqual([]);
    expect(links.siblings.every((number) => number === 0)).toBe(true);
  });

  it("move one before another, and return whether that changed anything", () => {
    const links = listOf(4, 5, 6);

    const changed = [
      linkElsewhere(links, PAIR, 6, 4),
      linkElsewhere(links, PAIR, 6, 4),
      linkElsewhere(links, PAIR, 6, 6),
      linkElsewhere(links, PAIR, 5, 0),
      linkElsewhere(links, PAIR, 4, 0),
    ];

    expect(changed).toEqual([true, false, false, false, true]);
    expect(read(links)).toEqual([6, 5, 4]);
  });

  it("accept a whole order", () => {
    const links = listOf(4, 5, 6, 7);

    relist(links, PAIR, [6, 4, 7, 5]);

    expect(read(links)).toEqual([6, 4, 7, 5]);
  });

  it("find the entity at a place, counting from the nearer end, without one of them", () => {
    const members = [4, 5, 6, 7, 8];
    const links = listOf(...members);

    const found = [...members, 99].map((except) => {
      const others = members.filter((index) => index !== except);
      return others.map((_, place) => siblingAt(links, PAIR, { place, others: others.length, except }));
    });
    const ends = [...members, 99].map((except) => {
      const others = members.filter((index) => index !== except).length;
      return siblingAt(links, PAIR, { place: others, others, except });
    });

    expect(found).toEqual([...members, 99].map((except) => members.filter((index) => index !== except)));
    expect(ends).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("find none in an empty list, and behind the only one", () => {
    expect(siblingAt(listOf(), PAIR, { place: 0, others: 0, except: 4 })).toBe(0);
    expect(siblingAt(listOf(4), PAIR, { place: 0, others: 0, except: 4 })).toBe(0);
  });

  it("count the children by value, and iterate over them in order, also while they are removed", () => {
    const links = listOf(4, 5, 6, 7);
    for (const index of [7, 4, 6]) setValuePair(links, PAIR, index, 1);
    clearValuePair(links, 4);

    const met: number[] = [];
    eachByValue(links, PAIR, (index) => {
      met.push(index);
      clearValuePair(links, index);
      unlink(links, PAIR, index);
    });

    expect(met).toEqual([6, 7]);
    expect(valueCountOf(links, PAIR)).toBe(0);
    expect(read(links)).toEqual([4, 5]);
  });

  it("keep nothing of a closed list", () => {
    const links = listOf(4, 5);

    closeList(links, PAIR);

    expect(isListed(links, PAIR)).toBe(false);
    expect(read(links)).toEqual([]);
    expect(links.siblings.every((number) => number === 0)).toBe(true);
  });

  it("keep nothing of a list whose entities are gone, those by value included", () => {
    const links = listOf(4, 5, 6);
    setValuePair(links, PAIR, 5, 1);
    setValuePair(links, PAIR, 6, 1);

    closeList(links, PAIR);

    expect([isListed(links, PAIR), valueCountOf(links, PAIR)]).toEqual([false, 0]);
    expect(read(links)).toEqual([]);
    expect(links.siblings.every((number) => number === 0)).toBe(true);
  });

  it("keep their contents while they grow", () => {
    const links = listOf(4, 5);
    setValuePair(links, PAIR, 5, 1);

    openList(links, 500);
    linkBefore(links, 500, 9000, 0);

    expect(read(links)).toEqual([4, 5]);
    expect([valuePairOf(links, 5), valueCountOf(links, PAIR), isListed(links, PAIR)]).toEqual([
      PAIR,
      1,
      true,
    ]);
    expect(bytesIn(links)).toBeGreaterThan(9000 * 12);
  });

  it("grow by whole entities and lists, so that no number of one is missing", () => {
    const links = new SiblingLinks(cacheOf(4096));

    for (let at = 1; at < 3000; at++) {
      openList(links, at);
      linkBefore(links, at, at, 0);
      if (at % 2 !== 0) setValuePair(links, at, at, 7);

      expect([links.siblings.length % PER_SIBLING, links.lists.length % LIST]).toEqual([0, 0]);
    }

    expect([valuePairOf(links, 7), valueCountOf(links, 7), countInList(links, 8)]).toEqual([7, 1, 1]);
  });
});
