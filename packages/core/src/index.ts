export { TreelineError, type TreelineErrorCode } from "./base/error.ts";
export { release } from "./destroy/release.ts";
export { ChildOf, Disabled, DisabledTree, OrderedChildren, Parent } from "./id/builtins.ts";
export {
  Any,
  type AnyPair,
  type AnyRelation,
  type AnyTarget,
  type Component,
  component,
  type DataRelation,
  type Definition,
  type ObjectComponent,
  type OnDeath,
  type OnTargetDeath,
  type Pair,
  type Relation,
  type RelationOptions,
  relation,
  type SchemaComponent,
  type Tag,
  type Term,
  tag,
  type ValueTerm,
  type Variable,
  type VariablePair,
} from "./id/definition.ts";
export type { Entity } from "./id/entity.ts";
export { type CustomEvent, event } from "./id/event.ts";
export {
  array,
  bool,
  type ColumnsOf,
  entity,
  type Field,
  f32,
  f64,
  type InitOf,
  i8,
  i16,
  i32,
  type KindName,
  type Numbers,
  type RowOf,
  type Schema,
  u8,
  u16,
  u32,
} from "./id/field.ts";
export { withPolicy } from "./id/policy.ts";
export { createWorld } from "./start/create-world.ts";
export { type Block, type Memory, plainMemory, webAssemblyMemory } from "./storage/memory.ts";
export { add } from "./world/add.ts";
export { type CloneOptions, clone } from "./world/clone.ts";
export { get, has, locate, read, type Valued } from "./world/component.ts";
export type { SpawnTerm } from "./world/destination.ts";
export { isDisabled } from "./world/disabled.ts";
export { emit } from "./world/emit.ts";
export type { EmittedEvent, EventKind, WorldEvent } from "./world/event-list.ts";
export { type Hooks, type Move, withHooks } from "./world/hooks.ts";
export { defer } from "./world/lock.ts";
export {
  type EmittedObservation,
  type MixedObservation,
  type Observation,
  type Observed,
  type ObserveOptions,
  observe,
} from "./world/observe.ts";
export { pack } from "./world/pack.ts";
export { markChanged, patch } from "./world/patch.ts";
export {
  type AnyKindOfRelation,
  entityAt,
  isAlive,
  parentOf,
  sourcesOf,
  targetOf,
  targetsOf,
} from "./world/relation.ts";
export { clear, remove } from "./world/remove.ts";
export { set } from "./world/set.ts";
export { spawn, spawnMany } from "./world/spawn.ts";
export { definitionAt, entityOf } from "./world/standing.ts";
export type { Asked } from "./world/terms.ts";
export type { Location, World, WorldOptions } from "./world/world.ts";
