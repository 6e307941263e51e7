// Which box belongs to which (`join`, `homeOf`), also below what moves (`joinBelow`); what was destroyed (`forgetDestroyed`).
import {
  type ArchetypeView,
  archetypeViewAt,
  ChildOf,
  grownInt32,
  handlesOf,
  hasDefinition,
  sizesOf,
} from "@treeline/core/internal";
import { touches } from "../math/box.ts";
import { eachChildRows } from "../space/tree.ts";
import {
  ABOVE,
  BOX,
  type BoxSheet,
  type BoxState,
  FIRST,
  FLAGS,
  FOLLOWING,
  HOME,
  KINDS,
  LINKS,
  NEW,
  NEXT,
  PREVIOUS,
  QUEUED,
  SEEN,
  STALE,
} from "./box-state.ts";

/*
 * The members of a box are the local boxes, and the boxes of subtrees, for which it is the nearest box above. While members change, boxes
 * are as the last update has left them; only what must be computed is noted.
 */

/** Notes that a box has something to do, after all that is deeper. */
export function queueBox(state: BoxState, index: number, flag: number): void {
  const { links, pairs } = state;
  const at = index * LINKS;
  const flags = links[at + FLAGS]! | flag;
  links[at + FLAGS] = flags | QUEUED;
  if ((flags & QUEUED) !== 0) return;
  const pair = pairs.at(index, ChildOf);
  const depth = pair === 0 ? 0 : pairs.depth(pair);
  state.queue = grownInt32(state.queue, depth + 1);
  links[at + FOLLOWING] = state.queue[depth]!;
  state.queue[depth] = index;
  if (depth > state.deepest) state.deepest = depth;
}

/** Notes that a box has lost something that would be smaller without that. */
function shrinkBox(state: BoxState, home: number, index: number): void {
  const { links, boxes, size } = state;
  if ((links[home * LINKS + FLAGS]! & STALE) !== 0) return;
  if (touches(boxes, index * size, boxes, home * size, size)) queueBox(state, home, STALE);
}

/** Notes that something is no longer in its home. One that is new there is not part of it yet. */
function shrinkHome(state: BoxState, index: number): void {
  const { links } = state;
  const home = links[index * LINKS + HOME]!;
  if (home !== 0 && (links[index * LINKS + FLAGS]! & NEW) === 0) shrinkBox(state, home, index);
}

/** A box is written again, and becomes part of its home again. */
export function renewBox(state: BoxState, index: number): void {
  shrinkHome(state, index);
  queueBox(state, index, NEW);
}

/**
 * Entities that are not alive any more leave their boxes.
 *
 * @cost two numbers for each entity of the world.
 */
export function forgetDestroyed(state: BoxState): void {
  const { world, links, handles } = state;
  const living = handlesOf(world);
  const { entities } = sizesOf(world);
  let count = 0;
  for (let index = 1; index < entities; index++) {
    const handle = handles[index]!;
    if (handle === 0 || handle === living[index]) continue;
    state.list = grownInt32(state.list, count + 1);
    state.list[count++] = index;
    // First, so that nothing leaves a box that is gone.
    if ((links[index * LINKS + FLAGS]! & BOX) !== 0) dismiss(state, index);
  }
  for (let at = 0; at < count; at++) {
    const index = state.list[at]!;
    leave(state, index);
    links[index * LINKS + FLAGS] = 0;
    handles[index] = 0;
  }
}

/** The members of a box that is gone have no home. */
function dismiss({ links }: BoxState, index: number): void {
  for (let one = links[index * LINKS + FIRST]!; one !== 0; one = links[one * LINKS + NEXT]!)
    links[one * LINKS + HOME] = 0;
  links[index * LINKS + FIRST] = 0;
}

function leave(state: BoxState, index: number): void {
  const { links } = state;
  const at = index * LINKS;
  const home = links[at + HOME]!;
  if (home === 0) return;
  shrinkHome(state, index);
  const next = links[at + NEXT]!;
  const previous = links[at + PREVIOUS]!;
  if (next !== 0) links[next * LINKS + PREVIOUS] = previous;
  links[previous === 0 ? home * LINKS + FIRST : previous * LINKS + NEXT] = next;
  links[at + HOME] = 0;
}

/** Makes an entity a member of the box that it belongs to now, or of none. */
export function join(state: BoxState, { kind }: BoxSheet, index: number, home: number): void {
  const { links, handles, boxes, size } = state;
  const at = index * LINKS;
  const flags = links[at + FLAGS]!;
  const had = flags & KINDS;
  links[at + FLAGS] = (flags & ~KINDS) | kind;
  const isSame = (had & BOX) === (kind & BOX);
  if (isSame && (had !== 0) === (kind !== 0) && (kind === 0 || links[at + HOME] === home)) {
    if (had !== kind && (kind & BOX) !== 0) queueBox(state, index, STALE);
    return;
  }
  if (had !== 0) leave(state, index);
  handles[index] = kind === 0 ? 0 : handlesOf(state.world)[index]!;
  if (kind === 0) return;
  if ((kind & BOX) !== 0) {
    if (!isSame) boxes.fill(Number.POSITIVE_INFINITY, index * size, index * size + size);
    // A box may have lost its local one as well: that is told once, as `FLAGS` has the new kind from now on.
    queueBox(state, index, had === kind ? NEW : NEW | STALE);
  } else {
    boxes.fill(Number.POSITIVE_INFINITY, index * size, index * size + size);
    state.moved.push(index);
  }
  if (home === 0) return;
  const next = links[home * LINKS + FIRST]!;
  links[at + HOME] = home;
  links[at + NEXT] = next;
  links[at + PREVIOUS] = 0;
  links[home * LINKS + FIRST] = index;
  if (next !== 0) links[next * LINKS + PREVIOUS] = index;
}

/** The nearest box above an entity; 0 for none. Each entity above is looked at once in an update. */
export function homeOf(state: BoxState, index: number): number {
  const { world, links, pairs, round, boxSpace } = state;
  let home = 0;
  let top = index;
  while (links[top * LINKS + SEEN]! < round * 2) {
    const pair = pairs.at(top, ChildOf);
    if (pair === 0) break;
    const above = pairs.target(pair);
    if (hasDefinition(archetypeViewAt(world, above), boxSpace.box)) {
      home = above;
      break;
    }
    top = above;
  }
  if (links[top * LINKS + SEEN]! >= round * 2) home = links[top * LINKS + ABOVE]!;
  for (let one = index; links[one * LINKS + SEEN]! < round * 2; ) {
    links[one * LINKS + SEEN] = round * 2;
    links[one * LINKS + ABOVE] = home;
    if (one !== top) one = pairs.target(pairs.at(one, ChildOf));
  }
  return home;
}

/** All that is below an entity, down to the next boxes, gets the home that it has there now. */
export function joinBelow(state: BoxState, index: number, isBox: boolean): void {
  const { links, round, stack } = state;
  if (!isBox) {
    if (links[index * LINKS + SEEN] === round * 2 + 1) return;
    homeOf(state, index);
    links[index * LINKS + SEEN] = round * 2 + 1;
  }
  const home = isBox ? index : links[index * LINKS + ABOVE]!;
  const onRows = (archetype: ArchetypeView, first: number, end: number): void =>
    joinRows(state, archetype, first, end, home);
  stack.push(index);
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) eachChildRows(state, next, onRows);
}

function joinRows(state: BoxState, archetype: ArchetypeView, first: number, end: number, home: number): void {
  const { links, round, stack } = state;
  const sheet = state.sheets[archetype.number]!;
  const { i32 } = archetype.lanes;
  const isBox = (sheet.kind & BOX) !== 0;
  for (let row = first; row < end; row++) {
    const index = i32[row]!;
    const at = index * LINKS;
    if (links[at + SEEN] === round * 2 + 1) continue;
    // What has become a box is among those with late ticks: then what is below it gets another home as well.
    if (isBox && (links[at + FLAGS]! & BOX) === 0) continue;
    links[at + SEEN] = isBox ? round * 2 : round * 2 + 1;
    links[at + ABOVE] = home;
    join(state, sheet, index, home);
    if (!isBox) stack.push(index);
  }
}
