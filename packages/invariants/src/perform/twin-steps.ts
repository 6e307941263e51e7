/** Steps done on the naive twin. */

import type { Command, SiblingCommand, Step } from "../step/step.ts";
import { clone } from "../twin/clone.ts";
import { isTakenAlias, sharesName } from "../twin/collisions.ts";
import { destroy, destroyEach, destroyWhere, entityOf } from "../twin/destroy.ts";
import { lookupSlowly, separates } from "../twin/lookup.ts";
import type { Twin } from "../twin/rules.ts";
import * as siblings from "../twin/siblings.ts";
import * as verbs from "../twin/verbs.ts";
import type { SlowWorld } from "../twin/world.ts";
import { childrenOf, descendantsOf, get, isAlive, isDisabled, nameOf } from "../twin/world.ts";
import { visitSlowly } from "./twin-commands.ts";
import { ensureSlowly, inScope } from "./twin-ensure.ts";
import { oneText, seekSlowly } from "./twin-lookup.ts";

/** @returns the code of the refusal, what else there is to tell, or `undefined` when the step was done. */
export function performSlowly(slow: SlowWorld, step: Step): string | undefined {
  switch (step.verb) {
    case "entityOf":
      entityOf(slow, step.what, step.born);
      return undefined;
    case "meddle":
      return somebodyIsVisited(slow) ? meddleSlowly(slow, step.step) : "nobody was visited";
    case "visit":
      if (step.way !== "defer" && !somebodyIsVisited(slow)) return "nobody was visited";
      return visitSlowly(slow, step, commandSlowly);
    case "burst":
      return step.steps.map((part) => performSlowly(slow, part) ?? "done").join(" ");
    case "configure":
      return configureSlowly(slow, step);
    case "hold":
      return holdSlowly(slow, step);
    case "ask":
    case "drift":
    case "listen":
    case "wear":
      return undefined;
    default:
      return commandSlowly(slow, step);
  }
}

function somebodyIsVisited(slow: SlowWorld): boolean {
  return [...slow.living.keys()].some((twin) => !isDisabled(slow, twin));
}

/** What does nothing but ask is answered, and a value of something that is there is written. */
function meddleSlowly(slow: SlowWorld, step: Command): string {
  if (step.verb === "rename" && isAlive(slow, step.entity) && nameOf(slow, step.entity) !== undefined) {
    return commandSlowly(slow, step) ?? "nothing but a value";
  }
  if (step.verb !== "ensurePath") return "iterating";
  const ensured = ensureSlowly(slow, step, new Map());
  if (typeof ensured === "string") return ensured;
  return ensured.births.length > 0 ? "iterating" : `${oneText(ensured.twin)} is there`;
}

function configureSlowly(slow: SlowWorld, { verb: _, ...given }: Extract<Step, { verb: "configure" }>): Code {
  if (given.separator !== undefined && !separates(given.separator)) return "bad-path";
  if (given.search?.some((scope) => !isAlive(slow, scope))) return "dead-entity";
  const before = slow.names;
  slow.names = { ...before, ...given };
  const isShared = [...slow.living.keys()].some((twin) => sharesName(slow, twin) || isTakenAlias(slow, twin));
  if (isShared) slow.names = before;
  return isShared ? "name-taken" : undefined;
}

/** Who would be found is asked later. */
function holdSlowly(slow: SlowWorld, step: Extract<Step, { verb: "hold" }>): Code {
  const { path, from, separator, scope } = step;
  if (scope !== undefined && !isAlive(slow, scope)) return "dead-entity";
  const found = lookupSlowly({ ...slow, scope }, path, { from, separator });
  return typeof found === "string" ? found : undefined;
}

/** Creates what is missing, one by one; if one is refused, nothing has changed. */
function ensure(slow: SlowWorld, step: Extract<Command, { verb: "ensurePath" }>): string {
  const ensured = ensureSlowly(slow, step, new Map());
  if (typeof ensured === "string") return ensured;
  for (const birth of ensured.births) {
    const code = verbs.spawn(slow, birth.born, birth.terms);
    if (code !== undefined) throw new Error(`the twin does not know what becomes of a refused ${step.verb}`);
  }
  return `${oneText(ensured.twin)} is there`;
}

type Code = string | undefined;

/** Nothing is in the scope when the step has ended, whatever happened there. */
function within(slow: SlowWorld, step: Extract<Command, { verb: "within" }>): Code {
  if (step.parent !== undefined && !isAlive(slow, step.parent)) return "dead-entity";
  const { scope } = slow;
  slow.scope = step.parent;
  const told = step.steps.map((part) => commandSlowly(slow, part) ?? "done");
  slow.scope = scope;
  return [...told, step.isTorn ? "torn" : "done"].join(" ");
}

function commandSlowly(slow: SlowWorld, command: Command): Code {
  const step = inScope(slow, command);
  switch (step.verb) {
    case "ensurePath":
      return ensure(slow, step);
    case "within":
      return within(slow, step);
    case "seek":
    case "seekAll":
    case "seekChild":
    case "seekLabel":
    case "tellLabel":
    case "tellPath":
      return seekSlowly(slow, step);
    case "spawn":
    case "spawnMany":
      return verbs.spawn(slow, step.born, step.terms);
    case "add":
      return verbs.add(slow, step.entity, step.terms);
    case "remove":
      return verbs.remove(slow, step.entity, step.what, step.target);
    case "set":
      return verbs.set(slow, step.entity, step.term);
    case "rename":
      return verbs.set(slow, step.entity, { what: "Name", value: step.name });
    case "clear":
      return verbs.clear(slow, step.entity);
    case "clone":
      return clone(slow, step);
    case "destroy":
      return destroy(slow, step.entity);
    case "release":
      return verbs.release(slow, step.entity);
    case "destroyEach":
      return destroyEach(slow, step.entities);
    case "destroyWhere": {
      const died = destroyWhere(slow, step.terms);
      return typeof died === "number" ? `${died} died` : died;
    }
    case "removeAll":
      return verbs.removeAll(slow, step);
    case "attach":
      return verbs.add(slow, step.entity, [
        { what: step.storage ?? slow.living.get(step.entity)?.storage ?? "ChildOf", target: step.parent },
      ]);
    case "pack":
      return undefined;
    default:
      return reorderSlowly(slow, step);
  }
}

function reorderSlowly(slow: SlowWorld, step: SiblingCommand): string | undefined {
  switch (step.verb) {
    case "insertAt":
      return siblings.insertAt(slow, step.parent, step.child, step.place);
    case "moveBeside":
      return siblings.moveBeside(slow, step.child, step.sibling, step.side);
    case "setChildOrder":
      return siblings.setChildOrder(slow, step.parent, step.order);
    case "sortChildren": {
      const isByClock = sortsByClock(slow, step.parent, step.byClock);
      return siblings.sortChildren(slow, step.parent, (one, other) =>
        isByClock ? ticksOf(slow, one) - ticksOf(slow, other) : saltedOrder(one, other, step.salt),
      );
    }
    case "replaceChildren":
      return siblings.replaceChildren(slow, step.parent, step.list);
    case "detachChildren":
      return siblings.detachChildren(slow, step.parent);
    case "detach":
      return siblings.detachEach(slow, [step.entity]);
    case "detachFamily":
    case "detachAll": {
      if (!isAlive(slow, step.entity)) return "dead-entity";
      const below =
        step.verb === "detachAll" ? descendantsOf(slow, step.entity) : childrenOf(slow, step.entity);
      return siblings.detachEach(slow, [step.entity, ...below]);
    }
  }
}

/** Only if all children have a clock; else by number. */
function sortsByClock(slow: SlowWorld, parent: Twin, byClock: boolean): boolean {
  return (
    byClock && isAlive(slow, parent) && childrenOf(slow, parent).every((child) => get(slow, child, "Clock"))
  );
}

function ticksOf(slow: SlowWorld, twin: Twin): number {
  return (get(slow, twin, "Clock") as { ticks: number }).ticks;
}

/** Many are equal, so that a sort that is not stable is found out. */
export function saltedOrder(one: Twin, other: Twin, salt: number): number {
  return ((one * salt) % 7) - ((other * salt) % 7);
}
