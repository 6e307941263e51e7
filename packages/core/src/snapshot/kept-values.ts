// Values of transient components, kept over a restore (`keepValues`).
import type { Definition } from "../id/definition.ts";
import { indexOf } from "../id/entity.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import { copyNumbers } from "../storage/copy-rows.ts";
import { type Column, Lanes, planLanes, replaceLanes } from "../storage/lanes.ts";
import { plainMemory } from "../storage/memory.ts";
import { aligned } from "../storage/rows.ts";
import { valueAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";

/** The values of one component, by entity. */
interface Kept {
  readonly definition: Definition;
  /** Handles, by place. */
  readonly entities: readonly number[];
  readonly lanes: Lanes;
}

function keep(world: World, definition: Definition): Kept {
  const { graph, entities } = world;
  const found: number[] = [];
  const bySparse = graph.sparse[definition.id];
  if (bySparse !== undefined) {
    for (let place = 0; place < bySparse.count; place++) found.push(bySparse.lanes.i32[place]!);
  } else {
    for (const archetype of graph.componentIndex.get(definition.id) ?? [])
      for (let row = 0; row < archetype.rows; row++) found.push(archetype.lanes.i32[row]!);
  }
  const lanes = new Lanes(planLanes([{ definition, occurrence: 0 }]), plainMemory());
  replaceLanes(lanes, aligned(found.length));
  for (const [place, index] of found.entries()) {
    const value = valueAt(world, index, definition, 0);
    if (value !== undefined)
      copyValue(value.lanes, value.column, value.row, lanes, lanes.plan.columns[0]!, place);
  }
  return { definition, entities: found.map((index) => handleAt(entities, index)), lanes };
}

function copyValue(from: Lanes, column: Column, row: number, to: Lanes, own: Column, place: number): void {
  for (let at = 0; at < own.fields.length; at++)
    copyNumbers(from, column.fields[at]!, row, to, own.fields[at]!, place);
}

/**
 * Keeps the present values of components. The returned function writes them back to those of the entities that are alive and have the
 * component then; no observer is notified.
 */
export function keepValues(world: World, definitions: readonly Definition[]): () => void {
  const kept = definitions.map((definition) => keep(world, definition));
  return () => {
    for (const { definition, entities, lanes } of kept) {
      for (const [place, entity] of entities.entries()) {
        const value = isLiving(world.entities, entity)
          ? valueAt(world, indexOf(entity), definition, 0)
          : undefined;
        if (value !== undefined)
          copyValue(lanes, lanes.plan.columns[0]!, place, value.lanes, value.column, value.row);
      }
    }
  };
}
