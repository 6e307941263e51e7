/** The inputs of every contestant: parents of children, and moves. The same numbers for all, in every process. */
import { diceOf, shuffled } from "../../fixtures/dice.ts";
import { type TreeName, treeOf } from "../../fixtures/trees.ts";
import { checksumOf } from "../../measure/proof.ts";
import {
  BRANCHES,
  ENTITIES,
  FEW,
  LEFT_OUT,
  LEVELS,
  LOOKUPS,
  NAME_PARENTS,
  RENEW_PARENTS,
  REPARENT_PARENTS,
  SIBLING_PARENTS,
  STEPS,
  VICTIMS,
} from "./workloads.ts";

/** Entity -> number of its parent: parent by parent, or each a random one. */
export function parentsOf(parents: number, order: "block" | "random", count: number = ENTITIES): Int32Array {
  const dice = diceOf(parents);
  return Int32Array.from({ length: count }, (_, at) => {
    return order === "block" ? Math.floor((at * parents) / count) : dice(parents);
  });
}

export function shuffledParents(): Int32Array {
  return shuffled(SIBLING_PARENTS, diceOf(3));
}

/** The number of rounds of moves, which repeat. */
const ROUNDS = 8;

/** Entities that move, and their new parents. */
export interface Moves {
  /** Entities, in the order in which they move. */
  readonly movers: Int32Array;
  /** Round -> entity -> number of its parent from then on. */
  readonly goals: readonly Int32Array[];
}

export function movesOf(order: "creation" | "shuffled" | "few"): Moves {
  const dice = diceOf(6);
  const movers =
    order === "creation" ? Int32Array.from({ length: ENTITIES }, (_, at) => at) : shuffled(ENTITIES, dice);
  const goals = Array.from({ length: ROUNDS }, () => {
    return Int32Array.from({ length: ENTITIES }, () => dice(REPARENT_PARENTS));
  });
  return { movers: order === "few" ? movers.subarray(0, FEW) : movers, goals };
}

/** The nodes of a tree that `destroy` names: its roots, or of "leaves" random leaves. */
export function victimsOf(name: TreeName): Int32Array {
  const nodes = treeOf(name).map((parent, node) => (parent < 0 ? node : -1));
  const roots = nodes.filter((node) => node >= 0);
  if (name !== "leaves") return roots;
  return shuffled(nodes.length - roots.length, diceOf(20))
    .subarray(0, VICTIMS)
    .map((leaf) => roots.length + leaf);
}

/** The numbers of all entities, in the order in which they have their turns in `change` and `handles`. */
export function turnsOf(order: "creation" | "shuffled" = "creation"): Int32Array {
  return order === "shuffled"
    ? shuffled(ENTITIES, diceOf(15))
    : Int32Array.from({ length: ENTITIES }, (_, at) => at);
}

/** The handles of entities, in the order of their turns. */
export function inTurn<Handle>(entities: readonly Handle[], order?: "creation" | "shuffled"): Handle[] {
  return Array.from(turnsOf(order), (number) => entities[number]!);
}

/** The numbers of the entities that have the tag in `cut`, from low to high. */
export function cutOf(without: "none" | "tenth"): Int32Array {
  return without === "none" ? new Int32Array(0) : shuffled(ENTITIES, diceOf(16)).subarray(0, LEFT_OUT).sort();
}

/** Entity -> its name in `nameMany`. */
export function textsOf(): readonly string[] {
  return Array.from({ length: ENTITIES }, (_, at) => flat(`entity number ${at}`));
}

/** Entity -> the number of its parent in `nameMany`. */
export function parentsOfNamed(): Int32Array {
  return parentsOf(NAME_PARENTS, "block");
}

/** Over all entities of `nameMany`: their places, and how many a function finds by their parent and name. */
export function sumOfNamed(
  x: (entity: number) => number,
  y: (entity: number) => number,
  isFound: (entity: number) => boolean,
): number {
  let found = 0;
  for (let at = 0; at < ENTITIES; at++) if (isFound(at)) found++;
  return sumOfPlaces(ENTITIES, x, y) + found;
}

/** Step -> the child that moves. */
export function renewals(): Int32Array {
  const dice = diceOf(13);
  return Int32Array.from({ length: STEPS }, () => dice(RENEW_PARENTS * 2));
}

/** Ten children below each node, called n0 to n9, down from "root": node -> its parent, level by level, and its name. */
export interface NamedTree {
  readonly parents: Int32Array;
  readonly names: readonly string[];
  /** Random ones, always the same; and for each of them its path, and its name once more. */
  readonly leaves: Int32Array;
  readonly paths: readonly string[];
  readonly leafNames: readonly string[];
}

export function namedTree(): NamedTree {
  const count = (BRANCHES ** (LEVELS + 1) - 1) / (BRANCHES - 1);
  const parents = Int32Array.from({ length: count }, (_, node) => {
    return node === 0 ? -1 : Math.floor((node - 1) / BRANCHES);
  });
  const nameOf = (node: number): string => (node === 0 ? "root" : `n${(node - 1) % BRANCHES}`);
  const pathOf = (node: number): string => {
    const steps: string[] = [];
    for (let at = node; at >= 0; at = parents[at]!) steps.unshift(nameOf(at));
    return steps.join("::");
  };
  const dice = diceOf(9);
  const leafCount = BRANCHES ** LEVELS;
  const leaves = Int32Array.from({ length: LOOKUPS }, () => count - leafCount + dice(leafCount));
  return {
    parents,
    names: Array.from(parents, (_, node) => flat(nameOf(node))),
    leaves,
    paths: Array.from(leaves, (node) => flat(pathOf(node))),
    leafNames: Array.from(leaves, (node) => flat(nameOf(node))),
  };
}

/** The same text in one piece, as a separate text: engines concatenate joined texts when they are first read. */
function flat(text: string): string {
  return String.fromCharCode(...Array.from(text, (sign) => sign.charCodeAt(0)));
}

/** Reads one character of a text that was written, so that it must be in one piece. */
export function lastSign(text: string): number {
  return text.charCodeAt(text.length - 1);
}

/** Of the nodes that were found, in order. */
export function sumOfNodes(node: (at: number) => number): number {
  return checksumOf(LOOKUPS, (at) => node(at) + 1);
}

/** Of all characters of the texts that were written. */
export function sumOfTexts(text: (at: number) => string): number {
  return checksumOf(LOOKUPS, (at) => {
    const written = text(at);
    return checksumOf(written.length, (sign) => written.charCodeAt(sign));
  });
}

/** Over two fields of numbered entities. */
export function sumOfPlaces(
  count: number,
  x: (entity: number) => number,
  y: (entity: number) => number,
): number {
  return checksumOf(count, (at) => x(at) + 3 * y(at));
}

/** Of the number of each entity's parent, counted from 0. */
export function sumOfParents(count: number, parent: (entity: number) => number): number {
  return checksumOf(count, (at) => parent(at) + 1);
}

/** Of the number of children of each parent. */
export function sumOfCounts(parents: number, count: (parent: number) => number): number {
  return checksumOf(parents, count);
}
