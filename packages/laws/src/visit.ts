/** Commands issued inside a visit of the real world. */
import { isAlive, parentOf } from "@treeline/core";
import { verbs, visitors } from "./doors.ts";
import type { FastWorld } from "./fast-world.ts";
import { handleOf } from "./fast-world.ts";
import { christenBelow, codeOf, perform } from "./perform.ts";
import { same } from "./same.ts";
import { bornBy } from "./slow-queue.ts";
import type { Command, Step } from "./step.ts";
import { definitionOf, isUsable, rules } from "./vocabulary.ts";

type Visit = Extract<Step, { verb: "visit" }>;

const TORN = "the visitor had enough";

/**
 * Issues the commands while the first entity is visited, or somebody defers.
 *
 * @param look is called when all have been issued: the world is as it was then.
 * @returns what each command got when it was issued, and what the visit ended with.
 */
export function visit(fast: FastWorld, step: Visit, look: () => void): string {
  const told: string[] = [];
  let isFirst = true;
  const issue = (): void => {
    if (!isFirst) return;
    isFirst = false;
    for (const command of step.steps) {
      const code = perform(fast, command);
      told.push(code === undefined || code.endsWith(" died") ? "issued" : code);
    }
    for (const command of step.steps) compareUnborn(fast, command);
    look();
    if (step.isTorn) throw new Error(TORN);
  };
  const end = endOf(() => during(fast, step.way, issue));
  if (told.length === 0) return "nobody was visited";
  for (const command of step.steps) if (command.verb === "clone") christenBelow(fast, command.born);
  return [...told, end].join(" ");
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

function during(fast: FastWorld, way: Visit["way"], issue: () => void): void {
  const { world } = fast;
  if (way === "defer") {
    verbs.defer(world, issue);
    return;
  }
  const all = visitors.query(world);
  if (way === "each") visitors.each(all, issue);
  else visitors.eachRun(all, issue);
  visitors.dispose(all);
}

/** Inside a strict world's visit: @returns the code of the refusal. */
export function meddle(fast: FastWorld, command: Command): string | undefined {
  let code: string | undefined = "nobody was visited";
  let isFirst = true;
  during(fast, "each", () => {
    if (isFirst) code = perform(fast, command);
    isFirst = false;
  });
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
