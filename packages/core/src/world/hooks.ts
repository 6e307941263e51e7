import { TreelineError } from "../base/error.ts";
import type { Component } from "../id/definition.ts";
import type { Entity } from "../id/entity.ts";
import { handleAt } from "../records/entity-index.ts";
import type { Shape } from "../storage/shape.ts";
import { parentAt } from "./targets.ts";
import { readValue } from "./values.ts";
import type { World } from "./world.ts";

/**
 * What a component's definition asks to be told, in every world and without registration. Hooks may read the world;
 * they may not change it.
 */
export interface Hooks<Value> {
  /**
   * Before an entity gets the value, or keeps it and gets another parent. Throw to refuse: nothing has changed yet.
   *
   * @param entity `undefined` for one that is about to be spawned.
   * @param value the new value, or the one it keeps; `undefined` stands for the defaults.
   * @param parent the parent it will have.
   */
  readonly check?: (
    world: World,
    entity: Entity | undefined,
    value: Value,
    parent: Entity | undefined,
  ) => void;
  /** After it. May not throw. */
  readonly written?: (world: World, entity: Entity, value: Value, parent: Entity | undefined) => void;
  /** Before the component is taken off or the entity dies; its ancestors are alive. May not throw. */
  readonly removed?: (world: World, entity: Entity, value: Value, parent: Entity | undefined) => void;
  /** `removed` does not care for the order in which entities die, nor for which are gone already. Default false. */
  readonly anyOrder?: boolean;
}

/**
 * Attaches hooks to a component, once and before the component is used.
 *
 * @throws TreelineError `bad-definition` if it has hooks already.
 */
export function withHooks<Row, C extends Component<Row>>(
  definition: C & Component<Row>,
  hooks: Hooks<Row>,
): C {
  if (definition.hooks !== undefined) {
    throw new TreelineError(
      "bad-definition",
      `${definition.name} has hooks already; pass all of them in one call`,
    );
  }
  definition.hooks = hooks;
  return definition;
}

export function hooksOf(definition: { readonly hooks: object | undefined }): Hooks<unknown> {
  return (definition.hooks ?? {}) as Hooks<unknown>;
}

/** Asks all hooked components that an entity keeps whether it may have another parent. */
export function checkKept(world: World, shape: Shape, index: number, parent: Entity | undefined): void {
  for (const definition of shape.hooked) {
    const { check } = hooksOf(definition);
    check?.(world, handleAt(world.entities, index), readValue(world, index, definition), parent);
  }
}

/** Tells all hooked components of an entity that it has this parent now. */
export function tellKept(world: World, shape: Shape, index: number): void {
  for (const definition of shape.hooked) {
    const { written } = hooksOf(definition);
    written?.(
      world,
      handleAt(world.entities, index),
      readValue(world, index, definition),
      parentAt(world, index),
    );
  }
}

/** Tells all hooked components of an entity that it is about to die. */
export function tellDying(world: World, shape: Shape, index: number): void {
  for (const definition of shape.hooked) {
    const { removed } = hooksOf(definition);
    removed?.(
      world,
      handleAt(world.entities, index),
      readValue(world, index, definition),
      parentAt(world, index),
    );
  }
}
