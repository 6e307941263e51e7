import type { World } from "@treeline/core";
import type { ArchetypeView } from "@treeline/core/internal";
import { allArchetypes, clockOf, handleOf, pairsOf, sizesOf, tableAt } from "@treeline/core/internal";
import { holderAbove, longestWayUp } from "../../match/ancestors.ts";
import { archetypeHas, endOfTable } from "../../match/pairs.ts";
import { type Batches, currentBatches, isFiled } from "../batches/batches.ts";
import { holderArchetypeOf } from "../batches/chunks.ts";
import type { Spans } from "../lists/spans.ts";
import { countPositions, emptied, HEAD, JOINED, ROWS, sortSpans, startSpan } from "../lists/spans.ts";
import { HolderNotes } from "../lists/watch.ts";
import { isAnsweredBy, matchedArchetypes, type Query } from "../state/query-state.ts";
import { engine, type Scene, wayOf } from "../state/scene.ts";
import { collectRows, gatherRuns, hasTargets, mayAnswer } from "./collect.ts";

/** A world of so many times as many entities costs more to file than their ancestors cost to look for. */
const SHARE = 16;

/**
 * Rows with their ancestors: parents first, or the other way round. Those without ancestors are the first of all. Tests are
 * still to be asked.
 */
export function gatherBatched(query: Query, scene: Scene, spans: Spans): void {
  const { world, plan, bound } = query;
  const freeWay = bound[0] === 0 ? plan.freeWay : undefined;
  let collected: Int32Array | undefined;
  if (hasTargets(query)) {
    collectRows(query, spans);
    // Few rows against the world. What changed above is known of batches only.
    if (plan.watched.length === 0 && countPositions(spans) * SHARE <= sizesOf(world).alive) {
      if (freeWay === undefined) climb(query, scene, spans);
      else {
        spans.length = 0;
        engine.gatherJoined!(query, scene, spans);
      }
      return;
    }
    collected = spans.numbers.slice(0, spans.length);
    spans.length = 0;
  }
  const { traversals, waysKey } = freeWay ?? plan;
  scene.batches = currentBatches(world, traversals, waysKey);
  scene.isFree = freeWay !== undefined;
  noteHolders(query, scene.batches);
  const { version, steadySince } = query.watch;
  scene.isSteady = version === scene.batches.version && steadySince <= scene.since;
  const isDown = plan.cascade < 0;
  if (!isDown && freeWay === undefined) gatherRoots(query, scene, spans, collected);
  gatherChunks(query, scene, spans, collected);
  if (isDown && freeWay === undefined) gatherRoots(query, scene, spans, collected);
}

/** Rows that are not filed: those of archetypes without any pair of the relations. */
function gatherRoots(query: Query, scene: Scene, spans: Spans, collected: Int32Array | undefined): void {
  const { world } = query;
  const batches = scene.batches!;
  scene.holders.fill(undefined);
  if (collected === undefined) {
    for (const archetype of matchedArchetypes(query))
      if (!isFiled(batches, archetype)) gatherRuns(query, scene, spans, archetype);
    return;
  }
  for (let at = 0; at < collected.length; at += spans.stride) {
    const archetype = allArchetypes(world)[collected[at]!]!;
    if (isFiled(batches, archetype)) continue;
    startSpan(spans, archetype.number, collected[at + 1]!, collected[at + 2]!, ROWS);
  }
}

/** Rows that are filed, chunk by chunk, if some of it may answer. */
function gatherChunks(query: Query, scene: Scene, spans: Spans, collected: Int32Array | undefined): void {
  const { world, plan } = query;
  const archetypes = allArchetypes(world);
  const { holders } = scene;
  const { chunks, rows } = scene.batches!.positions;
  const answers = collected && answersIn(world, collected, spans.stride);
  for (let at = 0; at < chunks.alive; at++) {
    const chunk = chunks.order[plan.cascade < 0 ? chunks.alive - 1 - at : at]!;
    const archetype = archetypes[chunks.archetype[chunk]!]!;
    if (!isAnsweredBy(query, archetype)) continue;
    for (let way = 0; way < chunks.places; way++) {
      const holder = holderArchetypeOf(chunks, chunk, way);
      holders[way] = holder < 0 ? undefined : archetypes[holder];
    }
    if (scene.isFree) {
      // Without a target there is nobody to be asked.
      const target = holders[plan.traversals.length];
      if (target === undefined || !plan.freeWay!.gates.every((one) => archetypeHas(target, one))) continue;
    }
    if (plan.tests.length > 0 && !mayAnswer(query, scene, archetype)) continue;
    const from = chunks.start[chunk]!;
    const to = from + chunks.rows[chunk]!;
    if (answers === undefined) startSpan(spans, archetype.number, from, to, chunk);
    else {
      const answer = answers.get(archetype.number);
      for (let place = from; answer !== undefined && place < to; place++) {
        const first = place;
        while (place < to && answer[rows[place]!] === 1) place++;
        if (first < place) startSpan(spans, archetype.number, first, place, chunk);
      }
    }
  }
}

/** By archetype number: 1 for each row that was collected. */
function answersIn(world: World, collected: Int32Array, stride: number): Map<number, Uint8Array> {
  const answers = new Map<number, Uint8Array>();
  for (let at = 0; at < collected.length; at += stride) {
    const number = collected[at]!;
    const answer = answers.get(number) ?? new Uint8Array(allArchetypes(world)[number]!.end);
    answers.set(number, answer.fill(1, collected[at + 1], collected[at + 2]));
  }
  return answers;
}

// ---- without batches -------------------------------------------------------------------------------------------------

/**
 * Puts rows with their ancestors, by depth, in the place of rows: as batches would tell them, but looked for from where
 * the rows are.
 *
 * Cost: for each table, or for the children of one parent stored as a value that lie side by side, the ancestors up to the
 * nearest holders; of long ways those not passed before in this visit.
 */
export function climb(query: Query, scene: Scene, spans: Spans): void {
  const { world, plan } = query;
  const { traversals, variables } = plan;
  const { stride, length } = spans;
  const archetypes = allArchetypes(world);
  const former = emptied(spans);
  for (let at = 0; at < length; at += stride) {
    const archetype = archetypes[former[at]!]!;
    const end = former[at + 2]!;
    for (let row = former[at + 1]!; row < end; ) {
      const index = archetype.lanes.i32[row]!;
      const next = endOfAlike(query, archetype, row, end);
      const own = startSpan(spans, archetype.number, row, next, JOINED) + HEAD;
      const { numbers } = spans;
      const isJoined = former[at + 3] === JOINED;
      for (let place = 0; place < variables.length; place++)
        numbers[own + place] = isJoined ? former[at + HEAD + place]! : scene.variables[place]!;
      for (let place = 0; place < traversals.length; place++) {
        const way = wayOf(scene, place, traversals[place]!);
        numbers[own + variables.length + place] = holderAbove(world, index, way);
      }
      numbers[own - HEAD + stride - 1] = longestWayUp(world, index, traversals[0]!.relation, scene.depths);
      row = next;
    }
  }
  sortSpans(world, spans, plan.cascade < 0 ? -1 : 1);
}

/** Where the rows end that share the table of a row, and their parent: all have the same ancestors. */
function endOfAlike({ world, cursors }: Query, archetype: ArchetypeView, row: number, end: number): number {
  const { i32 } = archetype.lanes;
  const stop = Math.min(end, endOfTable(cursors, tableAt(world, i32[row]!)));
  if (!archetype.hasValueParent) return stop;
  const pairs = pairsOf(world);
  const pair = pairs.valueAt(i32[row]!);
  let next = row + 1;
  while (next < stop && pairs.valueAt(i32[next]!) === pair) next++;
  return next;
}

// ---- changes of ancestors ----------------------------------------------------------------------------------------------

/**
 * For a query that asks for changes of ancestors, and looks: notes at which tick everybody got another one. Whoever has the
 * component itself, and is its own holder then, got it by a change that has a tick of its own. Who only peeks notes nothing:
 * else who lost a holder and got it back would be news to the next look.
 *
 * Cost: nothing while the batches stand as they stood; else everybody who is filed in them.
 */
export function noteHolders({ watch, plan, world }: Query, { version, positions }: Batches): void {
  if (plan.watched.length === 0 || !watch.isLooking || watch.version === version) return;
  const { now } = clockOf(world);
  const archetypes = allArchetypes(world);
  const { chunks, rows, holderRows } = positions;
  watch.version = version;
  watch.round++;
  watch.steadySince = now;
  for (const [place, { way, self, definition }] of plan.watched.entries()) {
    watch.notes[place] ??= new HolderNotes();
    const notes = watch.notes[place];
    notes.fit(sizesOf(world).entities);
    for (let at = 0; at < chunks.alive; at++) {
      const chunk = chunks.order[at]!;
      const archetype = archetypes[chunks.archetype[chunk]!]!;
      const isOwn = self && archetypeHas(archetype, definition);
      const holder = isOwn ? archetype : archetypes[holderArchetypeOf(chunks, chunk, way)];
      if (holder === undefined) continue;
      const rowsAbove = isOwn ? rows : holderRows[way]!;
      const start = chunks.start[chunk]!;
      for (let position = start; position < start + chunks.rows[chunk]!; position++) {
        const index = archetype.lanes.i32[rows[position]!]!;
        const holds = handleOf(world, holder.lanes.i32[rowsAbove[position]!]!);
        const isOther = notes.note(index, handleOf(world, index), holds, watch.round);
        if (isOther && !isOwn) notes.switched[index] = now;
      }
    }
  }
}
