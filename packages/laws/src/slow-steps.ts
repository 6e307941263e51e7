/** Steps done on the naive twin. */
import { clone } from "./slow-clone.ts";
import { destroy, destroyEach, destroyWhere, entityOf } from "./slow-deaths.ts";
import { visitSlowly } from "./slow-queue.ts";
import type { Twin } from "./slow-rules.ts";
import * as siblings from "./slow-siblings.ts";
import * as verbs from "./slow-verbs.ts";
import type { SlowWorld } from "./slow-world.ts";
import { childrenOf, descendantsOf, get, isAlive, isDisabled } from "./slow-world.ts";
import type { Command, SiblingCommand, Step } from "./step.ts";

/** @returns the code of the refusal, what else there is to tell, or `undefined` when the step was done. */
export function performSlowly(slow: SlowWorld, step: Step): string | undefined {
  switch (step.verb) {
    case "entityOf":
      entityOf(slow, step.what, step.born);
      return undefined;
    case "meddle":
      return somebodyIsVisited(slow) ? "visiting" : "nobody was visited";
    case "visit":
      if (step.way !== "defer" && !somebodyIsVisited(slow)) return "nobody was visited";
      return visitSlowly(slow, step, commandSlowly);
    case "burst":
      return step.steps.map((part) => performSlowly(slow, part) ?? "done").join(" ");
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

export function commandSlowly(slow: SlowWorld, step: Command): string | undefined {
  switch (step.verb) {
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
export function sortsByClock(slow: SlowWorld, parent: Twin, byClock: boolean): boolean {
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
