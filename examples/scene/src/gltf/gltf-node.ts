// What one node may contain (`checkNode`, `checkIndexes`), and its text in messages (`nodeText`).
import { SceneError } from "../text/scene-error.ts";
import { quoted, visible } from "../text/text.ts";

/** The transform of a node relative to its parent, in the form of the file; the two forms are never converted. */
export type LocalTransform =
  | { readonly kind: "matrix"; readonly matrix: readonly number[] }
  | {
      readonly kind: "trs";
      readonly translation: readonly number[];
      readonly rotation: readonly number[];
      readonly scale: readonly number[];
    };

/** One node of the file, checked by itself; gltf-tree.ts checks how nodes are connected. */
export interface GltfNode {
  /** 0-based, in the file's order. */
  readonly index: number;
  /** `undefined` if the file has no name or an empty one. */
  readonly name: string | undefined;
  readonly children: readonly number[];
  readonly transform: LocalTransform;
}

const NO_CHILDREN: readonly number[] = [];

/** The text for a node in messages: `node 2 "Wheel"`, or `node 2` without a name. */
export function nodeText(node: { readonly index: number; readonly name: string | undefined }): string {
  return node.name === undefined ? `node ${node.index}` : `node ${node.index} ${quoted(node.name)}`;
}

/**
 * Checks one entry of the file's node array.
 *
 * @param nodeCount the number of nodes in the file; children must be below it.
 * @throws SceneError naming the node and the first thing wrong with it.
 */
export function checkNode(index: number, value: unknown, nodeCount: number): GltfNode {
  if (!isRecord(value)) throw new SceneError(`node ${index} must be an object, not ${kindText(value)}`);
  const { name } = value;
  if (name !== undefined && typeof name !== "string") {
    throw new SceneError(`node ${index}: name must be a string, not ${kindText(name)}`);
  }
  const named = { index, name: name === "" ? undefined : name };
  const where = (): string => nodeText(named);
  return {
    ...named,
    children: checkIndexes(where, "children", "child", value.children, nodeCount),
    transform: checkTransform(where, value),
  };
}

/**
 * Checks an array of node indices: a node's `children` or a scene's `nodes`. Absent means none.
 *
 * @param where the owner of the array, for messages; called only for an error.
 */
export function checkIndexes(
  where: () => string,
  field: string,
  noun: string,
  value: unknown,
  nodeCount: number,
): readonly number[] {
  if (value === undefined) return NO_CHILDREN;
  if (!Array.isArray(value)) {
    throw new SceneError(`${where()}: ${field} must be an array of node indices, not ${kindText(value)}`);
  }
  const indexes: number[] = [];
  for (const [at, item] of (value as readonly unknown[]).entries()) {
    if (typeof item !== "number" || !Number.isInteger(item)) {
      throw new SceneError(
        `${where()}: ${field} must be an array of node indices, but ${field}[${at}] is ${valueText(item)}`,
      );
    }
    if (item < 0 || item >= nodeCount) {
      const range =
        nodeCount === 0 ? "no nodes" : nodeCount === 1 ? "only node 0" : `nodes 0 to ${nodeCount - 1}`;
      throw new SceneError(`${where()} lists ${noun} ${item}, but the file has ${range}`);
    }
    indexes.push(item);
  }
  return indexes;
}

function checkTransform(where: () => string, node: Readonly<Record<string, unknown>>): LocalTransform {
  const { matrix, translation, rotation, scale } = node;
  if (matrix === undefined) {
    return {
      kind: "trs",
      translation: translation === undefined ? [0, 0, 0] : checkNumbers(where, "translation", translation, 3),
      rotation: rotation === undefined ? [0, 0, 0, 1] : checkNumbers(where, "rotation", rotation, 4),
      scale: scale === undefined ? [1, 1, 1] : checkNumbers(where, "scale", scale, 3),
    };
  }
  const second = Object.entries({ translation, rotation, scale }).find(([, given]) => given !== undefined);
  if (second !== undefined) {
    throw new SceneError(
      `${where()} has both matrix and ${second[0]}; a node may have only one form of transform`,
    );
  }
  return { kind: "matrix", matrix: checkNumbers(where, "matrix", matrix, 16) };
}

function checkNumbers(where: () => string, field: string, value: unknown, count: number): readonly number[] {
  const must = (): string => `${where()}: ${field} must be ${count} finite numbers`;
  if (!Array.isArray(value)) throw new SceneError(`${must()}, not ${kindText(value)}`);
  if (value.length !== count) throw new SceneError(`${must()}, but has ${value.length}`);
  const numbers: number[] = [];
  for (const [at, item] of (value as readonly unknown[]).entries()) {
    if (typeof item !== "number" || !Number.isFinite(item)) {
      throw new SceneError(`${must()}, but ${field}[${at}] is ${valueText(item)}`);
    }
    // Columns are 32-bit; a larger number would silently become infinite there.
    if (!Number.isFinite(Math.fround(item))) {
      throw new SceneError(`${must()}, but ${field}[${at}] is ${item}, too large for 32 bits`);
    }
    numbers.push(item);
  }
  return numbers;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The type of a JSON value, with an article: "an array", "a number", "null". */
export function kindText(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** A JSON value in messages: quoted, or its type if it has parts. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  return typeof value === "object" ? kindText(value) : visible(String(value));
}
