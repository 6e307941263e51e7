// Calls hooks: before a change (`callChecks`), after it (`callWritten`), before a removal (`callRemoved`); takes replacement values.
import type { Definition, PlainTerm, Term } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import { handleAt, isLiving } from "../../records/entity-index.ts";
import { checkedCopy } from "../state/collected-values.ts";
import { type AcceptedList, hooksOf, type InnerHooks } from "../state/hooks.ts";
import { endDeferred, keepError, whileDeferred } from "../state/lock.ts";
import { type Change, NO_CHANGES } from "../state/plans.ts";
import { parentAt } from "../state/targets.ts";
import { definitionOfTerm } from "../state/terms.ts";
import { archetypeAt, hookedAt, readValue, valueAt, wholeValue, writeValue } from "../state/values.ts";
import type { Command, World } from "../state/world.ts";

/**
 * The change for a value that a verb will write.
 *
 * @param entity `undefined` for an entity that is about to be spawned.
 * @param isGiven false for a value that the entity keeps.
 */
export function givenChange(
  entity: Entity | undefined,
  definition: Definition,
  value: unknown,
  before: unknown,
  parent: Entity | undefined,
  isGiven = true,
): Change {
  return { entity, definition, parent, value, isReplaced: false, isGiven, before };
}

/**
 * Terms, each behind those that its definition requires, be it by way of others; in cycles in the order of finding. Otherwise in their
 * order, but all of one definition together; without requirements it is the same list.
 */
export function requiredFirst(terms: readonly PlainTerm[]): readonly PlainTerm[] {
  const definitions = terms.map(definitionOfTerm);
  if (!definitions.some(({ requires }) => requires)) return terms;
  const ordered: PlainTerm[] = [];
  const met = new Set<Definition>();
  const put = (definition: Definition): void => {
    if (met.has(definition)) return;
    met.add(definition);
    const required: Definition[] = [];
    definition.requires?.(required);
    required.forEach(put);
    for (const [at, term] of terms.entries()) if (definitions[at] === definition) ordered.push(term);
  };
  definitions.forEach(put);
  return ordered;
}

/** The changes for components with hooks that an entity keeps while it gets another parent. */
export function keptChanges(world: World, index: number, parent: Entity | undefined): readonly Change[] {
  const hooked = hookedAt(world, index);
  const entity = handleAt(world.entities, index);
  const changes = new Array<Change>(hooked.length); // a list that grows by `push` allocates more memory
  for (let at = 0; at < hooked.length; at++) {
    const definition = hooked[at]!;
    const value = readValue(world, index, definition);
    changes[at] = givenChange(entity, definition, value, value, parent, false);
  }
  return changes;
}

/**
 * Calls all `check` hooks. A hook that returns another value replaces the one in `changes`. Nothing may change during the calls,
 * and hooks are outside of the spawn scope. An error of an observer that the hooks notify refuses the change, like an error of
 * the hooks.
 *
 * @param run `checkTogether` to call `checkMoves` where there is one.
 */
export function callChecks(
  world: World,
  changes: readonly Change[],
  run: typeof checkEach = checkEach,
): void {
  const { scope } = world;
  let isDone = false;
  world.slots.scopes?.fill(world, changes);
  world.deferDepth++;
  const { errors } = world.commands;
  const known = errors.length;
  world.checks++;
  world.scope = undefined;
  try {
    run(world, changes);
    // The end of an enclosing iteration would be too late.
    if (errors.length > known) throw errors.splice(known)[0];
    isDone = true;
  } finally {
    world.scope = scope;
    world.checks--;
    endDeferred(world, isDone);
  }
}

export function checkEach(world: World, changes: readonly Change[]): void {
  for (let at = 0; at < changes.length; at++) {
    const change = changes[at]!;
    const { entity, definition, value, parent } = change;
    const hooks = hooksOf(definition);
    if (hooks.check !== undefined) takeReplacement(world, change, hooks.check(world, entity, value, parent));
  }
}

/** Calls the hooks of several entities, component by component. */
export function checkTogether(world: World, changes: readonly Change[]): void {
  for (const definition of new Set(changes.map((change) => change.definition))) {
    const own = changes.filter((change) => change.definition === definition);
    const hooks = hooksOf(definition);
    if (hooks.checkMoves === undefined) {
      checkEach(world, own);
      continue;
    }
    const moves = own.map(({ entity, value, parent }) => ({ entity, value, parent }));
    const values = hooks.checkMoves(world, moves);
    if (values) for (let at = 0; at < own.length; at++) takeReplacement(world, own[at]!, values[at]);
  }
}

/** Calls the `check` hooks of components that an entity keeps while it gets another parent. @param lost components that it loses as well. @returns the accepted changes. */
export function checkParent(
  world: World,
  index: number,
  parent: Entity | undefined,
  lost?: readonly Definition[],
): readonly Change[] {
  let calls = keptChanges(world, index, parent);
  if (lost !== undefined) calls = calls.filter(({ definition }) => !lost.includes(definition));
  callChecks(world, calls);
  return calls;
}

/** `callChecks` for a list. */
export function callAcceptList<Value>(
  world: World,
  acceptList: NonNullable<InnerHooks<Value>["acceptList"]>,
  indexes: ArrayLike<number>,
  values: readonly Value[],
  parents: ArrayLike<number>,
): AcceptedList<Value> {
  let accepted: AcceptedList<Value> | undefined;
  callChecks(world, NO_CHANGES, () => {
    accepted = acceptList(world, indexes, values, parents);
  });
  return accepted!;
}

/**
 * Calls the `check` hooks of all entities that are about to get other parents, or to become roots, before the first one does.
 *
 * @param parents entity index -> the parent it will have.
 * @returns entity index -> the accepted changes, which the caller must pass to the functions that make the changes; entities
 *   without hooks are not in the map.
 */
export function requireMoves(
  world: World,
  parents: ReadonlyMap<number, Entity | undefined>,
): ReadonlyMap<number, readonly Change[]> {
  const accepted = new Map<number, readonly Change[]>();
  for (const [index, parent] of parents) {
    if (archetypeAt(world, index).hooked.length > 0) accepted.set(index, keptChanges(world, index, parent));
  }
  if (accepted.size > 0) callChecks(world, [...accepted.values()].flat(), checkTogether);
  return accepted;
}

/** @throws TreelineError `bad-value` for a replacement that cannot be written. */
function takeReplacement({ collected }: World, change: Change, replacement: unknown): void {
  const { definition } = change;
  if (replacement === undefined || (replacement === change.value && definition.holds === "values")) return;
  change.value = checkedCopy(collected, definition, replacement);
  change.isReplaced = true;
}

/**
 * Writes the values that hooks have returned, then calls hooks with what has changed, with the values and the parent that the
 * entity has now. Must be called inside an iteration, and while `world.changes` counts the change.
 */
export function callWritten(world: World, index: number, changes: readonly Change[]): void {
  for (let at = 0; at < changes.length; at++) {
    const { definition, value, isReplaced } = changes[at]!;
    if (isReplaced) writeValue(world, index, valueAt(world, index, definition, 0)!, value);
  }
  const parent = parentAt(world, index);
  for (let at = 0; at < changes.length; at++) {
    const change = changes[at]!;
    const { definition } = change;
    const { written, onSet } = hooksOf(definition);
    const value = definition.holds === "values" ? change.value : readValue(world, index, definition);
    callHook(world, written, index, value, parent);
    if (change.isGiven || change.isReplaced) callHook(world, onSet, index, value, change.before);
  }
}

/**
 * Calls the hooks of components that are about to be removed: by default all that the entity has. Must be called inside an
 * iteration.
 */
export function callRemoved(
  world: World,
  index: number,
  definitions: readonly Definition[] = hookedAt(world, index),
): void {
  for (let at = 0; at < definitions.length; at++) {
    const definition = definitions[at]!;
    const { onRemove } = hooksOf(definition);
    if (onRemove !== undefined)
      callHook(world, onRemove, index, readValue(world, index, definition), parentAt(world, index));
  }
}

/**
 * Calls `onRemove` with the values that a deferred command drops: those for entities that are not alive; with `isWhole` all of
 * them.
 */
export function dropValues(world: World, { entities, terms }: Command, isWhole: boolean): void {
  for (const term of terms ?? []) {
    const { definition, value } = term as Term; // a bare definition has no value
    if (value === undefined) continue;
    const { onRemove, identifies } = hooksOf(definition);
    if (identifies) continue;
    const whole = wholeValue(world, 0, definition, value);
    for (const entity of entities!) {
      if (isWhole || !isLiving(world.entities, entity))
        whileDeferred(world, () => callHook(world, onRemove, 0, whole, undefined, entity));
    }
  }
}

/** Calls a hook outside of the spawn scope; its error is thrown when the iteration ends. */
function callHook<Last>(
  world: World,
  hook: ((world: World, entity: Entity, value: unknown, last: Last) => void) | undefined,
  index: number,
  value: unknown,
  last: Last,
  entity: Entity = handleAt(world.entities, index),
): void {
  if (hook === undefined) return;
  const { scope } = world;
  world.scope = undefined;
  try {
    hook(world, entity, value, last);
  } catch (error) {
    keepError(world, error);
  }
  world.scope = scope;
}
