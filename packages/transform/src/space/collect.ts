// What has moved since the last update (`collectMoved`): by ticks, and below entities without a world transform.
import {
  type ArchetypeView,
  allArchetypes,
  BLOCK_BITS,
  ChildOf,
  grownInt32,
  hasDefinition,
  runsOf,
  type Track,
} from "@treeline/core/internal";
import { freshSheetOf, MARK, PENDING, sheetOf } from "./sheet.ts";
import type { Sheet, SpaceState } from "./space.ts";
import { eachChildRows } from "./tree.ts";

/**
 * Finds the entities that moved themselves since the last update: their rows become PENDING. What is below them is not looked at.
 * Beyond `most` entities, an archetype in which they moved for one reason may be left to those who read all rows.
 *
 * @cost a look at each archetype, and at each block of rows with changes.
 */
export function collectMoved(state: SpaceState, most: number): void {
  const { world, space, since } = state;
  const archetypes = allArchetypes(world);
  state.count = 0;
  state.pending = grownInt32(state.pending, most * MARK); // what is written beyond that is lost, and not read
  let hasOthers = false;
  for (let at = 0; at < archetypes.length; at++) {
    const archetype = archetypes[at]!;
    if (!hasDefinition(archetype, space.world)) hasOthers ||= archetype.lanes.tracks !== undefined;
    else if (archetype.rows > 0) collectPlaced(state, freshSheetOf(state, archetype), most);
  }
  if (!hasOthers || since < 0) return;
  for (let at = 0; at < archetypes.length; at++) {
    const archetype = archetypes[at]!;
    if (archetype.rows > 0 && !hasDefinition(archetype, space.world)) collectPassing(state, archetype);
  }
}

/** Entities with a world transform. Without a local one they move only if a program writes the world transform. */
function collectPlaced(state: SpaceState, sheet: Sheet, most: number): void {
  const { archetype, track: own, place } = sheet;
  const { list } = archetype.lanes.tracks!;
  let only: Track | undefined;
  for (let at = 0; at < list.length; at++) {
    const track = list[at]!;
    if (track.last <= state.since) continue;
    if (track !== own && (place === undefined || !movesPlaced(state, track))) continue;
    // If nothing was read yet, all rows are late in each track.
    if (only !== undefined && state.since >= 0) collectRows(state, archetype, only, own.rows, most, false);
    only = track;
  }
  if (only === undefined) return;
  collectRows(state, archetype, only, own.rows, most, true);
  if (state.count > most) sheet.unread = only;
}

/** Is it about the parent, or about a local transform? */
function movesPlaced({ space }: SpaceState, { definition, kind }: Track): boolean {
  if (kind === "added") return false;
  return definition === ChildOf.id || space.locals.some(({ component }) => component.id === definition);
}

/**
 * @param own the ticks of the world transform.
 * @param mayStop whether it may stop beyond `most`, since this track will be read then.
 */
function collectRows(
  state: SpaceState,
  archetype: ArchetypeView,
  track: Track,
  own: Float64Array,
  most: number,
  mayStop: boolean,
): void {
  const { since } = state;
  const { rows, blocks } = track;
  const { bounds, length } = runsOf(archetype);
  const { pending } = state;
  let { count } = state;
  for (let run = 0; run < length; run += 2) {
    const end = bounds[run + 1]!;
    const endOfBlocks = ((end - 1) >> BLOCK_BITS) + 1;
    for (let block = bounds[run]! >> BLOCK_BITS; block < endOfBlocks; block++) {
      if (blocks[block]! <= since) continue;
      const endOfBlock = Math.min(end, (block + 1) << BLOCK_BITS);
      for (let row = Math.max(bounds[run]!, block << BLOCK_BITS); row < endOfBlock; row++) {
        if (rows[row]! <= since || own[row] === PENDING) continue;
        own[row] = PENDING;
        pending[count * MARK] = archetype.number;
        pending[count++ * MARK + 1] = row;
      }
      if (mayStop && count > most) run = block = length + endOfBlocks; // the end of both loops
    }
  }
  state.count = count;
}

/**
 * Entities without a world transform, which pass on that of their ancestors: if they have another parent, or had a world transform, what
 * is below them moves.
 */
function collectPassing(state: SpaceState, archetype: ArchetypeView): void {
  const { since, space } = state;
  const list = archetype.lanes.tracks?.list ?? [];
  for (let at = 0; at < list.length; at++) {
    const { definition, kind, last, rows } = list[at]!;
    if (last <= since || kind === "added" || kind === "changed") continue;
    if (definition !== ChildOf.id && definition !== space.world.id) continue;
    const { bounds, length } = runsOf(archetype);
    for (let run = 0; run < length; run += 2)
      for (let row = bounds[run]!; row < bounds[run + 1]!; row++)
        if (rows[row]! > since) collectBelow(state, archetype.lanes.i32[row]!);
  }
}

/** The nearest entities below one that have a local and a world transform. */
function collectBelow(state: SpaceState, index: number): void {
  const stack = [index];
  const onRows = (archetype: ArchetypeView, first: number, end: number): void => {
    const { i32 } = archetype.lanes;
    if (!hasDefinition(archetype, state.space.world)) {
      for (let row = first; row < end; row++) stack.push(i32[row]!);
      return;
    }
    const { place, track } = sheetOf(state, archetype);
    if (place === undefined) return;
    for (let row = first; row < end; row++) {
      if (track.rows[row] === PENDING) continue;
      track.rows[row] = PENDING;
      state.pending[state.count * MARK] = archetype.number;
      state.pending[state.count++ * MARK + 1] = row;
    }
  };
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) eachChildRows(state, next, onRows);
}
