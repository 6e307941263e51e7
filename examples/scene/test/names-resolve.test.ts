import { configureNames, findAll, lookup, pathOf } from "treeline";
import { verify } from "treeline/debug";
import { describe, expect, it } from "vitest";
import { loadGltf } from "../src/gltf/load.ts";
import { buildScene } from "../src/tree/build-scene.ts";
import { type Plan, planScene } from "../src/tree/plan.ts";
import { bundledScenes, here } from "./support.ts";

/** By index in the plan: the names from the root on, as in the plan. */
function stepsOf({ entities }: Plan): string[][] {
  const steps: string[][] = [];
  for (const { name, parent } of entities) steps.push(parent === -1 ? [name] : [...steps[parent]!, name]);
  return steps;
}

describe.each(bundledScenes())("the names of %s", (name) => {
  const plan = planScene(loadGltf(here(`scenes/${name}.gltf`)));
  const { world, entities } = buildScene(plan);
  const steps = stepsOf(plan);

  it("lead to their nodes, each to a different one", () => {
    const found = steps.map((names) => lookup(world, names));

    expect(found).toEqual(entities);
    expect(new Set(found).size).toBe(plan.entities.length);
  });

  it.each(["::", "/", ".", " -> "])("lead to their nodes as paths with %j, and back", (separator) => {
    const paths = entities.map((entity) => pathOf(world, entity, { separator }));

    expect(new Set(paths).size).toBe(entities.length);
    expect(paths.map((path) => lookup(world, path, { separator }))).toEqual(entities);
  });

  it("lead to their nodes when the world has another separator", () => {
    configureNames(world, { separator: "/" });

    const paths = entities.map((entity) => pathOf(world, entity));

    expect(paths.map((path) => lookup(world, path))).toEqual(entities);
    expect(new Set(findAll(world, "**"))).toEqual(new Set(entities));
    expect(verify(world)).toEqual([]);
  });
});
