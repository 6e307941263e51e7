import { bool, component, type Entity, f64, get, i32, spawn, tag, type World } from "@treeline/core";
import { entities, type Query } from "../../../src/index.ts";

export const Unit = tag("Unit");
export const Score = component("Score", { points: f64, lives: i32, isOut: bool });

/** The points of the entities that match, in the order of iteration. */
export function pointsOf(world: World, tested: Query): (number | undefined)[] {
  return entities(tested).map((entity) => get(world, entity, Score)?.points);
}

/** Spawns a unit for each of the points. */
export function spawnWith(world: World, ...points: number[]): Entity[] {
  return points.map((one) => spawn(world, Unit, Score({ points: one })));
}
