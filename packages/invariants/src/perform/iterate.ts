/** Commands issued inside a visit of the real world. */
import { isAlive, parentOf } from "@treeline/core";
import { verbs, visitors } from "../base/entry-points.ts";
import type { FastWorld } from "../step/fast-world.ts";
import { handleOf, idOf } from "../step/fast-world.ts";
import { same, sameValue } from "../step/same.ts";
import type { Command, Step } from "../step/step.ts";
import { definitionOf, fieldsOf, isObject, isUsable, rules } from "../step/vocabulary.ts";
import type { Fields, Twin } from "../twin/rules.ts";
import { mixed } from "../twin/values.ts";
import type { SlowWorld } from "../twin/world.ts";
import { get, has, isAlive as isThere } from "../twin/world.ts";
import { christenBelow, codeOf, perform } from "./perform.ts";
import { bornBy } from "./twin-commands.ts";

type Visit = Extract<Step, { verb: "visit" }>;

const TORN = "the visitor had enough";
const HOOKED = ["Name", "Alias", "Label", "Alarm"];

/**
 * Issues the commands while the first entity is visited, or somebody defers.
 *
 * @param slow the twin before the visit.
 * @param look is called when all have been issued: the world is as it was then, but for values.
 * @returns what each command got when it was issued, and what the visit ended with.
 */
export function visit(fast: FastWorld, slow: SlowWorld, step: Visit, look: () => void): string {
  const told: string[] = [];
  let isFirst = true;
  const issue = (): void => {
    if (!isFirst) return;
    isFirst = false;
    step.steps.forEach((command, at) => {
      const code = perform(fast, command);
      told.push(code === undefined || code.endsWith(" died") ? "issued" : code);
      if (code === undefined) compareWritten(fast, slow, command, step.steps.slice(0, at));
    });
    for (const command of step.steps) compareUnborn(fast, command);
    look();
    if (step.isTorn) throw new Error(TORN);
  };
  const end = endOf(() => during(fast, step.way, issue, look));
  if (told.length === 0) return "nobody was visited";
  for (const command of allIn(step.steps)) if (command.verb === "clone") christenBelow(fast, command.born);
  return [...told, end].join(" ");
}

/** Those inside scopes too. */
function allIn(steps: readonly Command[]): Command[] {
  return steps.flatMap((step) => (step.verb === "within" ? allIn(step.steps) : [step]));
}

/** A value of something that is there is written at once, if nothing that may concern its entity waits. */
function compareWritten(
  fast: FastWorld,
  slow: SlowWorld,
  command: Command,
  earlier: readonly Command[],
): void {
  if (command.verb !== "set" || earlier.some(({ verb }) => verb !== "set" && verb !== "spawn")) return;
  const { entity, term } = command;
  const { what, target, value } = term;
  if (HOOKED.includes(what) && earlier.length > 0) return; // hooks look at others too
  if (what === "Name" && slow.names.collisions === "suffix") return; // it may get a number
  const isWritten = (other: Command): boolean => other.verb === "set" && other.entity === entity;
  if (!isThere(slow, entity) || !has(slow, entity, what, target) || earlier.some(isWritten)) return;
  const seen = verbs.get(fast.world, handleOf(fast, entity), idOf(fast, what, target));
  const before = get(slow, entity, what, target as Twin | undefined) as Fields;
  const expected = isObject(what) ? value : mixed(fieldsOf(what) ?? {}, before, value);
  sameValue(fast, what, seen, expected, () => `${what} of e${entity}, written inside the visit`);
}

function endOf(run: () => void): string {
  try {
    return (
      codeOf(() => {
        run();
        return undefined;
      }) ?? "done"
    );
  } catch (error) {
    if ((error as Error).message === TORN) return "torn";
    throw error;
  }
}

/** @param look also, after an inner visit has ended and before the outer one does. */
function during(fast: FastWorld, way: Visit["way"], issue: () => void, look: () => void): void {
  const { world } = fast;
  if (way === "defer") {
    verbs.defer(world, issue);
    return;
  }
  const isByDepth = way === "eachBatch";
  const all = isByDepth
    ? visitors.query(world, visitors.cascade(definitionOf("Position")))
    : visitors.query(world);
  try {
    if (way === "each") visitors.each(all, issue);
    else if (way === "eachRun") visitors.eachRun(all, issue);
    else if (isByDepth) visitors.eachBatch(all, issue);
    else {
      let isFirst = true;
      visitors.each(all, () => {
        if (isFirst) verbs.defer(world, issue);
        if (isFirst) look();
        isFirst = false;
      });
    }
  } finally {
    visitors.dispose(all);
  }
}

/** Inside a strict world's visit: @returns the code of the refusal. */
export function meddle(fast: FastWorld, command: Command): string | undefined {
  let code: string | undefined = "nobody was visited";
  let isFirst = true;
  const issue = (): void => {
    if (isFirst) code = perform(fast, command) ?? "nothing but a value";
    isFirst = false;
  };
  during(fast, "each", issue, () => undefined);
  return code;
}

/** Whoever is born in a visit lives at once and has nothing before its end. */
function compareUnborn(fast: FastWorld, command: Command): void {
  const { world } = fast;
  for (const twin of bornBy(command)) {
    const handle = handleOf(fast, twin);
    if (!fast.handles.has(twin)) continue; // refused when it was issued
    same(isAlive(world, handle), true, () => `e${twin}, born in the visit, is alive`);
    same(parentOf(world, handle), undefined, () => `parent of e${twin}, born in the visit`);
    for (const what of [...rules.tags, ...rules.objects].filter(isUsable)) {
      const has = verbs.has(world, handle, definitionOf(what));
      same(has, false, () => `e${twin}, born in the visit, has ${what}`);
    }
  }
}
