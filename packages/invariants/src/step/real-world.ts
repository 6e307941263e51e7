/** The real world next to its twin: maps entities to twins, and described terms to real ones. */

import type { Entity, Memory, World } from "@treeline/core";
import * as core from "@treeline/core";
import { onWarning } from "@treeline/core/debug";
import type { NaiveTerm, Twin } from "../twin/rules.ts";
import type { Storages } from "./storages.ts";
import { callableOf, definitionOf, fieldsOf, storeAs } from "./vocabulary.ts";

export interface RealWorld {
  readonly world: World;
  /** A handle that was destroyed before the walk: used for twins that were never spawned. */
  readonly deadHandle: Entity;
  /** Twin -> handle, including destroyed entities. A twin that was never spawned has none. */
  readonly handles: Map<Twin, Entity>;
  readonly twins: Map<Entity, Twin>;
  /** All twins ever spawned, oldest first. */
  readonly spawned: Twin[];
  /** Command buffers, which keep their commands from one step to another. */
  readonly buffers: core.CommandBuffer[];
  /** Bytes of memory that are allocated and not freed. */
  bytes: number;
  /** The separator between the steps of paths. */
  separator: string;
  /** The relations that names follow. */
  along: readonly string[];
  /** Observers change the world: what was just found may be elsewhere. */
  hasReactions: boolean;
}

/** How many command buffers a world has. */
export const BUFFERS = 3;

interface RealOptions {
  readonly memory: Memory;
  /** Changes inside iterations are refused. */
  readonly strict: boolean;
  readonly ifParentDestroyed: "destroy" | "drop";
  readonly storages: Storages;
}

export function createRealWorld({ storages, ...options }: RealOptions): RealWorld {
  storeAs(storages);
  onWarning(() => undefined); // walks write what is observed in every way on purpose
  const { memory, ...others } = options;
  const counting: Memory = {
    ...memory,
    allocate: (bytes, moved) => {
      const block = memory.allocate(bytes, moved);
      real.bytes += block.bytes;
      return block;
    },
    free: (block) => {
      real.bytes -= block.bytes;
      memory.free(block);
    },
  };
  const real = { bytes: 0 } as RealWorld;
  const world = core.createWorld({ ...others, memory: counting });
  const deadHandle = core.spawn(world);
  core.release(world, deadHandle);
  return Object.assign<RealWorld, Omit<RealWorld, "bytes">>(real, {
    world,
    deadHandle,
    handles: new Map(),
    twins: new Map(),
    spawned: [],
    buffers: Array.from({ length: BUFFERS }, () => core.createCommands(world)),
    separator: "::",
    along: [],
    hasReactions: false,
  });
}

export function handleOf(real: RealWorld, twin: Twin): Entity {
  return real.handles.get(twin) ?? real.deadHandle;
}

/** Assigns twins to handles, in order. */
export function assignTwins(real: RealWorld, spawned: readonly Twin[], handles: readonly Entity[]): void {
  if (spawned.length !== handles.length)
    throw new Error(`${spawned.length} twins for ${handles.length} handles`);
  spawned.forEach((twin, at) => {
    const handle = handles[at]!;
    const former = real.twins.get(handle);
    if (former !== undefined) throw new Error(`the handle ${handle} of twin ${former} was allocated again`);
    real.handles.set(twin, handle);
    real.twins.set(handle, twin);
    real.spawned.push(twin);
  });
}

export function realTerms(real: RealWorld, terms: readonly NaiveTerm[]): unknown[] {
  return terms.map(({ what, target, value }) => {
    if (value === undefined) return idOf(real, what, target);
    const converted = realValue(real, what, value);
    if (target === undefined) return callableOf(what)(converted);
    return callableOf(what)(realTarget(real, target), converted);
  });
}

/** What `has`, `get`, `remove` and `set` accept: the definition itself, a pair, or an entity as a tag. */
export function idOf(real: RealWorld, what: string, target: Twin | "Any" | undefined): unknown {
  if (target === undefined) return definitionOf(what);
  if (what === "Is") return core.asTag(realTarget(real, target) as Entity);
  const callable = what === "Any" ? (core.Any as unknown as (target: unknown) => unknown) : callableOf(what);
  return callable(realTarget(real, target));
}

function realTarget(real: RealWorld, target: Twin | "Any"): unknown {
  return target === "Any" ? core.Any : handleOf(real, target);
}

/** Entity fields contain twins in steps and handles in the world. */
export function realValue(real: RealWorld, what: string, value: unknown): unknown {
  const fields = fieldsOf(what);
  if (fields === undefined || value === undefined) return value;
  const converted: Record<string, unknown> = {};
  for (const [field, given] of Object.entries(value as Record<string, unknown>)) {
    converted[field] =
      fields[field] === "entity" && given !== undefined ? handleOf(real, given as Twin) : given;
  }
  return converted;
}

export function twinsOf(real: RealWorld, handles: Iterable<Entity>): (Twin | undefined)[] {
  return Array.from(handles, (handle) => real.twins.get(handle));
}

/** Above every number that a walk assigns. */
const FIRST_UNNUMBERED = 1_000_000;

/** Assigns a number to entities that have none: observers spawn too. */
export function twinOf(real: RealWorld, handle: Entity): Twin {
  if (!real.twins.has(handle)) assignTwins(real, [FIRST_UNNUMBERED + real.spawned.length], [handle]);
  return real.twins.get(handle)!;
}
