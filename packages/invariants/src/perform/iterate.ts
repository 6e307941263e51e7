/** Commands issued inside an iteration of the real world. */
import { applyCommands, createCommands, isAlive, parentOf, record, type World } from "@treeline/core";
import { queryVerbs, verbs } from "../base/entry-points.ts";
import type { RealWorld } from "../step/real-world.ts";
import { handleOf, idOf } from "../step/real-world.ts";
import { same, sameValue } from "../step/same.ts";
import type { Command, Step } from "../step/step.ts";
import { definitionOf, isObject, isUsable, rules } from "../step/vocabulary.ts";
import type { Fields, NaiveTerm, Twin } from "../twin/rules.ts";
import { mixed } from "../twin/values.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { get, has, isAlive as isTwinAlive } from "../twin/world.ts";
import { assignTwinsBelow, codeOf, perform } from "./perform.ts";
import { spawnedBy } from "./twin-commands.ts";

type IterateStep = Extract<Step, { verb: "iterate" }>;

const THROWN = "the callback throws";
const HOOKED = ["Name", "Alias", "Label", "Alarm"];

/**
 * Issues the commands while the first entity is iterated, or inside `defer`.
 *
 * @param naive the twin before the iteration.
 * @param inspect is called when all commands have been issued: the world is as it was at the start, except for values.
 * @returns the result of each command when it was issued, and the result of the iteration.
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
      if (code === undefined && step.method !== "record")
        compareWritten(real, naive, command, step.steps.slice(0, at));
    });
    for (const command of step.steps) {
      const isAlone = step.steps.every((one) => one === command || one.verb === "spawn");
      comparePending(real, command, isAlone);
    }
    inspect();
    if (step.isThrowing) throw new Error(THROWN);
  };
  const end = endOf(() => iterateWith(real, step.method, issue, inspect));
  if (codes.length === 0) return "no entity was iterated";
  for (const command of allIn(step.steps))
    if (command.verb === "clone") assignTwinsBelow(real, command.spawned);
  return [...codes, end].join(" ");
}

/** Includes the commands inside scopes. */
function allIn(steps: readonly Command[]): Command[] {
  return steps.flatMap((step) => (step.verb === "within" ? allIn(step.steps) : [step]));
}

/** A value of an existing component is written at once, unless a deferred command may concern its entity. */
function compareWritten(
  real: RealWorld,
  naive: NaiveWorld,
  command: Command,
  earlier: readonly Command[],
): void {
  if (command.verb !== "set" || earlier.some(({ verb }) => verb !== "set" && verb !== "spawn")) return;
  const { entity, term } = command;
  const { what, target, value } = term;
  if (HOOKED.includes(what) && earlier.length > 0) return; // hooks also read other entities
  if (what === "Name" && naive.names.collisions === "suffix") return; // a number may be appended to it
  const isWritten = (other: Command): boolean => other.verb === "set" && other.entity === entity;
  if (!isTwinAlive(naive, entity) || !has(naive, entity, what, target) || earlier.some(isWritten)) return;
  const seen = verbs.get(real.world, handleOf(real, entity), idOf(real, what, target));
  const before = get(naive, entity, what, target as Twin | undefined) as Fields;
  const expected = isObject(what) ? value : mixed(rules, what, before, value);
  sameValue(real, what, seen, expected, () => `${what} of e${entity}, written inside the iteration`);
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

/** @param inspect is also called after an inner iteration has ended, before the outer one ends. */
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
  if (method === "record") {
    recordAndApply(world, issue, inspect);
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

/** Records in a command buffer and applies it; what the recorded function throws comes first. */
function recordAndApply(world: World, issue: () => void, inspect: () => void): void {
  const buffer = createCommands(world);
  const errors: unknown[] = [];
  for (const run of [() => record(buffer, issue), inspect, () => applyCommands(buffer)]) {
    try {
      run();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** Issues the command inside an iteration of a strict world. @returns the code of the refusal. */
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

/**
 * An entity spawned in an iteration is alive at once, and what it was spawned with can be read; pending walks look at all that it is
 * given. @param isAlone no other command may have changed it.
 */
function comparePending(real: RealWorld, command: Command, isAlone: boolean): void {
  const { world } = real;
  const isSpawn = isAlone && (command.verb === "spawn" || command.verb === "spawnMany");
  const terms = isSpawn ? command.terms : undefined;
  const given = terms && withRequired(terms);
  for (const twin of spawnedBy(command)) {
    const handle = handleOf(real, twin);
    if (!real.handles.has(twin)) continue; // refused when it was issued
    same(isAlive(world, handle), true, () => `e${twin}, spawned in the iteration, is alive`);
    for (const what of [...rules.tags, ...rules.objects].filter(isUsable)) {
      const has = verbs.has(world, handle, definitionOf(what));
      // A component entity as a tag means its definition, and other verbs give what others have.
      if (given === undefined || given.has("Is")) continue;
      same(has, given.has(what), () => `e${twin}, spawned in the iteration, has ${what}`);
    }
    const parent = terms?.find(({ what }) => what === "ChildOf" || what === "Parent")?.target;
    if (parent === undefined || !real.handles.has(parent as number)) continue;
    const above = handleOf(real, parent as number);
    if (isAlive(world, above))
      same(parentOf(world, handle), above, () => `parent of e${twin}, spawned in the iteration`);
  }
}

/** What terms give, with what that requires. */
function withRequired(terms: readonly NaiveTerm[]): ReadonlySet<string> {
  const found = new Set(terms.map(({ what }) => what));
  // A set goes on to what is added to it meanwhile.
  for (const what of found) for (const needed of rules.requires[what] ?? []) found.add(needed);
  return found;
}
