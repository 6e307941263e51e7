// In which order matrices are computed: subtrees (`walk`) or all rows (`readAll`); when to change over (`WALK_SHARE`).
import type { Component } from "@treeline/core";
import {
  type ArchetypeView,
  allArchetypes,
  archetypeViewAt,
  BLOCK_BITS,
  ChildOf,
  clockOf,
  indexOf,
  markRow,
  pairCursor,
  rowAt,
} from "@treeline/core/internal";
import { type Batch, eachBatch } from "@treeline/query";
import { collectMoved } from "./collect.ts";
import { MARK, PENDING, sheetOf } from "./sheet.ts";
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
 * After this part of what may be walked, a walk ends if it is likely to meet too many: as many for each entity that moved as until then.
 */
const WALK_TRY = 8;

/**
 * Computes the world matrices of all that moved since the last update, and of what is below them.
 *
 * @returns how many.
 */
export function update(state: SpaceState): number {
  const { world, changes } = state;
  const clock = clockOf(world);
  if (changes.lost) state.since = -1;
  changes.catchUp();
  let rows = 0;
  for (const sheet of state.sheets) rows += sheet?.archetype.rows ?? 0;
  const most = Math.max(WALK_FEW, Math.floor(rows / WALK_SHARE));
  collectMoved(state, most);
  if (state.count === 0) return 0;
  state.now = clock.now;
  state.computed = 0;
  if (state.count > most || !walk(state, most)) readAll(state);
  state.since = clockOf(world).now++; // what is written from now on is later
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
    if (moved[row]! <= since && rows[row]! <= since) continue;
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
  const isRead = unread === undefined;
  for (let at = from; at < to; at++) {
    const row = list[at]!;
    const aboveRow = parentRows[at]!;
    // The tick of a parent is at hand, that of the row is not: children of one parent are adjacent.
    if (!(follows && rowsAbove[aboveRow] === now) && rows[row]! <= since && (isRead || moved[row]! <= since))
      continue;
    rows[row] = now;
    blocks[row >> BLOCK_BITS] = now;
    if (!follows) continue;
    place(local, row, above, aboveRow, matrices, row);
    computed++;
  }
  if (computed > state.computed || !follows) track.last = now;
  state.computed = computed;
}

// ---- subtrees ----------------------------------------------------------------------------------------------------------

/** Numbers of a range of rows in the queue of a walk: archetype, first row, end; archetype (-1 for none) and row of their source. */
const RANGE = 5;

/**
 * Computes the subtrees of all that are PENDING, depth by depth: all matrices of one, then what is below them. So the rows of a depth,
 * which may be far apart, are read side by side, and not each after the search for the next one.
 *
 * @returns false if there are more than `most`: then some are left.
 */
function walk(state: SpaceState, most: number): boolean {
  const { world, sheets, count } = state;
  const archetypes = allArchetypes(world);
  const pending = sortedByDepth(state);
  const queue: number[] = [];
  /** Rows in the queue. */
  let rows = 0;
  let source = -1;
  let sourceRow = 0;
  const onRows = ({ number }: ArchetypeView, first: number, end: number): void => {
    const sheet = sheets[number];
    if (sheet !== undefined && sheet.place === undefined) return; // it does not follow
    rows += end - first;
    queue.push(number, first, end, source, sourceRow);
  };
  let begin = 0;
  let next = 0;
  for (let depth = 0; begin < queue.length || next < count; depth++) {
    if (begin === queue.length) depth = pending[next * MARK + 2]!;
    let at = begin;
    for (; at < queue.length; at += RANGE) placeRange(state, queue, at);
    for (; next < count && pending[next * MARK + 2] === depth; next++) {
      const { archetype, track } = sheets[pending[next * MARK]!]!;
      const row = pending[next * MARK + 1]!;
      if (track.rows[row] !== PENDING) continue; // it is below another one
      const above = nearestAbove(state, pending[next * MARK + 3]!);
      source = above === 0 ? -1 : archetypeViewAt(world, above).number;
      rows++;
      queue.push(archetype.number, row, row + 1, source, above === 0 ? 0 : rowAt(world, above));
    }
    const end = queue.length;
    const walked = rows;
    for (; at < end; at += RANGE) placeRange(state, queue, at);
    for (at = begin; at < end; at += RANGE) {
      const isPlaced = sheets[queue[at]!] !== undefined;
      const { i32 } = archetypes[queue[at]!]!.lanes;
      for (let row = queue[at + 1]!; row < queue[at + 2]!; row++) {
        source = isPlaced ? queue[at]! : queue[at + 3]!;
        sourceRow = isPlaced ? row : queue[at + 4]!;
        eachChildRows(state, i32[row]!, onRows);
      }
    }
    if (rows > most || (walked > most / WALK_TRY && walked * count > most * next)) return false;
    begin = end;
  }
  return true;
}

/** Those with fewer ancestors first, so that none is computed before one above it. */
function sortedByDepth({ world, sheets, pending, count }: SpaceState): Int32Array {
  const pairs = pairCursor(world);
  let deepest = 0;
  let isSorted = true;
  for (let at = 0; at < count * MARK; at += MARK) {
    const index = sheets[pending[at]!]!.archetype.lanes.i32[pending[at + 1]!]!;
    const pair = pairs.at(index, ChildOf);
    const depth = pair === 0 ? 0 : pairs.depth(pair);
    pending[at + 2] = depth;
    pending[at + 3] = pair;
    if (depth < deepest) isSorted = false;
    else deepest = depth;
  }
  if (isSorted) return pending;
  /** Depth -> where its entities begin. */
  const places = new Int32Array(deepest + 2);
  for (let at = 0; at < count * MARK; at += MARK) places[pending[at + 2]! + 1]!++;
  for (let depth = 0; depth <= deepest; depth++) places[depth + 1]! += places[depth]!;
  const sorted = new Int32Array(count * MARK);
  for (let at = 0; at < count * MARK; at += MARK) {
    const to = places[pending[at + 2]!]!++ * MARK;
    for (let place = 0; place < MARK; place++) sorted[to + place] = pending[at + place]!;
  }
  return sorted;
}

/** Computes the rows of a range of the queue, if they have a world transform. */
function placeRange(state: SpaceState, queue: readonly number[], at: number): void {
  const { sheets, space, now } = state;
  const sheet = sheets[queue[at]!];
  if (sheet === undefined) return;
  const { track, place, local, matrices } = sheet;
  const end = queue[at + 2]!;
  const above = queue[at + 3]! < 0 ? space.identity : sheets[queue[at + 3]!]!.matrices;
  const aboveRow = queue[at + 4]!;
  for (let row = queue[at + 1]!; row < end; row++) {
    markRow(track, row, now);
    if (place === undefined) continue;
    place(local, row, above, aboveRow, matrices, row);
    state.computed++;
  }
}
