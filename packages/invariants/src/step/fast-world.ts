/** The real world beside its twin: who is who, and how what is told by name is told to it. */

import type { Entity, Memory, World } from "@treeline/core";
import * as core from "@treeline/core";
import type { SlowTerm, Twin } from "../twin/rules.ts";
import { callableOf, definitionOf, fieldsOf } from "./vocabulary.ts";

export interface FastWorld {
  readonly world: World;
  /** The handle of somebody who died before the walk: stands for twins that were never born. */
  readonly nobody: Entity;
  /** Twin -> handle, of the dead as well. A twin that was never born has none. */
  readonly handles: Map<Twin, Entity>;
  readonly twins: Map<Entity, Twin>;
  /** Everybody ever born, oldest first. */
  readonly born: Twin[];
  /** What stands between the steps of paths. */
  separator: string;
  /** Listeners change the world: what was found a moment ago may be elsewhere. */
  isMeddledWith: boolean;
}

interface FastOptions {
  readonly memory: Memory;
  /** Changes inside visits are refused. */
  readonly strict: boolean;
  readonly ifParentDestroyed: "destroy" | "drop";
}

export function createFastWorld(options: FastOptions): FastWorld {
  const world = core.createWorld(options);
  const nobody = core.spawn(world);
  core.release(world, nobody);
  return {
    world,
    nobody,
    handles: new Map(),
    twins: new Map(),
    born: [],
    separator: "::",
    isMeddledWith: false,
  };
}

export function handleOf(fast: FastWorld, twin: Twin): Entity {
  return fast.handles.get(twin) ?? fast.nobody;
}

/** Handles are given names: the first one the first, and so on. */
export function christen(fast: FastWorld, born: readonly Twin[], handles: readonly Entity[]): void {
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

export function toldTerms(fast: FastWorld, terms: readonly SlowTerm[]): unknown[] {
  return terms.map(({ what, target, value }) => {
    if (value === undefined) return idOf(fast, what, target);
    const told = toldValue(fast, what, value);
    if (target === undefined) return callableOf(what)(told);
    return callableOf(what)(toldTarget(fast, target), told);
  });
}

/** What `has`, `get`, `remove` and `set` take: the definition itself, a pair, or an entity as a tag. */
export function idOf(fast: FastWorld, what: string, target: Twin | "Any" | undefined): unknown {
  if (target === undefined) return definitionOf(what);
  if (what === "Is") return toldTarget(fast, target);
  const callable = what === "Any" ? (core.Any as unknown as (target: unknown) => unknown) : callableOf(what);
  return callable(toldTarget(fast, target));
}

function toldTarget(fast: FastWorld, target: Twin | "Any"): unknown {
  return target === "Any" ? core.Any : handleOf(fast, target);
}

/** Entity fields hold twins in steps and handles in the world. */
export function toldValue(fast: FastWorld, what: string, value: unknown): unknown {
  const fields = fieldsOf(what);
  if (fields === undefined || value === undefined) return value;
  const told: Record<string, unknown> = {};
  for (const [field, given] of Object.entries(value as Record<string, unknown>)) {
    told[field] = fields[field] === "entity" && given !== undefined ? handleOf(fast, given as Twin) : given;
  }
  return told;
}

export function twinsOf(fast: FastWorld, handles: Iterable<Entity>): (Twin | undefined)[] {
  return Array.from(handles, (handle) => fast.twins.get(handle));
}

/** Above every number that a walk gives. */
const FIRST_STRANGER = 1_000_000;

/** Whoever is born without a number gets one: listeners give birth too. */
export function twinOf(fast: FastWorld, handle: Entity): Twin {
  if (!fast.twins.has(handle)) christen(fast, [FIRST_STRANGER + fast.born.length], [handle]);
  return fast.twins.get(handle)!;
}
