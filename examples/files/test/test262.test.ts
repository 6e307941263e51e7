import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import {
  add,
  ChildOf,
  descendants,
  type Entity,
  findAll,
  has,
  lookup,
  parentOf,
  pathOf,
  remove,
  roots,
  TreelineError,
} from "treeline";
import { verify } from "treeline/debug";
import { describe, expect, it } from "vitest";
import { loadTree } from "../src/formats/load.ts";
import { File } from "../src/tree/components.ts";
import { extentBelow } from "../src/tree/extent.ts";
import { dice, here } from "./support.ts";

const LIST = here("data/test262-paths.txt.gz");
const MOVES = 2_500;

/** The list, read without the code of the example. */
const paths = gunzipSync(readFileSync(LIST)).toString("utf8").trimEnd().split("\n");

/** All directories of the list's paths. */
const directories = new Set(
  paths.flatMap((path) => {
    const steps = path.split("/");
    return steps.slice(1).map((_, at) => steps.slice(0, at + 1).join("/"));
  }),
);

/** The naive twin of the tree: the name and the parent of each entity. */
interface Twin {
  readonly names: Map<Entity, string>;
  readonly parents: Map<Entity, Entity | undefined>;
  /** Entities by parent and name. */
  readonly places: Map<string, Entity>;
}

function placeOf(parent: Entity | undefined, name: string): string {
  return `${parent ?? "top"}/${name}`;
}

/** Made from the list's text; the entities are only its keys. */
function twinOf(entityAt: (path: string) => Entity): Twin {
  const twin: Twin = { names: new Map(), parents: new Map(), places: new Map() };
  for (const path of [...directories, ...paths]) {
    const cut = path.lastIndexOf("/");
    const entity = entityAt(path);
    const parent = cut === -1 ? undefined : entityAt(path.slice(0, cut));
    const name = path.slice(cut + 1);
    twin.names.set(entity, name);
    twin.parents.set(entity, parent);
    twin.places.set(placeOf(parent, name), entity);
  }
  return twin;
}

function twinPath({ names, parents }: Twin, entity: Entity): string {
  const steps: string[] = [];
  for (let at: Entity | undefined = entity; at !== undefined; at = parents.get(at))
    steps.push(names.get(at)!);
  return steps.reverse().join("/");
}

/** Moves an entity in the twin, or returns why it cannot move. */
function moveTwin({ names, parents, places }: Twin, moved: Entity, to: Entity | undefined): string[] {
  const reasons: string[] = [];
  const name = names.get(moved)!;
  for (let at = to; at !== undefined; at = parents.get(at)) if (at === moved) reasons.push("cycle");
  const there = places.get(placeOf(to, name));
  if (there !== undefined && there !== moved) reasons.push("name-taken");
  if (reasons.length > 0) return reasons;
  places.delete(placeOf(parents.get(moved), name));
  places.set(placeOf(to, name), moved);
  parents.set(moved, to);
  return ["done"];
}

describe("the 56,970 paths of test262", () => {
  const { world, entities, notes } = loadTree(LIST, false);

  it("become a tree of 59,088 entities", () => {
    const all = roots(world).flatMap((root) => [root, ...descendants(world, root)]);

    expect(paths).toHaveLength(56_970);
    expect(directories.size).toBe(2_118);
    expect(new Set(all).size).toBe(59_088);
    expect(all.filter((entity) => has(world, entity, File))).toHaveLength(56_970);
    expect(roots(world)).toHaveLength(26);
    const { entities: reached, levels, mostChildren, widest } = extentBelow(world, undefined);
    expect([reached.length, levels, mostChildren]).toEqual([59_088, 9, 1_920]);
    expect(pathOf(world, widest!)).toBe("test/language/expressions/class/dstr");
    expect(notes).toEqual([]);
    expect(verify(world)).toEqual([]);
  });

  it("lead to different entities, whose paths they are", () => {
    const found = [...paths, ...directories].map((path) => lookup(world, path));

    expect(found).not.toContain(undefined);
    expect(new Set(found).size).toBe(59_088);
    expect(found.slice(0, paths.length)).toEqual(entities);
    expect(found.map((entity) => pathOf(world, entity!))).toEqual([...paths, ...directories]);
  });

  it("match patterns as they match regular expressions", () => {
    const samples: [string, RegExp][] = [
      ["test/**/*Symbol*.js", /^test\/(?:.*\/)?[^/]*Symbol[^/]*\.js$/],
      ["**/length.js", /^(?:.*\/)?length\.js$/],
      ["*/*/?rray/*", /^[^/]+\/[^/]+\/[^/]rray\/[^/]+$/],
      ["test/built-ins/**/prototype/**/name.js", /^test\/built-ins\/(?:.*\/)?prototype\/(?:.*\/)?name\.js$/],
    ];
    const everything = [...directories, ...paths];

    for (const [pattern, expression] of samples) {
      const found = findAll(world, pattern).map((entity) => pathOf(world, entity));

      expect(found.length).toBeGreaterThan(10);
      expect(found.sort()).toEqual(everything.filter((path) => expression.test(path)).sort());
    }
  });

  it("follow 2,500 random moves of directories, as in a plain table of names and parents", () => {
    const twin = twinOf((path) => lookup(world, path)!);
    const movable = [...directories].map((path) => lookup(world, path)!);
    const roll = dice(5);
    const outcomes = new Map<string, number>();
    for (let move = 0; move < MOVES; move++) {
      const moved = movable[roll(movable.length)]!;
      const to = roll(50) === 0 ? undefined : movable[roll(movable.length)];
      const outcome = moveInWorld(moved, to);
      const expected = moveTwin(twin, moved, to);
      if (!expected.includes(outcome))
        throw new Error(`move ${move}: ${outcome}, not ${expected.join(" or ")}`);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }

    expect([...outcomes.keys()].sort()).toEqual(["cycle", "done", "name-taken"]);
    expect(outcomes.get("done")).toBeGreaterThan(MOVES / 2);
    const all = [...twin.names.keys()];
    const twinPaths = all.map((entity) => twinPath(twin, entity));
    expect(all.map((entity) => pathOf(world, entity))).toEqual(twinPaths);
    expect(twinPaths.map((path) => lookup(world, path))).toEqual(all);
    expect(verify(world)).toEqual([]);
  });

  function moveInWorld(moved: Entity, to: Entity | undefined): string {
    const before = parentOf(world, moved);
    try {
      if (to !== undefined) add(world, moved, ChildOf(to));
      else if (before !== undefined) remove(world, moved, ChildOf(before));
      return "done";
    } catch (error) {
      if (!(error instanceof TreelineError)) throw error;
      expect(parentOf(world, moved)).toBe(before);
      return error.code;
    }
  }
});
