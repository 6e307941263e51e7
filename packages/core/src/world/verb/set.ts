import { TreelineError } from "../../base/error.ts";
import type { Definition, Term, ValueTerm } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { handleAt, isLiving } from "../../records/entity-index.ts";
import type { Column } from "../../storage/lanes.ts";
import { askHooks, givenChange, tellWritten } from "../change/hook-calls.ts";
import { targetIn, type Valued } from "../state/component.ts";
import { OBSERVES_SET, observedOf } from "../state/event-list.ts";
import { gatherAlone, gatheredObject, writeFields } from "../state/gathered.ts";
import { enqueue, enterVisit, leaveVisit, mustQueue, waitsFor } from "../state/lock.ts";
import { NO_CHANGES } from "../state/plans.ts";
import { requireAlive } from "../state/require.ts";
import { parentAt } from "../state/targets.ts";
import { tellFact } from "../state/tell.ts";
import { definitionOf } from "../state/terms.ts";
import { columnAt, readValue, rowAt, shapeAt, wholeValue, writeValue } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { add } from "./add.ts";

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
  const shape = shapeAt(world, index);
  const column = columnAt(world, index, definition, target);
  if (column === undefined) {
    add(world, entity, { definition, target, value } as Term as ValueTerm);
    return;
  }
  const { gathered } = world;
  const end = gatherAlone(gathered, definition, value);
  const { fields, count } = gathered;
  if (definition.hooks !== undefined || (world.visits !== 0 && waitsFor(world, index, definition))) {
    const kept =
      definition.holds === "fields" ? gatheredObject(gathered, definition, fields, end, count) : value;
    setPlain(world, entity, definition, target, kept);
    return;
  }
  // A getter of the value may have taken the component off meanwhile, or destroyed the entity.
  let { lanes } = shape;
  let own: Column | undefined = column;
  if (shapeAt(world, index) !== shape || world.entities.handles[index] !== entity) {
    requireAlive(world, entity);
    own = columnAt(world, index, definition, target);
    if (own === undefined) return;
    lanes = shapeAt(world, index).lanes;
  }
  const row = rowAt(world, index);
  if (own.objectSlot >= 0) lanes.objects[own.objectSlot]![row] = value;
  else writeFields(gathered, fields, end, count, lanes, own, row);
  lanes.tracks?.written(definition.id, row);
  if ((observedOf(world.events, definition) & OBSERVES_SET) !== 0)
    notifySet(world, index, definition, target);
}

function notifySet(world: World, index: number, definition: Definition, target: number): void {
  enterVisit(world);
  tellFact(world, "set", index, definition, definition.kind === "relation" ? (target as Entity) : undefined);
  leaveVisit(world, true);
}

/** A plain copy is written when its turn comes. */
function setPlain(
  world: World,
  entity: Entity,
  definition: Definition,
  target: number,
  value: unknown,
): void {
  const index = indexOf(entity);
  if (definition.hooks !== undefined && world.checks > 0) mustQueue(world); // what was asked must stay true
  if (waitsFor(world, index, definition)) {
    enqueue(world, index, () => setLater(world, entity, definition, target, value));
  } else setLater(world, entity, definition, target, value);
}

export function refuseToSet({ name }: Definition): never {
  throw new TreelineError("bad-value", `${name} carries no values; use add`);
}

/** What was deferred: the entity may have lost the component, or been destroyed. */
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
  if (columnAt(world, index, definition, target) !== undefined)
    setNow(world, index, definition, target, value);
  else add(world, entity, { definition, target, value } as Term as ValueTerm);
}

/** Check, commit, notify. @param value a plain one. */
function setNow(world: World, index: number, definition: Definition, target: number, value: unknown): void {
  enterVisit(world);
  let isDone = false;
  try {
    let calls = NO_CHANGES;
    if (definition.hooks !== undefined) {
      const before = readValue(world, index, definition);
      calls = [givenChange(definition, wholeValue(world, index, definition, value), before)];
      askHooks(world, handleAt(world.entities, index), calls, parentAt(world, index));
    }
    world.changes++;
    try {
      const column = columnAt(world, index, definition, target)!;
      writeValue(world, shapeAt(world, index).lanes, column, rowAt(world, index), value);
      if (calls.length > 0) tellWritten(world, index, calls);
    } finally {
      world.changes--;
    }
    tellFact(
      world,
      "set",
      index,
      definition,
      definition.kind === "relation" ? (target as Entity) : undefined,
    );
    isDone = true;
  } finally {
    leaveVisit(world, isDone);
  }
}
