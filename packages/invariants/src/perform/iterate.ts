/** Commands issued inside a visit of the real world. */
import { isAlive, parentOf } from "@treeline/core";
import { queryVerbs, verbs } from "../base/entry-points.ts";
import type { RealWorld } from "../step/real-world.ts";
import { handleOf, idOf } from "../step/real-world.ts";
import { same, sameValue } from "../step/same.ts";
import type { Command, Step } from "../step/step.ts";
import { definitionOf, fieldsOf, isObject, isUsable, rules } from "../step/vocabulary.ts";
import type { Fields, Twin } from "../twin/rules.ts";
import { mixed } from "../twin/values.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { get, has, isAlive as isTwinAlive } from "../twin/world.ts";
import { assignTwinsBelow, codeOf, perform } from "./perform.ts";
import { spawnedBy } from "./twin-commands.ts";

type IterateStep = Extract<Step, { verb: "iterate" }>;

const THROWN = "the visitor had enough";
const HOOKED = ["Name", "Alias", "Label", "Alarm"];

/**
 * Issues the commands while the first entity is visited, or somebody defers.
 *
 * @param slow the twin before the visit.
 * @param look is called when all have been issued: the world is as it was then, but for values.
 * @returns what each command got when it was issued, and what the visit ended with.
 */
export function iterate(real: RealWorld, naive: NaiveWorld, step: IterateStep, inspect: () => void): string {
  const codes: string[] = [];
  let isFirst = true;
  const issue = (): void => {
    if (!isFirst) return;
    isFirst = false;
    step.steps.forEach((command, at) => {
      const code = perform(real, command);
      codes.push(code === undefined || code.endsWith(" destroyed") ? "issued" : code);
      if (code === undefined) compareWritten(real, naive, command, step.steps.slice(0, at));
    });
    for (const command of step.steps) comparePending(real, command);
    inspect();
    if (step.isThrowing) throw new Error(THROWN);
  };
  const end = endOf(() => iterateWith(real, step.method, issue, inspect));
  if (codes.length === 0) return "no entity was iterated";
  for (const command of allIn(step.steps))
    if (command.verb === "clone") assignTwinsBelow(real, command.spawned);
  return [...codes, end].join(" ");
}

/** Those inside scopes too. */
function allIn(steps: readonly Command[]): Command[] {
  return steps.flatMap((step) => (step.verb === "within" ? allIn(step.steps) : [step]));
}

/** A value of something that is there is written at once, if nothing that may concern its entity waits. */
function compareWritten(
  real: RealWorld,
  naive: NaiveWorld,
  command: Command,
  earlier: readonly Command[],
): void {
  if (command.verb !== "set" || earlier.some(({ verb }) => verb !== "set" && verb !== "spawn")) return;
  const { entity, term } = command;
  const { what, target, value } = term;
  if (HOOKED.includes(what) && earlier.length > 0) return; // hooks look at others too
  if (what === "Name" && naive.names.collisions === "suffix") return; // it may get a number
  const isWritten = (other: Command): boolean => other.verb === "set" && other.entity === entity;
  if (!isTwinAlive(naive, entity) || !has(naive, entity, what, target) || earlier.some(isWritten)) return;
  const seen = verbs.get(real.world, handleOf(real, entity), idOf(real, what, target));
  const before = get(naive, entity, what, target as Twin | undefined) as Fields;
  const expected = isObject(what) ? value : mixed(fieldsOf(what) ?? {}, before, value);
  sameValue(real, what, seen, expected, () => `${what} of e${entity}, written inside the visit`);
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
    if ((error as Error).message === THROWN) return "thrown";
    throw error;
  }
}

/** @param look also, after an inner visit has ended and before the outer one does. */
function iterateWith(
  real: RealWorld,
  method: IterateStep["method"],
  issue: () => void,
  inspect: () => void,
): void {
  const { world } = real;
  if (method === "defer") {
    verbs.defer(world, issue);
    return;
  }
  const isByDepth = method === "eachBatch";
  const all = isByDepth
    ? queryVerbs.query(world, queryVerbs.cascade(definitionOf("Position")))
    : queryVerbs.query(world);
  try {
    if (method === "each") queryVerbs.each(all, issue);
    else if (method === "eachRun") queryVerbs.eachRun(all, issue);
    else if (isByDepth) queryVerbs.eachBatch(all, issue);
    else {
      let isFirst = true;
      queryVerbs.each(all, () => {
        if (isFirst) verbs.defer(world, issue);
        if (isFirst) inspect();
        isFirst = false;
      });
    }
  } finally {
    queryVerbs.dispose(all);
  }
}

/** Inside a strict world's visit: @returns the code of the refusal. */
export function changeInside(real: RealWorld, command: Command): string | undefined {
  let code: string | undefined = "no entity was iterated";
  let isFirst = true;
  const issue = (): void => {
    if (isFirst) code = perform(real, command) ?? "only a value written";
    isFirst = false;
  };
  iterateWith(real, "each", issue, () => undefined);
  return code;
}

/** Whoever is born in a visit lives at once and has nothing before its end. */
function comparePending(real: RealWorld, command: Command): void {
  const { world } = real;
  for (const twin of spawnedBy(command)) {
    const handle = handleOf(real, twin);
    if (!real.handles.has(twin)) continue; // refused when it was issued
    same(isAlive(world, handle), true, () => `e${twin}, born in the visit, is alive`);
    same(parentOf(world, handle), undefined, () => `parent of e${twin}, born in the visit`);
    for (const what of [...rules.tags, ...rules.objects].filter(isUsable)) {
      const has = verbs.has(world, handle, definitionOf(what));
      same(has, false, () => `e${twin}, born in the visit, has ${what}`);
    }
  }
}
