import { type Entity, spawn, spawnMany, type World } from "@treeline/core";
import { destroy, explain, type QueryTerm, query } from "../../../src/index.ts";
import { ChildOf, Parent } from "../../public/builtins.ts";
import { component, createWorld, relation, tag } from "../../public/define.ts";
import { f32 } from "../../public/fields.ts";

export const Position = component("Position", { x: f32 });
export const Light = component("Light", { x: f32 });
export const Frozen = tag("Frozen");
export const Likes = relation("Likes");
export const DockedTo = relation("DockedTo", { traversable: true });

export interface Explained {
  readonly world: World;
  readonly root: Entity;
  readonly deck: Entity;
  readonly dead: Entity;
}

/**
 *   root: Position, Light
 *     deck: Position, Frozen
 *       3 by ChildOf, 2 by Parent: Position
 *   docked to root: Frozen
 */
export function plantExplained(): Explained {
  const world = createWorld();
  const root = spawn(world, Position, Light);
  const deck = spawn(world, ChildOf(root), Position, Frozen);
  spawnMany(world, 3, ChildOf(deck), Position);
  spawnMany(world, 2, Parent(deck), Position, Likes(root));
  spawn(world, Frozen, DockedTo(root));
  const dead = spawn(world);
  destroy(world, dead);
  return { world, root, deck, dead };
}

export function explainedIn(world: World, ...terms: readonly QueryTerm[]): string {
  return explain(query(world, ...terms));
}

/** What follows a word at the beginning of a line. */
export function lineOf(word: string, text: string): string | undefined {
  const line = text.split("\n").find((one) => one.trim().startsWith(`${word}: `));
  return line?.trim().slice(word.length + 2);
}
