import { type Component, component, f32, tag, type World } from "@treeline/core";
import { maybe, not, type Query, type QueryTerm, query } from "@treeline/query";
import { Position } from "./components.ts";

/** What nobody has. */
const ABSENT_TAGS = Array.from({ length: 25 }, (_, at) => tag(`Absent${at}`));
const ABSENT_COMPONENTS = Array.from({ length: 25 }, (_, at) => component(`Lacking${at}`, { value: f32 }));

/** Asks 50 different questions that all entities with the component answer, and keeps them. */
export function askFifty(world: World, common: Component = Position): readonly Query[] {
  const extras: QueryTerm[] = [...ABSENT_TAGS.map(not), ...ABSENT_COMPONENTS.map((absent) => maybe(absent))];
  return extras.map((extra) => query(world, common, extra));
}
