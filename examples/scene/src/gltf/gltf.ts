// The hierarchy of a glTF text (`parseGltf`): checks versions, nodes and scenes; refuses the first violation of the specification.
import { SceneError } from "../text/scene-error.ts";
import { clip, counted, quoted, visible } from "../text/text.ts";
import {
  checkIndexes,
  checkNode,
  type GltfNode,
  isRecord,
  kindText,
  nodeText,
  valueText,
} from "./gltf-node.ts";
import { parentsOf } from "./gltf-tree.ts";

const EXAMPLES = 3; // the most examples that a note names

/** One scene of the file. */
export interface GltfScene {
  readonly index: number;
  readonly name: string | undefined;
  /** The nodes that it lists. One that is a child of another node is shown twice: below that one, and here. */
  readonly roots: readonly number[];
}

/** The hierarchy of a glTF file, checked: its nodes are trees. */
export interface Gltf {
  readonly nodes: readonly GltfNode[];
  /** By node index: the parent's node index, -1 for none. */
  readonly parents: Int32Array;
  readonly scenes: readonly GltfScene[];
  /** Violations of the specification that this reader accepts, as texts for notes. */
  readonly tolerated: readonly string[];
}

/**
 * Reads the node hierarchy of a glTF file's JSON text. Only `asset`, `nodes`, `scenes` and `scene` are read.
 *
 * @throws SceneError naming the first violation of the specification, and its node.
 */
export function parseGltf(text: string): Gltf {
  const file = parseJson(text);
  if (!isRecord(file)) throw new SceneError(`not glTF: the file contains ${kindText(file)}, not an object`);
  checkVersion(file.asset);

  const values = arrayIn(file, "nodes");
  const nodes = values.map((value, index) => checkNode(index, value, values.length));
  const parents = parentsOf(nodes);
  const scenes = arrayIn(file, "scenes").map((value, index) => checkScene(index, value, nodes));
  checkDefaultScene(file.scene, scenes.length);

  const tolerated: string[] = [];
  const listed = listedChildren(scenes, nodes, parents);
  if (listed.length > 0) {
    const are = counted(listed.length, "child is listed", "children are listed");
    const more = listed.length > EXAMPLES ? `; ${listed.length - EXAMPLES} more` : "";
    tolerated.push(
      `${are} by a scene, which glTF forbids; copied there: ${listed.slice(0, EXAMPLES).join("; ")}${more}`,
    );
  }
  const emptied = emptyChildLists(values);
  if (emptied > 0) {
    const have = counted(emptied, "node has an empty children array", "nodes have an empty children array");
    tolerated.push(`${have}; glTF requires a child in such an array; read as no children`);
  }
  return { nodes, parents, scenes, tolerated };
}

/** The text for a scene in messages. */
export function sceneText(scene: { readonly index: number; readonly name: string | undefined }): string {
  return scene.name === undefined ? `scene ${scene.index}` : `scene ${scene.index} ${quoted(scene.name)}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SceneError(`not JSON: ${clip(visible(why), 120)}`);
  }
}

function checkVersion(asset: unknown): void {
  const version = isRecord(asset) ? asset.version : undefined;
  if (version === undefined) throw new SceneError("not glTF: asset.version is missing");
  if (typeof version !== "string") {
    throw new SceneError(`not glTF: asset.version must be a string, not ${kindText(version)}`);
  }
  if (!/^2\.\d+$/.test(version)) {
    throw new SceneError(`glTF version ${quoted(version)} is not supported, only 2.x`);
  }
  const { minVersion } = asset as { readonly minVersion?: unknown };
  if (minVersion === undefined) return;
  if (typeof minVersion !== "string") {
    throw new SceneError(`not glTF: asset.minVersion must be a string, not ${kindText(minVersion)}`);
  }
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(minVersion) ?? [];
  if (major === undefined) {
    throw new SceneError(
      `not glTF: asset.minVersion must be a version such as "2.0", not ${quoted(minVersion)}`,
    );
  }
  if (Number(major) > 2 || (Number(major) === 2 && Number(minor) > 0)) {
    throw new SceneError(`the file needs glTF ${quoted(minVersion)}, which is not supported, only 2.0`);
  }
}

function checkDefaultScene(scene: unknown, sceneCount: number): void {
  if (scene === undefined) return;
  if (typeof scene !== "number" || !Number.isInteger(scene)) {
    throw new SceneError(`scene must be the index of a scene, not ${valueText(scene)}`);
  }
  if (scene >= 0 && scene < sceneCount) return;
  const range =
    sceneCount === 0 ? "no scenes" : sceneCount === 1 ? "only scene 0" : `scenes 0 to ${sceneCount - 1}`;
  throw new SceneError(`scene is ${scene}, but the file has ${range}`);
}

/** Texts for nodes that a scene lists and that have a parent. */
function listedChildren(
  scenes: readonly GltfScene[],
  nodes: readonly GltfNode[],
  parents: Int32Array,
): string[] {
  return scenes.flatMap((scene) =>
    scene.roots
      .filter((root) => parents[root] !== -1)
      .map(
        (root) =>
          `${nodeText(nodes[root]!)} by ${sceneText(scene)}, a child of ${nodeText(nodes[parents[root]!]!)}`,
      ),
  );
}

function arrayIn(file: Readonly<Record<string, unknown>>, field: string): readonly unknown[] {
  const value = file[field];
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new SceneError(`${field} must be an array, not ${kindText(value)}`);
  return value;
}

function emptyChildLists(nodes: readonly unknown[]): number {
  let count = 0;
  for (const node of nodes) {
    const children = isRecord(node) ? node.children : undefined;
    if (Array.isArray(children) && children.length === 0) count += 1;
  }
  return count;
}

function checkScene(index: number, value: unknown, nodes: readonly GltfNode[]): GltfScene {
  if (!isRecord(value)) throw new SceneError(`scene ${index} must be an object, not ${kindText(value)}`);
  const { name } = value;
  if (name !== undefined && typeof name !== "string") {
    throw new SceneError(`scene ${index}: name must be a string, not ${kindText(name)}`);
  }
  const named = { index, name: name === "" ? undefined : name };
  const where = (): string => sceneText(named);
  const roots = checkIndexes(where, "nodes", "node", value.nodes, nodes.length);

  const seen = new Set<number>();
  for (const root of roots) {
    const node = nodes[root]!;
    if (seen.has(root)) throw new SceneError(`${where()} lists ${nodeText(node)} twice`);
    seen.add(root);
  }
  return { ...named, roots };
}
