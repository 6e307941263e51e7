/**
 * Random walks that ask questions of every kind: of the real world through its queries, kept ones and fresh ones, and
 * of the naive twin, after every change. Dice of their own choose the questions.
 *
 * @example
 * questionWalk({ seed: 7, steps: 60 });                                    // throws at the first difference
 * console.log(shortestEvents({ seed: 7, steps: 60 }).map(textOf).join("\n")); // the few events that matter
 */

import type { Dice } from "../base/dice.ts";
import { createDice } from "../base/dice.ts";
import { chooseStep } from "../choose/choose.ts";
import type { Chooser, WalkKind } from "../choose/terms.ts";
import { createPalette, shuffled } from "../choose/terms.ts";
import { compareInvariants } from "../compare/compare.ts";
import type { Step } from "../step/step.ts";
import { stepText, textOf } from "../step/step.ts";
import {
  chooseMonitored,
  chooseOrdered,
  chooseQuestion,
  chooseSmall,
  chooseWatching,
  chooseWriting,
  chooseWritten,
} from "./choose.ts";
import { QUESTION_WAYS } from "./compare.ts";
import type { QuestionEvent, TermPattern } from "./events.ts";
import { createAsked, forgetAll, takeEvent, worldOf } from "./events.ts";
import type { Asking, Question } from "./twin.ts";
import { answersTo, watchedIn } from "./twin.ts";
import { happenedSince } from "./twin-changes.ts";

export interface QuestionWalkOptions {
  readonly seed: number;
  readonly steps: number;
  /** Default "plain". */
  readonly memory?: "plain" | "wasm";
}

export interface ReplayOptions {
  /** Default "plain". */
  readonly memory?: "plain" | "wasm" | undefined;
  /** Refuses changes inside visits. Default false. */
  readonly strict?: boolean;
}

const CAP = 14;
const SLOTS = 5;
const TRIES = 4;
const INVARIANTS_SELDOM = 8;
/** Ways that visit while they are compared. */
const OPEN_WAYS = ["each", "rows", "eachRun", "eachBatch", "eachLevel"] as const;
const FIRST_CLONE = 100_000;
/** Both storages, each alone, and both: a walk in three is of each kind. */
const KINDS: readonly WalkKind[] = ["mixed", "ChildOf", "Parent"];

/**
 * @throws Error at the first difference: its first line replays the walk.
 */
export function questionWalk(options: QuestionWalkOptions): { readonly holds: true } {
  const { seed, memory = "plain" } = options;
  const done: QuestionEvent[] = [];
  try {
    walkOn(options, done);
  } catch (error) {
    const line = `questionWalk({ seed: ${seed}, steps: ${options.steps}, memory: "${memory}" })`;
    const last = done.at(-1);
    const text = last?.event === "step" ? stepText(last.step) : textOf(last);
    throw new Error(`${line} at event ${done.length - 1}, ${text}\n  ${messageOf(error)}`, { cause: error });
  }
  return { holds: true };
}

/** Plays events again. A look at a slot where nothing is kept is none. */
export function replayEvents(
  events: readonly QuestionEvent[],
  { memory = "plain", strict = false }: ReplayOptions = {},
): { readonly holds: true } {
  const asked = createAsked(memory, strict);
  try {
    for (const event of events) takeEvent(asked, event);
  } finally {
    forgetAll(asked);
  }
  return { holds: true };
}

/** Few events, of small questions, with which a replay fails in the same way; empty if the walk does not fail. */
export function shortestEvents(options: QuestionWalkOptions): QuestionEvent[] {
  let events: QuestionEvent[] = [];
  try {
    walkOn(options, events);
    return [];
  } catch {
    // as hoped: these are the events that lead there
  }
  const replayed = { memory: options.memory, strict: isStrict(options.seed) };
  const failure = failureOf(events, replayed);
  const fails = (fewer: readonly QuestionEvent[]): boolean => failureOf(fewer, replayed) === failure;
  for (let size = Math.ceil(events.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = events.length - size; from > -size; from -= size) {
      const fewer = [...events.slice(0, Math.max(0, from)), ...events.slice(from + size)];
      if (fails(fewer)) events = fewer;
    }
  }
  return withFewerTerms(events, fails);
}

function withFewerTerms(
  events: QuestionEvent[],
  fails: (events: readonly QuestionEvent[]) => boolean,
): QuestionEvent[] {
  let best = events;
  events.forEach((_, at) => {
    for (let place = 7; place >= 0; place--) {
      const event = best[at]!;
      if (!("question" in event)) return;
      const terms = event.question.terms.filter((__, one) => one !== place);
      const fewer = best.with(at, { ...event, question: { ...event.question, terms } });
      if (terms.length < event.question.terms.length && fails(fewer)) best = fewer;
    }
  });
  return best;
}

function failureOf(events: readonly QuestionEvent[], options: ReplayOptions): string | undefined {
  try {
    replayEvents(events, options);
    return undefined;
  } catch (error) {
    return messageOf(error)
      .replaceAll(/\{.*\}/g, "{}")
      .replaceAll(/\[.*?\]/g, "[]")
      .replaceAll(/\d+/g, "#");
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A walk in four is through a strict world. */
function isStrict(seed: number): boolean {
  return seed % 4 === 3;
}

// ---- the walk ----------------------------------------------------------------------------------------------------

function walkOn({ seed, steps, memory = "plain" }: QuestionWalkOptions, done: QuestionEvent[]): void {
  const dice = createDice(seed);
  const curious = createDice(seed + 1_000_000);
  const asked = createAsked(memory, isStrict(seed));
  const chooser: Chooser = {
    dice,
    palette: createPalette(dice),
    slow: asked.slow,
    kind: KINDS[seed % KINDS.length]!,
    isWorn: false,
    isStrict: false,
    cap: CAP,
    named: 1,
    cloned: FIRST_CLONE,
    together: [],
  };
  const asker: Chooser = { ...chooser, dice: curious };
  const take = (event: QuestionEvent): void => {
    done.push(event);
    takeEvent(asked, event);
  };
  try {
    for (let turn = 0; turn < steps; turn++) {
      for (const step of plainParts(chooseStep(chooser))) take({ event: "step", step });
      asker.named = chooser.named;
      if (asked.slow.living.size > 0) askAround(asker, asked, take);
      if (turn % INVARIANTS_SELDOM === 0) compareInvariants(asked.fast);
    }
  } finally {
    forgetAll(asked);
  }
}

/** Some kept questions are looked at, others not: who looks seldom finds other bugs than who always looks. */
function askAround(asker: Chooser, asked: TermPattern, take: (event: QuestionEvent) => void): void {
  const { dice } = asker;
  const slot = dice.below(SLOTS);
  const writing = dice.chance(0.3) ? chooseWriting(asker) : undefined;
  if (writing !== undefined) take({ event: "write", writing });
  if (dice.chance(0.05)) take({ event: "monitor", question: chooseMonitored(asker) });
  if (dice.chance(0.12)) take({ event: "keep", slot, question: answeredOne(asker, asked) });
  take({ event: "look", slot, way: dice.pick(QUESTION_WAYS) });
  watch(asker, asked, take);
  if (dice.chance(0.15)) writeWhatOrders(asker, slot, take);
  if (dice.chance(0.3)) nest(asker, asked, take);
  if (!dice.chance(0.6)) return;
  const question = answeredOne(asker, asked);
  const way = dice.pick(QUESTION_WAYS);
  take({ event: "ask", question, way });
  // The same terms in another order are the same question.
  if (dice.chance(0.3))
    take({ event: "ask", question: { ...question, terms: shuffled(dice, question.terms) }, way });
}

/** Questions about changes have slots of their own: they are asked often, so that little lies between two looks. */
function watch(asker: Chooser, { kept }: TermPattern, take: (event: QuestionEvent) => void): void {
  const { dice } = asker;
  const slot = SLOTS + dice.below(SLOTS);
  if (dice.chance(0.15)) take({ event: "keep", slot, question: chooseWatching(asker) });
  const watched = kept.get(slot)?.question;
  if (watched === undefined || dice.chance(0.3)) return;
  const writing = dice.chance(0.5) ? chooseWriting(asker, watchedIn(watched.terms)) : undefined;
  if (writing !== undefined) take({ event: "write", writing });
  const writes = dice.chance(0.4) ? chooseWritten(asker, kept.get(slot)!.question) : undefined;
  if (writes === undefined) {
    take({ event: "look", slot, way: dice.pick(QUESTION_WAYS) });
    return;
  }
  const other = dice.chance(0.3) ? { meanwhile: otherWatching(dice, slot) } : {};
  take({ event: "look", slot, way: dice.pick(OPEN_WAYS), writes, ...other });
  const next = dice.chance(0.7) ? slot : otherWatching(dice, slot);
  take({ event: "look", slot: next, way: dice.pick(QUESTION_WAYS) });
}

/** Nobody comes, goes or moves between the looks. */
function writeWhatOrders(asker: Chooser, slot: number, take: (event: QuestionEvent) => void): void {
  const { dice } = asker;
  const question = chooseOrdered(asker);
  take({ event: "keep", slot, question });
  for (let looks = 2 + dice.below(2); looks > 0; looks--) {
    take({ event: "look", slot, way: dice.pick(QUESTION_WAYS) });
    const writing = chooseWriting(asker, [question.orderBy!.what]);
    if (writing !== undefined) take({ event: "write", writing });
  }
  take({ event: "look", slot, way: dice.pick(QUESTION_WAYS) });
}

function otherWatching(dice: Dice, slot: number): number {
  return SLOTS + ((slot + 1 + dice.below(SLOTS - 1)) % SLOTS);
}

/** Questions inside visits, and while a listener is told. */
function nest(asker: Chooser, asked: TermPattern, take: (event: QuestionEvent) => void): void {
  const { dice } = asker;
  const slots = [...asked.kept.keys()];
  const slot = slots.length === 0 ? 0 : dice.pick(slots);
  const inner = Array.from({ length: 1 + dice.below(3) }, () => innerEvent(asker, asked, slot));
  if (dice.chance(0.3)) {
    const step = chooseSmall(asker);
    if (step.verb === "add") take({ event: "hear", step, inner });
    return;
  }
  const changes = Array.from({ length: dice.below(3) }, () => chooseSmall(asker));
  take({ event: "inside", slot, way: dice.pick(OPEN_WAYS), at: dice.below(2), inner, changes });
}

/** Often the same question that is being visited. */
function innerEvent(asker: Chooser, asked: TermPattern, slot: number): QuestionEvent {
  const { dice } = asker;
  const way = dice.pick(QUESTION_WAYS);
  const luck = dice.below(5);
  if (luck === 0) return { event: "ask", question: answeredOne(asker, asked), way };
  if (luck === 1) {
    const inner = { event: "look", slot: dice.below(2 * SLOTS), way } as const;
    return {
      event: "inside",
      slot,
      way: dice.pick(OPEN_WAYS),
      at: dice.below(2),
      inner: [inner],
      changes: [],
    };
  }
  return { event: "look", slot: luck === 2 ? dice.below(2 * SLOTS) : slot, way };
}

/** One that somebody answers, if there is one among a few: nobody learns much from the others. */
function answeredOne(asker: Chooser, { fast, slow, happenings }: TermPattern): Question {
  const asking: Asking = { ...worldOf(fast, slow), ...happenedSince(happenings, slow, undefined) };
  let question = chooseQuestion(asker);
  for (let more = TRIES; more > 0 && answersTo(asking, question).length === 0; more--) {
    question = chooseQuestion(asker);
  }
  return question;
}

/** One by one; without what other walks do inside visits and with listeners. */
function plainParts(step: Step): Step[] {
  switch (step.verb) {
    case "burst":
      return step.steps.flatMap(plainParts);
    case "ask":
    case "drift":
    case "listen":
    case "meddle":
    case "visit":
      return [];
    default:
      return [step];
  }
}
