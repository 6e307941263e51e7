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
import { PENDING, sheetAt, sheetOf } from "./sheet.ts";
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
    const sheet = sheetOf(state, archetypeOf(state, indexOf(batch.entityAt(rows[from]!))));
    if (!batch.hasParents) placeRoots(state, sheet, rows, from, to);
    else {
      const above = batch.sourceAt(state.space.world as Component, from)!;
      placeBelow(state, sheet, sheetOf(state, archetypeOf(state, indexOf(above))), batch);
    }
  });
}

function archetypeOf({ world }: SpaceState, index: number): ArchetypeView {
  return archetypeViewAt(world, index);
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
  for (let at = from; at < to; at++) {
    const row = list[at]!;
    const aboveRow = parentRows[at]!;
    if (
      moved[row]! <= since &&
      rows[row] !== PENDING &&
      (place === undefined || rowsAbove[aboveRow] !== now)
    )
      continue;
    rows[row] = now;
    blocks[row >> BLOCK_BITS] = now;
    if (place === undefined) continue;
    place(local, row, above, aboveRow, matrices, row);
    computed++;
  }
  if (computed > state.computed || place === undefined) track.last = now;
  state.computed = computed;
}

// ---- subtrees ----------------------------------------------------------------------------------------------------------

/** Computes the subtrees of all that are PENDING. @returns false if there are more than `most`: then some are left. */
function walk(state: SpaceState, most: number): boolean {
  const { pending, count, world } = state;
  sortByDepth(state);
  for (let at = 0; at < count; at++) {
    const index = pending[at]!;
    const sheet = sheetAt(state, index)!;
    const row = rowAt(world, index);
    if (sheet.track.rows[row] !== PENDING) continue; // it is below another one
    const above = nearestAbove(state, index);
    const sheetAbove = above === 0 ? undefined : sheetAt(state, above)!;
    placeRows(
      state,
      sheet,
      row,
      row + 1,
      sheetAbove?.matrices ?? state.space.identity,
      sheetAbove === undefined ? 0 : rowAt(world, above),
    );
    if (!walkBelow(state, index, most)) return false;
  }
  return true;
}

/** Those with fewer ancestors first, so that none is computed before one above it. */
function sortByDepth({ world, pending, count }: SpaceState): void {
  if (count < 2) return;
  const pairs = pairCursor(world);
  const keys = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    const pair = pairs.at(pending[at]!, ChildOf);
    keys[at] = (pair === 0 ? 0 : pairs.depth(pair)) * 2 ** 24 + at;
  }
  keys.sort();
  const former = pending.slice(0, count);
  for (let at = 0; at < count; at++) pending[at] = former[keys[at]! % 2 ** 24]!;
}

/** Everything below an entity that has just been computed. */
function walkBelow(state: SpaceState, index: number, most: number): boolean {
  const { world, space } = state;
  /** Pairs: an entity, and the nearest at or above it that has a world transform. */
  const stack = [index, index];
  let base = index;
  let matrices: Numbers = space.identity;
  let baseRow = 0;
  const onRows = (archetype: ArchetypeView, first: number, end: number): void => {
    const { i32 } = archetype.lanes;
    if (!hasDefinition(archetype, space.world)) {
      for (let row = first; row < end; row++) stack.push(i32[row]!, base);
      return;
    }
    const sheet = sheetOf(state, archetype);
    if (sheet.place === undefined) return; // it does not follow
    placeRows(state, sheet, first, end, matrices, baseRow);
    for (let row = first; row < end; row++) stack.push(i32[row]!, i32[row]!);
  };
  while (stack.length > 0) {
    base = stack.pop()!;
    const next = stack.pop()!;
    matrices = sheetAt(state, base)!.matrices;
    baseRow = rowAt(world, base);
    eachChildRows(state, next, onRows);
    if (state.computed > most) return false;
  }
  return true;
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
