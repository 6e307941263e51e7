import { bool, component, type Entity, f64, get, i32, spawn, tag, type World } from "@treeline/core";
import type { Query } from "../../../src/index.ts";
import { inOrder } from "../../listed-rows.ts";

export const Unit = tag("Unit");
export const Score = component("Score", { points: f64, lives: i32, isOut: bool });

/** The points of those who answer, in the order of the visit. */
export function pointsOf(world: World, asked: Query): (number | undefined)[] {
  return inOrder(asked).map((entity) => get(world, entity, Score)?.points);
}

/** Spawns a unit for each of the points. */
export function spawnWith(world: World, ...points: number[]): Entity[] {
  return points.map((one) => spawn(world, Unit, Score({ points: one })));
}
