/**
 * Commands issued inside an iteration of the naive twin: they are checked when they are issued, and executed in order of issue
 * when the iteration ends, as far as the entities that they name are still alive.
 */

import type { BufferCommand, Command, SpawnRows, Step } from "../step/step.ts";
import { parentsOf, rowsOf } from "../step/step.ts";
import { badTerm } from "../twin/refusals.ts";
import type { NaiveTerm, Refusal, Twin } from "../twin/rules.ts";
import type { NaiveBuffer, NaiveWorld } from "../twin/world.ts";
import { has, isAlive, isThere, resolveId } from "../twin/world.ts";
import type { ReservedPaths } from "./twin-ensure.ts";
import { ensureNaively, inScope } from "./twin-ensure.ts";
import { isNameQuery, oneText } from "./twin-lookup.ts";

type IterateStep = Extract<Step, { verb: "iterate" }>;
type RecordStep = Extract<Step, { verb: "record" }>;
type Within = Extract<Command, { verb: "within" }>;
type Perform = (world: NaiveWorld, step: Command) => string | undefined;

/** @returns the result of each command when it was issued, and the result of the iteration. */
export function iterateNaively(world: NaiveWorld, step: IterateStep, perform: Perform): string {
  const isRecorded = step.method === "record";
  const issued: IssuedCommands = { world, perform, commands: [], reserved: new Map(), isRecorded };
  if (isRecorded) showBuffers(world);
  const codes = step.steps.map((command) => issue(issued, command));
  world.pending.clear();
  const first = executeAll(world, issued.commands, perform);
  return [...codes, step.isThrowing ? "thrown" : (first ?? "done")].join(" ");
}

/** @returns the first error. */
function executeAll(world: NaiveWorld, commands: readonly Command[], perform: Perform): string | undefined {
  let first: string | undefined;
  for (const command of commands) {
    const code =
      command.verb === "reparentMany"
        ? reparentLeft(world, command, perform)
        : executeLeft(world, command, perform);
    if (code !== undefined && !code.endsWith(" destroyed")) first ??= code;
  }
  return first;
}

function executeLeft(world: NaiveWorld, command: Command, perform: Perform): string | undefined {
  const left = remainingCommand(world, command);
  return left === undefined ? undefined : perform(world, left);
}

/** First those are destroyed whose parent is not alive, and so on; then the others move. */
function reparentLeft(
  world: NaiveWorld,
  command: Extract<Command, { verb: "reparentMany" }>,
  perform: Perform,
): string | undefined {
  const parents = parentsOf(command);
  const parentOf = (entity: Twin): Twin => parents[command.list.indexOf(entity)]!;
  let left = command.list.filter((entity) => isAlive(world, entity));
  for (;;) {
    const orphans = left.filter((entity) => !isAlive(world, parentOf(entity)));
    const code =
      orphans.length === 0 || world.dropsOrphans
        ? undefined
        : perform(world, { verb: "destroyEach", entities: orphans });
    if (code !== undefined) return code;
    left = left.filter((entity) => isAlive(world, entity) && !orphans.includes(entity));
    if (left.every((entity) => isAlive(world, parentOf(entity))))
      return perform(world, { ...command, list: left, parents: left.map(parentOf) });
  }
}

// ---- command buffers ---------------------------------------------------------------------------------------------

/** Adds commands to a command buffer. @returns the result of each command when it was issued. */
export function recordNaively(world: NaiveWorld, step: RecordStep, perform: Perform): string {
  const buffer = bufferOf(world, step.buffer);
  const commands = buffer.commands as Command[];
  const issued = { world, perform, commands, reserved: new Map(), isRecorded: true, buffer: step.buffer };
  showBuffers(world);
  const codes = step.steps.map((command) => issue(issued, command));
  buffer.spawned.clear();
  for (const entity of world.pending) if (!isOfAnother(world, entity)) buffer.spawned.add(entity);
  world.pending.clear();
  return codes.join(" ");
}

function isOfAnother(world: NaiveWorld, entity: Twin): boolean {
  return [...world.buffers.values()].some(({ spawned }) => spawned.has(entity));
}

/** Inside a recording, all that command buffers will spawn is alive. */
function showBuffers(world: NaiveWorld): void {
  for (const { spawned } of world.buffers.values()) for (const entity of spawned) world.pending.add(entity);
}

function bufferOf(world: NaiveWorld, number: number): NaiveBuffer {
  if (!world.buffers.has(number)) world.buffers.set(number, { commands: [], spawned: new Set() });
  return world.buffers.get(number)!;
}

/** @returns the first error. */
export function applyNaively(world: NaiveWorld, number: number, perform: Perform): string | undefined {
  const { commands } = bufferOf(world, number);
  world.buffers.delete(number);
  return executeAll(world, commands as Command[], perform);
}

/** Appends the commands of a buffer to those that are deferred or recorded, or discards them. */
function issueBuffer(
  { world, commands, buffer: own }: IssuedCommands,
  { verb, buffer }: BufferCommand,
): void {
  if (verb === "applyCommands" && buffer === own) return;
  const taken = bufferOf(world, buffer);
  if (verb === "applyCommands") {
    commands.push(...(taken.commands as Command[]));
    for (const entity of taken.spawned) world.pending.add(entity);
    world.buffers.delete(buffer);
    return;
  }
  if (buffer !== own) world.buffers.delete(buffer);
  else for (const entity of commands.flatMap(spawnedBy)) taken.spawned.add(entity);
  for (const entity of taken.spawned) world.pending.delete(entity);
  taken.commands.length = 0;
  taken.spawned.clear();
}

/** The commands issued so far. */
interface IssuedCommands {
  readonly world: NaiveWorld;
  readonly perform: Perform;
  readonly commands: Command[];
  readonly reserved: ReservedPaths;
  /** The number of the command buffer that is recorded. */
  readonly buffer?: number;
  /** In a command buffer, where no value is written at once. */
  readonly isRecorded: boolean;
}

/** @returns the result at the time of issue. */
function issue(issued: IssuedCommands, given: Command): string {
  const { world, perform, commands, reserved, isRecorded } = issued;
  if (given.verb === "within") return issueWithin(issued, given);
  if (given.verb === "applyCommands" || given.verb === "discardCommands") {
    issueBuffer(issued, given);
    return "issued";
  }
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
  if (!isRecorded && commands.length === 0 && isWritten(world, command))
    return perform(world, command) ?? "issued";
  commands.push(resolveTerms(world, command));
  for (const entity of spawnedBy(command)) world.pending.add(entity);
  return "issued";
}

/** An entity spawned here gets its parent when the command is issued. */
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
 * A value of an existing component is written at once, unless an earlier command is deferred. The order makes a difference for
 * names, which may then be refused.
 */
function isWritten(world: NaiveWorld, command: Command): boolean {
  if (command.verb === "rename") return has(world, command.entity, "Name");
  if (command.verb === "patch") return true; // or nothing is
  return command.verb === "set" && has(world, command.entity, command.term.what, command.term.target);
}

/** Entities that are alive as soon as the command is issued; of a path, all that it may create. */
export function spawnedBy(command: Command): readonly Twin[] {
  if (command.verb === "spawn" || command.verb === "spawnMany" || command.verb === "spawnRows")
    return command.spawned;
  if (command.verb === "within") return command.steps.flatMap(spawnedBy);
  if (command.verb === "ensurePath") return command.spawned;
  return command.verb === "clone" ? [command.spawned] : [];
}

/** The entities that the command concerns; it fails if one of them is not alive. */
function namedBy(command: Command): readonly Twin[] {
  switch (command.verb) {
    case "insertAt":
      return [command.child]; // a term names its parent
    case "moveBeside":
      return [command.child, command.sibling];
    case "setChildOrder":
      return [command.parent, ...command.order];
    case "sortChildren":
    case "detachChildren":
      return [command.parent];
    case "replaceChildren":
    case "attachMany":
      return [command.parent, ...command.list];
    case "addMany":
    case "removeMany":
    case "nameMany":
      return command.list;
    case "reparentMany":
      return [...command.list, ...parentsOf(command)];
    case "add":
    case "remove":
    case "set":
    case "patch":
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
    case "spawnRows":
    case "add":
    case "addMany":
    case "clone":
    case "reserve":
      return command.terms;
    case "set":
    case "patch":
      return [command.term];
    case "attach":
    case "insertAt":
      return [{ what: "ChildOf", target: command.parent }];
    default:
      return [];
  }
}

/** Replaces a component entity in terms by its definition, even if it is destroyed before the end. */
function resolveTerms(world: NaiveWorld, command: Command): Command {
  const resolve = (term: NaiveTerm): NaiveTerm => {
    return term.what === "Is" ? { ...resolveId(world, term), value: term.value } : term;
  };
  switch (command.verb) {
    case "spawn":
    case "spawnMany":
    case "spawnRows":
    case "add":
    case "addMany":
    case "clone":
      return { ...command, terms: command.terms.map(resolve) };
    case "removeMany": {
      const { verb, list, what, target } = command;
      return { verb, list, ...resolveId(world, target === undefined ? { what } : { what, target }) };
    }
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

/** Errors that do not depend on what happens until the end. Deferred destructions do not count yet, spawned entities do. */
function refusalAtOnce(world: NaiveWorld, command: Command): Refusal | undefined {
  const isKnown = (entity: Twin): boolean => isThere(world, entity);
  if (command.verb === "nameMany" && command.names.includes("")) return "bad-name";
  const refused = command.verb === "addMany" ? badTerm(world, command.terms, isKnown) : undefined;
  if (refused !== undefined) return refused;
  if (!namedBy(command).every(isKnown)) return "dead-entity";
  if (command.verb === "spawnRows" && command.parents?.targets.every(isKnown) === false) return "dead-entity";
  return badTerm(world, termsOf(command), isKnown);
}

/**
 * The part of a command that can be executed although entities that it names may have been destroyed. If an entity that it
 * concerns is not alive, nothing remains. Pairs whose target is not alive are left out; if such a pair would destroy its subject
 * together with the target, only that destruction remains.
 */
function remainingCommand(world: NaiveWorld, command: Command): Command | undefined {
  const { verb } = command;
  if (verb === "setChildOrder" || verb === "replaceChildren" || verb === "attachMany")
    return remainingList(world, command);
  if (verb === "spawnRows") return remainingRows(world, command);
  if (verb === "removeMany" || verb === "addMany" || verb === "nameMany")
    return remainingOfList(world, command);
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
      return undefined; // a value for a pair that cannot exist any more
  }
}

/** Each entity whose own parent is not alive is left out, or has none. */
function remainingRows(world: NaiveWorld, command: SpawnRows): Command | undefined {
  const isStale = ({ target }: NaiveTerm): boolean => typeof target === "number" && !isAlive(world, target);
  const isDeleted = (term: NaiveTerm): boolean =>
    !world.dropsOrphans && isStale(term) && world.rules.relations[term.what]?.onTargetDestroy === "delete";
  const rows = rowsOf(command);
  const left = rows.flatMap((terms, at) => (terms.some(isDeleted) ? [] : [at]));
  return {
    verb: "spawnEach",
    spawned: left.map((at) => command.spawned[at]!),
    rows: left.map((at) => rows[at]!.filter((term) => !isStale(term))),
  };
}

/** Leaves out entities that are not alive, and then as for one entity. */
function remainingOfList(
  world: NaiveWorld,
  command: Extract<Command, { verb: "addMany" | "removeMany" | "nameMany" }>,
): Command | undefined {
  const list = command.list.filter((entity) => isAlive(world, entity));
  if (command.verb === "nameMany")
    return { ...command, list, names: list.map((entity) => command.names[command.list.indexOf(entity)]!) };
  if (command.verb === "removeMany") return { ...command, list };
  const isStale = ({ target }: NaiveTerm): boolean => typeof target === "number" && !isAlive(world, target);
  const isDeleting = ({ what }: NaiveTerm): boolean =>
    !world.dropsOrphans && world.rules.relations[what]?.onTargetDestroy === "delete";
  if (command.terms.filter(isStale).some(isDeleting)) return { verb: "destroyEach", entities: list };
  return { ...command, list, terms: command.terms.filter((term) => !isStale(term)) };
}

type Listing = Extract<Command, { verb: "setChildOrder" | "replaceChildren" | "attachMany" }>;

/** Leaves out entities that are not alive; if the parent is not alive, its intended children are destroyed too. */
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
