import type { Entity, World } from "@treeline/core";
import {
  Any,
  add,
  ChildOf,
  component,
  createWorld,
  f32,
  isAlive,
  relation,
  remove,
  spawn,
  spawnMany,
  tag,
} from "@treeline/core";
import { stats, verify } from "@treeline/core/debug";
import { ancestors, depthOf, descendants, destroy, roots } from "@treeline/query";
import { describe, expect, it } from "vitest";

/** A million in the shipped bundles; with checks on, that takes half a minute. */
const MANY = process.env.TREELINE_BUILD === "shipped" ? 1_000_000 : 100_000;
const MANY_TEXT = MANY.toLocaleString("en");

const Position = component("Position", { x: f32, y: f32 });
const Lit = tag("Lit");
const Likes = relation("Likes");

function chain(world: World, length: number): Entity[] {
  const links = [spawn(world)];
  while (links.length < length) links.push(spawn(world, ChildOf(links.at(-1)!)));
  return links;
}

/** What must not grow: tables, archetypes, pairs, rows, bytes. */
function sizes(world: World): Record<string, number> {
  const { entities, tables, emptyTables, archetypes, rows, reservedRows, bytes, pairs } = stats(world);
  return { entities, tables, emptyTables, archetypes, rows, reservedRows, bytes, pairs };
}

describe("deep trees", () => {
  it(`a chain of ${MANY_TEXT} is built, read, moved at its root and destroyed`, () => {
    const world = createWorld();
    const empty = sizes(world);
    const links = chain(world, MANY);
    const [root, second, leaf] = [links[0]!, links[1]!, links.at(-1)!];
    expect(depthOf(world, leaf)).toBe(MANY - 1);
    expect(ancestors(world, leaf).length).toBe(MANY - 1);
    expect(descendants(world, root).length).toBe(MANY - 1);

    const above = chain(world, 3);
    add(world, root, ChildOf(above[2]!));
    expect(depthOf(world, leaf)).toBe(MANY + 2);
    expect(() => add(world, above[0]!, ChildOf(leaf))).toThrow(expect.objectContaining({ code: "cycle" }));

    remove(world, second, ChildOf(Any));
    expect(depthOf(world, leaf)).toBe(MANY - 2);
    add(world, second, ChildOf(root));
    expect(depthOf(world, leaf)).toBe(MANY + 2);

    destroy(world, above[0]!);
    expect(isAlive(world, leaf)).toBe(false);
    expect(roots(world)).toEqual([]);
    const { entities, rows, pairs, tables } = sizes(world);
    expect({ entities, rows, pairs }).toEqual({
      entities: empty.entities,
      rows: empty.rows,
      pairs: empty.pairs,
    });
    expect(tables).toBeLessThan(empty.tables! + 100);
    expect(verify(world)).toEqual([]);
  });

  it("a chain of 100,000 grown at its root is not quadratic", () => {
    const world = createWorld();
    const leaf = spawn(world);
    let root = leaf;
    for (let length = 1; length < 100_000; length++) {
      const above = spawn(world);
      add(world, root, ChildOf(above));
      root = above;
    }

    expect(depthOf(world, leaf)).toBe(99_999);
    expect(ancestors(world, leaf).at(-1)).toBe(root);
    destroy(world, root);
    expect(isAlive(world, leaf)).toBe(false);
  });
});

/** Checks take no memory, so shipped bundles show the same; they are asked in long runs. */
const isAsked = process.env.TREELINE_BUILD !== "shipped" || Number(process.env.TREELINE_WALKS ?? 1) >= 1;

describe.skipIf(!isAsked)("memory stays flat", () => {
  it("while 100,000 parents with one child each are spawned and destroyed", () => {
    const world = createWorld();
    const spawnAndDestroy = (times: number): void => {
      for (let time = 0; time < times; time++) {
        const parent = spawn(world, Position({ x: 1 }));
        spawn(world, ChildOf(parent), Position({ x: 2 }));
        destroy(world, parent);
      }
    };
    spawnAndDestroy(10_000);
    const before = sizes(world);

    spawnAndDestroy(90_000);

    expect(sizes(world)).toEqual(before);
    expect(verify(world)).toEqual([]);
  });

  it("while a tag is added to and removed from every child of 20,000 parents", () => {
    const world = createWorld();
    const parents = spawnMany(world, 20_000, Position({ x: 1 }));
    const all = parents.map((parent) => spawn(world, ChildOf(parent), Position({ x: 2 })));
    const toggle = (): void => {
      for (const child of all) add(world, child, Lit);
      for (const child of all) remove(world, child, Lit);
    };
    toggle();
    toggle();
    const before = sizes(world);

    for (let round = 0; round < 5; round++) toggle();

    const after = sizes(world);
    expect(after.tables!).toBeLessThanOrEqual(before.tables!);
    expect(after.bytes!).toBeLessThanOrEqual(before.bytes!);
    expect(after.reservedRows!).toBeLessThanOrEqual(before.reservedRows!);
    expect(after.pairs).toBe(before.pairs);
    expect(after.tables!).toBeLessThan(20_000 * 1.5);
  });

  it("while 1,000 entities pass through 50 targets of a relation", () => {
    const world = createWorld();
    const targets = spawnMany(world, 50);
    const fans = spawnMany(world, 1_000, Position({ x: 1 }));
    const rotate = (): void => {
      for (let shift = 0; shift < targets.length; shift++) {
        fans.forEach((fan, at) => {
          add(world, fan, Likes(targets[(at + shift + 1) % targets.length]!));
          remove(world, fan, Likes(targets[(at + shift) % targets.length]!));
        });
      }
    };
    rotate();
    const before = sizes(world);

    for (let round = 0; round < 2; round++) rotate();

    const after = sizes(world);
    for (const what of ["tables", "bytes", "reservedRows", "pairs"]) {
      expect(after[what], what).toBeLessThanOrEqual(before[what]!);
    }
    expect(after.rows).toBe(before.rows);
    expect(verify(world)).toEqual([]);
  });
});
