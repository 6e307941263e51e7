import { isUsed } from "../storage/bits.ts";
import { hasDefinition, type Shape } from "../storage/shape.ts";
import { trackOf } from "../storage/tracking.ts";
import { BLOCK_ROWS, REMOVED, type Track } from "../storage/tracks.ts";
import type { World } from "../world/state/world.ts";
import type { Say } from "./say.ts";

/** L20 for every shape. */
export function verifyTracks(world: World, say: Say): void {
  for (const shape of world.graph.shapes) {
    verifyPlaces(world, shape, say);
    for (const track of shape.lanes.tracks ?? []) verifyTrack(shape, track, say);
  }
}

/** A founded shape has the tracks of what it has, others only of what is lost; `undefined` says that nothing is tracked. */
function verifyPlaces({ graph }: World, shape: Shape, say: Say): void {
  const { tracked } = graph.tracking;
  if ((shape.lanes.tracks !== undefined) !== (shape.founded && tracked.length > 0)) {
    say(`L20: shape ${shape.number} is wrong about whether anything is tracked`);
  }
  for (const { definition, kind } of tracked) {
    const has = hasDefinition(shape, definition);
    const isThere = trackOf(shape, definition, kind) !== undefined;
    if (definition.storage === "bits") {
      if (kind !== REMOVED && (shape.bits?.count(definition) ?? 0) > 0 && !isThere)
        say(`L20: shape ${shape.number} lacks a track of ${definition.name}`);
      continue;
    }
    const isRight = kind === REMOVED ? !(has && isThere) : isThere === (has && shape.founded);
    if (!isRight) {
      say(`L20: shape ${shape.number} ${isThere ? "has" : "lacks"} a track of ${definition.name}`);
    }
  }
  const known = tracked.filter(({ definition, kind }) => trackOf(shape, definition, kind) !== undefined);
  if (known.length !== (shape.lanes.tracks?.length ?? 0)) {
    say(`L20: shape ${shape.number} has a track twice, or one that nobody wants`);
  }
}

/** Of what is stored as bits nothing is said here of rows that do not have it. */
function mustHaveTick(shape: Shape, { kind, definition }: Track, row: number): boolean {
  if (kind === REMOVED || !isUsed(shape.used, row)) return false;
  if (definition < shape.places.length && shape.places[definition] !== 0) return true;
  return (shape.bits?.columns ?? []).some(
    (one) => one.definition.id === definition && shape.bits!.has(one.definition, row),
  );
}

/** It is as long as the columns; blocks are not below their rows, nor the last tick below them, nor now below that. */
function verifyTrack(shape: Shape, track: Track, say: Say): void {
  const { number, lanes } = shape;
  const { rows, blocks, last, clock } = track;
  if (rows.length !== lanes.capacity || blocks.length !== Math.ceil(lanes.capacity / BLOCK_ROWS)) {
    say(`L20: a track of shape ${number} is not as long as its columns`);
  }
  rows.forEach((tick, row) => {
    const block = Math.floor(row / BLOCK_ROWS);
    if (tick > (blocks[block] ?? 0)) say(`L20: block ${block} of shape ${number} is behind row ${row}`);
    if (tick === 0 && mustHaveTick(shape, track, row)) {
      say(`L20: row ${row} of shape ${number} was never added`);
    }
  });
  if (blocks.some((tick) => tick > last)) say(`L20: the last tick of shape ${number} is behind a block`);
  if (last > clock.now) say(`L20: shape ${number} knows what has not happened yet`);
}
