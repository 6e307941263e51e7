import { type Entity, spawn } from "@treeline/core";
import { expect } from "vitest";
import type { collect, QueryOf } from "../../src/index.ts";
import { component, createWorld, relation, tag } from "../public/define.ts";
import { array, bool, entity, f32, u8 } from "../public/fields.ts";
import { variable } from "../public/terms.ts";

export const Position = component("Position", { x: f32, y: f32 });
export const Kit = component("Kit", { on: bool, at: entity, cells: array(u8, 4) });
export const Mesh = component<{ name: string }>("Mesh");
export const Label = component<string>("Label");
export const Frozen = tag("Frozen");
export const Likes = relation("Likes");
export const Damage = relation("Damage", { fields: { amount: f32 } });
export const DockedTo = relation("DockedTo", { traversable: true });
export const parent = variable("parent");

export interface Vector {
  x: number;
  y: number;
}
export type ReadVector = Readonly<Vector>;
export interface KitRow {
  on: boolean;
  at: Entity | undefined;
  cells: Uint8Array;
}
export interface Named {
  name: string;
}

/** The arguments that each, rows and collect pass for a query. */
export type Given<Q> =
  Q extends QueryOf<infer Passed extends unknown[]> ? ReturnType<typeof collect<Passed>>[number] : never;

export const world = createWorld();
export const ship = spawn(world);

/** For what must compile, or must not; it is never run. */
export function neverRun(compiled: () => void): void {
  expect(compiled).toBeTypeOf("function");
}
