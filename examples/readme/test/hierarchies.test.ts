// Runs the programs of `docs/hierarchies.md`, compares their outputs, and tests its models.
import { rmSync } from "node:fs";
import {
  add,
  ancestors,
  ChildOf,
  children,
  component,
  createWorld,
  depthOf,
  descendants,
  destroy,
  type Entity,
  entity,
  get,
  isAlive,
  Parent,
  parentOf,
  relation,
  remove,
  spawn,
  subjectsOf,
  TreelineError,
  targetOf,
} from "treeline";
import { afterAll, describe, expect, it } from "vitest";
import { outputsOf, programOf } from "./outputs.ts";
import { programFolder, typeErrors } from "./programs.ts";
import { blocksOf, readDocument } from "./support.ts";

const folder = programFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** A section: its blocks form one program; the output of each block is directly below it. */
const sections = readDocument("docs/hierarchies.md")
  .split(/^## /m)
  .slice(1)
  .map((text, place) => {
    const blocks = blocksOf(text);
    const programs = blocks.filter(({ language }) => language === "ts");
    return {
      title: text.split("\n")[0]!,
      name: `hierarchies-${place}`,
      program: programOf(programs.map((block) => block.text)),
      outputs: programs.map((block) => {
        const next = blocks[blocks.indexOf(block) + 1];
        return next?.language === "text" ? next.text : "";
      }),
    };
  });

describe.each(sections)("docs/hierarchies.md, $title", ({ name, program, outputs }) => {
  it("prints the outputs below its blocks", async () => {
    const printed = await outputsOf(folder, name, program);

    expect(printed).toEqual(outputs);
  });
});

const isShipped = process.env.TREELINE_BUILD === "shipped";

// Against the declarations that users get, also beside the tests with checks.
it.skipIf(isShipped)("the programs of docs/hierarchies.md satisfy the type checker", () => {
  expect(sections.length).toBe(10);
  expect(typeErrors(folder, new Map(sections.map(({ name, program }) => [name, program])))).toBe("");
});

describe("the model with the way up only", () => {
  it("as a field: one step up, destroys nothing else, and reads a destroyed entity as undefined", () => {
    const Follows = component("Follows", { leader: entity });
    const world = createWorld();
    const first = spawn(world);
    const second = spawn(world, Follows({ leader: first }));
    const third = spawn(world, Follows({ leader: second }));

    const steps: Entity[] = [];
    for (
      let at = get(world, third, Follows)?.leader;
      at !== undefined;
      at = get(world, at, Follows)?.leader
    ) {
      steps.push(at);
    }
    destroy(world, second);

    expect(steps).toEqual([second, first]);
    expect(isAlive(world, third)).toBe(true);
    expect(get(world, third, Follows)?.leader).toBeUndefined();
  });

  it("as Parent: all steps up, and children are destroyed with their parent", () => {
    const world = createWorld();
    const base = spawn(world);
    const arm = spawn(world, Parent(base));
    const hand = spawn(world, Parent(arm));

    expect(ancestors(world, hand)).toEqual([arm, base]);
    expect(depthOf(world, hand)).toBe(2);
    destroy(world, base);

    expect(isAlive(world, hand)).toBe(false);
  });
});

describe("the model with a limited number of children", () => {
  const HeldBy = relation("HeldBy", { traversable: true, maxSubjects: 2, onTargetDestroy: "delete" });

  function codeOf(act: () => void): string | undefined {
    try {
      act();
    } catch (error) {
      return error instanceof TreelineError ? error.code : String(error);
    }
    return undefined;
  }

  it("refuses one child too many, by spawn and by move, and changes nothing", () => {
    const world = createWorld();
    const [hero, squire] = [spawn(world), spawn(world)];
    const [sword, shield] = [spawn(world, HeldBy(hero)), spawn(world, HeldBy(hero))];
    const bow = spawn(world, HeldBy(squire));

    expect(codeOf(() => add(world, bow, HeldBy(hero)))).toBe("full");
    expect(codeOf(() => spawn(world, HeldBy(hero)))).toBe("full");
    expect(subjectsOf(world, hero, HeldBy)).toEqual([sword, shield]);
    expect(targetOf(world, bow, HeldBy)).toBe(squire);
  });

  it("has room again after a child is removed, and is a tree otherwise", () => {
    const world = createWorld();
    const hero = spawn(world);
    const [sword, shield] = [spawn(world, HeldBy(hero)), spawn(world, HeldBy(hero))];

    remove(world, sword, HeldBy(hero));
    const bow = spawn(world, HeldBy(hero));
    const arrow = spawn(world, HeldBy(bow));

    expect(descendants(world, hero, HeldBy)).toEqual([shield, bow, arrow]);
    expect(codeOf(() => add(world, hero, HeldBy(arrow)))).toBe("cycle");
    destroy(world, hero);
    expect([sword, shield, bow, arrow].map((weapon) => isAlive(world, weapon))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("the model with any number of children", () => {
  it("goes up, down and across, and lets children move", () => {
    const world = createWorld();
    const [forest, garden] = [spawn(world), spawn(world)];
    const trees = Array.from({ length: 100 }, () => spawn(world, ChildOf(forest)));

    add(world, trees[50]!, ChildOf(garden));

    expect(children(world, forest)).toEqual(trees.filter((_, at) => at !== 50));
    expect(children(world, garden)).toEqual([trees[50]]);
    expect(parentOf(world, trees[50]!)).toBe(garden);
  });
});
