// What users of core import; its names are a promise.
export { TreelineError, type TreelineErrorCode } from "./base/error.ts";
export { array } from "./define/array.ts";
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
export { bits, sparse } from "./define/storages.ts";
export { release } from "./destroy/destroy.ts";
export { disposeWorld } from "./destroy/dispose-world.ts";
export type {
  AnyPair,
  AnyRelation,
  AnyTarget,
  Component,
  ComponentStorage,
  DataRelation,
  Definition,
  EntityTag,
  ListTerm,
  ObjectComponent,
  OnDestroy,
  OnTargetDestroy,
  Pair,
  Relation,
  RelationToMany,
  SchemaComponent,
  SpawnTerm,
  StorageOptions,
  Tag,
  Term,
  ValueComponent,
  ValueTerm,
  Variable,
  VariablePair,
} from "./id/definition.ts";
export { Any, component, tag, withPolicy } from "./id/definition.ts";
export type { Entity } from "./id/entity.ts";
export { type CustomEvent, event } from "./id/event.ts";
export type {
  ColumnsOf,
  Field,
  FieldInit,
  InitOf,
  KindName,
  NumberKind,
  Numbers,
  RowOf,
  Schema,
} from "./id/field.ts";
export { bool, entity, f32, f64, i8, i16, i32, u8, u16, u32, value } from "./id/field.ts";
export type { Typed } from "./id/typed.ts";
export { addMany } from "./many/add-many.ts";
export { destroyMany } from "./many/destroy-many.ts";
export { removeMany } from "./many/remove-many.ts";
export { reparentMany } from "./many/reparent-many.ts";
export { type ColumnsOfRows, spawnRows } from "./many/spawn-rows.ts";
export { type Block, type Memory, plainMemory, webAssemblyMemory } from "./storage/memory.ts";
export { isDisabled } from "./world/change/disabled.ts";
export { withDisabledTree } from "./world/change/disabled-along.ts";
export type {
  DestroyedEvent,
  EmittedEvent,
  EventKind,
  LifeEvent,
  SpawnedEvent,
  WorldEvent,
} from "./world/state/event-list.ts";
export type { Hooks, Move } from "./world/state/hooks.ts";
export type { PairRelation, PresentPair } from "./world/state/list-entity.ts";
export {
  componentsOf,
  definitionNamed,
  definitions,
  pairsOf,
  tagsOf,
} from "./world/state/list-entity.ts";
export { defer } from "./world/state/lock.ts";
export type {
  AnyKindOfRelation,
  ColumnsIn,
  InitIn,
  TermPattern,
  Valued,
  ValueIn,
} from "./world/state/read-entity.ts";
export {
  entityAt,
  get,
  has,
  isAlive,
  locate,
  parentOf,
  read,
  subjectsOf,
  targetOf,
  targetsOf,
} from "./world/state/read-entity.ts";
export { asTag } from "./world/state/terms.ts";
export { createWorld, type Location, type World, type WorldOptions } from "./world/state/world.ts";
export { add } from "./world/verb/add.ts";
export { type CloneOptions, clone } from "./world/verb/clone.ts";
export {
  applyCommands,
  type CommandBuffer,
  createCommands,
  discardCommands,
  record,
} from "./world/verb/commands.ts";
export { definitionAt, entityOf } from "./world/verb/component-entity.ts";
export { type FieldAccess, field } from "./world/verb/field.ts";
export type {
  AnyObservation,
  EmittedObservation,
  LifeObservation,
  MixedObservation,
  Observation,
  Observed,
  ObserveOptions,
} from "./world/verb/observe.ts";
export { emit, observe } from "./world/verb/observe.ts";
export { observeChildren, observeEntity } from "./world/verb/observe-entity.ts";
export { observeRoots, type RootEvent } from "./world/verb/observe-roots.ts";
export type { PackOptions } from "./world/verb/pack.ts";
export { pack } from "./world/verb/pack.ts";
export { clear, remove } from "./world/verb/remove.ts";
export { reserve } from "./world/verb/reserve.ts";
export { markChanged, patch, set } from "./world/verb/set.ts";
export { spawn, spawnMany } from "./world/verb/spawn.ts";
