import { add, ChildOf, createWorld, type Entity, get, Name, pack, spawn } from "treeline";
import { verify } from "treeline/debug";
import { propagate, World3D } from "treeline/transform/3d";
import { describe, expect, it } from "vitest";
import { loadGltf } from "../src/gltf/load.ts";
import { runFrame, setInMotion } from "../src/tree/animate.ts";
import { buildScene, type Scene, transformTerms } from "../src/tree/build-scene.ts";
import { type Plan, planScene } from "../src/tree/plan.ts";
import { bundledScenes, expectedMatrices, here } from "./support.ts";

const CLOSE_ENOUGH = 1e-5;

const planOf = (name: string): Plan => planScene(loadGltf(here(`scenes/${name}.gltf`)));

/** The largest difference within a matrix divided by its largest entry, and the maximum of this over all nodes. */
function worstDifference(plan: Plan, scene: Scene, expected: readonly (readonly number[])[]): number {
  let worst = 0;
  let compared = 0;
  for (const [at, { node }] of plan.entities.entries()) {
    if (node === undefined) continue;
    const wanted = expected[node.index]!;
    const { matrix } = get(scene.world, scene.entities[at]!, World3D)!;
    const largest = Math.max(...wanted.map(Math.abs));
    const difference = Math.max(...wanted.map((cell, place) => Math.abs(cell - matrix[place]!)));
    worst = Math.max(worst, difference / largest);
    compared += 1;
  }
  expect(compared).toBe(expected.length);
  return worst;
}

/** A deterministic order that differs from the plan's. */
function shuffledPlaces(count: number): number[] {
  const places = Array.from({ length: count }, (_, at) => at).reverse();
  let seed = 12345;
  for (let at = count - 1; at > 0; at--) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    const other = seed % (at + 1);
    [places[at], places[other]] = [places[other]!, places[at]!];
  }
  return places;
}

/** Builds the planned entities in the order of `places`, each at first without a parent. */
function buildInOrder(plan: Plan, places: readonly number[]): Scene {
  const world = createWorld();
  const entities: Entity[] = [];
  for (const place of places) {
    entities[place] = spawn(world, ...transformTerms(plan.entities[place]!.node));
  }
  for (const place of places) {
    const { parent } = plan.entities[place]!;
    if (parent !== -1) add(world, entities[place]!, ChildOf(entities[parent]!));
  }
  for (const place of places) add(world, entities[place]!, Name(plan.entities[place]!.name));
  return { world, entities };
}

describe.each(bundledScenes())("world matrices of %s", (name) => {
  const plan = planOf(name);
  const expected = expectedMatrices(name);

  it("are those that the file defines", () => {
    const scene = buildScene(plan);

    propagate(scene.world);

    expect(worstDifference(plan, scene, expected)).toBeLessThan(CLOSE_ENOUGH);
    expect(verify(scene.world)).toEqual([]);
  });

  it("stay the same with animation components, after packing and a second pass", () => {
    const scene = buildScene(plan);
    const motion = setInMotion(scene);

    propagate(motion.world);
    pack(scene.world);
    propagate(motion.world);

    expect(worstDifference(plan, scene, expected)).toBeLessThan(CLOSE_ENOUGH);
    expect(verify(scene.world)).toEqual([]);
  });

  it("do not depend on the order of spawning", () => {
    for (const places of [plan.entities.map((_, at) => at).reverse(), shuffledPlaces(plan.entities.length)]) {
      const scene = buildInOrder(plan, places);

      propagate(scene.world);

      expect(worstDifference(plan, scene, expected)).toBeLessThan(CLOSE_ENOUGH);
      pack(scene.world);
      propagate(scene.world);
      expect(worstDifference(plan, scene, expected)).toBeLessThan(CLOSE_ENOUGH);
      expect(verify(scene.world)).toEqual([]);
    }
  });

  it("return to their first values in frame 0 after other frames", () => {
    const scene = buildScene(plan);
    const motion = setInMotion(scene);

    for (let frame = 1; frame <= 10; frame++) runFrame(motion, frame);
    runFrame(motion, 0);

    expect(worstDifference(plan, scene, expected)).toBeLessThan(CLOSE_ENOUGH);
  });
});
