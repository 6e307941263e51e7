import { describe, expect, it } from "vitest";
import {
  createNameIndex,
  findName,
  findOther,
  findPart,
  insertName,
  removeName,
} from "../../src/state/name-index.ts";
import { brokenSlots } from "../../src/state/names-invariant.ts";
import { hashOfName } from "../../src/text/step.ts";
import { createDice } from "../dice.ts";

describe("the name index", () => {
  it("finds an entity by its scope and name", () => {
    const nameIndex = createNameIndex();

    insertName(nameIndex, 3, 0, "Ship");
    insertName(nameIndex, 4, 3, "Cockpit");
    insertName(nameIndex, 5, 0, "Cockpit");

    expect(findName(nameIndex, 0, "Ship")).toBe(3);
    expect(findName(nameIndex, 3, "Cockpit")).toBe(4);
    expect(findName(nameIndex, 0, "Cockpit")).toBe(5);
    expect(findName(nameIndex, 4, "Cockpit")).toBe(0);
    expect(findName(nameIndex, 0, "Shi")).toBe(0);
    expect(findName(nameIndex, 0, "Ships")).toBe(0);
    expect(findName(nameIndex, 0, "")).toBe(0);
  });

  it("finds a name that is part of a text", () => {
    const nameIndex = createNameIndex();
    insertName(nameIndex, 3, 0, "pit");

    expect(findPart(nameIndex, 0, "Cockpits", 4, 7, hashOfName("pit"))).toBe(3);
    expect(findPart(nameIndex, 0, "Cockpits", 4, 8, hashOfName("pits"))).toBe(0);
  });

  it("distinguishes names that have the same hash", () => {
    const nameIndex = createNameIndex();
    const texts = ["SeatStation1708", "SeatMast1004"] as const;
    expect(hashOfName(texts[0])).toBe(hashOfName(texts[1]));

    insertName(nameIndex, 1, 0, texts[0]);
    expect(findName(nameIndex, 0, texts[1])).toBe(0);
    insertName(nameIndex, 2, 0, texts[1]);
    expect(texts.map((name) => findName(nameIndex, 0, name))).toEqual([1, 2]);
    removeName(nameIndex, 1);
    expect(texts.map((name) => findName(nameIndex, 0, name))).toEqual([0, 2]);
  });

  it("moves an entry when its entity is indexed again", () => {
    const nameIndex = createNameIndex();
    insertName(nameIndex, 3, 0, "Ship");

    insertName(nameIndex, 3, 0, "Boat");
    expect([findName(nameIndex, 0, "Ship"), findName(nameIndex, 0, "Boat")]).toEqual([0, 3]);
    insertName(nameIndex, 3, 9, "Boat");
    expect([findName(nameIndex, 0, "Boat"), findName(nameIndex, 9, "Boat")]).toEqual([0, 3]);
    insertName(nameIndex, 3, 9, "Boat");
    expect(nameIndex.size).toBe(1);
    expect(brokenSlots(nameIndex)).toEqual([]);
  });

  it("removes an entity once, and ignores a second removal", () => {
    const nameIndex = createNameIndex();
    insertName(nameIndex, 3, 0, "Ship");

    removeName(nameIndex, 3);
    removeName(nameIndex, 3);
    removeName(nameIndex, 1_000);

    expect(findName(nameIndex, 0, "Ship")).toBe(0);
    expect(nameIndex.size).toBe(0);
  });

  it("removes children before or after their parents", () => {
    const nameIndex = createNameIndex();
    insertName(nameIndex, 3, 0, "Ship");
    insertName(nameIndex, 4, 3, "Cockpit");
    insertName(nameIndex, 5, 3, "Hold");

    removeName(nameIndex, 4);
    removeName(nameIndex, 3);
    expect(findName(nameIndex, 3, "Hold")).toBe(5);
    removeName(nameIndex, 5);

    expect(nameIndex.size).toBe(0);
    expect(brokenSlots(nameIndex)).toEqual([]);
  });

  it("does the same as a plain map, through thousands of changes", () => {
    const dice = createDice(7);
    const nameIndex = createNameIndex();
    const expected = new Map<number, { scope: number; name: string }>();
    const owners = new Map<string, number>();
    const keyOf = (scope: number, name: string): string => `${scope} ${name}`;
    const wrong: number[] = [];

    for (let round = 0; round < 12_000; round++) {
      const index = 1 + dice.below(400);
      const before = expected.get(index);
      if (before !== undefined) owners.delete(keyOf(before.scope, before.name));
      const scope = dice.below(12);
      const name = `n${dice.below(60)}`;
      const isFree = !owners.has(keyOf(scope, name));
      if (dice.below(3) > 0 && isFree) {
        insertName(nameIndex, index, scope, name);
        expected.set(index, { scope, name });
        owners.set(keyOf(scope, name), index);
      } else {
        removeName(nameIndex, index);
        expected.delete(index);
      }

      const requests = [dice.below(12), `n${dice.below(60)}`] as const;
      if (findName(nameIndex, ...requests) !== (owners.get(keyOf(...requests)) ?? 0)) wrong.push(round);
      if (round % 1_000 === 0) expect(brokenSlots(nameIndex)).toEqual([]);
    }
    expect(wrong).toEqual([]);
    for (const [index, { scope, name }] of expected) expect(findName(nameIndex, scope, name)).toBe(index);
    expect(nameIndex.size).toBe(expected.size);
  });

  it("stays as large as it was while a hundred thousand names are added and removed", () => {
    const nameIndex = createNameIndex();
    for (let round = 0; round < 100_000; round++) {
      insertName(nameIndex, 1 + (round % 5), round % 3, `name ${round}`);
      removeName(nameIndex, 1 + (round % 5));
    }

    expect(nameIndex.size).toBe(0);
    expect(nameIndex.slots.length).toBe(16);
    expect(nameIndex.texts.length).toBeLessThanOrEqual(4_096);
  });

  it("is never more than half full", () => {
    const nameIndex = createNameIndex();
    for (let index = 1; index <= 10_000; index++) {
      insertName(nameIndex, index, index % 10, `name ${index}`);
      expect(nameIndex.size * 2).toBeLessThanOrEqual(nameIndex.slots.length);
    }
    expect(brokenSlots(nameIndex)).toEqual([]);
  });

  it("reports where it contradicts itself", () => {
    const nameIndex = createNameIndex();
    insertName(nameIndex, 1, 0, "a");
    insertName(nameIndex, 2, 0, "b");

    nameIndex.entries[2] = 7;
    expect(brokenSlots(nameIndex)).toContain("#1 is not found under its name and scope");
    nameIndex.entries[2] = 0;
    expect(brokenSlots(nameIndex)).toEqual([]);
    nameIndex.names[1] = "";
    expect(brokenSlots(nameIndex)).toEqual(["1 entities are indexed, 2 are reached, 2 counted"]);
  });

  it("lets several share a name: the first one is found, then the next", () => {
    const nameIndex = createNameIndex();
    for (const index of [5, 3, 9, 4]) insertName(nameIndex, index, 1, "twin");
    insertName(nameIndex, 3, 1, "twin"); // keeps its place
    expect(brokenSlots(nameIndex)).toEqual([]);
    expect(findName(nameIndex, 1, "twin")).toBe(5);
    expect(findOther(nameIndex, 1, "twin", 5)).toBe(3);
    expect(findOther(nameIndex, 1, "twin", 3)).toBe(5);

    insertName(nameIndex, 5, 2, "twin");
    expect([findName(nameIndex, 1, "twin"), findName(nameIndex, 2, "twin")]).toEqual([3, 5]);
    insertName(nameIndex, 5, 1, "twin");
    removeName(nameIndex, 9);
    removeName(nameIndex, 3);
    expect(findName(nameIndex, 1, "twin")).toBe(4);
    removeName(nameIndex, 4);
    expect([findName(nameIndex, 1, "twin"), findOther(nameIndex, 1, "twin", 5)]).toEqual([5, 0]);
    removeName(nameIndex, 5);
    expect(findName(nameIndex, 1, "twin")).toBe(0);
    expect(nameIndex.duplicates.count).toBe(0);
    expect(brokenSlots(nameIndex)).toEqual([]);
  });

  it("keeps the order of arrival through thousands of changes", () => {
    const dice = createDice(8);
    const nameIndex = createNameIndex();
    const lists = new Map<string, number[]>();
    const homes = new Map<number, string>();
    const wrong: number[] = [];
    const leave = (index: number): void => {
      const list = lists.get(homes.get(index) ?? "");
      list?.splice(list.indexOf(index), 1);
      homes.delete(index);
    };
    for (let round = 0; round < 12_000; round++) {
      const index = 1 + dice.below(300);
      const [scope, name] = [dice.below(4), `n${dice.below(6)}`];
      const home = `${scope} ${name}`;
      if (dice.below(3) === 0) {
        removeName(nameIndex, index);
        leave(index);
      } else {
        insertName(nameIndex, index, scope, name);
        if (homes.get(index) !== home) {
          leave(index);
          homes.set(index, home);
          lists.set(home, [...(lists.get(home) ?? []), index]);
        }
      }
      if (findName(nameIndex, scope, name) !== (lists.get(home)?.[0] ?? 0)) wrong.push(round);
      if (round % 1_000 === 0) expect(brokenSlots(nameIndex)).toEqual([]);
    }
    expect(wrong).toEqual([]);
    expect(nameIndex.size).toBe(homes.size);
  });

  it("adds and removes a hundred thousand of one name without comparing them all", () => {
    const nameIndex = createNameIndex();
    for (let index = 1; index <= 100_000; index++) insertName(nameIndex, index, 1, "crate");
    for (let index = 100_000; index > 50_000; index--) removeName(nameIndex, index);
    let wrong = 0;
    for (let index = 1; index < 50_000; index++) {
      removeName(nameIndex, index);
      if (findName(nameIndex, 1, "crate") !== index + 1) wrong++;
    }

    expect([nameIndex.size, nameIndex.used, wrong]).toEqual([1, 1, 0]);
  });

  it("keeps one text for all entities with the same name", () => {
    const nameIndex = createNameIndex();
    for (let index = 1; index <= 5; index++) insertName(nameIndex, index, index, ["Gun", "ner"].join(""));

    expect(nameIndex.texts.filter((text) => text !== "").length).toBe(1);
    expect(new Set(nameIndex.names.slice(1))).toEqual(new Set(["Gunner"]));
  });

  it("finds an entity far behind all others, and drops texts that came before many others", () => {
    const nameIndex = createNameIndex();
    insertName(nameIndex, 200_000, 0, "far"); // as if so many entities were there
    for (let round = 0; round < 10_000; round++) insertName(nameIndex, 1, 0, `name ${round}`);

    expect(nameIndex.texts.length).toBeLessThanOrEqual(4_096);
    expect([findName(nameIndex, 0, "far"), findName(nameIndex, 0, "name 9999")]).toEqual([200_000, 1]);
    expect(brokenSlots(nameIndex)).toEqual([]);
  });

  it("frees slots when most names are removed, and the others are found", () => {
    const nameIndex = createNameIndex();
    for (let index = 1; index <= 60_000; index++) insertName(nameIndex, index, index % 7, `name ${index}`);
    for (const index of [60_003, 60_001, 60_002]) insertName(nameIndex, index, 1, "twin");
    for (let index = 60_000; index > 100; index--) removeName(nameIndex, index);

    expect(nameIndex.slots.length).toBeLessThan(4_000);
    for (let index = 1; index <= 100; index++)
      expect(findName(nameIndex, index % 7, `name ${index}`)).toBe(index);
    removeName(nameIndex, 60_003);
    expect(findName(nameIndex, 1, "twin")).toBe(60_001);
    expect(brokenSlots(nameIndex)).toEqual([]);
  });
});
