import {
  bits,
  ChildOf,
  component,
  createWorld,
  type Entity,
  entity,
  f32,
  get,
  relation,
  sparse,
  spawn,
  TreelineError,
  tag,
  type World,
  type WorldOptions,
} from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { Name } from "@treeline/names";
import { children, entities, monitor, not, type Query, type QueryTerm, query } from "@treeline/query";
import { afterEach, expect } from "vitest";
import { Prefab, prefab } from "../../src/index.ts";

export const Position = component("Position", { x: f32, y: f32 });
export const Mesh = component("Mesh", { lod: f32(1), id: f32 }, { onInstantiate: "inherit" });
export const Notes = component("Notes", { text: "" }, { onInstantiate: "skip" });
export const Aim = component("Aim", { at: entity });
export const Title = component<string>("Title");
export const Paint = component<string>("Paint", undefined, { onInstantiate: "inherit" });
export const Armed = tag("Armed");
export const Heavy = tag("Heavy", { onInstantiate: "inherit" });
export const Draft = tag("Draft", { onInstantiate: "skip" });
export const Lit = tag("Lit", { storage: bits });
export const Fuel = component("Fuel", { litres: f32 }, { storage: sparse });
export const Near = relation("Near");

/** The world of a test, whose invariants are verified after it. */
export let world: World;

export function newWorld(options?: WorldOptions): World {
  world = createWorld(options);
  monitored.length = 0;
  if (isWatching) for (const terms of WATCHED) watch(terms);
  return world;
}

/** The cases run a second time while monitors keep what some queries match: see `watched.test.ts`. */
let isWatching = false;
const WATCHED: readonly (readonly QueryTerm[])[] = [
  [Position],
  [Mesh],
  [Position, Mesh],
  [Position, not(Mesh)],
  [Heavy],
  [Paint],
  [Prefab, Position],
  [Prefab, Mesh],
];
const monitored: { readonly matched: Query; readonly inside: Set<Entity> }[] = [];

export function setWatching(isOn: boolean): void {
  isWatching = isOn;
}

function watch(terms: readonly QueryTerm[]): void {
  const matched = query(world, ...terms);
  const inside = new Set<Entity>();
  monitored.push({ matched, inside });
  monitor(matched, {
    entered: (entity) => expect(inside.size).toBe(inside.add(entity).size - 1),
    left: (entity) => expect(inside.delete(entity)).toBe(true),
  });
}

afterEach(() => {
  expect(verify(world)).toEqual([]);
  for (const { matched, inside } of monitored) expect([...inside].sort()).toEqual(entities(matched).sort());
});

/** A tank with a turret and its barrel, then tracks. */
export function tankIn(options?: WorldOptions): {
  readonly tank: Entity;
  readonly turret: Entity;
  readonly barrel: Entity;
  readonly tracks: Entity;
} {
  newWorld(options);
  const tank = prefab(world, Name("Tank"), Position({ x: 1, y: 1 }), Mesh({ id: 1 }));
  const turret = spawn(world, ChildOf(tank), Name("Turret"), Position({ x: 2, y: 2 }), Mesh({ id: 2 }));
  const barrel = spawn(world, ChildOf(turret), Name("Barrel"), Position({ x: 3, y: 3 }));
  const tracks = spawn(world, ChildOf(tank), Name("Tracks"), Mesh({ id: 4 }));
  return { tank, turret, barrel, tracks };
}

/** The names below an entity, indented by two spaces a level; "?" for an entity without a name. */
export function drawn(top: Entity): string {
  const lines: string[] = [];
  const stack = children(world, top)
    .reverse()
    .map((entity) => ({ entity, depth: 0 }));
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const { entity, depth } = step;
    lines.push(`${"  ".repeat(depth)}${get(world, entity, Name) ?? "?"}`);
    for (const child of children(world, entity).reverse()) stack.push({ entity: child, depth: depth + 1 });
  }
  return lines.join("\n");
}

/** Calls what must be refused with a code, and change nothing. */
export function expectRefusal(code: string, call: () => unknown): void {
  const before = dumped();
  let refusal: unknown;
  try {
    call();
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(TreelineError);
  expect((refusal as TreelineError).code).toBe(code);
  expect(dumped()).toBe(before);
  expect(verify(world)).toEqual([]);
}

/** All tables with rows. An empty one may stay after a refusal, as after any change. */
function dumped(): string {
  const lines = dump(world)
    .split("\n")
    .filter((line) => !/ 0 rows /.test(`${line} `));
  return lines.map((line) => line.replace(/^t\d+/, "").replace(/ {2,}/g, "  ")).join("\n");
}
