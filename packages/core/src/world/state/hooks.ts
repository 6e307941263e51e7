import type { Entity } from "../../id/entity.ts";
import type { World } from "./world.ts";

/**
 * What a component's definition asks to be told, in every world and without registration. Hooks may read the world.
 * What `check` would change is refused with `iterating`; what the others change waits for the end of the verb. An error
 * of the others changes nothing either, and is thrown in the end.
 *
 * From the answer of `check` until `written` has been told, nobody writes a component with hooks: what listeners and
 * other hooks write meanwhile waits for the end of the verb. So what `check` found free still is.
 */
export interface Hooks<Value> {
  /**
   * Before an entity gets the value, or keeps it and gets another parent. Throw to refuse: nothing has changed yet.
   *
   * @param entity `undefined` for one that is about to be spawned.
   * @param value the whole new value, or the one it keeps.
   * @param parent the parent it will have.
   * @returns the value that the entity gets instead: `written`, `onSet` and listeners are told that one. `undefined`
   *   leaves it as it is.
   */
  readonly check?: (
    world: World,
    entity: Entity | undefined,
    value: Value,
    parent: Entity | undefined,
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only refuses returns nothing
  ) => Value | undefined | void;
  /**
   * Before several entities change at once: those that keep their values and get other parents, or become roots; or
   * those that `spawnMany` gives birth to. Asked instead of `check` for each of them. Default: `check`, one by one.
   *
   * @returns the values that they get instead, in the order of `moves`; `undefined` in the list leaves one as it is, and
   *   instead of a list all of them.
   */
  readonly checkMoves?: (
    world: World,
    moves: readonly Move<Value>[],
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only refuses returns nothing
  ) => readonly (Value | undefined)[] | undefined | void;
  /** After an entity got the value, or kept it and got another parent. */
  readonly written?: (world: World, entity: Entity, value: Value, parent: Entity | undefined) => void;
  /**
   * After an entity was given the value by `spawn`, `add` or `set`, or by an answer of `check`; `before` is what it had
   * until then.
   */
  readonly onSet?: (world: World, entity: Entity, value: Value, before: Value | undefined) => void;
  /** Before the component is taken off or the entity dies; its ancestors are alive. */
  readonly onRemove?: (world: World, entity: Entity, value: Value, parent: Entity | undefined) => void;
  /** `onRemove` does not care for the order in which entities die, nor for which are gone already. Default false. */
  readonly anyOrder?: boolean;
  /** Makes the value that a clone gets. Default: fields are copied, JavaScript values are shared. */
  readonly copy?: (value: Value) => Value;
  /**
   * The value tells its entity from its siblings: a clone does not get it, what is below the clone does. Or from
   * everybody in the world: no clone gets it. `spawnMany` gives it to several only where `checkMoves` sees to them.
   */
  readonly identifies?: "siblings" | "world";
}

/** One of several entities that get other parents at once with the value that it keeps, or that are born at once. */
export interface Move<Value = unknown> {
  /** `undefined` for one that is about to be spawned. */
  readonly entity: Entity | undefined;
  readonly value: Value;
  /** The parent it will have; `undefined` for a root. */
  readonly parent: Entity | undefined;
}

export function hooksOf(definition: { readonly hooks: object | undefined }): Hooks<unknown> {
  return (definition.hooks ?? {}) as Hooks<unknown>;
}
