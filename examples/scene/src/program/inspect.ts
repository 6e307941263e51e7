// What a run prints for a file (`inspectFile`): drawing, found paths, frames.
import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { World } from "treeline";
import { propagate } from "treeline/transform/3d";
import { loadGltf } from "../gltf/load.ts";
import { SceneError } from "../text/scene-error.ts";
import { counted, visible } from "../text/text.ts";
import { setInMotion } from "../tree/animate.ts";
import { buildScene } from "../tree/build-scene.ts";
import { findPath, notFoundLines } from "../tree/find.ts";
import { measureFrames } from "../tree/measure.ts";
import { planScene } from "../tree/plan.ts";
import type { Options } from "./options.ts";
import { pictureOf } from "./picture.ts";
import { drawing, foundLines, framesLines, labelled, levelsOf, storageText } from "./report.ts";

/** What a run prints, and whether it found everything. */
export interface Outcome {
  readonly lines: readonly string[];
  /** Whether every path was found. */
  readonly complete: boolean;
}

/**
 * Loads a file, draws its hierarchy, looks up the paths before any animation, and measures the animation.
 *
 * @throws SceneError if the file or a path to find is not valid.
 */
export function inspectFile(file: string, options: Options, width: number): Outcome {
  const gltf = loadGltf(file);
  const plan = planWithin(file, () => planScene(gltf, options.scene));
  const scene = buildScene(plan);
  const { world } = scene;
  const motion = setInMotion(scene);
  propagate(world);
  if (options.picture !== undefined) writePicture(options.picture, file, world);
  const findings = options.find.map((path) => findPath(world, path));

  const extent = `${counted(scene.entities.length, "entity", "entities")} in ${counted(levelsOf(scene), "level")}`;
  const lines = [`${visible(file)}: ${extent}`];
  for (const note of plan.notes) lines.push(`note: ${note}`);
  lines.push("", ...drawing(world, options.depth, width), "");
  for (const finding of findings) {
    if (finding.entity === undefined) lines.push(...labelled("not found", notFoundLines(finding), width));
    else lines.push(...labelled("found", foundLines(world, finding.entity, true), width));
  }

  const times = measureFrames(motion, options.frames);
  if (times !== undefined) lines.push(...labelled("animated", framesLines(times, motion.moving), width));
  lines.push(...labelled("storage", [storageText(world)], width));
  return { lines, complete: findings.every(({ entity }) => entity !== undefined) };
}

/** @throws SceneError if the file cannot be written. */
function writePicture(file: string, source: string, world: World): void {
  try {
    writeFileSync(file, pictureOf(world, `The nodes of ${basename(source)}`));
  } catch (error) {
    throw new SceneError(`${visible(file)} cannot be written: ${(error as Error).message}`);
  }
}

/** Adds the file to the messages of errors. */
function planWithin<Result>(file: string, plan: () => Result): Result {
  try {
    return plan();
  } catch (error) {
    if (error instanceof SceneError) throw new SceneError(`${visible(file)}: ${error.message}`);
    throw error;
  }
}
