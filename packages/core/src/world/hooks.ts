import { TreelineError } from "../base/error.ts";
import { type Component, type Definition, isDefinition } from "../id/definition.ts";
import type { Entity } from "../id/entity.ts";
import { handleAt } from "../records/entity-index.ts";
import type { Shape } from "../storage/shape.ts";
import { insideVisit, keepError } from "./lock.ts";
import { parentAt } from "./targets.ts";
import { readValue } from "./values.ts";
import type { World } from "./world.ts";

/**
 * What a component's definition asks to be told, in every world and without registration. Hooks may read the world.
 * What `check` would change is refused with `visiting`; what the others change waits for the end of the verb. An error
 * of the others changes nothing either, and is thrown in the end.
 */
export interface Hooks<Value> {
  /**
   * Before an entity gets the value, or keeps it and gets another parent. Throw to refuse: nothing has changed yet.
   *
   * @param entity `undefined` for one that is about to be spawned.
   * @param value the whole new value, or the one it keeps.
   * @param parent the parent it will have.
   */
  readonly check?: (
    world: World,
    entity: Entity | undefined,
    value: Value,
    parent: Entity | undefined,
  ) => void;
  /**
   * Before entities that keep their values get other parents, or become roots, all at once: asked instead of `check` for
   * each of them. Default: `check`, one by one.
   */
  readonly checkMoves?: (world: World, moves: readonly Move<Value>[]) => void;
  /** After an entity got the value, or kept it and got another parent. */
  readonly written?: (world: World, entity: Entity, value: Value, parent: Entity | undefined) => void;
  /** After an entity was given the value by `spawn`, `add` or `set`; `before` is what it had until then. */
  readonly onSet?: (world: World, entity: Entity, value: Value, before: Value | undefined) => void;
  /** Before the component is taken off or the entity dies; its ancestors are alive. */
  readonly onRemove?: (world: World, entity: Entity, value: Value, parent: Entity | undefined) => void;
  /** `onRemove` does not care for the order in which entities die, nor for which are gone already. Default false. */
  readonly anyOrder?: boolean;
  /** Makes the value that a clone gets. Default: fields are copied, JavaScript values are shared. */
  readonly copy?: (value: Value) => Value;
  /** The value tells its entity from its siblings: a clone does not get it, what is below the clone does. */
  readonly identifies?: boolean;
}

/** One of several entities that get other parents at once, and the value that it keeps. */
export interface Move<Value = unknown> {
  readonly entity: Entity;
  readonly value: Value;
  /** The parent it will have; `undefined` for a root. */
  readonly parent: Entity | undefined;
}

/** A component with hooks, and the value that an entity is about to have of it. */
export interface Change {
  readonly definition: Definition;
  readonly value: unknown;
  /** Written by the verb; else kept, while the parent changes. */
  readonly isGiven: boolean;
  /** Of given ones: the value until now. */
  readonly before: unknown;
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
  if (!isDefinition(definition) || (definition as Definition).kind !== "component" || !hooks) {
    throw new TreelineError("bad-definition", "withHooks takes a component, and an object of hooks");
  }
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

/** The components with hooks that an entity keeps while it gets another parent. */
export function keptChanges(world: World, shape: Shape, index: number): Change[] {
  return shape.hooked.map((definition) => ({
    definition,
    value: readValue(world, index, definition),
    isGiven: false,
    before: undefined,
  }));
}

export const NO_CHANGES: readonly Change[] = [];

/** Runs `check` hooks: nothing may change meanwhile. Whoever they tell something and throws, refuses as they do. */
export function whileChecking(world: World, ask: () => void): void {
  insideVisit(world, () => {
    world.checks++;
    try {
      ask();
    } finally {
      world.checks--;
    }
  });
}

/** Asks all `check` hooks, with the parent that the entity will have. */
export function askHooks(
  world: World,
  entity: Entity | undefined,
  changes: readonly Change[],
  parent: Entity | undefined,
): void {
  whileChecking(world, () => {
    for (const { definition, value } of changes) hooksOf(definition).check?.(world, entity, value, parent);
  });
}

function callHook(world: World, call: () => void): void {
  try {
    call();
  } catch (error) {
    keepError(world, error);
  }
}

/** Tells hooks what has changed, with the values and the parent that the entity has now. Inside a visit. */
export function tellWritten(world: World, index: number, changes: readonly Change[]): void {
  const entity = handleAt(world.entities, index);
  for (const { definition, isGiven, before } of changes) {
    const { written, onSet } = hooksOf(definition);
    const value = readValue(world, index, definition);
    if (written !== undefined) callHook(world, () => written(world, entity, value, parentAt(world, index)));
    if (isGiven && onSet !== undefined) callHook(world, () => onSet(world, entity, value, before));
  }
}

/** Tells hooks of components that are about to go. Inside a visit. */
export function tellRemoved(world: World, index: number, definitions: readonly Definition[]): void {
  const entity = handleAt(world.entities, index);
  for (const definition of definitions) {
    const { onRemove } = hooksOf(definition);
    if (onRemove === undefined) continue;
    const value = readValue(world, index, definition);
    callHook(world, () => onRemove(world, entity, value, parentAt(world, index)));
  }
}
