/** The functions of all packages without their types: walks refer to definitions by name only. */
import type { Entity, World } from "@treeline/core";
import * as core from "@treeline/core";
import * as query from "@treeline/query";
import * as hierarchyPackage from "@treeline/query/hierarchy";

type TermList = readonly unknown[];

/** What an observer receives. */
export interface AnyEvent {
  readonly kind: "added" | "removed" | "set" | "reordered";
  readonly entity: Entity;
  readonly definition: unknown;
  readonly target: Entity | undefined;
  readonly oldTarget: Entity | undefined;
  readonly newTarget: Entity | undefined;
}

interface FieldVerbs {
  get(world: World, entity: Entity): unknown;
  set(world: World, entity: Entity, value: unknown): void;
}

interface CoreVerbs {
  readonly spawn: (world: World, ...terms: TermList) => Entity;
  readonly spawnMany: (world: World, count: number, ...terms: TermList) => Entity[];
  readonly spawnRows: (
    world: World,
    count: number,
    terms: TermList,
    fill?: (columns: (what: unknown) => unknown, first: number, end: number) => void,
  ) => Entity[];
  readonly addMany: (world: World, entities: readonly Entity[], ...terms: TermList) => void;
  readonly removeMany: (world: World, entities: readonly Entity[], what: unknown) => void;
  readonly reparentMany: (
    world: World,
    entities: readonly Entity[],
    parents: Entity | readonly Entity[],
    storage?: unknown,
  ) => void;
  readonly destroyMany: (world: World, entities: readonly Entity[]) => void;
  readonly add: (world: World, entity: Entity, ...terms: TermList) => void;
  readonly remove: (world: World, entity: Entity, what: unknown) => void;
  readonly set: (world: World, entity: Entity, what: unknown, value: unknown) => void;
  readonly patch: (world: World, entity: Entity, what: unknown, change: (value: object) => void) => boolean;
  readonly reserve: (world: World, count: number, ...terms: TermList) => void;
  readonly clear: (world: World, entity: Entity) => void;
  readonly get: (world: World, entity: Entity, what: unknown) => unknown;
  readonly read: (world: World, entity: Entity, what: unknown, into: object) => boolean;
  readonly has: (world: World, entity: Entity, what: unknown) => boolean;
  readonly locate: (
    world: World,
    entity: Entity,
    what: unknown,
  ) => { columns: unknown; row: number } | undefined;
  readonly targetOf: (world: World, entity: Entity, relation: unknown, place?: number) => Entity | undefined;
  readonly targetsOf: (world: World, entity: Entity, relation: unknown) => Entity[];
  readonly subjectsOf: (world: World, target: Entity, relation: unknown) => Entity[];
  readonly field: (component: unknown, name: string) => FieldVerbs;
  readonly componentsOf: (world: World, entity: Entity) => unknown[];
  readonly tagsOf: typeof core.tagsOf;
  readonly pairsOf: (
    world: World,
    entity: Entity,
  ) => { readonly relation: unknown; readonly target: Entity; readonly value: unknown }[];
  readonly entityOf: (world: World, definition: unknown) => Entity;
  readonly definitionAt: (world: World, entity: Entity) => unknown;
  readonly isDisabled: (world: World, entity: Entity) => boolean;
  readonly clone: (world: World, entity: Entity, options: { deep: boolean; with: TermList }) => Entity;
  readonly defer: (world: World, issue: () => void) => void;
  readonly observe: (
    world: World,
    to: Readonly<Partial<Record<AnyEvent["kind"], unknown>>>,
    observer: (event: AnyEvent) => void,
    options?: { readonly yieldExisting?: boolean },
  ) => () => void;
}

interface QueryVerbs {
  readonly removeAll: (world: World, what: unknown) => void;
  readonly destroyWhere: (world: World, ...terms: TermList) => number;
  readonly insertAt: (world: World, parent: Entity, child: Entity, place: number) => void;
  readonly moveBefore: (world: World, child: Entity, sibling: Entity) => void;
  readonly moveAfter: (world: World, child: Entity, sibling: Entity) => void;
  readonly setChildOrder: (world: World, parent: Entity, order: readonly Entity[]) => void;
  readonly sortChildren: (world: World, parent: Entity, ...by: TermList) => void;
  readonly replaceChildren: (world: World, parent: Entity, list: readonly Entity[]) => void;
  readonly detachChildren: (world: World, parent: Entity) => void;
  readonly children: (world: World, parent: Entity, relation?: unknown) => Entity[];
  readonly roots: (world: World, relation?: unknown) => Entity[];
  readonly ancestors: (world: World, entity: Entity, relation?: unknown) => Entity[];
  readonly descendants: (world: World, entity: Entity, relation?: unknown) => Entity[];
  readonly postOrder: (world: World, entity: Entity, relation?: unknown) => Entity[];
  readonly levelOrder: (world: World, entity: Entity, relation?: unknown) => Entity[];
  readonly isAncestor: (world: World, ancestor: Entity, entity: Entity, relation?: unknown) => boolean;
  readonly forEachChild: (
    world: World,
    parent: Entity,
    callback: (child: Entity) => void,
    relation?: unknown,
  ) => void;
  readonly depthOf: (world: World, entity: Entity, relation?: unknown) => number;
  readonly not: (what: unknown) => unknown;
  readonly maybe: (component: unknown) => unknown;
  readonly cascade: (component: unknown) => unknown;
  readonly query: (world: World, ...terms: TermList) => object;
  readonly each: (query: object, callback: (...args: unknown[]) => void) => void;
  readonly eachRun: (query: object, callback: (run: AnyRun) => void) => void;
  readonly eachBatch: (query: object, callback: (batch: AnyBatch) => void) => void;
  readonly dispose: (query: object) => void;
}

export interface AnyRun {
  readonly first: number;
  readonly end: number;
  columns(what: unknown): unknown;
  columnsIf(component: unknown): unknown;
  entityAt(row: number): Entity;
}

export interface AnyBatch {
  readonly from: number;
  readonly to: number;
  readonly rows: Int32Array;
  readonly parentRows: Int32Array;
  readonly hasParents: boolean;
  readonly depth: number;
  columns(what: unknown): unknown;
  columnsIf(component: unknown): unknown;
  parentColumns(what: unknown): unknown;
  has(term: unknown): boolean;
  rowsOf(term: unknown): Int32Array;
  columnsOf(term: unknown, what: unknown): unknown;
  sourceAt(term: unknown, at: number): Entity | undefined;
  entityAt(row: number): Entity;
}

interface HierarchyVerbs {
  readonly attach: (world: World, entity: Entity, parent: Entity, storage: unknown) => void;
  readonly attachMany: (world: World, entities: readonly Entity[], parent: Entity, storage: unknown) => void;
  readonly detach: (world: World, entity: Entity) => void;
  readonly remove: (world: World, entity: Entity) => void;
  readonly removeAll: (world: World, entity: Entity) => void;
}

export const verbs: CoreVerbs = core as unknown as CoreVerbs;
export const queryVerbs: QueryVerbs = query as unknown as QueryVerbs;
export const hierarchy: HierarchyVerbs = hierarchyPackage as unknown as HierarchyVerbs;
