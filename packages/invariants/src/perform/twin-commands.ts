/**
 * Commands issued inside a visit of the naive twin: looked at when they are issued, and done in order of issue when
 * the visit ends, as far as those they name still live.
 */

import type { Command, Step } from "../step/step.ts";
import { badTerm } from "../twin/refusals.ts";
import type { NaiveTerm, Refusal, Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { has, isAlive, isThere, resolveId } from "../twin/world.ts";
import type { ReservedPaths } from "./twin-ensure.ts";
import { ensureNaively, inScope } from "./twin-ensure.ts";
import { isNameQuery, oneText } from "./twin-lookup.ts";

type IterateStep = Extract<Step, { verb: "iterate" }>;
type Within = Extract<Command, { verb: "within" }>;
type Perform = (world: NaiveWorld, step: Command) => string | undefined;

/** @returns what each command got when it was issued, and what the visit ended with. */
export function iterateNaively(world: NaiveWorld, step: IterateStep, perform: Perform): string {
  const issued: IssuedCommands = { world, perform, commands: [], reserved: new Map() };
  const codes = step.steps.map((command) => issue(issued, command));
  world.pending.clear();

  let first: string | undefined;
  for (const command of issued.commands) {
    const left = remainingCommand(world, command);
    const code = left === undefined ? undefined : perform(world, left);
    if (code !== undefined && !code.endsWith(" destroyed")) first ??= code;
  }
  return [...codes, step.isThrowing ? "thrown" : (first ?? "done")].join(" ");
}

/** What has been issued until now. */
interface IssuedCommands {
  readonly world: NaiveWorld;
  readonly perform: Perform;
  readonly commands: Command[];
  readonly reserved: ReservedPaths;
}

/** @returns what is told at once. */
function issue(issued: IssuedCommands, given: Command): string {
  const { world, perform, commands, reserved } = issued;
  if (given.verb === "within") return issueWithin(issued, given);
  if (isNameQuery(given)) return perform(world, given) ?? "issued";
  const command = inScope(world, given);
  const code = refusalAtOnce(world, command);
  if (code !== undefined) return code;
  if (command.verb === "ensurePath") {
    const ensured = ensureNaively(world, command, reserved);
    if (typeof ensured === "string") return ensured;
    commands.push(...ensured.spawnCommands);
    for (const spawnCommand of ensured.spawnCommands)
      for (const entity of spawnCommand.spawned) world.pending.add(entity);
    return `${oneText(ensured.twin)} is there`;
  }
  if (commands.length === 0 && isWritten(world, command)) return perform(world, command) ?? "issued";
  commands.push(resolveTerms(world, command));
  for (const entity of spawnedBy(command)) world.pending.add(entity);
  return "issued";
}

/** Who is born there has its parent as soon as it is issued. */
function issueWithin(issued: IssuedCommands, { parent, steps, isThrowing }: Within): string {
  const { world } = issued;
  if (parent !== undefined && !isThere(world, parent)) return "dead-entity";
  const { scope } = world;
  world.scope = parent;
  const codes = steps.map((command) => {
    const word = issue(issued, command);
    return word === "issued" ? "done" : word;
  });
  world.scope = scope;
  return [...codes, isThrowing ? "thrown" : "done"].join(" ");
}

/**
 * A value of something that is there is written at once, unless something waits that comes before it. That makes a
 * difference for names, which may be refused then.
 */
function isWritten(world: NaiveWorld, command: Command): boolean {
  if (command.verb === "rename") return has(world, command.entity, "Name");
  return command.verb === "set" && has(world, command.entity, command.term.what, command.term.target);
}

/** Those who are alive as soon as the command is issued; of a path those among them who are missing. */
export function spawnedBy(command: Command): readonly Twin[] {
  if (command.verb === "spawn" || command.verb === "spawnMany") return command.spawned;
  if (command.verb === "within") return command.steps.flatMap(spawnedBy);
  if (command.verb === "ensurePath") return command.spawned;
  return command.verb === "clone" ? [command.spawned] : [];
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
    case "detachWithChildren":
    case "detachWithDescendants":
      return [command.entity];
    default:
      return [];
  }
}

function termsOf(command: Command): readonly NaiveTerm[] {
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
function resolveTerms(world: NaiveWorld, command: Command): Command {
  const resolve = (term: NaiveTerm): NaiveTerm => {
    return term.what === "Is" ? { ...resolveId(world, term), value: term.value } : term;
  };
  switch (command.verb) {
    case "spawn":
    case "spawnMany":
    case "add":
    case "clone":
      return { ...command, terms: command.terms.map(resolve) };
    case "remove": {
      const { verb, entity, what, target } = command;
      return { verb, entity, ...resolveId(world, target === undefined ? { what } : { what, target }) };
    }
    case "removeAll": {
      const { verb, what, target } = command;
      return { verb, ...resolveId(world, target === undefined ? { what } : { what, target }) };
    }
    default:
      return command;
  }
}

/** What would be wrong whatever happens until the end. Deaths that wait have not happened, births have. */
function refusalAtOnce(world: NaiveWorld, command: Command): Refusal | undefined {
  const isKnown = (entity: Twin): boolean => isThere(world, entity);
  if (!namedBy(command).every(isKnown)) return "dead-entity";
  return badTerm(world, termsOf(command), isKnown);
}

/**
 * What can be done of a command, now that some of those it names may have died: nothing for the dead; not the pairs
 * that point at the dead; and if such a pair would let its source die with its target, only that death.
 */
function remainingCommand(world: NaiveWorld, command: Command): Command | undefined {
  if (command.verb === "setChildOrder" || command.verb === "replaceChildren")
    return remainingList(world, command);
  if (!namedBy(command).every((entity) => isAlive(world, entity))) return undefined;
  const terms = termsOf(command);
  const staleTerms = terms.filter(({ target }) => typeof target === "number" && !isAlive(world, target));
  if (staleTerms.length === 0) return command;
  const destroysSubject =
    !world.dropsOrphans &&
    staleTerms.some(({ what }) => world.rules.relations[what]?.onTargetDestroy === "delete");
  const rest = terms.filter((term) => !staleTerms.includes(term));
  switch (command.verb) {
    case "spawn":
    case "spawnMany":
    case "clone":
      return destroysSubject ? undefined : { ...command, terms: rest };
    case "add":
      return destroysSubject ? { verb: "destroy", entity: command.entity } : { ...command, terms: rest };
    case "attach":
      return destroysSubject ? { verb: "destroy", entity: command.entity } : undefined;
    case "insertAt":
      return destroysSubject ? { verb: "destroy", entity: command.child } : undefined;
    default:
      return undefined; // a value for a pair that cannot be any more
  }
}

type Listing = Extract<Command, { verb: "setChildOrder" | "replaceChildren" }>;

/** The dead are left out of lists; if it is the parent who died, those who were to be its children die too. */
function remainingList(world: NaiveWorld, command: Listing): Command | undefined {
  const isLiving = (entity: Twin): boolean => isAlive(world, entity);
  const isOrphaned = !isLiving(command.parent);
  if (command.verb === "setChildOrder") {
    return isOrphaned ? undefined : { ...command, order: command.order.filter(isLiving) };
  }
  const list = command.list.filter(isLiving);
  if (!isOrphaned) return { ...command, list };
  return world.dropsOrphans ? undefined : { verb: "destroyEach", entities: list };
}
