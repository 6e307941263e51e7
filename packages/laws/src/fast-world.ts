/** The real world beside its twin: who is who, and steps done on it. */

import type { Entity, Memory, World } from "@treeline/core";
import * as core from "@treeline/core";
import { rename } from "@treeline/names";
import { destroy, dispose, each, query } from "@treeline/query";
import type { FieldRules, SlowTerm, Twin } from "./slow-world.ts";
import type { Step } from "./step.ts";
import { callableOf, definitionOf, fieldsOf } from "./vocabulary.ts";

export interface FastWorld {
  readonly world: World;
  /** Twin -> handle, of the dead as well. A twin that was never born has none. */
  readonly handles: Map<Twin, Entity>;
  readonly twins: Map<Entity, Twin>;
  /** Everybody ever born, oldest first. */
  readonly born: Twin[];
}

export function createFastWorld(memory: Memory): FastWorld {
  return { world: core.createWorld({ memory }), handles: new Map(), twins: new Map(), born: [] };
}

/** 0, which is nobody's handle, for twins that were never born. */
export function handleOf(fast: FastWorld, twin: Twin): Entity {
  return fast.handles.get(twin) ?? (0 as Entity);
}

/** The verbs of core without their types: walks know only by name what they add, remove and set. */
export const verbs: {
  readonly spawn: (world: World, ...terms: unknown[]) => Entity;
  readonly spawnMany: (world: World, count: number, ...terms: unknown[]) => Entity[];
  readonly add: (world: World, entity: Entity, ...terms: unknown[]) => void;
  readonly remove: (world: World, entity: Entity, what: unknown) => void;
  readonly set: (world: World, entity: Entity, what: unknown, value: unknown) => void;
  readonly get: (world: World, entity: Entity, what: unknown) => unknown;
  readonly read: (world: World, entity: Entity, what: unknown, into: object) => boolean;
  readonly has: (world: World, entity: Entity, what: unknown) => boolean;
  readonly targetOf: (world: World, entity: Entity, relation: unknown) => Entity | undefined;
  readonly locate: (
    world: World,
    entity: Entity,
    what: unknown,
  ) => { columns: unknown; row: number } | undefined;
} = core as unknown as typeof verbs;

/** @returns the code of the refusal, or `undefined` when the step was done. */
export function perform(fast: FastWorld, step: Step): string | undefined {
  try {
    return performOrThrow(fast, step);
  } catch (error) {
    if (error instanceof core.TreelineError) return error.code === "broken-law" ? error.message : error.code;
    throw error;
  }
}

function performOrThrow(fast: FastWorld, step: Step): string | undefined {
  const { world } = fast;
  switch (step.verb) {
    case "spawn":
      christen(fast, step.born, [verbs.spawn(world, ...termsOf(fast, step.terms))]);
      return undefined;
    case "spawnMany":
      christen(fast, step.born, verbs.spawnMany(world, step.born.length, ...termsOf(fast, step.terms)));
      return undefined;
    case "add":
      verbs.add(world, handleOf(fast, step.entity), ...termsOf(fast, step.terms));
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
    case "destroy":
      destroy(world, handleOf(fast, step.entity));
      return undefined;
    case "release":
      core.release(world, handleOf(fast, step.entity));
      return undefined;
    case "pack":
      core.pack(world);
      return undefined;
    case "wear":
      for (const entity of core.spawnMany(world, step.count)) core.release(world, entity);
      return undefined;
    case "meddle":
      return meddle(fast, step.step);
    case "burst":
      return step.steps.map((part) => perform(fast, part) ?? "done").join(" ");
    case "drift":
    case "ask":
      throw new Error(`${step.verb} is for those who hold the queries`);
  }
}

function christen(fast: FastWorld, born: readonly Twin[], handles: readonly Entity[]): void {
  if (born.length !== handles.length) throw new Error(`${born.length} births gave ${handles.length} handles`);
  born.forEach((twin, at) => {
    const handle = handles[at]!;
    const former = fast.twins.get(handle);
    if (former !== undefined) throw new Error(`the handle ${handle} of twin ${former} was given again`);
    fast.handles.set(twin, handle);
    fast.twins.set(handle, twin);
    fast.born.push(twin);
  });
}

/** Does the step inside a visit of anything that lives; what is refused there must leave no trace. */
function meddle(fast: FastWorld, step: Step): string | undefined {
  let code: string | undefined = "nobody was visited";
  const all = query(fast.world, core.ChildOf(core.Any));
  let isFirst = true;
  each(all, () => {
    if (isFirst) code = perform(fast, step);
    isFirst = false;
  });
  dispose(all);
  return code;
}

function termsOf(fast: FastWorld, terms: readonly SlowTerm[]): unknown[] {
  return terms.map(({ what, target, value }) => {
    if (target === undefined)
      return value === undefined ? definitionOf(what) : callableOf(what)(toldValue(fast, what, value));
    const handle = handleOf(fast, target);
    return value === undefined
      ? callableOf(what)(handle)
      : callableOf(what)(handle, toldValue(fast, what, value));
  });
}

/** What `has`, `get`, `remove` and `set` take: the definition itself, or a pair. */
export function idOf(fast: FastWorld, what: string, target: Twin | "Any" | undefined): unknown {
  if (target === undefined) return definitionOf(what);
  return callableOf(what)(target === "Any" ? core.Any : handleOf(fast, target));
}

/** Entity fields hold twins in steps and handles in the world. */
function toldValue(fast: FastWorld, what: string, value: unknown): unknown {
  const fields: FieldRules | undefined = fieldsOf(what);
  if (fields === undefined || value === undefined) return value;
  const told: Record<string, unknown> = {};
  for (const [field, given] of Object.entries(value as Record<string, unknown>)) {
    told[field] = fields[field] === "entity" && given !== undefined ? handleOf(fast, given as Twin) : given;
  }
  return told;
}
