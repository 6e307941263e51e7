import { TreelineError } from "../base/error.ts";
import type { Definition, Term, ValueTerm } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import type { Column } from "../storage/lane-plan.ts";
import type { Lanes } from "../storage/lanes.ts";
import { numbersOf } from "../storage/lanes.ts";
import { stampWritten } from "../storage/tracks.ts";
import { add } from "./add.ts";
import { addOne, addOneAsked } from "./add-one.ts";
import { checkValue, type Gathered, gather } from "./check-value.ts";
import { targetIn, type Valued } from "./component.ts";
import { isHeard } from "./event-list.ts";
import { hasListeners, tellSet } from "./facts.ts";
import {
  askHooks,
  type Change,
  givenChange,
  NO_CHANGES,
  tellWritten,
  tellWrittenAlone,
} from "./hook-calls.ts";
import { keptValue } from "./kept-terms.ts";
import { enqueue, insideVisit, mustQueue, waitsFor, whileChanging } from "./lock.ts";
import { requireAlive } from "./require.ts";
import { parentAt } from "./targets.ts";
import { definitionOf } from "./terms.ts";
import { columnAt, readValue, rowAt, shapeAt, wholeValue, writeValue } from "./values.ts";
import type { World } from "./world.ts";

/**
 * Writes a value; adds the component or pair if the entity does not have it. Only the given fields are written:
 * others stay as they are, or take their defaults if it was added. A write alone is no structural change: inside a visit
 * it is made at once, unless a change that waits comes before it.
 *
 * @throws TreelineError `dead-entity` if the entity or the pair's target is not alive; `bad-term` for what is no component
 *   or pair; `bad-value` for a value that does not fit, and for what carries none; as `add` if it has to be added; and what
 *   a `check` hook throws.
 */
export function set<Init>(
  world: World,
  entity: Entity,
  what: Valued<unknown, unknown, Init>,
  value: NoInfer<Init>,
): void {
  requireAlive(world, entity);
  const definition = definitionOf(what as Term);
  if (definition.holds === "nothing") refuseToSet(definition);
  const target = targetIn(world, what as Term);
  if (definition.kind === "relation") requireAlive(world, target as Entity);
  const index = indexOf(entity);
  const column = columnAt(world, index, definition, target);
  const isQuiet =
    world.visits === 0 && !(column === undefined ? hasListeners(world) : hears(world, definition));
  if (column === undefined) {
    if (isQuiet && definition.kind !== "relation") {
      checkValue(definition, value);
      if (definition.hooks === undefined) addOne(world, index, definition, value);
      else addOneAsked(world, index, definition, value);
    } else add(world, entity, { definition, target, value } as Term as ValueTerm);
    return;
  }
  if (isQuiet && definition.hooks === undefined) {
    const count = gather(world.gathered, definition, value, 0);
    if (count > 0) {
      const { lanes } = shapeAt(world, index);
      const row = rowAt(world, index);
      writeFields(world.gathered, count, lanes, column, row);
      if (lanes.tracks !== undefined) stampWritten(lanes.tracks, definition.id, row);
      return;
    }
  }
  checkValue(definition, value);
  if (definition.hooks !== undefined && world.checks > 0) mustQueue(world); // what was asked must stay true
  if (waitsFor(world, index, definition)) queueSet(world, entity, definition, target, value);
  else setNow(world, index, definition, target, column, value);
}

/** Is somebody told of writes of a component? */
function hears(world: World, definition: Definition): boolean {
  return hasListeners(world) && isHeard(world.events, "set", definition);
}

export function refuseToSet({ name }: Definition): never {
  throw new TreelineError("bad-value", `${name} carries no values; use add`);
}

function writeFields(
  { numbers: values, places }: Gathered,
  count: number,
  lanes: Lanes,
  { fields }: Column,
  row: number,
): void {
  for (let at = 0; at < count; at++) {
    const field = fields[places[at]!]!;
    const numbers = field.kind === "f32" ? lanes.f32 : numbersOf(lanes, field);
    numbers[field.lane * lanes.stride + row] = values[at]!;
  }
}

function queueSet(
  world: World,
  entity: Entity,
  definition: Definition,
  target: number,
  value: unknown,
): void {
  const kept = keptValue(definition, value);
  enqueue(world, indexOf(entity), () => setLater(world, entity, definition, target, kept));
}

/** What had to wait, since something that waited came before it: the entity may have lost the component, or died. */
function setLater(
  world: World,
  entity: Entity,
  definition: Definition,
  target: number,
  value: unknown,
): void {
  if (!isLiving(world.entities, entity)) return;
  if (definition.kind === "relation" && !isLiving(world.entities, target)) return;
  const index = indexOf(entity);
  const column = columnAt(world, index, definition, target);
  if (column === undefined) add(world, entity, { definition, target, value } as Term as ValueTerm);
  else setNow(world, index, definition, target, column, value);
}

function setNow(
  world: World,
  index: number,
  definition: Definition,
  target: number,
  column: Column,
  value: unknown,
): void {
  if (hears(world, definition)) setLoudly(world, index, definition, target, column, value);
  else if (definition.hooks !== undefined) setAsked(world, index, definition, column, value);
  else writeValue(shapeAt(world, index).lanes, column, rowAt(world, index), value);
}

/** A value of a component with hooks. @returns what they let through and will be told. */
function askForValue(world: World, index: number, definition: Definition, value: unknown): readonly Change[] {
  const before = readValue(world, index, definition);
  const changes = [givenChange(definition, wholeValue(world, index, definition, value), before)];
  askHooks(world, handleAt(world.entities, index), changes, parentAt(world, index));
  return changes;
}

/** Nobody listens. */
function setAsked(world: World, index: number, definition: Definition, column: Column, value: unknown): void {
  const changes = askForValue(world, index, definition, value);
  writeValue(shapeAt(world, index).lanes, column, rowAt(world, index), value);
  tellWrittenAlone(world, index, changes);
}

function setLoudly(
  world: World,
  index: number,
  definition: Definition,
  target: number,
  column: Column,
  value: unknown,
): void {
  insideVisit(world, () => {
    const changes =
      definition.hooks === undefined ? NO_CHANGES : askForValue(world, index, definition, value);
    whileChanging(world, () => {
      writeValue(shapeAt(world, index).lanes, column, rowAt(world, index), value);
      tellWritten(world, index, changes);
    });
    tellSet(world, index, definition, definition.kind === "relation" ? (target as Entity) : undefined);
  });
}
