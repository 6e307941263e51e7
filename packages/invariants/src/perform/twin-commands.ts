/**
 * Commands issued inside a visit of the naive twin: looked at when they are issued, and done in order of issue when
 * the visit ends, as far as those they name still live.
 */

import type { Command, Step } from "../step/step.ts";
import { badTerm } from "../twin/refusals.ts";
import type { Refusal, SlowTerm, Twin } from "../twin/rules.ts";
import type { SlowWorld } from "../twin/world.ts";
import { has, isAlive, isThere, meantBy } from "../twin/world.ts";
import type { Promises } from "./twin-ensure.ts";
import { ensureSlowly, inScope } from "./twin-ensure.ts";
import { isSeek, oneText } from "./twin-lookup.ts";

type Visit = Extract<Step, { verb: "visit" }>;
type Within = Extract<Command, { verb: "within" }>;
type Perform = (world: SlowWorld, step: Command) => string | undefined;

/** @returns what each command got when it was issued, and what the visit ended with. */
export function visitSlowly(world: SlowWorld, visit: Visit, perform: Perform): string {
  const visiting: Visiting = { world, perform, queue: [], promised: new Map() };
  const told = visit.steps.map((command) => issue(visiting, command));
  world.limbo.clear();

  let first: string | undefined;
  for (const command of visiting.queue) {
    const left = whatIsLeft(world, command);
    const code = left === undefined ? undefined : perform(world, left);
    if (code !== undefined && !code.endsWith(" died")) first ??= code;
  }
  return [...told, visit.isTorn ? "torn" : (first ?? "done")].join(" ");
}

/** What has been issued until now. */
interface Visiting {
  readonly world: SlowWorld;
  readonly perform: Perform;
  readonly queue: Command[];
  readonly promised: Promises;
}

/** @returns what is told at once. */
function issue(visiting: Visiting, given: Command): string {
  const { world, perform, queue, promised } = visiting;
  if (given.verb === "within") return issueWithin(visiting, given);
  if (isSeek(given)) return perform(world, given) ?? "issued";
  const command = inScope(world, given);
  const code = refusalAtOnce(world, command);
  if (code !== undefined) return code;
  if (command.verb === "ensurePath") {
    const ensured = ensureSlowly(world, command, promised);
    if (typeof ensured === "string") return ensured;
    queue.push(...ensured.births);
    for (const birth of ensured.births) for (const newborn of birth.born) world.limbo.add(newborn);
    return `${oneText(ensured.twin)} is there`;
  }
  if (queue.length === 0 && isWritten(world, command)) return perform(world, command) ?? "issued";
  queue.push(asMeant(world, command));
  for (const newborn of bornBy(command)) world.limbo.add(newborn);
  return "issued";
}

/** Who is born there has its parent as soon as it is issued. */
function issueWithin(visiting: Visiting, { parent, steps, isTorn }: Within): string {
  const { world } = visiting;
  if (parent !== undefined && !isThere(world, parent)) return "dead-entity";
  const { scope } = world;
  world.scope = parent;
  const told = steps.map((command) => {
    const word = issue(visiting, command);
    return word === "issued" ? "done" : word;
  });
  world.scope = scope;
  return [...told, isTorn ? "torn" : "done"].join(" ");
}

/**
 * A value of something that is there is written at once, unless something waits that comes before it. That makes a
 * difference for names, which may be refused then.
 */
function isWritten(world: SlowWorld, command: Command): boolean {
  if (command.verb === "rename") return has(world, command.entity, "Name");
  return command.verb === "set" && has(world, command.entity, command.term.what, command.term.target);
}

/** Those who are alive as soon as the command is issued; of a path those among them who are missing. */
export function bornBy(command: Command): readonly Twin[] {
  if (command.verb === "spawn" || command.verb === "spawnMany") return command.born;
  if (command.verb === "within") return command.steps.flatMap(bornBy);
  if (command.verb === "ensurePath") return command.born;
  return command.verb === "clone" ? [command.born] : [];
}

/** Whom the command is about; it fails for the dead. */
function namedBy(command: Command): readonly Twin[] {
  switch (command.verb) {
    case "insertAt":
      return [command.child]; // its parent is named by a term
    case "moveBeside":
      return [command.child, command.sibling];
    case "setChildOrder":
      return [command.parent, ...command.order];
    case "sortChildren":
    case "detachChildren":
      return [command.parent];
    case "replaceChildren":
      return [command.parent, ...command.list];
    case "add":
    case "remove":
    case "set":
    case "rename":
    case "clear":
    case "clone":
    case "attach":
    case "detach":
    case "detachFamily":
    case "detachAll":
      return [command.entity];
    default:
      return [];
  }
}

function termsOf(command: Command): readonly SlowTerm[] {
  switch (command.verb) {
    case "spawn":
    case "spawnMany":
    case "add":
    case "clone":
      return command.terms;
    case "set":
      return [command.term];
    case "attach":
    case "insertAt":
      return [{ what: "ChildOf", target: command.parent }];
    default:
      return [];
  }
}

/** An entity that stands for a definition means that definition, even if it is dead by the end. */
function asMeant(world: SlowWorld, command: Command): Command {
  const meant = (term: SlowTerm): SlowTerm => {
    return term.what === "Is" ? { ...meantBy(world, term), value: term.value } : term;
  };
  switch (command.verb) {
    case "spawn":
    case "spawnMany":
    case "add":
    case "clone":
      return { ...command, terms: command.terms.map(meant) };
    case "remove": {
      const { verb, entity, what, target } = command;
      return { verb, entity, ...meantBy(world, target === undefined ? { what } : { what, target }) };
    }
    case "removeAll": {
      const { verb, what, target } = command;
      return { verb, ...meantBy(world, target === undefined ? { what } : { what, target }) };
    }
    default:
      return command;
  }
}

/** What would be wrong whatever happens until the end. Deaths that wait have not happened, births have. */
function refusalAtOnce(world: SlowWorld, command: Command): Refusal | undefined {
  const isKnown = (entity: Twin): boolean => isThere(world, entity);
  if (!namedBy(command).every(isKnown)) return "dead-entity";
  return badTerm(world, termsOf(command), isKnown);
}

/**
 * What can be done of a command, now that some of those it names may have died: nothing for the dead; not the pairs
 * that point at the dead; and if such a pair would let its source die with its target, only that death.
 */
function whatIsLeft(world: SlowWorld, command: Command): Command | undefined {
  if (command.verb === "setChildOrder" || command.verb === "replaceChildren") return listLeft(world, command);
  if (!namedBy(command).every((entity) => isAlive(world, entity))) return undefined;
  const terms = termsOf(command);
  const dead = terms.filter(({ target }) => typeof target === "number" && !isAlive(world, target));
  if (dead.length === 0) return command;
  const isDeadly =
    !world.dropsOrphans && dead.some(({ what }) => world.rules.relations[what]?.onTargetDestroy === "delete");
  const rest = terms.filter((term) => !dead.includes(term));
  switch (command.verb) {
    case "spawn":
    case "spawnMany":
    case "clone":
      return isDeadly ? undefined : { ...command, terms: rest };
    case "add":
      return isDeadly ? { verb: "destroy", entity: command.entity } : { ...command, terms: rest };
    case "attach":
      return isDeadly ? { verb: "destroy", entity: command.entity } : undefined;
    case "insertAt":
      return isDeadly ? { verb: "destroy", entity: command.child } : undefined;
    default:
      return undefined; // a value for a pair that cannot be any more
  }
}

type Listing = Extract<Command, { verb: "setChildOrder" | "replaceChildren" }>;

/** The dead are left out of lists; if it is the parent who died, those who were to be its children die too. */
function listLeft(world: SlowWorld, command: Listing): Command | undefined {
  const isLiving = (entity: Twin): boolean => isAlive(world, entity);
  const isOrphaned = !isLiving(command.parent);
  if (command.verb === "setChildOrder") {
    return isOrphaned ? undefined : { ...command, order: command.order.filter(isLiving) };
  }
  const list = command.list.filter(isLiving);
  if (!isOrphaned) return { ...command, list };
  return world.dropsOrphans ? undefined : { verb: "destroyEach", entities: list };
}
