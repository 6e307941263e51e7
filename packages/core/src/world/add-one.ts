import { shapeWith } from "../graph/edges.ts";
import { roomyTableFor } from "../graph/table-graph.ts";
import type { Definition } from "../id/definition.ts";
import { handleAt } from "../records/entity-index.ts";
import { loosePairOf } from "../records/sibling-links.ts";
import { columnOf, hasDefinition } from "../storage/shape.ts";
import { changeType } from "./change-type.ts";
import { wantPairsOf } from "./destination.ts";
import { askHooks, givenChange, tellWrittenAlone } from "./hook-calls.ts";
import { parentAt } from "./targets.ts";
import { readValue, rowAt, shapeAt, wholeValue, writeValue } from "./values.ts";
import type { World } from "./world.ts";

/** One component or tag that nobody is told of. */
export function addOne(world: World, index: number, definition: Definition, value: unknown): void {
  const { graph, entities } = world;
  const from = entities.table[index]!;
  const was = graph.shapes[graph.tables.shape[from]!]!;
  const shape = shapeWith(graph, was, definition);
  if (shape !== was) {
    const to = roomyTableFor(graph, shape, was.hasPairs ? wantPairsOf(world, from) : 0, 1, from);
    changeType(world, index, to, loosePairOf(graph.links, index));
  }
  if (value === undefined) return;
  const column = columnOf(shape, definition);
  if (column !== undefined) writeValue(shape.lanes, column, rowAt(world, index), value);
}

/** The same of a component with hooks, which are asked and told. */
export function addOneAsked(world: World, index: number, definition: Definition, value: unknown): void {
  if (value === undefined && hasDefinition(shapeAt(world, index), definition)) return;
  const whole = wholeValue(world, index, definition, value);
  const changes = [givenChange(definition, whole, readValue(world, index, definition))];
  askHooks(world, handleAt(world.entities, index), changes, parentAt(world, index));
  addOne(world, index, definition, value);
  tellWrittenAlone(world, index, changes);
}
