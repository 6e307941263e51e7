import { clockOf, handleAt, type Shape } from "@treeline/core/internal";
import { shapeHas } from "../match/shape-has.ts";
import { holderShapeOf } from "./chunks.ts";
import { HolderNotes } from "./holder-notes.ts";
import type { Query } from "./query-state.ts";
import type { Stretches } from "./stretches.ts";

/**
 * For a query that asks for changes of ancestors: notes at which tick everybody got another one. Whoever has the component
 * itself, and is its own source then, got it by a change that has a tick of its own.
 *
 * Cost: nothing while the stretches stand as they stood; else everybody who is filed in them.
 */
export function noteHolders(query: Query, stretches: Stretches): void {
  const { watch, plan, world } = query;
  if (plan.watched.length === 0 || watch.version === stretches.version) return;
  watch.version = stretches.version;
  watch.round++;
  watch.steadySince = clockOf(world).now;
  const { chunks } = stretches.positions;
  for (let note = 0; note < plan.watched.length; note++) {
    const notes = watch.notes[note] ?? new HolderNotes();
    watch.notes[note] = notes;
    notes.fit(world.entities.length);
    for (let at = 0; at < chunks.alive; at++) noteChunk(query, stretches, chunks.order[at]!, note);
  }
}

function noteChunk(
  { world, plan, watch }: Query,
  { positions }: Stretches,
  chunk: number,
  note: number,
): void {
  const { graph, entities } = world;
  const { chunks, rows, holderRows } = positions;
  const { place, self, definition } = plan.watched[note]!;
  const notes = watch.notes[note]!;
  const { now } = clockOf(world);
  const shape = graph.shapes[chunks.shape[chunk]!]!;
  const { i32 } = shape.lanes;
  const isOwn = self && shapeHas(shape, definition);
  const number = holderShapeOf(chunks, chunk, place);
  if (!isOwn && number < 0) return;
  const holder: Shape = isOwn ? shape : graph.shapes[number]!;
  const sources = isOwn ? rows : holderRows[place]!;
  const end = chunks.start[chunk]! + chunks.rows[chunk]!;
  for (let at = chunks.start[chunk]!; at < end; at++) {
    const index = i32[rows[at]!]!;
    const source = holder.lanes.i32[sources[at]!]!;
    const isNew = notes.note(index, handleAt(entities, index), handleAt(entities, source), watch.round);
    if (isNew && !isOwn) notes.switched[index] = now;
  }
}
