/** Trees as text, to keep tests readable: names indented by two spaces under their parents. */

import type { Entity, World } from "@treeline/core";
import { ChildOf, createWorld, get, spawn } from "@treeline/core";
import { lookup, Name } from "@treeline/names";
import { children, roots } from "@treeline/query";

const STEP = 2;

/**
 * Builds the drawing in a new world; siblings in the order of their lines.
 *
 * @example
 * const world = plant(`
 *  Ship
 *    Cockpit
 *  Buoy
 * `);
 */
export function plant(drawn: string): World {
  const world = createWorld();
  plantInto(world, drawn);
  return world;
}

/** The same in an existing world. */
export function plantInto(world: World, drawn: string): void {
  const lines = drawn.split("\n").filter((line) => line.trim() !== "");
  const margin = Math.min(...lines.map(indentOf));
  const open: Entity[] = []; // the last one drawn at each depth
  for (const line of lines) {
    const depth = (indentOf(line) - margin) / STEP;
    if (!Number.isInteger(depth) || depth > open.length) throw new Error(`badly indented: "${line}"`);
    const name = Name(line.trim());
    open.length = depth;
    const parent = open.at(-1);
    open.push(parent === undefined ? spawn(world, name) : spawn(world, ChildOf(parent), name));
  }
}

/** The entity at a path; throws if there is none. */
export function at(world: World, path: string): Entity {
  const found = lookup(world, path);
  if (found === undefined) throw new Error(`no entity is at ${path}:\n${drawing(world)}`);
  return found;
}

/** The whole world as text, in the format of `plant`; a question mark is an entity without a name. */
export function drawing(world: World): string {
  const lines: string[] = [];
  const ahead = roots(world)
    .reverse()
    .map((entity) => ({ entity, depth: 0 }));
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { entity, depth } = next;
    lines.push(`${" ".repeat(depth * STEP)}${get(world, entity, Name) ?? "?"}`);
    for (const child of children(world, entity).reverse()) ahead.push({ entity: child, depth: depth + 1 });
  }
  return lines.join("\n");
}

/** A drawing without its margin and empty lines, to compare `drawing(world)` with. */
export function drawn(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const margin = Math.min(...lines.map(indentOf));
  return lines.map((line) => line.slice(margin).trimEnd()).join("\n");
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
