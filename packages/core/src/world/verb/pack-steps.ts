// Who comes next breadth first (`Walk`), and the steps of packing within a budget (`packSteps`).
import { CHILD_OF } from "../../id/builtins.ts";
import { findPair, isTarget } from "../../id/pair-index.ts";
import { countIn, endOf, ROOTS, sliceOf, startOf } from "../../records/families.ts";
import { JournalCursor } from "../../storage/journal.ts";
import { freeColumns, seat } from "../../storage/rows.ts";
import { type World, worldState } from "../state/world.ts";
import { giveBackSteps } from "./give-back.ts";

/** Each step of packing moves at most so many rows. */
const ROWS_PER_STEP = 64;

/** Goes through all entities breadth first: the roots, then the children of each entity in the order in which it came by. */
export class Walk {
  /** The indexes of the last entities that came by. */
  readonly found: Int32Array = new Int32Array(ROWS_PER_STEP);
  /** How many these are. */
  count = 0;
  /** The pairs of entities with children, in the order in which these came by. */
  private readonly families: Int32Array;
  private known = 1;
  private next = 0;

  constructor({ graph }: World) {
    this.families = new Int32Array(graph.pairs.length);
    this.families[0] = ROOTS;
  }

  /** Finds the next entities. Between two calls only rows may change, and where lists of children are. @returns false after the last. */
  advance({ graph, entities }: World): boolean {
    const { pairs, families } = graph;
    const { pool } = families;
    const { found } = this;
    const last = this.count === 0 ? 0 : found[this.count - 1]!;
    let at = 0;
    let end = 0;
    if (last > 0) {
      const pair = entities.family[last]!;
      at = sliceOf(families, pair).first + entities.place[last]! + 1;
      end = endOf(families, pair);
    }
    let count = 0;
    while (count < found.length) {
      if (at === end) {
        if (this.next === this.known) break;
        const pair = this.families[this.next++]!;
        at = startOf(families, pair);
        end = endOf(families, pair);
        continue;
      }
      const index = pool[at++]!;
      if (index === 0) continue;
      found[count++] = index;
      const pair = isTarget(pairs, index) ? findPair(pairs, CHILD_OF, index) : 0;
      if (pair !== 0 && countIn(families, pair) > 0) this.families[this.known++] = pair;
    }
    this.count = count;
    return count > 0;
  }
}

interface Packing {
  /** Shows whether the world has changed since the last step. */
  readonly cursor: JournalCursor;
  /** What is left to do; `undefined` if nothing is. Between two steps the world is valid, and it may change. */
  steps: Generator<void, void, void> | undefined;
}

const packingOf = /* @__PURE__ */ worldState<Packing>(({ graph }) => ({
  cursor: new JournalCursor(graph.journal),
  steps: undefined,
}));

/** Takes steps until `budget` is used up; after any change of the world it begins again. @returns whether nothing is left to do. */
export function packWithin(world: World, budget: number, now: () => number): boolean {
  const packing = packingOf(world);
  const { cursor } = packing;
  if (cursor.lost || cursor.at < world.graph.journal.length) packing.steps = packSteps(world);
  const { steps } = packing;
  if (steps === undefined) return true;
  // If a step throws, the next call begins again.
  cursor.lost = true;
  const end = now() + budget;
  let isDone = false;
  do isDone = steps.next().done === true;
  while (!isDone && now() < end);
  cursor.catchUp();
  if (isDone) packing.steps = undefined;
  return isDone;
}

/** Frees columns without rows; then each entity that comes by gets the next row of its archetype, in exchange. */
function* packSteps(world: World): Generator<void, void, void> {
  const { graph, entities } = world;
  const { archetypes, founded, tables } = graph;
  // In the order of founding: a world that was restored may have more archetypes, and must take the same steps.
  for (const archetype of founded) {
    yield;
    if (archetype.rows === 0) freeColumns(archetype);
  }
  for (const archetype of archetypes) if (!archetype.founded) freeColumns(archetype);
  const rows = new Int32Array(archetypes.length);
  const walk = new Walk(world);
  while (walk.advance(world)) {
    for (let at = 0; at < walk.count; at++) {
      const index = walk.found[at]!;
      const number = tables.archetype[entities.table[index]!]!;
      seat(graph, archetypes[number]!, index, rows[number]!++);
    }
    yield;
  }
  yield* giveBackSteps(world);
}
