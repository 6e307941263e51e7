// What hooks a component may have (`Hooks`: `check`, `written`, `onSet`, `onRemove`, `copy`, `identifies`).
import type { Entity } from "../../id/entity.ts";
import type { Change } from "./plans.ts";
import type { World } from "./world.ts";

/**
 * Functions of a component's definition that are called in every world, without registration. Hooks may read the world.
 * Structural changes inside `check` are refused with `iterating`; those inside the other hooks are deferred until the end of the
 * verb. An error of the other hooks does not undo anything either, and is thrown at the end.
 *
 * From the return of `check` until `written` has been called, no component with hooks is written: writes by observers and other
 * hooks in between are deferred until the end of the verb. So what `check` has found to be free still is.
 */
export interface Hooks<Value> {
  /**
   * Called before an entity gets the value, or keeps it and gets another parent. Throw to refuse: nothing has changed yet.
   *
   * @param entity `undefined` for an entity that is about to be spawned.
   * @param value the whole new value, or the present one if it stays.
   * @param parent the parent that the entity will have. With scopes along relations (`along` of `configureNames`), the hook of a
   *   component that `identifies` siblings gets the entity in whose scope this one will be: its parent, or else what contains it.
   * @returns the value that the entity gets instead: `written`, `onSet` and observers are called with it. `undefined` leaves the
   *   value as it is.
   */
  readonly check?: (
    world: World,
    entity: Entity | undefined,
    value: Value,
    parent: Entity | undefined,
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only refuses returns nothing
  ) => Value | undefined | void;
  /**
   * Called before several entities change at once: entities that keep their values and get other parents, or become roots; or
   * entities that `spawnMany` spawns. Replaces `check` for each of them. Default: `check`, one by one.
   *
   * @returns the values that they get instead, in the order of `moves`; `undefined` in the list leaves one value as it is, and
   *   `undefined` instead of a list leaves all of them.
   */
  readonly checkMoves?: (
    world: World,
    moves: readonly Move<Value>[],
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only refuses returns nothing
  ) => readonly (Value | undefined)[] | undefined | void;
  /** Called after an entity got the value, or kept it and got another parent. */
  readonly written?: (world: World, entity: Entity, value: Value, parent: Entity | undefined) => void;
  /**
   * Called after `spawn`, `add`, `set` or a result of `check` gave an entity the value; `before` is the value it had until then.
   */
  readonly onSet?: (world: World, entity: Entity, value: Value, before: Value | undefined) => void;
  /**
   * Called before the component is removed or the entity is destroyed; its ancestors are alive.
   *
   * Also called with every value that a deferred command drops, so that what the value owns can be freed: because its entity, or
   * the target that the entity goes with, is not alive when the command runs; because the command is refused; or because its
   * command buffer is discarded. Then `parent` is `undefined`; the entity has never had the value, and is usually not alive: ask
   * `isAlive` before you read it; fields that were not given have their defaults. Not called for dropped values of components
   * with `identifies`, nor for a value that is replaced: see `onSet`.
   */
  readonly onRemove?: (world: World, entity: Entity, value: Value, parent: Entity | undefined) => void;
  /**
   * `onRemove` does not depend on the order in which entities are destroyed, nor on which are destroyed already. Default false.
   */
  readonly anyOrder?: boolean;
  /**
   * Makes the value for a clone. Default: fields are copied, JavaScript values are shared. Snapshots call it for values that hold
   * JavaScript values, and take only these from the result.
   */
  readonly copy?: (value: Value) => Value;
  /**
   * The value is unique among siblings: the clone itself does not get it, entities below the clone do. Or it is unique in the
   * world: no clone gets it. `spawnMany` can give it to several entities only if the component has a `checkMoves` hook.
   */
  readonly identifies?: "siblings" | "world";
}

/** One of several entities that get other parents at once and keep the value, or that are spawned at once. */
export interface Move<Value = unknown> {
  /** `undefined` for an entity that is about to be spawned. */
  readonly entity: Entity | undefined;
  readonly value: Value;
  /** The parent it will have, as for `check`; `undefined` for a root. */
  readonly parent: Entity | undefined;
}

/** Hooks of our own packages. */
export interface InnerHooks<Value> extends Hooks<Value> {
  /**
   * `checkMoves` for a list, without a record for each, of a component whose only other hooks are `written` and `onRemove`.
   *
   * @param indexes those of the entities, each once; 0 for one that is about to be spawned.
   * @param parents the indexes of their parents, 0 for roots.
   */
  readonly acceptList?: (
    world: World,
    indexes: ArrayLike<number>,
    values: readonly Value[],
    parents: ArrayLike<number>,
  ) => AcceptedList<Value>;
  /**
   * `written` for entities below parents that have no other children with the component yet, whose values differ among siblings. Nothing is checked.
   *
   * @param indexes those of the entities, with all values of one parent after another. @param values repeat for each `values.length` entities.
   *   @param hashes of these values: empty at first, then what the call before has put there.
   */
  readonly fileNew?: (
    world: World,
    indexes: Int32Array,
    values: readonly Value[],
    parents: Int32Array,
    hashes: number[],
  ) => void;
  /**
   * Called after `check` or `checkMoves` for a list of entities, each of which may get values of several components with hooks.
   *
   * @param changes of each entity, in the order of the list. @throws to refuse.
   */
  readonly checkAll?: (world: World, changes: readonly (readonly Change[])[]) => void;
}

/** A list that hooks have accepted. */
export interface AcceptedList<Value> {
  /** What the entities get. */
  readonly values: readonly Value[];
  /** `written` for all of them. @param indexes in the order of the list. */
  readonly written: (indexes: ArrayLike<number>) => void;
}

export function hooksOf(definition: { readonly hooks: object | undefined }): InnerHooks<unknown> {
  return (definition.hooks ?? {}) as InnerHooks<unknown>;
}
