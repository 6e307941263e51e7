/** Steps done on the real world. */

import * as core from "@treeline/core";
import { rename } from "@treeline/names";
import { destroy } from "@treeline/query";
import { hierarchy, verbs, visitors } from "../base/entry-points.ts";
import type { FastWorld } from "../step/fast-world.ts";
import { christen, handleOf, idOf, toldTerms, toldValue } from "../step/fast-world.ts";
import type { Command, SiblingCommand, Step } from "../step/step.ts";
import { definitionOf } from "../step/vocabulary.ts";
import type { AskTerm } from "../twin/read.ts";
import type { Twin } from "../twin/rules.ts";
import { configure, ensure, seek, within } from "./names.ts";
import { saltedOrder } from "./twin-steps.ts";

/** @returns the code of the refusal, what else there is to tell, or `undefined` when the step was done. */
export function perform(fast: FastWorld, step: Step): string | undefined {
  return codeOf(() => performOrThrow(fast, step));
}

export function codeOf(change: () => string | undefined): string | undefined {
  try {
    return change();
  } catch (error) {
    if (error instanceof core.TreelineError)
      return error.code === "internal-error" ? error.message : error.code;
    throw error;
  }
}

function performOrThrow(fast: FastWorld, step: Step): string | undefined {
  const { world } = fast;
  switch (step.verb) {
    case "entityOf": {
      const handle = verbs.entityOf(world, definitionOf(step.what));
      if (!fast.twins.has(handle)) christen(fast, [step.born], [handle]);
      return undefined;
    }
    case "wear":
      for (const entity of core.spawnMany(world, step.count)) core.release(world, entity);
      return undefined;
    case "burst":
      return step.steps.map((part) => perform(fast, part) ?? "done").join(" ");
    case "ask":
    case "drift":
    case "listen":
    case "meddle":
    case "visit":
    case "hold":
      throw new Error(`${step.verb} is for those who hold the queries`);
    case "configure":
      configure(fast, step);
      return undefined;
    default:
      return command(fast, step);
  }
}

/** One that changes structure, at once or at the end of a visit. */
function command(fast: FastWorld, step: Command): string | undefined {
  const { world } = fast;
  switch (step.verb) {
    case "spawn":
      christen(fast, step.born, [verbs.spawn(world, ...toldTerms(fast, step.terms))]);
      return undefined;
    case "spawnMany":
      christen(fast, step.born, verbs.spawnMany(world, step.born.length, ...toldTerms(fast, step.terms)));
      return undefined;
    case "add":
      verbs.add(world, handleOf(fast, step.entity), ...toldTerms(fast, step.terms));
      return undefined;
    case "remove":
      verbs.remove(world, handleOf(fast, step.entity), idOf(fast, step.what, step.target));
      return undefined;
    case "set": {
      const { what, target, value } = step.term;
      verbs.set(world, handleOf(fast, step.entity), idOf(fast, what, target), toldValue(fast, what, value));
      return undefined;
    }
    case "rename":
      rename(world, handleOf(fast, step.entity), step.name);
      return undefined;
    case "clear":
      verbs.clear(world, handleOf(fast, step.entity));
      return undefined;
    case "clone": {
      const terms = toldTerms(fast, step.terms);
      const copy = verbs.clone(world, handleOf(fast, step.entity), { deep: step.isDeep, with: terms });
      christen(fast, [step.born], [copy]);
      christenBelow(fast, step.born);
      return undefined;
    }
    case "destroy":
      destroy(world, handleOf(fast, step.entity));
      return undefined;
    case "release":
      core.release(world, handleOf(fast, step.entity));
      return undefined;
    case "destroyEach":
      throw new Error("destroyEach is nothing that can be asked for");
    case "destroyWhere":
      return `${visitors.destroyWhere(world, ...toldAsks(fast, step.terms))} died`;
    case "removeAll":
      visitors.removeAll(world, idOf(fast, step.what, step.target));
      return undefined;
    case "attach": {
      const { entity, parent, storage } = step;
      const how = storage && definitionOf(storage);
      hierarchy.attach(world, handleOf(fast, entity), handleOf(fast, parent), how);
      return undefined;
    }
    case "pack":
      core.pack(world);
      return undefined;
    case "ensurePath":
      return ensure(fast, step);
    case "within":
      return within(fast, step, (part) => perform(fast, part));
    case "seek":
    case "seekAll":
    case "seekChild":
    case "seekLabel":
    case "tellLabel":
    case "tellPath":
      return seek(fast, step);
    default:
      reorder(fast, step);
      return undefined;
  }
}

function reorder(fast: FastWorld, step: SiblingCommand): void {
  const { world } = fast;
  const handle = (twin: Twin): core.Entity => handleOf(fast, twin);
  switch (step.verb) {
    case "insertAt":
      visitors.insertAt(world, handle(step.parent), handle(step.child), step.place);
      return;
    case "moveBeside": {
      const move = step.side === "before" ? visitors.moveBefore : visitors.moveAfter;
      move(world, handle(step.child), handle(step.sibling));
      return;
    }
    case "setChildOrder":
      visitors.setChildOrder(world, handle(step.parent), step.order.map(handle));
      return;
    case "sortChildren":
      visitors.sortChildren(world, handle(step.parent), ...orderOf(fast, step));
      return;
    case "replaceChildren":
      visitors.replaceChildren(world, handle(step.parent), step.list.map(handle));
      return;
    case "detachChildren":
      visitors.detachChildren(world, handle(step.parent));
      return;
    case "detach":
      hierarchy.detach(world, handle(step.entity));
      return;
    case "detachFamily":
      hierarchy.remove(world, handle(step.entity));
      return;
    case "detachAll":
      hierarchy.removeAll(world, handle(step.entity));
      return;
  }
}

/** What `sortChildren` takes after the parent. */
function orderOf(fast: FastWorld, step: Extract<SiblingCommand, { verb: "sortChildren" }>): unknown[] {
  const family = step.byClock ? visitors.children(fast.world, handleOf(fast, step.parent)) : [];
  if (step.byClock && family.every((child) => verbs.has(fast.world, child, definitionOf("Clock")))) {
    return [
      definitionOf("Clock"),
      (one: { ticks: number }, other: { ticks: number }) => one.ticks - other.ticks,
    ];
  }
  const numberOf = (handle: core.Entity): Twin => fast.twins.get(handle) ?? 0;
  return [(one: core.Entity, other: core.Entity) => saltedOrder(numberOf(one), numberOf(other), step.salt)];
}

/** Copies below a copy, which have no names yet, have the numbers after its own. */
export function christenBelow(fast: FastWorld, copy: Twin): void {
  const root = handleOf(fast, copy);
  if (!core.isAlive(fast.world, root)) return;
  const below = visitors.descendants(fast.world, root);
  if (below.some((handle) => fast.twins.has(handle))) return; // not copies, but others who came here
  christen(
    fast,
    below.map((_, at) => copy + 1 + at),
    below,
  );
}

export function toldAsks(fast: FastWorld, terms: readonly AskTerm[]): unknown[] {
  return terms.map((term) => {
    const id = idOf(fast, term.what, term.target);
    return term.kind === "with" ? id : visitors[term.kind](id);
  });
}
