import { describe, expect, it } from "vitest";
import {
  createNameBook,
  fileName,
  findName,
  findOther,
  findPart,
  unfileName,
} from "../../src/book/name-book.ts";
import { brokenSlots } from "../../src/book/names-invariant.ts";
import { hashOfName } from "../../src/text/step.ts";
import { createDice } from "../dice.ts";

describe("the name book", () => {
  it("finds an entity by its scope and name", () => {
    const book = createNameBook();

    fileName(book, 3, 0, "Ship");
    fileName(book, 4, 3, "Cockpit");
    fileName(book, 5, 0, "Cockpit");

    expect(findName(book, 0, "Ship")).toBe(3);
    expect(findName(book, 3, "Cockpit")).toBe(4);
    expect(findName(book, 0, "Cockpit")).toBe(5);
    expect(findName(book, 4, "Cockpit")).toBe(0);
    expect(findName(book, 0, "Shi")).toBe(0);
    expect(findName(book, 0, "Ships")).toBe(0);
    expect(findName(book, 0, "")).toBe(0);
  });

  it("finds a name that stands inside a text", () => {
    const book = createNameBook();
    fileName(book, 3, 0, "pit");

    expect(findPart(book, 0, "Cockpits", 4, 7, hashOfName("pit"))).toBe(3);
    expect(findPart(book, 0, "Cockpits", 4, 8, hashOfName("pits"))).toBe(0);
  });

  it("tells names apart whose hashes are the same", () => {
    const book = createNameBook();
    const twins = ["SeatStation1708", "SeatMast1004"] as const;
    expect(hashOfName(twins[0])).toBe(hashOfName(twins[1]));

    fileName(book, 1, 0, twins[0]);
    expect(findName(book, 0, twins[1])).toBe(0);
    fileName(book, 2, 0, twins[1]);
    expect(twins.map((name) => findName(book, 0, name))).toEqual([1, 2]);
    unfileName(book, 1);
    expect(twins.map((name) => findName(book, 0, name))).toEqual([0, 2]);
  });

  it("moves an entry when its entity is filed again", () => {
    const book = createNameBook();
    fileName(book, 3, 0, "Ship");

    fileName(book, 3, 0, "Boat");
    expect([findName(book, 0, "Ship"), findName(book, 0, "Boat")]).toEqual([0, 3]);
    fileName(book, 3, 9, "Boat");
    expect([findName(book, 0, "Boat"), findName(book, 9, "Boat")]).toEqual([0, 3]);
    fileName(book, 3, 9, "Boat");
    expect(book.size).toBe(1);
    expect(brokenSlots(book)).toEqual([]);
  });

  it("forgets an entity once, and does not mind being asked again", () => {
    const book = createNameBook();
    fileName(book, 3, 0, "Ship");

    unfileName(book, 3);
    unfileName(book, 3);
    unfileName(book, 1_000);

    expect(findName(book, 0, "Ship")).toBe(0);
    expect(book.size).toBe(0);
  });

  it("forgets children before or after their parents", () => {
    const book = createNameBook();
    fileName(book, 3, 0, "Ship");
    fileName(book, 4, 3, "Cockpit");
    fileName(book, 5, 3, "Hold");

    unfileName(book, 4);
    unfileName(book, 3);
    expect(findName(book, 3, "Hold")).toBe(5);
    unfileName(book, 5);

    expect(book.size).toBe(0);
    expect(brokenSlots(book)).toEqual([]);
  });

  it("answers as a plain map does, through thousands of changes", () => {
    const dice = createDice(7);
    const book = createNameBook();
    const filed = new Map<number, { scope: number; name: string }>();
    const holders = new Map<string, number>();
    const keyOf = (scope: number, name: string): string => `${scope} ${name}`;

    for (let round = 0; round < 12_000; round++) {
      const index = 1 + dice.below(400);
      const before = filed.get(index);
      if (before !== undefined) holders.delete(keyOf(before.scope, before.name));
      const scope = dice.below(12);
      const name = `n${dice.below(60)}`;
      const isFree = !holders.has(keyOf(scope, name));
      if (dice.below(3) > 0 && isFree) {
        fileName(book, index, scope, name);
        filed.set(index, { scope, name });
        holders.set(keyOf(scope, name), index);
      } else {
        unfileName(book, index);
        filed.delete(index);
      }

      const asked = [dice.below(12), `n${dice.below(60)}`] as const;
      expect(findName(book, ...asked)).toBe(holders.get(keyOf(...asked)) ?? 0);
      if (round % 1_000 === 0) expect(brokenSlots(book)).toEqual([]);
    }
    for (const [index, { scope, name }] of filed) expect(findName(book, scope, name)).toBe(index);
    expect(book.size).toBe(filed.size);
  });

  it("stays as large as it was while a million names come and go", () => {
    const book = createNameBook();
    for (let round = 0; round < 1_000_000; round++) {
      fileName(book, 1 + (round % 5), round % 3, `name ${round}`);
      unfileName(book, 1 + (round % 5));
    }

    expect(book.size).toBe(0);
    expect(book.slots.length).toBe(16);
    expect(book.texts.size).toBeLessThanOrEqual(4_096);
  });

  it("is never more than half full", () => {
    const book = createNameBook();
    for (let index = 1; index <= 10_000; index++) {
      fileName(book, index, index % 10, `name ${index}`);
      expect(book.size * 2).toBeLessThanOrEqual(book.slots.length);
    }
    expect(brokenSlots(book)).toEqual([]);
  });

  it("says where it contradicts itself", () => {
    const book = createNameBook();
    fileName(book, 1, 0, "a");
    fileName(book, 2, 0, "b");

    book.filed[2] = 7;
    expect(brokenSlots(book)).toContain("e1 is not found under its name and scope");
    book.filed[2] = 0;
    expect(brokenSlots(book)).toEqual([]);
    book.names[1] = "";
    expect(brokenSlots(book)).toEqual(["1 entities are filed, 2 are reached, 2 counted"]);
  });

  it("lets several share a name: the one who came first is found, then the next", () => {
    const book = createNameBook();
    for (const index of [5, 3, 9, 4]) fileName(book, index, 1, "twin");
    fileName(book, 3, 1, "twin"); // keeps its place
    expect(brokenSlots(book)).toEqual([]);
    expect(findName(book, 1, "twin")).toBe(5);
    expect(findOther(book, 1, "twin", 5)).toBe(3);
    expect(findOther(book, 1, "twin", 3)).toBe(5);

    fileName(book, 5, 2, "twin");
    expect([findName(book, 1, "twin"), findName(book, 2, "twin")]).toEqual([3, 5]);
    fileName(book, 5, 1, "twin");
    unfileName(book, 9);
    unfileName(book, 3);
    expect(findName(book, 1, "twin")).toBe(4);
    unfileName(book, 4);
    expect([findName(book, 1, "twin"), findOther(book, 1, "twin", 5)]).toEqual([5, 0]);
    unfileName(book, 5);
    expect(findName(book, 1, "twin")).toBe(0);
    expect(book.twins.count).toBe(0);
    expect(brokenSlots(book)).toEqual([]);
  });

  it("keeps the order of arrival through thousands of changes", () => {
    const dice = createDice(8);
    const book = createNameBook();
    const queues = new Map<string, number[]>();
    const homes = new Map<number, string>();
    const leave = (index: number): void => {
      const queue = queues.get(homes.get(index) ?? "");
      queue?.splice(queue.indexOf(index), 1);
      homes.delete(index);
    };
    for (let round = 0; round < 12_000; round++) {
      const index = 1 + dice.below(300);
      const [scope, name] = [dice.below(4), `n${dice.below(6)}`];
      const home = `${scope} ${name}`;
      if (dice.below(3) === 0) {
        unfileName(book, index);
        leave(index);
      } else {
        fileName(book, index, scope, name);
        if (homes.get(index) !== home) {
          leave(index);
          homes.set(index, home);
          queues.set(home, [...(queues.get(home) ?? []), index]);
        }
      }
      expect(findName(book, scope, name)).toBe(queues.get(home)?.[0] ?? 0);
      if (round % 1_000 === 0) expect(brokenSlots(book)).toEqual([]);
    }
    expect(book.size).toBe(homes.size);
  });

  it("files and takes out a hundred thousand of one name without asking them all", () => {
    const book = createNameBook();
    for (let index = 1; index <= 100_000; index++) fileName(book, index, 1, "crate");
    for (let index = 100_000; index > 50_000; index--) unfileName(book, index);
    let wrong = 0;
    for (let index = 1; index < 50_000; index++) {
      unfileName(book, index);
      if (findName(book, 1, "crate") !== index + 1) wrong++;
    }

    expect([book.size, book.used, wrong]).toEqual([1, 1, 0]);
  });

  it("keeps one text for all who are called alike", () => {
    const book = createNameBook();
    for (let index = 1; index <= 5; index++) fileName(book, index, index, ["Gun", "ner"].join(""));

    expect(book.texts.size).toBe(1);
    expect(new Set(book.names.slice(1))).toEqual(new Set(["Gunner"]));
  });

  it("finds who is far behind all others, and lets texts go that came before many others", () => {
    const book = createNameBook();
    fileName(book, 200_000, 0, "far"); // as if so many entities were there
    for (let round = 0; round < 10_000; round++) fileName(book, 1, 0, `name ${round}`);

    expect(book.texts.size).toBeLessThanOrEqual(4_096);
    expect([findName(book, 0, "far"), findName(book, 0, "name 9999")]).toEqual([200_000, 1]);
    expect(brokenSlots(book)).toEqual([]);
  });

  it("gives slots back when most have left, and those who stay are found", () => {
    const book = createNameBook();
    for (let index = 1; index <= 60_000; index++) fileName(book, index, index % 7, `name ${index}`);
    for (const index of [60_003, 60_001, 60_002]) fileName(book, index, 1, "twin");
    for (let index = 60_000; index > 100; index--) unfileName(book, index);

    expect(book.slots.length).toBeLessThan(4_000);
    for (let index = 1; index <= 100; index++) expect(findName(book, index % 7, `name ${index}`)).toBe(index);
    unfileName(book, 60_003);
    expect(findName(book, 1, "twin")).toBe(60_001);
    expect(brokenSlots(book)).toEqual([]);
  });
});
