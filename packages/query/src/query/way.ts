import { ChildOf, type Definition, type World } from "@treeline/core";
import { grownInt32, type PairNumber } from "@treeline/core/internal";
import type { Traversal } from "../term/traversal.ts";
import { beginLines, createLines, type Lines } from "./lines.ts";
import { createOwners, type Owners } from "./owners.ts";

/** One traversal, with what is known of its holders. */
export interface Way {
  readonly relation: Definition;
  readonly owners: Owners;
  /** Along ChildOf: parents of both storages. */
  readonly isParental: boolean;
  /** Pair -> holder, for pairs that were passed on long ways up; good until something changes. */
  readonly far: Map<PairNumber, number>;
  /** By pair: the round in which `eachBelow` came past it. */
  passed: Int32Array<ArrayBuffer>;
  round: number;
  /** For relations with many targets; `far` and `passed` are for the others. */
  readonly lines: Lines | undefined;
}

export function createWay({ relation, what }: Traversal): Way {
  return {
    relation,
    owners: createOwners(what),
    isParental: relation === ChildOf,
    far: new Map(),
    passed: new Int32Array(0),
    round: 0,
    lines: relation.keepsDepth ? undefined : createLines(),
  };
}

/** Begins a round, in which nothing changes: holders may be others than in the one before. */
export function beginWay(world: World, way: Way): void {
  if (way.lines !== undefined) beginLines(world, way.lines);
  else way.passed = grownInt32(way.passed, world.graph.records.firstNode.length);
  way.round++;
}

/** What was noted on long ways up is not kept longer than a round. */
export function forgetFar({ far }: Way): void {
  if (far.size > 0) far.clear();
}
