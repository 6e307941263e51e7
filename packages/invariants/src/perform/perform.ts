/** Performs steps in the real world. */

import * as core from "@treeline/core";
import { rename } from "@treeline/names";
import { destroy } from "@treeline/query";
import { hierarchy, queryVerbs, verbs } from "../base/entry-points.ts";
import type { RealWorld } from "../step/real-world.ts";
import { assignTwins, handleOf, idOf, realTerms, realValue } from "../step/real-world.ts";
import type { Command, SiblingCommand, Step } from "../step/step.ts";
import { accessesOf, definitionOf, fieldsOf } from "../step/vocabulary.ts";
import type { SimpleTerm } from "../twin/read.ts";
import type { Twin } from "../twin/rules.ts";
import { changeList } from "./lists.ts";
import { configure, ensure, placeEntity, queryNames, within } from "./names.ts";
import { saltedOrder } from "./twin-steps.ts";

let reads = 0;

/** A clock for `pack` that advances with each read: the budget is a number of steps, the same in each run. */
function countReads(): number {
  return reads++;
}

/** @returns the code of the refusal, another result of the step as text, or `undefined` when the step is done. */
export function perform(real: RealWorld, step: Step): string | undefined {
  return codeOf(() => performOrThrow(real, step));
}

export function codeOf(change: () => string | undefined): string | undefined {
  try {
    return change();
  } catch (error) {
    if (error instanceof core.TreelineError)
      return error.code === "internal-error" ? String(error) : error.code;
    throw error;
  }
}

function performOrThrow(real: RealWorld, step: Step): string | undefined {
  const { world } = real;
  switch (step.verb) {
    case "entityOf": {
      const handle = verbs.entityOf(world, definitionOf(step.what));
      if (!real.twins.has(handle)) assignTwins(real, [step.spawned], [handle]);
      return undefined;
    }
    case "recycle":
      for (const entity of core.spawnMany(world, step.count)) core.release(world, entity);
      return undefined;
    case "burst":
      return step.steps.map((part) => perform(real, part) ?? "done").join(" ");
    case "query":
    case "writeRows":
    case "observe":
    case "changeInside":
    case "iterate":
    case "keepPath":
      throw new Error(`${step.verb} needs the state of the walk`);
    case "record":
      return recordInto(real, step);
    case "configure":
      configure(real, step);
      return undefined;
    default:
      return command(real, step);
  }
}

/** @returns the result of each command when it was issued. */
function recordInto(real: RealWorld, { buffer, steps }: Extract<Step, { verb: "record" }>): string {
  const codes = core.record(real.buffers[buffer]!, () =>
    steps.map((part) => {
      const code = perform(real, part);
      return code === undefined || code.endsWith(" destroyed") ? "issued" : code;
    }),
  );
  return codes.join(" ");
}

/** A command: runs at once, or is deferred to the end of an iteration. */
function command(real: RealWorld, step: Command): string | undefined {
  const { world } = real;
  switch (step.verb) {
    case "spawn":
      assignTwins(real, step.spawned, [verbs.spawn(world, ...realTerms(real, step.terms))]);
      return undefined;
    case "spawnMany":
      assignTwins(
        real,
        step.spawned,
        verbs.spawnMany(world, step.spawned.length, ...realTerms(real, step.terms)),
      );
      return undefined;
    case "add":
      verbs.add(world, handleOf(real, step.entity), ...realTerms(real, step.terms));
      return undefined;
    case "remove":
      verbs.remove(world, handleOf(real, step.entity), idOf(real, step.what, step.target));
      return undefined;
    case "set":
      write(real, step);
      return undefined;
    case "patch": {
      const { what, target, value } = step.term;
      const given = realValue(real, what, value) as object;
      const change = (row: object): void => void Object.assign(row, given);
      verbs.patch(world, handleOf(real, step.entity), idOf(real, what, target), change);
      return undefined;
    }
    case "rename":
      rename(world, handleOf(real, step.entity), step.name);
      return undefined;
    case "clear":
      verbs.clear(world, handleOf(real, step.entity));
      return undefined;
    case "clone": {
      const terms = realTerms(real, step.terms);
      const copy = verbs.clone(world, handleOf(real, step.entity), { deep: step.isDeep, with: terms });
      assignTwins(real, [step.spawned], [copy]);
      assignTwinsBelow(real, step.spawned);
      return undefined;
    }
    case "destroy":
      destroy(world, handleOf(real, step.entity));
      return undefined;
    case "release":
      core.release(world, handleOf(real, step.entity));
      return undefined;
    case "destroyEach":
    case "spawnEach":
      throw new Error(`${step.verb} cannot be called`);
    case "spawnRows":
    case "addMany":
    case "removeMany":
    case "reparentMany":
    case "destroyMany":
    case "nameMany":
      changeList(real, step);
      return undefined;
    case "destroyWhere":
      return `${queryVerbs.destroyWhere(world, ...realQueryTerms(real, step.terms))} destroyed`;
    case "removeAll":
      queryVerbs.removeAll(world, idOf(real, step.what, step.target));
      return undefined;
    case "attach": {
      const { entity, parent, storage } = step;
      const how = storage && definitionOf(storage);
      hierarchy.attach(world, handleOf(real, entity), handleOf(real, parent), how);
      return undefined;
    }
    case "reserve":
      verbs.reserve(world, step.count, ...realTerms(real, step.terms));
      return undefined;
    case "applyCommands":
      core.applyCommands(real.buffers[step.buffer]!);
      return undefined;
    case "discardCommands":
      core.discardCommands(real.buffers[step.buffer]!);
      return undefined;
    case "pack":
      if (step.budget === undefined) core.pack(world);
      else core.pack(world, { budget: step.budget, now: countReads });
      return undefined;
    case "ensurePath":
      return ensure(real, step);
    case "place":
      return placeEntity(real, step);
    case "within":
      return within(real, step, (part) => perform(real, part));
    case "lookup":
    case "findAll":
    case "childNamed":
    case "findLabelled":
    case "labelOf":
    case "pathOf":
      return queryNames(real, step);
    default:
      reorder(real, step);
      return undefined;
  }
}

/** A value of one field is written by that field alone if the number of the entity is even. */
function write(real: RealWorld, { entity, term }: Extract<Command, { verb: "set" }>): void {
  const { what, target } = term;
  const value = realValue(real, what, term.value);
  const handle = handleOf(real, entity);
  const isFields = fieldsOf(what) !== undefined && value !== undefined;
  const names = isFields && entity % 2 === 0 ? Object.keys(value as object) : [];
  const access = names.length === 1 && accessesOf(what).find(([name]) => name === names[0]);
  const given = access && (value as { [name: string]: unknown })[access[0]];
  const isGiven = given !== undefined || (access && fieldsOf(what)![access[0]] === "entity");
  if (access && isGiven) access[1].set(real.world, handle, given);
  else verbs.set(real.world, handle, idOf(real, what, target), value);
}

function reorder(real: RealWorld, step: SiblingCommand): void {
  const { world } = real;
  const handle = (twin: Twin): core.Entity => handleOf(real, twin);
  switch (step.verb) {
    case "insertAt":
      queryVerbs.insertAt(world, handle(step.parent), handle(step.child), step.place);
      return;
    case "moveBeside": {
      const move = step.side === "before" ? queryVerbs.moveBefore : queryVerbs.moveAfter;
      move(world, handle(step.child), handle(step.sibling));
      return;
    }
    case "setChildOrder":
      queryVerbs.setChildOrder(world, handle(step.parent), step.order.map(handle));
      return;
    case "sortChildren":
      queryVerbs.sortChildren(world, handle(step.parent), ...orderOf(real, step));
      return;
    case "replaceChildren":
      queryVerbs.replaceChildren(world, handle(step.parent), step.list.map(handle));
      return;
    case "attachMany": {
      const storage = step.storage && definitionOf(step.storage);
      hierarchy.attachMany(world, step.list.map(handle), handle(step.parent), storage);
      return;
    }
    case "detachChildren":
      queryVerbs.detachChildren(world, handle(step.parent));
      return;
    case "detach":
      hierarchy.detach(world, handle(step.entity));
      return;
    case "detachWithChildren":
      hierarchy.remove(world, handle(step.entity));
      return;
    case "detachWithDescendants":
      hierarchy.removeAll(world, handle(step.entity));
      return;
  }
}

/** The arguments of `sortChildren` after the parent. */
function orderOf(real: RealWorld, step: Extract<SiblingCommand, { verb: "sortChildren" }>): unknown[] {
  const children = step.byClock ? queryVerbs.children(real.world, handleOf(real, step.parent)) : [];
  if (step.byClock && children.every((child) => verbs.has(real.world, child, definitionOf("Clock")))) {
    return [
      definitionOf("Clock"),
      (one: { ticks: number }, other: { ticks: number }) => one.ticks - other.ticks,
    ];
  }
  const numberOf = (handle: core.Entity): Twin => real.twins.get(handle) ?? 0;
  return [(one: core.Entity, other: core.Entity) => saltedOrder(numberOf(one), numberOf(other), step.salt)];
}

/** Copies below a copy, which have no twins yet, get the numbers after its own. */
export function assignTwinsBelow(real: RealWorld, copy: Twin): void {
  const root = handleOf(real, copy);
  if (!core.isAlive(real.world, root)) return;
  const below = queryVerbs.descendants(real.world, root);
  if (below.some((handle) => real.twins.has(handle))) return; // not copies, but entities that were moved here
  assignTwins(
    real,
    below.map((_, at) => copy + 1 + at),
    below,
  );
}

export function realQueryTerms(real: RealWorld, terms: readonly SimpleTerm[]): unknown[] {
  return terms.map((term) => {
    const id = idOf(real, term.what, term.target);
    return term.kind === "with" ? id : queryVerbs[term.kind](id);
  });
}
