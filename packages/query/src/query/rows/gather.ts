import type { ArchetypeView } from "@treeline/core/internal";
import { allArchetypes, BLOCK_BITS, knownEntityOf, tableAt, trackOf } from "@treeline/core/internal";
import { holderAbove } from "../../match/ancestors.ts";
import { MAYBE, tellAll, YES } from "../../match/evaluate.ts";
import { endOfTable, hasAt, indexIfAlive, tellsRowsApart } from "../../match/pairs.ts";
import { isVariable } from "../../term/operators.ts";
import type { Aside, Plan, Test } from "../../term/plan.ts";
import { addPart, addSpan, cutByTable, drop, ROWS, type Spans } from "../lists/spans.ts";
import type { Query } from "../state/query-state.ts";
import { engine, lookAt, type Scene, wayOf } from "../state/scene.ts";
import { gatherRows, hasTargets } from "./collect.ts";
import { onlyTableOf } from "./sources.ts";

/**
 * Lists what a visit that begins now visits, in its order. Nothing is visited yet, so what the visit does, and what others
 * bind meanwhile, changes nothing of it.
 */
export function gather(query: Query, scene: Scene, spans: Spans): void {
  const { world, plan, part } = query;
  spans.length = 0;
  const table = onlyTableOf(query);
  if (table >= 0) {
    const { archetype, first, end } = query.cursors.tables;
    scene.beginBound(query);
    if (table > 0) addSpan(spans, archetype, first, end, ROWS);
    return;
  }
  scene.begin(query);
  const isDirect = plan.direct >= 0 && query.targets[plan.direct]! > 0; // its sources are all there is to find
  const joins = !isDirect && plan.bonds.length > 0 && mustSolve(query);
  const isHopeless =
    (plan.asides.length > 0 && engine.hasFalseAside!(query, scene)) ||
    (plan.bonds.length > 0 && !isDirect && !joins && !engine.bondsHold!(scene));
  scene.isOpen = joins || hasTargets(query);
  // Who asks for changes of ancestors notes them, also if nobody answers: what is now is no news to the next look.
  if (!isHopeless || plan.watched.length > 0) {
    if (joins && (plan.freeWay === undefined || query.bound[0] !== 0))
      engine.gatherJoined!(query, scene, spans);
    else if (joins || plan.traversals.length > 0) engine.gatherBatched!(query, scene, spans);
    else gatherRows(query, scene, spans);
  }
  if (isHopeless) spans.length = 0;
  if (!spans.melts) cutByTable(world, spans, scene.batches?.positions.rows);
  if (scene.isOpen && plan.tests.length > 0 && spans.length > 0) filterSpans(query, scene, spans);
  dropDisabled(query, scene, spans);
  if (part !== undefined || plan.order !== undefined || plan.groups !== undefined)
    engine.arrange!(query, scene, spans);
}

/** Are there variables to be found? Those that are set are targets like others. */
export function mustSolve(query: Query): boolean {
  const { bonds } = query.plan;
  for (let at = 0; at < query.bound.length; at++) if (query.bound[at] === 0) return true;
  for (let at = 0; at < bonds.length; at++)
    if (bonds[at]!.subject === 0 && bonds[at]!.clause < 0) return true;
  return false;
}

// ---- given entities: brought by terms about those ----------------------------------------------------------------------

/** The index of the entity that has what is asked of a given one, as it is now; 0 if there is none. */
export function lookAside(scene: Scene, aside: Aside, place: number): number {
  const { world, query } = scene;
  const { source, definition, relation, self } = aside;
  const handle = source === 0 ? (knownEntityOf(world, definition) ?? 0) : scene.targetOf(source);
  const index = indexIfAlive(world, handle);
  if (index === 0) return 0;
  const target = scene.targetOf(aside.target);
  if ((relation === undefined || self) && hasAt(world, index, definition, target)) return index;
  if (relation === undefined) return 0;
  const way = { relation, what: { definition, target } };
  return holderAbove(world, index, wayOf(scene, query.plan.traversals.length + place, way));
}

/** Something asked of a given entity does not hold: nobody answers. */
export function hasFalseAside({ plan }: Query, { found }: Scene): boolean {
  const { asides, tests } = plan;
  return tests.some(
    (test) => test.kind === "on" && found[test.aside] === 0 && !isVariable(asides[test.aside]!.source),
  );
}

// Each of these puts what it leaves of spans behind them, and drops them in the end.

/** Leaves the positions that pass all tests; they have what the clauses ask for. */
export function filterSpans(query: Query, scene: Scene, spans: Spans): void {
  const { tests, isWatching } = query.plan;
  const { stride, length } = spans;
  for (let at = 0; at < length; at += stride) {
    scene.turnTo(spans, at);
    scene.index = 0;
    const told = tellAll(tests, scene.archetype, scene);
    if (told === YES) addPart(spans, at, scene.from, scene.to, spans.length);
    else if (told !== MAYBE) continue;
    else if (isWatching && scene.rows === undefined) engine.filterNews!(query, scene, spans, at);
    else filterEach(query, scene, spans, at);
  }
  drop(spans, 0, length);
}

/** Can the answer differ between rows of one table? */
export function needRows({ leaves }: Plan, archetype: ArchetypeView): boolean {
  for (const { kind, definition } of leaves)
    if (kind.startsWith("changed") || (kind !== "on" && tellsRowsApart(definition, archetype))) return true;
  return false;
}

/** Asks position by position, or once for the rows of each table if the answer is the same for all of them. */
function filterEach({ world, plan, cursors }: Query, scene: Scene, spans: Spans, at: number): void {
  const { archetype, to } = scene;
  const { length } = spans;
  const isByRow = scene.rows !== undefined || needRows(plan, archetype);
  for (let place = scene.from; place < to; ) {
    lookAt(scene, place);
    const next = isByRow ? place + 1 : Math.min(to, endOfTable(cursors, tableAt(world, scene.index)));
    if (tellAll(plan.tests, archetype, scene) === YES) addPart(spans, at, place, next, length);
    place = next;
  }
}

/** The same of rows that are asked for changes: blocks of which nothing is news are passed over. */
export function filterNews({ plan }: Query, scene: Scene, spans: Spans, at: number): void {
  const { tests } = plan;
  const { archetype, since, to } = scene;
  const { length } = spans;
  // Most rows are told by their ticks alone, if a test says that these must be news.
  const gain = tests.find((test) => test.kind === "changed" && test.track !== "removed");
  const ticks = gain?.kind === "changed" ? trackOf(archetype, gain.definition, gain.track)?.rows : undefined;
  for (let row = scene.from; row < to; ) {
    const block = row >> BLOCK_BITS;
    const stop = Math.min(to, (block + 1) << BLOCK_BITS);
    if (isOld(tests, scene, block)) row = stop;
    for (; row < stop; row++) {
      if (ticks !== undefined && ticks[row]! <= since) continue;
      lookAt(scene, row);
      if (tellAll(tests, archetype, scene) === YES) addPart(spans, at, row, row + 1, length);
    }
  }
}

/** Is nothing in a block of rows news to one of the tests? */
function isOld(tests: readonly Test[], { archetype, since, sinceRemoved }: Scene, block: number): boolean {
  for (let at = 0; at < tests.length; at++) {
    const test = tests[at]!;
    if (test.kind !== "changed") continue;
    const track = trackOf(archetype, test.definition, test.track);
    if (track === undefined || track.blocks[block]! <= (test.track === "removed" ? sinceRemoved : since))
      return true;
  }
  return false;
}

/**
 * Leaves rows out of gathered spans that are disabled by a bit, unless the plan names them. What is kept between visits knows
 * nothing of these bits, so a change of one makes nothing stale.
 *
 * Cost: a look at each span; of archetypes with such rows a step for each run, or for each position where rows are listed.
 */
export function dropDisabled({ world, plan }: Query, scene: Scene, spans: Spans): void {
  const archetypes = allArchetypes(world);
  const { length, stride } = spans;
  const isCut = (at: number): boolean => archetypes[spans.numbers[at]!]!.bits?.isCut() === true;
  let first = plan.namesDisabled ? length : 0;
  while (first < length && !isCut(first)) first += stride;
  for (let at = first; at < length; at += stride) {
    const { numbers } = spans; // which may have grown
    const archetype = archetypes[numbers[at]!]!;
    const start = spans.length;
    const end = numbers[at + 2]!;
    if (!isCut(at)) addPart(spans, at, numbers[at + 1]!, end, start);
    else if (numbers[at + 3]! <= ROWS) dropRows(spans, at, archetype);
    else {
      const { rows } = scene.batches!.positions;
      for (let place = numbers[at + 1]!; place < end; place++)
        if (!archetype.bits!.cutsOut(rows[place]!)) addPart(spans, at, place, place + 1, start);
    }
  }
  drop(spans, first, length);
}

/** Of adjacent rows. */
function dropRows(spans: Spans, at: number, archetype: ArchetypeView): void {
  const { bounds, length } = archetype.bits!.enabled();
  const first = spans.numbers[at + 1]!;
  const end = spans.numbers[at + 2]!;
  let run = 0; // the first that ends behind the first row
  for (let high = length >> 1; run < high; ) {
    const middle = (run + high) >> 1;
    if (bounds[middle * 2 + 1]! > first) high = middle;
    else run = middle + 1;
  }
  for (run *= 2; run < length && bounds[run]! < end; run += 2)
    addPart(spans, at, Math.max(first, bounds[run]!), Math.min(end, bounds[run + 1]!), spans.length);
}
