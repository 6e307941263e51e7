// I25: what accessors of fields keep, compared with the columns, observers and ticks there are (`verifyColumns`).
import type { FieldColumns } from "../storage/field-columns.ts";
import { columnOfField, type Lanes } from "../storage/lanes.ts";
import { CHANGED, isTracked } from "../storage/tracks.ts";
import { OBSERVES, observedOf } from "../world/state/event-list.ts";
import type { World } from "../world/state/world.ts";

/**
 * I25: a column that accessors of a field keep is the present one, and its lanes know of it; a component whose writes they take for
 * plain at this epoch has no hooks and no observer of `set`, and they know whether ticks of its writes are kept.
 */
export function* verifyColumns(world: World): Iterable<string> {
  const { graph, events } = world;
  for (const [number, columns] of graph.columns.entries()) {
    if (columns === undefined) continue;
    const { definition, byArchetype, plainEpoch } = columns;
    const name = `${definition.name}.${definition.fields[number - definition.firstField]?.[0]}`;
    for (const [archetype, column] of byArchetype.entries()) {
      if (column !== undefined && !isPresent(world, columns, number, archetype))
        yield `I25: the column of ${name} that is kept for archetype ${archetype} is not its column`;
    }
    if (plainEpoch !== events.epoch) continue;
    if (definition.hooks !== undefined || (observedOf(events, definition) & OBSERVES.set) !== 0)
      yield `I25: writes of ${name} are taken for plain, but call hooks or observers`;
    if (columns.isTracked !== isTracked(graph.tracking, definition, CHANGED))
      yield `I25: ${name} is tracked or not, other than is kept`;
  }
}

function isPresent({ graph }: World, columns: FieldColumns, number: number, archetype: number): boolean {
  const { definition, byArchetype } = columns;
  const isSparse = definition.storage === "sparse";
  const lanes: Lanes | undefined = (isSparse ? graph.sparse[definition.id] : graph.archetypes[archetype])
    ?.lanes;
  const own = lanes?.plan.columns.find((one) => one.definition === definition);
  const field = own?.fields[number - definition.firstField];
  if (lanes === undefined || field === undefined) return false;
  const kept = byArchetype[archetype]!;
  const present = columnOfField(lanes, field);
  const isSame =
    ArrayBuffer.isView(kept) && ArrayBuffer.isView(present)
      ? kept.buffer === present.buffer &&
        kept.byteOffset === present.byteOffset &&
        kept.length === (present as Float32Array).length
      : kept === present;
  return (
    isSame && lanes.kept?.some(({ list, place }) => list === byArchetype && place === archetype) === true
  );
}
