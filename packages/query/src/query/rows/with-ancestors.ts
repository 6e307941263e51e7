// Rows with their ancestors: from batches, or by climbing if few rows match (`SHARE`, `climb`); notes sources (`noteSources`).
import type { World } from "@treeline/core";
import { ANY, allArchetypes, clockOf, handleOf, sizesOf } from "@treeline/core/internal";
import { depthAlong, sourceAbove } from "../../match/ancestors.ts";
import { NO } from "../../match/evaluate.ts";
import { archetypeHas, endOfAlike, hasAt } from "../../match/pairs.ts";
import { type Batches, currentBatches, isFiled } from "../batches/batches.ts";
import { sourceArchetypeOf } from "../batches/chunks.ts";
import type { RowIntervals } from "../lists/row-intervals.ts";
import {
  countRows,
  emptied,
  HEAD,
  JOINED,
  ROWS,
  sortIntervals,
  startInterval,
} from "../lists/row-intervals.ts";
import { SourceNotes } from "../lists/watch.ts";
import { engine, type IterationState, upPathOf } from "../state/iteration-state.ts";
import { isMatchOf, matchedArchetypes, type Query } from "../state/query-state.ts";
import { collectRows, hasTargets, listRuns, mayMatch } from "./candidates.ts";

/** If the world has this many times as many entities as rows match, filing it costs more than searching for their ancestors. */
const SHARE = 16;

/**
 * Lists rows with their ancestors: parents first, or children first. Rows without ancestors count as the topmost. Tests must
 * still be evaluated.
 */
export function listBatched(query: Query, state: IterationState, intervals: RowIntervals): void {
  const { world, plan, bound } = query;
  const freePath = bound[0] === 0 ? plan.freePath : undefined;
  let collected: Int32Array | undefined;
  const isNamed = hasTargets(query);
  if (isNamed) collectRows(query, intervals);
  if (isNamed || engine.collectBelow?.(query, state, intervals) === true) {
    // Few rows compared with the world. Only batches know changes of ancestors.
    if (plan.watched.length === 0 && countRows(intervals) * SHARE <= sizesOf(world).alive) {
      if (freePath === undefined) climb(query, state, intervals);
      else {
        intervals.length = 0;
        engine.listJoined!(query, state, intervals);
      }
      return;
    }
    collected = intervals.numbers.slice(0, intervals.length);
    intervals.length = 0;
  }
  const { traversals, pathsKey } = freePath ?? plan;
  state.batches = currentBatches(world, traversals, pathsKey);
  state.lists = state.batches.rowLists;
  state.isFree = freePath !== undefined;
  noteSources(query, state.batches);
  const { version, steadySince } = query.watch;
  state.isSteady = version === state.batches.version && steadySince <= state.since && !state.enabled;
  const isDown = plan.cascade < 0;
  if (!isDown && freePath === undefined) listRoots(query, state, intervals, collected);
  listChunks(query, state, intervals, collected);
  if (isDown && freePath === undefined) listRoots(query, state, intervals, collected);
}

/** Rows that are not filed: those of archetypes without any pair of the relations. */
function listRoots(
  query: Query,
  state: IterationState,
  intervals: RowIntervals,
  collected: Int32Array | undefined,
): void {
  const { world } = query;
  const batches = state.batches!;
  state.sources.fill(undefined);
  if (collected === undefined) {
    for (const archetype of matchedArchetypes(query))
      if (!isFiled(batches, archetype)) listRuns(query, state, intervals, archetype);
    return;
  }
  for (let at = 0; at < collected.length; at += intervals.stride) {
    const archetype = allArchetypes(world)[collected[at]!]!;
    if (isFiled(batches, archetype)) continue;
    startInterval(intervals, archetype.number, collected[at + 1]!, collected[at + 2]!, ROWS);
  }
}

/** Rows that are filed, chunk by chunk, if some rows of the chunk may match. */
function listChunks(
  query: Query,
  state: IterationState,
  intervals: RowIntervals,
  collected: Int32Array | undefined,
): void {
  const { world, plan } = query;
  const archetypes = allArchetypes(world);
  const { sources } = state;
  const { chunks, rows } = state.batches!.rowLists;
  const matches = collected && matchesIn(world, collected, intervals.stride);
  const { cut } = plan;
  for (let at = 0; at < chunks.alive; at++) {
    const chunk = chunks.order[plan.cascade < 0 ? chunks.alive - 1 - at : at]!;
    const archetype = archetypes[chunks.archetype[chunk]!]!;
    if (!isMatchOf(query, archetype) || (archetype.bits?.shareOf(cut) ?? cut.bare) === NO) continue;
    for (let path = 0; path < chunks.places; path++) {
      const source = sourceArchetypeOf(chunks, chunk, path);
      sources[path] = source < 0 ? undefined : archetypes[source];
    }
    if (state.isFree) {
      // Rows without a target do not match.
      const target = sources[plan.traversals.length];
      if (target === undefined || !plan.freePath!.gates.every((one) => archetypeHas(target, one))) continue;
    }
    if (plan.tests.length > 0 && !mayMatch(query, state, archetype)) continue;
    const from = chunks.start[chunk]!;
    const to = from + chunks.rows[chunk]!;
    if (matches === undefined) startInterval(intervals, archetype.number, from, to, chunk);
    else {
      const match = matches.get(archetype.number);
      for (let place = from; match !== undefined && place < to; place++) {
        const first = place;
        while (place < to && match[rows[place]!] === 1) place++;
        if (first < place) startInterval(intervals, archetype.number, first, place, chunk);
      }
    }
  }
}

/** By archetype number: 1 for each row that was collected. */
function matchesIn(world: World, collected: Int32Array, stride: number): Map<number, Uint8Array> {
  const matches = new Map<number, Uint8Array>();
  for (let at = 0; at < collected.length; at += stride) {
    const number = collected[at]!;
    const match = matches.get(number) ?? new Uint8Array(allArchetypes(world)[number]!.rows);
    matches.set(number, match.fill(1, collected[at + 1], collected[at + 2]));
  }
  return matches;
}

// ---- without batches -------------------------------------------------------------------------------------------------

/**
 * Replaces rows by rows with their ancestors, by depth: the same result as from batches, but found by walking up from each row.
 *
 * @cost for adjacent rows with the same pairs, the ancestors up to the nearest sources; on long
 *   paths only those not passed before in this iteration.
 */
export function climb(query: Query, state: IterationState, intervals: RowIntervals): void {
  const { world, plan } = query;
  const { traversals, variables } = plan;
  const { stride, length } = intervals;
  const archetypes = allArchetypes(world);
  const former = emptied(intervals);
  for (let at = 0; at < length; at += stride) {
    const archetype = archetypes[former[at]!]!;
    const end = former[at + 2]!;
    for (let row = former[at + 1]!; row < end; ) {
      const index = archetype.lanes.i32[row]!;
      const next = endOfAlike(world, archetype, row, end, true);
      const own = startInterval(intervals, archetype.number, row, next, JOINED) + HEAD;
      const { numbers } = intervals;
      const isJoined = former[at + 3] === JOINED;
      for (let place = 0; place < variables.length; place++)
        numbers[own + place] = isJoined ? former[at + HEAD + place]! : state.variables[place]!;
      for (let place = 0; place < traversals.length; place++) {
        const path = upPathOf(state, place, traversals[place]!);
        numbers[own + variables.length + place] = sourceAbove(world, index, path);
      }
      numbers[own - HEAD + stride - 1] = depthAlong(world, index, traversals[0]!.relation, state.depths);
      row = next;
    }
  }
  sortIntervals(world, intervals, plan.cascade < 0 ? -1 : 1);
}

// ---- changes of ancestors ----------------------------------------------------------------------------------------------

/**
 * For a query that reads changes of ancestors: notes the tick at which each entity got another source. An entity that has the
 * component itself, and so is its own source, got it by a change with its own tick. Calls that read without marking note
 * nothing: else an entity that lost a source and got it back would match in the next iteration.
 *
 * @cost nothing while the batches are unchanged; else all entities that are filed in them.
 */
export function noteSources({ watch, plan, world }: Query, { version, rowLists }: Batches): void {
  if (plan.watched.length === 0 || !watch.isReading || watch.version === version) return;
  const { now } = clockOf(world);
  const archetypes = allArchetypes(world);
  const { chunks, rows, sourceRows } = rowLists;
  watch.version = version;
  watch.round++;
  watch.steadySince = now;
  for (const [place, { path, self, definition }] of plan.watched.entries()) {
    watch.notes[place] ??= new SourceNotes();
    const notes = watch.notes[place];
    // Batches do not know which entities have something sparse themselves: these notes are never up to date.
    if (self && definition.store !== undefined) watch.version = -1;
    notes.fit(sizesOf(world).entities);
    for (let at = 0; at < chunks.alive; at++) {
      const chunk = chunks.order[at]!;
      const archetype = archetypes[chunks.archetype[chunk]!]!;
      const source = archetypes[sourceArchetypeOf(chunks, chunk, path)];
      if (source === undefined) continue; // an entity can only be its own source: it has no other to switch from
      const start = chunks.start[chunk]!;
      for (let position = start; position < start + chunks.rows[chunk]!; position++) {
        const index = archetype.lanes.i32[rows[position]!]!;
        const hasOwn = self && hasAt(world, index, definition, ANY);
        const sourceIndex = hasOwn ? index : source.lanes.i32[sourceRows[path]![position]!]!;
        const isSwitched = notes.note(
          index,
          handleOf(world, index),
          handleOf(world, sourceIndex),
          watch.round,
        );
        if (isSwitched && !hasOwn) notes.switched[index] = now;
      }
    }
  }
}
