export { TreelineError, type TreelineErrorCode } from "./base/error.ts";
export {
  ChildOf,
  Disabled,
  DisabledTree,
  OrderedChildren,
  Parent,
  type RelationOptions,
  relation,
  withHooks,
} from "./define/definitions.ts";
export { release } from "./destroy/destroy.ts";
export type { SpawnTerm } from "./id/definition.ts";
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
  type SchemaComponent,
  type Tag,
  type Term,
  tag,
  type ValueTerm,
  type Variable,
  type VariablePair,
  withPolicy,
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
export { type Block, type Memory, plainMemory, webAssemblyMemory } from "./storage/memory.ts";
export { isDisabled } from "./world/change/disabled.ts";
export {
  type AnyKindOfRelation,
  type Asked,
  entityAt,
  get,
  has,
  isAlive,
  locate,
  parentOf,
  read,
  sourcesOf,
  targetOf,
  targetsOf,
  type Valued,
} from "./world/state/ask.ts";
export type { EmittedEvent, EventKind, WorldEvent } from "./world/state/event-list.ts";
export type { Hooks, Move } from "./world/state/hooks.ts";
export { defer } from "./world/state/lock.ts";
export { createWorld, type Location, type World, type WorldOptions } from "./world/state/world.ts";
export { add } from "./world/verb/add.ts";
export { type CloneOptions, clone } from "./world/verb/clone.ts";
export {
  type EmittedObservation,
  emit,
  type MixedObservation,
  type Observation,
  type Observed,
  type ObserveOptions,
  observe,
} from "./world/verb/observe.ts";
export { pack } from "./world/verb/pack.ts";
export { clear, remove } from "./world/verb/remove.ts";
export { markChanged, patch, set } from "./world/verb/set.ts";
export { spawn, spawnMany } from "./world/verb/spawn.ts";
export { definitionAt, entityOf } from "./world/verb/standing.ts";
