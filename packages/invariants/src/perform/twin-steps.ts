/** Performs steps in the naive twin. */

import type { Command, SiblingCommand, Step } from "../step/step.ts";
import { parentsOf, rowsOf } from "../step/step.ts";
import { clone } from "../twin/clone.ts";
import { isTakenAlias, sharesName } from "../twin/collisions.ts";
import { destroy, destroyEach, destroyWhere, entityOf } from "../twin/destroy.ts";
import * as lists from "../twin/lists.ts";
import { lookupNaively, separates } from "../twin/lookup.ts";
import { badTerm } from "../twin/refusals.ts";
import type { Twin } from "../twin/rules.ts";
import * as siblings from "../twin/siblings.ts";
import * as verbs from "../twin/verbs.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { childrenOf, descendantsOf, get, isAlive, isDisabled, nameOf, scopeOf } from "../twin/world.ts";
import { applyNaively, iterateNaively, recordNaively } from "./twin-commands.ts";
import { ensureNaively, inScope, placeNaively } from "./twin-ensure.ts";
import { oneText, queryNamesNaively } from "./twin-lookup.ts";

/** @returns the code of the refusal, another result of the step as text, or `undefined` when the step is done. */
export function performNaively(naive: NaiveWorld, step: Step): string | undefined {
  switch (step.verb) {
    case "entityOf":
      entityOf(naive, step.what, step.spawned);
      return undefined;
    case "changeInside":
      return isAnyIterated(naive) ? changeInsideNaively(naive, step.step) : "no entity was iterated";
    case "iterate":
      if (step.method !== "defer" && step.method !== "record" && !isAnyIterated(naive))
        return "no entity was iterated";
      return iterateNaively(naive, step, commandNaively);
    case "record":
      return recordNaively(naive, step, commandNaively);
    case "burst":
      return step.steps.map((part) => performNaively(naive, part) ?? "done").join(" ");
    case "configure":
      return configureNaively(naive, step);
    case "keepPath":
      return keepPathNaively(naive, step);
    case "query":
    case "writeRows":
    case "observe":
    case "recycle":
      return undefined;
    default:
      return commandNaively(naive, step);
  }
}

function isAnyIterated(naive: NaiveWorld): boolean {
  return [...naive.living.keys()].some((twin) => !isDisabled(naive, twin));
}

/**
 * Inside an iteration of a strict world, reads work, and values of existing components are written; everything else is refused.
 */
function changeInsideNaively(naive: NaiveWorld, step: Command): string {
  if (step.verb === "rename" && isAlive(naive, step.entity) && nameOf(naive, step.entity) !== undefined) {
    return commandNaively(naive, step) ?? "only a value written";
  }
  if (step.verb !== "ensurePath") return "iterating";
  const ensured = ensureNaively(naive, step, new Map());
  if (typeof ensured === "string") return ensured;
  return ensured.spawnCommands.length > 0 ? "iterating" : `${oneText(ensured.twin)} is there`;
}

function configureNaively(
  naive: NaiveWorld,
  { verb: _, ...given }: Extract<Step, { verb: "configure" }>,
): Code {
  if (given.separator !== undefined && !separates(given.separator)) return "bad-path";
  if (given.search?.some((scope) => !isAlive(naive, scope))) return "dead-entity";
  const isScope = (what: string): boolean => {
    const { exclusive, acyclic } = naive.rules.relations[what] ?? {};
    return exclusive === true && acyclic === true && what !== "ChildOf" && what !== "Parent";
  };
  if (given.along?.some((what) => !isScope(what))) return "bad-value";
  const before = naive.names;
  const named = [...naive.living].filter(([, { objects }]) => objects.has("Name"));
  const scopes = new Map(named.map(([twin]) => [twin, scopeOf(naive, twin)]));
  naive.names = { ...before, ...given };
  const isShared = [...naive.living.keys()].some(
    (twin) => sharesName(naive, twin) || isTakenAlias(naive, twin),
  );
  if (isShared) naive.names = before;
  named.sort(([, one], [, other]) => one.place - other.place);
  for (const [twin, record] of named)
    if (scopeOf(naive, twin) !== scopes.get(twin)) record.arrival = ++naive.nextArrival;
  return isShared ? "name-taken" : undefined;
}

/** Only checks the path; the entity is looked up later. */
function keepPathNaively(naive: NaiveWorld, step: Extract<Step, { verb: "keepPath" }>): Code {
  const { path, scope } = step;
  if (scope !== undefined && !isAlive(naive, scope)) return "dead-entity";
  const found = lookupNaively({ ...naive, scope }, path, step);
  return typeof found === "string" ? found : undefined;
}

/** Creates what is missing, one by one; if one is refused, nothing has changed. */
function ensure(naive: NaiveWorld, step: Extract<Command, { verb: "ensurePath" }>): string {
  const ensured = ensureNaively(naive, step, new Map());
  if (typeof ensured === "string") return ensured;
  for (const spawnCommand of ensured.spawnCommands) {
    const code = verbs.spawn(naive, spawnCommand.spawned, spawnCommand.terms);
    if (code !== undefined) throw new Error(`the twin does not support a refused ${step.verb}`);
  }
  return `${oneText(ensured.twin)} is there`;
}

type Code = string | undefined;

/** The scope ends with the step, even if the step throws. */
function within(naive: NaiveWorld, step: Extract<Command, { verb: "within" }>): Code {
  if (step.parent !== undefined && !isAlive(naive, step.parent)) return "dead-entity";
  const { scope } = naive;
  naive.scope = step.parent;
  const codes = step.steps.map((part) => commandNaively(naive, part) ?? "done");
  naive.scope = scope;
  return [...codes, step.isThrowing ? "thrown" : "done"].join(" ");
}

function commandNaively(naive: NaiveWorld, command: Command): Code {
  const step = inScope(naive, command);
  switch (step.verb) {
    case "ensurePath":
      return ensure(naive, step);
    case "place":
      return placeNaively(naive, step);
    case "within":
      return within(naive, step);
    case "lookup":
    case "findAll":
    case "childNamed":
    case "findLabelled":
    case "labelOf":
    case "pathOf":
      return queryNamesNaively(naive, step);
    case "spawn":
    case "spawnMany":
      return verbs.spawn(naive, step.spawned, step.terms);
    case "add":
      return verbs.add(naive, step.entity, step.terms);
    case "remove":
      return verbs.remove(naive, step.entity, step.what, step.target);
    case "set":
      return verbs.set(naive, step.entity, step.term);
    case "patch":
      return verbs.patch(naive, step.entity, step.term);
    case "rename":
      return verbs.set(naive, step.entity, { what: "Name", value: step.name });
    case "clear":
      return verbs.clear(naive, step.entity);
    case "clone":
      return clone(naive, step);
    case "destroy":
      return destroy(naive, step.entity);
    case "release":
      return verbs.release(naive, step.entity);
    case "spawnRows":
      return lists.spawnEach(naive, step.spawned, rowsOf(step));
    case "spawnEach":
      return lists.spawnEach(naive, step.spawned, step.rows);
    case "addMany":
      return lists.addMany(naive, step.list, step.terms);
    case "removeMany":
      return lists.removeMany(naive, step.list, step);
    case "reparentMany":
      return lists.reparentMany(naive, step.list, parentsOf(step), step.storage);
    case "destroyMany":
      return destroyEach(naive, step.list);
    case "nameMany":
      return lists.nameMany(naive, step.list, step.names);
    case "destroyEach":
      return destroyEach(naive, step.entities);
    case "destroyWhere": {
      const destroyed = destroyWhere(naive, step.terms);
      return typeof destroyed === "number" ? `${destroyed} destroyed` : destroyed;
    }
    case "removeAll":
      return verbs.removeAll(naive, step);
    case "attach":
      return verbs.add(naive, step.entity, [
        { what: step.storage ?? naive.living.get(step.entity)?.storage ?? "ChildOf", target: step.parent },
      ]);
    case "reserve":
      return badTerm(naive, step.terms);
    case "applyCommands":
      return applyNaively(naive, step.buffer, commandNaively);
    case "discardCommands":
      naive.buffers.delete(step.buffer);
      return undefined;
    case "pack":
      return undefined;
    default:
      return reorderNaively(naive, step);
  }
}

function reorderNaively(naive: NaiveWorld, step: SiblingCommand): string | undefined {
  switch (step.verb) {
    case "insertAt":
      return siblings.insertAt(naive, step.parent, step.child, step.place);
    case "moveBeside":
      return siblings.moveBeside(naive, step.child, step.sibling, step.side);
    case "setChildOrder":
      return siblings.setChildOrder(naive, step.parent, step.order);
    case "sortChildren": {
      const isByClock = sortsByClock(naive, step.parent, step.byClock);
      return siblings.sortChildren(naive, step.parent, (one, other) =>
        isByClock ? ticksOf(naive, one) - ticksOf(naive, other) : saltedOrder(one, other, step.salt),
      );
    }
    case "replaceChildren":
      return siblings.replaceChildren(naive, step.parent, step.list);
    case "attachMany":
      return siblings.attachMany(naive, step.parent, step.list, step.storage);
    case "detachChildren":
      return siblings.detachChildren(naive, step.parent);
    case "detach":
      return siblings.detachEach(naive, [step.entity]);
    case "detachWithChildren":
    case "detachWithDescendants": {
      if (!isAlive(naive, step.entity)) return "dead-entity";
      const below =
        step.verb === "detachWithDescendants"
          ? descendantsOf(naive, step.entity)
          : childrenOf(naive, step.entity);
      return siblings.detachEach(naive, [step.entity, ...below]);
    }
  }
}

/** Only if all children have a clock; otherwise by number. */
function sortsByClock(naive: NaiveWorld, parent: Twin, byClock: boolean): boolean {
  return (
    byClock &&
    isAlive(naive, parent) &&
    childrenOf(naive, parent).every((child) => get(naive, child, "Clock"))
  );
}

function ticksOf(naive: NaiveWorld, twin: Twin): number {
  return (get(naive, twin, "Clock") as { ticks: number }).ticks;
}

/** Many are equal, to detect a sort that is not stable. */
export function saltedOrder(one: Twin, other: Twin, salt: number): number {
  return ((one * salt) % 7) - ((other * salt) % 7);
}
