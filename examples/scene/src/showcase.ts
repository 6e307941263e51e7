// What is shown without a file (`showBundledScenes`): look-ups (`TO_FIND`), a move and frames of one scene, a table of all.
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { add, ChildOf, descendants, destroy, type Entity, isAlive, lookup, pathOf } from "treeline";
import { stats } from "treeline/debug";
import { propagate } from "treeline/transform/3d";
import { loadGltf } from "./gltf/load.ts";
import type { Options } from "./program/options.ts";
import {
  columnsText,
  drawing,
  foundLines,
  framesLines,
  kibibytes,
  labelled,
  levelsOf,
  milliseconds,
  positionText,
  storageText,
} from "./program/report.ts";
import { counted, grouped } from "./text/text.ts";
import { type Motion, runFrame, setInMotion } from "./tree/animate.ts";
import { buildScene, type Scene } from "./tree/build-scene.ts";
import { measureFrames } from "./tree/measure.ts";
import { planScene } from "./tree/plan.ts";

/** The same folder seen from src/ and from dist/. */
const SCENES = fileURLToPath(new URL("../scenes/", import.meta.url));

// Paths in the largest of the bundled files.
const TO_FIND = [
  "Exporter::CheckBox_/nodes/{}/camera::Label",
  "Exporter::CheckBox_globalMatrix from Child 2",
];
const TO_MOVE = "Exporter::CheckBox_[out] flow (2)";
const NEW_PARENT = "Exporter::CheckBox_matrix";

interface Exhibit {
  readonly name: string;
  readonly scene: Scene;
  readonly motion: Motion;
  readonly notes: readonly string[];
}

/** Shows lookups, moves and frames of the largest bundled scene, and the others in a table. */
export function showBundledScenes(options: Options, width: number): string[] {
  const files = readdirSync(SCENES)
    .filter((file) => file.endsWith(".gltf"))
    .sort();
  const exhibits = files.map((file) => exhibit(`${SCENES}${file}`));
  exhibits.sort((one, other) => other.scene.entities.length - one.scene.entities.length);
  const [largest, ...others] = exhibits;
  if (largest === undefined) return [];
  return [
    ...showOne(largest, `${largest.name}, the largest of ${exhibits.length} bundled scenes`, options, width),
    "",
    "the other bundled scenes, measured in the same way:",
    ...tableOf(others, options),
  ];
}

function exhibit(path: string): Exhibit {
  const plan = planScene(loadGltf(path));
  const scene = buildScene(plan);
  const motion = setInMotion(scene);
  propagate(scene.world);
  return { name: basename(path), scene, motion, notes: plan.notes };
}

function showOne(
  { scene, motion, notes }: Exhibit,
  title: string,
  options: Options,
  width: number,
): string[] {
  const { world } = scene;
  const extent = `${counted(scene.entities.length, "entity", "entities")} in ${counted(levelsOf(scene), "level")}`;
  const lines = [`${title}: ${extent}`, ...notes.map((note) => `note: ${note}`)];
  const say = (label: string, ...texts: string[]): void => {
    lines.push(...labelled(label, texts, width));
  };
  lines.push("", ...drawing(world, options.depth, width), "");
  say("storage", storageText(world));

  for (const path of TO_FIND) say("found", ...foundLines(world, entityAt(scene, path), false));

  const moved = entityAt(scene, TO_MOVE);
  const newParent = entityAt(scene, NEW_PARENT);
  const before = positionText(world, moved);
  add(world, moved, ChildOf(newParent));
  propagate(world);
  const below = counted(descendants(world, moved).length, "entity", "entities");
  say(
    "moved",
    `${TO_MOVE} and ${below} below it`,
    `from ${before}`,
    `to   ${positionText(world, moved)}`,
    `now  ${pathOf(world, moved)}`,
  );

  const times = measureFrames(motion, options.frames);
  if (times !== undefined) say("animated", ...framesLines(times, motion.moving));

  const destroyed = counted(descendants(world, newParent).length + 1, "entity", "entities");
  destroy(world, newParent);
  runFrame(motion, options.frames);
  const outcome = isAlive(world, moved) ? "is still alive" : "is destroyed too";
  say("destroyed", `${NEW_PARENT}, ${destroyed} in all; what was moved there ${outcome}`, storageText(world));
  return lines;
}

function tableOf(exhibits: readonly Exhibit[], options: Options): string[] {
  const rows = exhibits.map(({ name, scene, motion }) => {
    const times = measureFrames(motion, options.frames);
    const { tables, archetypes, bytes } = stats(scene.world);
    const counts = [scene.entities.length, levelsOf(scene), motion.moving, tables, archetypes].map(grouped);
    return [name, ...counts, kibibytes(bytes), times === undefined ? "-" : milliseconds(times.median)];
  });
  const head = ["file", "entities", "levels", "moving", "tables", "archetypes", "memory", "a frame"];
  return columnsText([head, ...rows]).map((line) => `  ${line}`);
}

function entityAt(scene: Scene, path: string): Entity {
  const entity = lookup(scene.world, path);
  if (entity === undefined) throw new Error(`the bundled scene has no ${path}`);
  return entity;
}
