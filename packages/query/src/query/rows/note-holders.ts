import { type Archetype, archetypesOf, clockOf, handleOf, sizesOf } from "@treeline/core/internal";
import { shapeHas } from "../../match/pairs.ts";
import { holderShapeOf } from "../batches/chunks.ts";
import { currentStretches, type Stretches } from "../batches/stretches.ts";
import { HolderNotes } from "../lists/notes.ts";
import type { Query } from "../state/query-state.ts";

/**
 * For a query that asks for changes of ancestors: notes at which tick everybody got another one. Whoever has the component
 * itself, and is its own holder then, got it by a change that has a tick of its own. Who only peeks compares, and notes
 * nothing: else who lost a holder and got it back would be news to the next look.
 *
 * Cost: nothing while the stretches stand as they stood; else everybody who is filed in them.
 */
export function noteHolders(query: Query, stretches: Stretches): void {
  const { watch, plan, world } = query;
  const { version } = stretches;
  if (plan.watched.length === 0 || watch.version === version) return;
  if (!watch.isLooking && watch.peekedVersion === version) return;
  watch.peeks++;
  watch.peekedVersion = version;
  if (watch.isLooking) {
    watch.version = version;
    watch.round++;
  }
  watch.steadySince = clockOf(world).now;
  const { chunks } = stretches.positions;
  for (let note = 0; note < plan.watched.length; note++) {
    const notes = watch.notes[note] ?? new HolderNotes();
    watch.notes[note] = notes;
    notes.fit(sizesOf(world).entities);
    for (let at = 0; at < chunks.alive; at++) noteChunk(query, stretches, chunks.order[at]!, note);
  }
}

/** The same for a look that finds out before that nobody answers: what is now is no news to the next one. */
export function noteCurrentHolders(query: Query): void {
  const { plan, world } = query;
  if (plan.watched.length > 0) noteHolders(query, currentStretches(world, plan.traversals, plan.waysKey));
}

function noteChunk(
  { world, plan, watch }: Query,
  { positions }: Stretches,
  chunk: number,
  note: number,
): void {
  const archetypes = archetypesOf(world);
  const { chunks, rows, holderRows } = positions;
  const { way, self, definition } = plan.watched[note]!;
  const notes = watch.notes[note]!;
  const { now } = clockOf(world);
  const shape = archetypes[chunks.shape[chunk]!]!;
  const { i32 } = shape.lanes;
  const isOwn = self && shapeHas(shape, definition);
  const number = holderShapeOf(chunks, chunk, way);
  if (!isOwn && number < 0) return;
  const holder: Archetype = isOwn ? shape : archetypes[number]!;
  const rowsAbove = isOwn ? rows : holderRows[way]!;
  const end = chunks.start[chunk]! + chunks.rows[chunk]!;
  for (let at = chunks.start[chunk]!; at < end; at++) {
    const index = i32[rows[at]!]!;
    const nearest = holder.lanes.i32[rowsAbove[at]!]!;
    const entity = handleOf(world, index);
    const holds = handleOf(world, nearest);
    if (watch.isLooking) {
      if (notes.note(index, entity, holds, watch.round) && !isOwn) notes.switched[index] = now;
    } else if (!isOwn && !notes.isNoted(index, entity, holds, watch.round)) {
      notes.peeked[index] = watch.peeks;
    }
  }
}
