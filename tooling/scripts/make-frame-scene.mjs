// Reads the node hierarchy of a glTF file of the examples, for the game frame of the benchmarks: a browser has no
// files, so the output is code. Run it again when the scene changes: `node tooling/scripts/make-frame-scene.mjs`.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readJson, root } from "./lib.mjs";

const SCENE = "mannequiny.gltf";
const TARGET = "benchmarks/src/comparison/game-frame/scene.ts";
/** Positions are rounded to this, so that their sums are the same in 32 and in 64 bits. */
const STEP = 2 ** -14;

const { nodes } = readJson(`examples/scene/scenes/${SCENE}`);
const children = new Set(nodes.flatMap(({ children: below = [] }) => below));

/** Old numbers, parents first, depth first: the order in which a scene is walked. */
const order = [];
const parents = [];
function append(node, parent) {
  const number = order.push(node) - 1;
  parents.push(parent);
  for (const child of nodes[node].children ?? []) append(child, number);
}
nodes.forEach((_, node) => {
  if (!children.has(node)) append(node, -1);
});

function positionOf({ translation = [0, 0, 0] }) {
  return translation.map((number) => Math.round(number / STEP) * STEP);
}

/** Rotation times scale, column by column. */
function basisOf({ rotation: [x, y, z, w] = [0, 0, 0, 1], scale: [sx, sy, sz] = [1, 1, 1] }) {
  return [
    ...[(1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + w * z) * sx, 2 * (x * z - w * y) * sx],
    ...[2 * (x * y - w * z) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + w * x) * sy],
    ...[2 * (x * z + w * y) * sz, 2 * (y * z - w * x) * sz, (1 - 2 * (x * x + y * y)) * sz],
  ].map((number) => Number(Math.fround(number).toPrecision(9)));
}

const text = `/**
 * A game character of ${order.length} nodes: what \`tooling/scripts/make-frame-scene.mjs\` keeps of examples/scene/scenes/${SCENE}, which is by
 * GDQuest and contributors, © 2020, under CC BY 4.0 (examples/scene/SOURCES.md, examples/scene/licences). Changed: only parents,
 * positions and rotations, parents before children, positions rounded to 1/${1 / STEP}, rotation and scale as a matrix.
 */

/** Node -> its parent; -1 for the root, which comes first. */
export const PARENTS: readonly number[] = ${JSON.stringify(parents)};

/** Node -> x, y, z below its parent. */
export const POSITIONS: readonly number[] = ${JSON.stringify(order.flatMap((node) => positionOf(nodes[node])))};

/** Node -> rotation and scale: three columns of three numbers. */
export const BASES: readonly number[] = ${JSON.stringify(order.flatMap((node) => basisOf(nodes[node])))};
`;
writeFileSync(join(root, TARGET), text);
spawnSync("npx", ["biome", "format", "--write", TARGET], { cwd: root, stdio: "inherit" });
