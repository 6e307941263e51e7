export { TreelineError, type TreelineErrorCode } from "./base/error.ts";
export { ChildOf } from "./id/builtins.ts";
export {
  Any,
  type AnyPair,
  type AnyTarget,
  type Component,
  component,
  type DataRelation,
  type Definition,
  type ObjectComponent,
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
} from "./id/definition.ts";
export type { Entity } from "./id/entity.ts";
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
export { add } from "./world/add.ts";
export { get, has, locate, read, set, type Valued } from "./world/component.ts";
export type { SpawnTerm } from "./world/destination.ts";
export { type Hooks, withHooks } from "./world/hooks.ts";
export { pack } from "./world/pack.ts";
export { isAlive, parentOf, targetOf } from "./world/relation.ts";
export { release } from "./world/release.ts";
export { remove } from "./world/remove.ts";
export { spawn, spawnMany } from "./world/spawn.ts";
export { createWorld, type Location, type World, type WorldOptions } from "./world/world.ts";
