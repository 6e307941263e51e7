// `set`, `patch`, `markChanged`: writes at once or deferred; throws `bad-value` for definitions without values.
import { shown, TreelineError } from "../../base/error.ts";
import type { Definition, PlainTerm, Term, ValueTerm } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { handleAt, isLiving } from "../../records/entity-index.ts";
import { columnOf } from "../../storage/archetype.ts";
import type { Column, ValuePlace } from "../../storage/lanes.ts";
import { callChecks, callWritten, givenChange } from "../change/hook-calls.ts";
import { collectedObject, collectOne, writeFields } from "../state/collected-values.ts";
import { OBSERVES, observedOf } from "../state/event-list.ts";
import {
  deferCommand,
  endDeferred,
  mustDefer,
  mustDeferWrite,
  whileChanging,
  whileDeferred,
} from "../state/lock.ts";
import { notifyChange } from "../state/notify.ts";
import { NO_CHANGES } from "../state/plans.ts";
import { definitionOf, type InitIn, targetIn, type Valued, type ValueIn } from "../state/read-entity.ts";
import { requireAlive } from "../state/require.ts";
import { parentAt } from "../state/targets.ts";
import {
  archetypeAt,
  copyValue,
  noteWritten,
  readValue,
  rowAt,
  seenAt,
  valueAt,
  wholeValue,
  writeValue,
} from "../state/values.ts";
import type { World } from "../state/world.ts";
import { add } from "./add.ts";

/**
 * Writes a value; adds the component or pair if the entity does not have it. Only the given fields are written: the others
 * stay as they are, or get their defaults if the component is added. A write that adds nothing is not a structural change:
 * inside an iteration it is made at once, unless a deferred change comes before it.
 *
 * @cost constant; if it must be added, as `add`.
 * @throws TreelineError `dead-entity` if the entity or the pair's target is not alive; `bad-term` if `what` is not a
 *   component or pair; `bad-value` if the value does not fit, or if `what` carries no values; as `add` if it must be added;
 *   what a `check` hook throws; and in checked builds `recursion` if observers lead to observers 1,000 levels deep.
 */
export function set<T extends Valued<unknown>>(
  world: World,
  entity: Entity,
  what: T,
  value: NoInfer<InitIn<T>>,
): void {
  const target = requireValued(world, entity, what as Term);
  const definition = definitionOf(world, what as Term);
  const isApart = definition.kind === "relation" || definition.storage !== "table";
  const index = indexOf(entity);
  const archetype = archetypeAt(world, index);
  const column = isApart
    ? valueAt(world, index, definition, target)?.column
    : columnOf(archetype, definition);
  if (column === undefined) {
    add(world, entity, { definition, target, value } as Term as ValueTerm);
    return;
  }
  const { collected } = world;
  const end = collectOne(collected, definition, value);
  const { fields, count } = collected;
  if (
    definition.hooks !== undefined ||
    (world.deferDepth !== 0 && mustDeferWrite(world, index, definition))
  ) {
    const kept =
      definition.holds === "fields" ? collectedObject(collected, definition, fields, end, count) : value;
    setPlain(world, entity, definition, target, kept);
    return;
  }
  // A getter of the value may have removed the component or destroyed the entity; pairs of one archetype have columns by table.
  let { lanes } = archetype;
  let own: Column = column;
  let row: number;
  if (isApart || archetypeAt(world, index) !== archetype || world.entities.handles[index] !== entity) {
    requireAlive(world, entity);
    const place = valueAt(world, index, definition, target);
    if (place === undefined) return;
    ({ lanes, column: own, row } = place);
    noteWritten(world, index, definition);
  } else {
    row = rowAt(world, index);
    lanes.tracks?.written(definition, row);
  }
  if (own.objectSlot >= 0) lanes.objects[own.objectSlot]![row] = value;
  else writeFields(collected, fields, end, count, lanes, own, row);
  if ((observedOf(world.events, definition) & OBSERVES.set) !== 0)
    notifySet(world, index, definition, target);
}

function notifySet(world: World, index: number, definition: Definition, target: number): void {
  world.deferDepth++;
  notifyChange(
    world,
    "set",
    index,
    definition,
    definition.kind === "relation" ? (target as Entity) : undefined,
  );
  endDeferred(world, true);
}

/** The target of a pair that carries values; 0 for a component. @throws as `set`. */
function requireValued(world: World, entity: Entity, what: Term): number {
  requireAlive(world, entity);
  const { holds, kind, name } = definitionOf(world, what);
  if (holds === "nothing") throw new TreelineError("bad-value", `${name} carries no values; use add`);
  const target = targetIn(world, what);
  if (kind === "relation") requireAlive(world, target as Entity);
  return target;
}

/** Apart from `set`: a closure would allocate the captured variables in every call. @param value a plain value. */
function setPlain(
  world: World,
  entity: Entity,
  definition: Definition,
  target: number,
  value: unknown,
): void {
  const index = indexOf(entity);
  const write = (): void => {
    if (!isLiving(world.entities, entity)) return;
    if (definition.kind === "relation" && !isLiving(world.entities, target)) return;
    if (valueAt(world, index, definition, target) === undefined)
      add(world, entity, { definition, target, value } as Term as ValueTerm);
    else setNow(world, index, definition, target, value);
  };
  if (definition.hooks !== undefined && world.checks > 0) mustDefer(world); // what the hooks have checked must stay true
  if (!mustDeferWrite(world, index, definition)) write();
  else deferCommand(world, index, write, [entity], [{ definition, target, value } as Term as PlainTerm]);
}

/** @param value a plain value. */
function setNow(world: World, index: number, definition: Definition, target: number, value: unknown): void {
  whileDeferred(world, () => {
    let calls = NO_CHANGES;
    if (definition.hooks !== undefined) {
      const before = readValue(world, index, definition);
      const whole = wholeValue(world, index, definition, value);
      const entity = handleAt(world.entities, index);
      calls = [givenChange(entity, definition, whole, before, parentAt(world, index))];
      callChecks(world, calls);
    }
    whileChanging(world, () => {
      writeValue(world, index, valueAt(world, index, definition, target)!, value);
      if (calls.length > 0) callWritten(world, index, calls);
    });
    notifySet(world, index, definition, target);
  });
}

/**
 * Changes a value in one call instead of a `get` and a `set`: the function gets a copy and changes it, and the copy is
 * written back, so that observers, hooks and `changed` queries see the write. For a component without fields the function
 * gets the value itself: an object that it changes stays the same object. It returns nothing: `set` writes another value.
 *
 * As with `set`, inside an iteration the change is made at once, unless a deferred change comes before it. Then the call is
 * deferred: the function gets the value of that time, and is not called if the value is gone by then; what the function
 * adds, moves or destroys is deferred too.
 *
 * @cost a `get` and a `set`.
 * @returns false if the entity does not have it: the function is not called then; true if it was changed, or is deferred.
 * @throws TreelineError `dead-entity` if the entity or the pair's target is not alive; `bad-term` if `what` is not a
 *   component or pair; `bad-value` if `what` carries no values, if the function returns something, such as a new object or a
 *   promise, or if the changed value does not fit; and what the function or a `check` hook throws. Nothing is written then.
 *
 * @example
 * patch(world, ship, Position, (position) => {
 *   position.x += 1;
 * });
 */
export function patch<T extends Valued<unknown>>(
  world: World,
  entity: Entity,
  what: T,
  // biome-ignore lint/suspicious/noConfusingVoidType: unlike void alone, it refuses functions that return a value
  change: (value: NoInfer<ValueIn<T>>) => void | undefined,
): boolean {
  return rewrite(world, entity, what, seenAt, (place) => {
    const value = copyValue(world, place);
    if (typeof value !== "object" || value === null) {
      const text = `the value of ${place.column.definition.name} is ${shown(value)}, which a function cannot change; use set`;
      throw new TreelineError("bad-value", text);
    }
    const returned: unknown = change(value as ValueIn<T>);
    if (returned === undefined) return value;
    throw new TreelineError(
      "bad-value",
      `a function for patch changes what it gets and returns nothing, not ${shown(returned)}; use set for another value`,
    );
  });
}

/**
 * Marks a value as changed after a write that used no verb: into the columns of `locate` or of a run, or into an object that
 * a component without fields keeps. Observers and hooks are called as for a `set` that names no field, with the present
 * value both before and after; `changed` queries find it.
 *
 * @cost as a `set` without fields; little without observers.
 * @returns false if the entity does not have it; true if it was marked, or the call is deferred.
 * @throws TreelineError `dead-entity` if the entity or the pair's target is not alive; `bad-term` if `what` is not a
 *   component or pair; `bad-value` if `what` carries no values; and what a `check` hook throws: no observer is notified
 *   then, but the value stays as it was written.
 *
 * @example
 * const found = locate(world, ship, Position);
 * if (found !== undefined) found.columns.x[found.row] = 5;
 * markChanged(world, ship, Position);
 */
export function markChanged(world: World, entity: Entity, what: Valued<unknown>): boolean {
  return rewrite(world, entity, what, valueAt, ({ lanes, column: { objectSlot }, row }) =>
    objectSlot < 0 ? {} : lanes.objects[objectSlot]![row],
  );
}

/**
 * Sets a value to one that is made from the present value; deferred if a deferred change comes before it.
 * @param find returns its place. @param renew gets that, and returns the value to write.
 */
function rewrite(
  world: World,
  entity: Entity,
  what: Valued<unknown>,
  find: typeof valueAt,
  renew: (place: ValuePlace) => unknown,
): boolean {
  const target = requireValued(world, entity, what as Term);
  const definition = definitionOf(world, what as Term);
  const index = indexOf(entity);
  const placeNow = (): ValuePlace | undefined =>
    isLiving(world.entities, entity) ? find(world, index, definition, target) : undefined;
  const write = (call: (renewed: () => unknown) => unknown): boolean => {
    const place = placeNow();
    if (place === undefined) return false;
    const value = call(() => renew(place));
    if (placeNow() === undefined) return false; // the function has removed it
    set(world, entity, what, value);
    return true;
  };
  // What a pending entity was given can be changed now: what comes of it is deferred.
  if (!mustDeferWrite(world, index, definition) || world.slots.pending?.given.has(index))
    return write((renewed) => renewed());
  // Other commands follow, and spawned entities are pending: changes that the function makes are deferred as well.
  deferCommand(world, index, () => write((renewed) => whileDeferred(world, renewed)));
  return true;
}
