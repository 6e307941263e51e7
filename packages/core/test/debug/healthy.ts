import { archetypeWith, tableFor } from "../../src/graph/graph.ts";
import { type Definition, type Relation, release, spawn, spawnMany } from "../../src/index.ts";
import { joinFamily, leaveFamily, ROOTS } from "../../src/records/families.ts";
import type { Archetype } from "../../src/storage/archetype.ts";
import { moveEntity } from "../../src/world/change/move-entity.ts";
import { array, component, f32, f64, relation, tag } from "../defining.ts";
import { ChildOf } from "../definitions.ts";
import { createWorld, type Entity, type World } from "../fixture.ts";
import { pairFor } from "../graph/graph-fixture.ts";
import { indexOf } from "../handles.ts";
import { verify } from "../reading.ts";

export const Position = component("Position", { x: f32, y: f64, list: array(f32, 3) });
export const Label = component<string>("Label");
export const Frozen = tag("Frozen");
export const Likes: Relation = relation("Likes");
export const DockedTo: Relation = relation("DockedTo", { exclusive: true });
export const Follows: Relation = relation("Follows", { acyclic: true });
export const Damage = relation("Damage", { fields: { amount: f32 } });

/** A healthy world with something of everything in it; each test breaks one thing on purpose. */
export interface Healthy {
  readonly world: World;
  readonly ship: Entity;
  readonly cockpit: Entity;
  readonly seat: Entity;
  readonly crew: readonly [Entity, Entity, Entity, Entity];
}

export function plantHealthy(): Healthy {
  const world = createWorld();
  const ship = spawn(world, Label("Ship"));
  const cockpit = spawn(world, ChildOf(ship), Position);
  const seat = spawn(world, ChildOf(cockpit), Position);
  const crew = spawnMany(world, 4, ChildOf(cockpit), Likes(ship), Likes(seat));
  spawn(world, Damage(ship, { amount: 1 }), Damage(seat, { amount: 2 }));
  spawn(world, ChildOf(seat), Follows(ship), DockedTo(cockpit));
  release(world, spawn(world, ChildOf(ship), Frozen));
  return { world, ship, cockpit, seat, crew: crew as [Entity, Entity, Entity, Entity] };
}

export function tableOf(world: World, entity: Entity): number {
  return world.entities.table[indexOf(entity)]!;
}

export function archetypeFor(world: World, entity: Entity): Archetype {
  return world.graph.archetypes[world.graph.tables.archetype[tableOf(world, entity)]!]!;
}

/** Puts an entity into the table and the family with exactly these pairs, without any check. */
export function force(world: World, entity: Entity, ...pairs: (readonly [Definition, Entity])[]): void {
  const { graph, entities } = world;
  const index = indexOf(entity);
  const archetype = pairs.reduce((so, [definition]) => archetypeWith(graph, so, definition), graph.root);
  const numberOf = ([definition, target]: readonly [Definition, Entity]): number =>
    pairFor(graph, definition, indexOf(target));
  const numbers = pairs.filter(([definition]) => definition !== ChildOf).map(numberOf);
  graph.wanted.set(numbers.sort((one, other) => one - other));
  moveEntity(world, index, tableFor(graph, archetype, numbers.length));
  leaveFamily(graph.families, entities, index, false);
  const parent = pairs.find(([definition]) => definition === ChildOf);
  joinFamily(graph.families, entities, parent === undefined ? ROOTS : numberOf(parent), index, false);
}

/** The invariants that verify reports, each once. */
export function brokenInvariants(world: World): string[] {
  return [...new Set(verify(world).map((line) => line.split(":")[0]!))];
}
