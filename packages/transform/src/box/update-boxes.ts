// What has changed, and which boxes are computed (`updateBoxes`): those that grow, and those of all their members (`collect`).
import {
  type ArchetypeView,
  allArchetypes,
  archetypeViewAt,
  BLOCK_BITS,
  ChildOf,
  clockOf,
  grownInt32,
  markRow,
  rowAt,
  runsOf,
  type Track,
  trackOf,
} from "@treeline/core/internal";
import { leavesSide, readCorners, unite, writeCorners } from "../math/box.ts";
import {
  BOX,
  type BoxSheet,
  type BoxState,
  boxSheetOf,
  FIRST,
  FLAGS,
  FOLLOWING,
  growBoxes,
  HOME,
  KINDS,
  LINKS,
  LOCAL,
  NEW,
  NEXT,
  STALE,
} from "./box-state.ts";
import { forgetDestroyed, homeOf, join, joinBelow, queueBox, renewBox } from "./members.ts";

/**
 * Brings the boxes of all subtrees up to date: first which belongs to which, then the local boxes that moved, then the boxes around
 * them, the deepest first.
 *
 * @returns how many boxes were computed.
 */
export function updateBoxes(state: BoxState): number {
  const { world, changes } = state;
  const hasMembers = !changes.areNone;
  const clock = clockOf(world);
  if (changes.lost) state.since = -1;
  changes.catchUp();
  if (!readSheets(state) && !hasMembers) return 0;
  growBoxes(state);
  state.round++;
  state.now = clock.now++;
  if (state.since < 0) joinAll(state);
  else {
    if (hasMembers) forgetDestroyed(state);
    joinLate(state);
    moveLate(state);
  }
  moveJoined(state);
  const computed = computeQueued(state);
  state.since = state.now;
  return computed;
}

/** @returns whether a tick is late. */
function readSheets(state: BoxState): boolean {
  const archetypes = allArchetypes(state.world);
  let isLate = state.since < 0;
  for (let at = 0; at < archetypes.length; at++) {
    const archetype = archetypes[at]!;
    if (archetype.rows === 0) continue;
    const { structure, moves, passes } = boxSheetOf(state, archetype);
    isLate ||= isAnyLate(state, structure) || isAnyLate(state, moves) || isAnyLate(state, passes);
  }
  return isLate;
}

function isAnyLate({ since }: BoxState, tracks: readonly Track[]): boolean {
  for (let at = 0; at < tracks.length; at++) if (tracks[at]!.last > since) return true;
  return false;
}

/** Writes rows with late ticks to the list of the state. @returns how many. */
function lateRows(state: BoxState, archetype: ArchetypeView, { rows, blocks, last }: Track): number {
  const { since } = state;
  if (last <= since) return 0;
  const { bounds, length } = runsOf(archetype);
  state.list = grownInt32(state.list, archetype.rows);
  const { list } = state;
  let count = 0;
  for (let run = 0; run < length; run += 2) {
    const end = bounds[run + 1]!;
    const endOfBlocks = ((end - 1) >> BLOCK_BITS) + 1;
    for (let block = bounds[run]! >> BLOCK_BITS; block < endOfBlocks; block++) {
      if (blocks[block]! <= since) continue;
      const endOfBlock = Math.min(end, (block + 1) << BLOCK_BITS);
      for (let row = Math.max(bounds[run]!, block << BLOCK_BITS); row < endOfBlock; row++)
        if (rows[row]! > since) list[count++] = row;
    }
  }
  return count;
}

// ---- members -----------------------------------------------------------------------------------------------------------

/** After a restore, and at first: nothing is known. */
function joinAll(state: BoxState): void {
  const { links, handles, sheets } = state;
  links.fill(0);
  handles.fill(0);
  state.queue.fill(0);
  state.deepest = -1;
  for (const sheet of sheets) {
    if (sheet === undefined || sheet.archetype.rows === 0 || sheet.kind === 0) continue;
    const { bounds, length } = runsOf(sheet.archetype);
    const { i32 } = sheet.archetype.lanes;
    for (let run = 0; run < length; run += 2)
      for (let row = bounds[run]!; row < bounds[run + 1]!; row++)
        join(state, sheet, i32[row]!, homeOf(state, i32[row]!));
  }
}

/** Entities with other parents or components, and what is below them. */
function joinLate(state: BoxState): void {
  const { sheets, links, boxSpace } = state;
  for (const sheet of sheets) {
    if (sheet === undefined || sheet.archetype.rows === 0) continue;
    const { archetype, structure, kind } = sheet;
    for (let at = 0; at < structure.length; at++) {
      const track = structure[at]!;
      const count = lateRows(state, archetype, track);
      const ofParent = track.definition === ChildOf.id;
      const ofBox = track.definition === boxSpace.box.id && (kind & BOX) !== 0;
      for (let place = 0; place < count; place++) {
        const row = state.list[place]!;
        const index = archetype.lanes.i32[row]!;
        const had = links[index * LINKS + FLAGS]! & KINDS;
        if (ofBox && (had & BOX) !== 0) replaceWritten(state, sheet, row, index);
        if (had !== kind || ofParent) joinRow(state, sheet, index, had, ofParent);
      }
    }
  }
}

/** What a program has written over a box is replaced; its home has seen the former one, not that. */
function replaceWritten(state: BoxState, { boxes: columns }: BoxSheet, row: number, index: number): void {
  const { boxes, scratch, size, boxSpace } = state;
  readCorners(columns!, row, scratch, 0, boxSpace.axes);
  let side = 0;
  while (side < size && scratch[side] === boxes[index * size + side]) side++;
  if (side < size) renewBox(state, index);
}

function joinRow(state: BoxState, sheet: BoxSheet, index: number, had: number, ofParent: boolean): void {
  const { kind } = sheet;
  join(state, sheet, index, kind === 0 ? 0 : homeOf(state, index));
  if (((had ^ kind) & BOX) !== 0 || (ofParent && (kind & BOX) === 0))
    joinBelow(state, index, (kind & BOX) !== 0);
}

// ---- local boxes ------------------------------------------------------------------------------------------------------

function moveLate(state: BoxState): void {
  const { sheets } = state;
  let hasPassed = false;
  let hasUnplaced = false;
  for (const sheet of sheets) {
    if (sheet === undefined || sheet.archetype.rows === 0) continue;
    const { archetype, moves, passes } = sheet;
    hasPassed ||= isAnyLate(state, passes);
    hasUnplaced ||= isUnplaced(sheet);
    for (let at = 0; at < moves.length; at++) {
      const count = lateRows(state, archetype, moves[at]!);
      for (let place = 0; place < count; place++) moveLocal(state, sheet, state.list[place]!);
    }
  }
  if (hasPassed && hasUnplaced) moveUnplaced(state);
}

function isUnplaced({ archetype, kind, hasWorld }: BoxSheet): boolean {
  return (kind & LOCAL) !== 0 && !hasWorld && archetype.rows > 0;
}

/** Local boxes of entities without a world transform, where what places them has moved or is another one. */
function moveUnplaced(state: BoxState): void {
  for (const sheet of state.sheets) {
    if (sheet === undefined || !isUnplaced(sheet)) continue;
    const { bounds, length } = runsOf(sheet.archetype);
    for (let run = 0; run < length; run += 2)
      for (let row = bounds[run]!; row < bounds[run + 1]!; row++)
        if (hasPassed(state, sheet, row)) moveLocal(state, sheet, row);
  }
}

/** Whether an entity, or one above it up to the nearest world transform, passes on another place than before. */
function hasPassed(state: BoxState, own: BoxSheet, ownRow: number): boolean {
  const { world, since, pairs } = state;
  let sheet = own;
  let row = ownRow;
  for (;;) {
    const { passes, hasWorld, archetype } = sheet;
    for (let at = 0; at < passes.length; at++) if (passes[at]!.rows[row]! > since) return true;
    const pair = pairs.at(archetype.lanes.i32[row]!, ChildOf);
    if (hasWorld || pair === 0) return false;
    const above = pairs.target(pair);
    sheet = state.sheets[archetypeViewAt(world, above).number]!;
    row = rowAt(world, above);
  }
}

/** Local boxes that have another home are not part of it yet. */
function moveJoined(state: BoxState): void {
  const { moved, world } = state;
  for (let at = 0; at < moved.length; at++) {
    const index = moved[at]!;
    moveLocal(state, state.sheets[archetypeViewAt(world, index).number]!, rowAt(world, index));
  }
  moved.length = 0;
}

/** Computes the box of an entity itself, and tells its home. */
function moveLocal(state: BoxState, sheet: BoxSheet, row: number): void {
  const { links, boxes, scratch, size } = state;
  const index = sheet.archetype.lanes.i32[row]!;
  if ((sheet.kind & BOX) !== 0) {
    queueBox(state, index, STALE);
    return;
  }
  const home = links[index * LINKS + HOME]!;
  if (home === 0) return;
  const at = index * size;
  if ((links[home * LINKS + FLAGS]! & STALE) !== 0) {
    placeLocal(state, sheet, row, boxes, at);
    return;
  }
  placeLocal(state, sheet, row, scratch, 0);
  if (leavesSide(boxes, at, scratch, 0, boxes, home * size, size)) queueBox(state, home, STALE);
  else if (unite(boxes, home * size, scratch, 0, size)) queueBox(state, home, 0);
  for (let side = 0; side < size; side++) boxes[at + side] = scratch[side]!;
}

/** A local box in the world. */
function placeLocal(
  state: BoxState,
  sheet: BoxSheet,
  row: number,
  into: BoxState["boxes"],
  at: number,
): void {
  const { world, pairs, boxSpace } = state;
  const { locals, matrices, archetype } = sheet;
  if (matrices !== undefined) {
    boxSpace.place(locals!, row, matrices, row, into, at);
    return;
  }
  let pair = pairs.at(archetype.lanes.i32[row]!, ChildOf);
  while (pair !== 0) {
    const above = pairs.target(pair);
    const found = state.sheets[archetypeViewAt(world, above).number]!;
    if (found.hasWorld) {
      boxSpace.place(locals!, row, found.matrices!, rowAt(world, above), into, at);
      return;
    }
    pair = pairs.at(above, ChildOf);
  }
  boxSpace.place(locals!, row, boxSpace.space.identity, 0, into, at);
}

// ---- boxes -------------------------------------------------------------------------------------------------------------

/** Computes the boxes in the queue, and with them those around them. @returns how many. */
function computeQueued(state: BoxState): number {
  const { links, queue } = state;
  let computed = 0;
  for (; state.deepest >= 0; state.deepest--) {
    const depth = state.deepest;
    // Those that are added meanwhile are not as deep.
    let index = queue[depth]!;
    queue[depth] = 0;
    while (index !== 0) {
      const at = index * LINKS;
      const flags = links[at + FLAGS]!;
      links[at + FLAGS] = flags & KINDS;
      if ((flags & BOX) !== 0 && computeBox(state, index, flags)) computed++;
      index = links[at + FOLLOWING]!;
    }
  }
  return computed;
}

/** @returns false if it only has another home. */
function computeBox(state: BoxState, index: number, flags: number): boolean {
  const { world, links, boxes, scratch, size, boxSpace } = state;
  const sheet = state.sheets[archetypeViewAt(world, index).number]!;
  const row = rowAt(world, index);
  const at = index * size;
  if ((flags & STALE) !== 0) collect(state, sheet, row, index);
  readCorners(sheet.boxes!, row, scratch, 0, boxSpace.axes);
  const isOther = writeBox(state, sheet, row, index);
  const home = links[index * LINKS + HOME]!;
  const isNew = (flags & NEW) !== 0;
  if (home !== 0 && (isOther || isNew) && (links[home * LINKS + FLAGS]! & STALE) === 0) {
    const around = home * size;
    if (!isNew && leavesSide(scratch, 0, boxes, at, boxes, around, size)) queueBox(state, home, STALE);
    else if (unite(boxes, around, boxes, at, size)) queueBox(state, home, 0);
  }
  return isOther || (flags & STALE) !== 0;
}

/** @returns whether the component has had another box. */
function writeBox(
  { boxSpace, boxes, size, now }: BoxState,
  sheet: BoxSheet,
  row: number,
  index: number,
): boolean {
  if (!writeCorners(boxes, index * size, sheet.boxes!, row, boxSpace.axes)) return false;
  markRow(trackOf(sheet.archetype, boxSpace.box, "changed")!, row, now);
  return true;
}

/** The union of the local box and all members. */
function collect(state: BoxState, sheet: BoxSheet, row: number, index: number): void {
  const { links, boxes, size } = state;
  const at = index * size;
  if ((sheet.kind & LOCAL) !== 0) placeLocal(state, sheet, row, boxes, at);
  else boxes.fill(Number.POSITIVE_INFINITY, at, at + size);
  for (let one = links[index * LINKS + FIRST]!; one !== 0; one = links[one * LINKS + NEXT]!)
    unite(boxes, at, boxes, one * size, size);
}
