import type { Component, Numbers } from "@treeline/core";
import {
  type ArchetypeView,
  archetypeViewAt,
  BLOCK_BITS,
  ChildOf,
  clockOf,
  hasDefinition,
  indexOf,
  markRow,
  pairCursor,
  rowAt,
} from "@treeline/core/internal";
import { type Batch, eachBatch } from "@treeline/query";
import { collectMoved } from "./collect.ts";
import { PENDING, sheetOf } from "./sheet.ts";
import type { Sheet, SpaceState } from "./space.ts";
import { eachChildRows, nearestAbove } from "./tree.ts";

/**
 * Below one in so many entities, subtrees are walked one by one; above it, all rows are read, parents first. Walking costs more for each
 * entity that moves, reading a little for each that does not.
 */
const WALK_SHARE = 16;
/** So few are always walked. */
const WALK_FEW = 64;

/**
 * Computes the world matrices of all that moved since the last update, and of what is below them.
 *
 * @returns how many.
 */
export function update(state: SpaceState): number {
  const { world, changes } = state;
  if (changes.lost) state.since = -1;
  changes.catchUp();
  let rows = 0;
  for (const sheet of state.sheets) rows += sheet?.archetype.rows ?? 0;
  const most = Math.max(WALK_FEW, rows / WALK_SHARE);
  collectMoved(state, most);
  if (state.count === 0) return 0;
  const clock = clockOf(world);
  state.now = clock.now++;
  state.computed = 0;
  if (state.count > most || !walk(state, most)) readAll(state);
  state.since = state.now;
  return state.computed;
}

// ---- all rows ----------------------------------------------------------------------------------------------------------

function readAll(state: SpaceState): void {
  state.computed = 0; // what a walk has computed is computed again
  eachBatch(state.ordered, (batch) => {
    const { rows, from, to } = batch;
    const sheet = sheetOf(state, archetypeViewAt(state.world, indexOf(batch.entityAt(rows[from]!))));
    if (!batch.hasParents) placeRoots(state, sheet, rows, from, to);
    else {
      const above = batch.sourceAt(state.space.world as Component, from)!;
      placeBelow(state, sheet, sheetOf(state, archetypeViewAt(state.world, indexOf(above))), batch);
    }
  });
}

function placeRoots(state: SpaceState, sheet: Sheet, list: Int32Array, from: number, to: number): void {
  const { identity } = state.space;
  const { track, unread, place, local, matrices } = sheet;
  const { rows, blocks } = track;
  const moved = (unread ?? track).rows;
  const { now, since } = state;
  let { computed } = state;
  for (let at = from; at < to; at++) {
    const row = list[at]!;
    if (moved[row]! <= since && rows[row] !== PENDING) continue;
    rows[row] = now;
    blocks[row >> BLOCK_BITS] = now;
    if (place === undefined) continue;
    place(local, row, identity, 0, matrices, row);
    computed++;
  }
  track.last = now;
  state.computed = computed;
}

/** Rows are computed that have moved themselves, or whose source was computed before them. */
function placeBelow(
  state: SpaceState,
  { track, unread, place, local, matrices }: Sheet,
  { track: trackAbove, matrices: above }: Sheet,
  { rows: list, parentRows, from, to }: Batch,
): void {
  const { rows, blocks } = track;
  const moved = (unread ?? track).rows;
  const { rows: rowsAbove } = trackAbove;
  const { now, since } = state;
  let { computed } = state;
  const follows = place !== undefined;
  for (let at = from; at < to; at++) {
    const row = list[at]!;
    const aboveRow = parentRows[at]!;
    // Rows of one parent are adjacent: its tick is at hand, and if it is the present one, nothing else is read.
    if (!(follows && rowsAbove[aboveRow] === now) && moved[row]! <= since && rows[row] !== PENDING) continue;
    rows[row] = now;
    blocks[row >> BLOCK_BITS] = now;
    if (!follows) continue;
    place(local, row, above, aboveRow, matrices, row);
    computed++;
  }
  if (computed > state.computed || place === undefined) track.last = now;
  state.computed = computed;
}

// ---- subtrees ----------------------------------------------------------------------------------------------------------

/** Computes the subtrees of all that are PENDING. @returns false if there are more than `most`: then some are left. */
function walk(state: SpaceState, most: number): boolean {
  const { world, space, count } = state;
  const pairs = pairCursor(world);
  const pending = sortedByDepth(state);
  /** Pairs: an entity that has children, and the nearest at or above it that has a world transform. */
  const stack: number[] = [];
  let base = 0;
  let matrices: Numbers = space.identity;
  let baseRow = 0;
  let isTooMuch = false;
  const onRows = (archetype: ArchetypeView, first: number, end: number): void => {
    const { i32 } = archetype.lanes;
    const isPlaced = hasDefinition(archetype, space.world);
    if (isPlaced) {
      const sheet = sheetOf(state, archetype);
      if (sheet.place === undefined) return; // it does not follow
      if (state.computed + end - first > most) isTooMuch = true;
      if (isTooMuch) return;
      placeRows(state, sheet, first, end, matrices, baseRow);
    }
    for (let row = first; row < end; row++) {
      const child = i32[row]!;
      if (pairs.find(ChildOf, child) !== 0) stack.push(child, isPlaced ? child : base);
    }
  };
  for (let at = 0; at < count; at++) {
    const index = pending[at]!;
    const sheet = sheetOf(state, archetypeViewAt(world, index));
    const row = rowAt(world, index);
    if (sheet.track.rows[row] !== PENDING) continue; // it is below another one
    const above = nearestAbove(state, index);
    const source = above === 0 ? undefined : sheetOf(state, archetypeViewAt(world, above));
    const sourceRow = above === 0 ? 0 : rowAt(world, above);
    placeRows(state, sheet, row, row + 1, source?.matrices ?? space.identity, sourceRow);
    if (pairs.find(ChildOf, index) !== 0) stack.push(index, index);
    while (stack.length > 0) {
      base = stack.pop()!;
      const next = stack.pop()!;
      matrices = sheetOf(state, archetypeViewAt(world, base)).matrices;
      baseRow = rowAt(world, base);
      eachChildRows(state, next, onRows);
      if (isTooMuch) return false;
    }
  }
  return true;
}

/** Those with fewer ancestors first, so that none is computed before one above it. */
function sortedByDepth({ world, pending, count }: SpaceState): Int32Array {
  const pairs = pairCursor(world);
  const depths = new Int32Array(count);
  let deepest = 0;
  let isSorted = true;
  for (let at = 0; at < count; at++) {
    const pair = pairs.at(pending[at]!, ChildOf);
    const depth = pair === 0 ? 0 : pairs.depth(pair);
    depths[at] = depth;
    if (depth < deepest) isSorted = false;
    else deepest = depth;
  }
  if (isSorted) return pending;
  /** Depth -> where its entities begin. */
  const places = new Int32Array(deepest + 2);
  for (let at = 0; at < count; at++) places[depths[at]! + 1]!++;
  for (let depth = 0; depth <= deepest; depth++) places[depth + 1]! += places[depth]!;
  const sorted = new Int32Array(count);
  for (let at = 0; at < count; at++) sorted[places[depths[at]!]!++] = pending[at]!;
  return sorted;
}

/** Computes rows with the same source. */
function placeRows(
  state: SpaceState,
  { track, place, local, matrices }: Sheet,
  first: number,
  end: number,
  above: Numbers,
  aboveRow: number,
): void {
  for (let row = first; row < end; row++) {
    markRow(track, row, state.now);
    if (place === undefined) continue;
    place(local, row, above, aboveRow, matrices, row);
    state.computed++;
  }
}
