// Reads and checks the values of terms (`collectValues`, `bad-value`), and writes them into a row (`writeTerms`, `writeWhole`).
import { TreelineError } from "../../base/error.ts";
import { grownInt32 } from "../../base/growing.ts";
import { ANY, Any, type Definition, type PlainTerm, type Term } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import { NO_DEFAULT } from "../../id/field.ts";
import { isLiving } from "../../records/entity-index.ts";
import { type Archetype, columnOf } from "../../storage/archetype.ts";
import { collectValue, writeFields } from "../state/collected-values.ts";
import { hooksOf } from "../state/hooks.ts";
import { requireOneOfEachName } from "../state/one-definition.ts";
import type { SpawnPlan } from "../state/plans.ts";
import { requireAlive } from "../state/require.ts";
import { definitionOfTerm } from "../state/terms.ts";
import { seenAt, valueAt } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { refusePair } from "./terms.ts";

/**
 * Reads the values of terms, each field once, and checks them; then it checks targets, since a getter may have destroyed one. The
 * collected values stay in `world.collected` from its present place on, until something else is collected.
 *
 * @param taker the index of the entity that gets the terms, 0 for a new one; if it lacks an object component, that needs a value
 *   or a default. Without an index that is not checked: the terms have been collected before, or are copies of values.
 * @throws TreelineError `bad-value`, `bad-term`, `dead-entity`; in checked builds `bad-definition`.
 */
export function collectValues(world: World, terms: readonly PlainTerm[], taker = -1): void {
  const { collected } = world;
  const { fields, count, terms: first } = collected;
  const { length } = terms;
  let hasPairs = false;
  let isInOrder = true;
  CHECK: requireOneOfEachName(world, terms.map(definitionOfTerm));
  if (first + length > collected.ends.length) collected.ends = grownInt32(collected.ends, first + length);
  try {
    for (let at = 0; at < length; at++) {
      const term = terms[at]!;
      const definition = typeof term === "function" ? (term as Definition) : (term as Term).definition; // no call
      const { value } = term as Term; // a definition has none
      if (definition.kind === "relation") {
        if (typeof term === "function") refusePair(definition, 0);
        hasPairs = true;
      }
      collected.terms = first + at;
      if (value === undefined) {
        if (taker >= 0 && definition.fields[0]?.[1] === NO_DEFAULT) requireValue(world, definition, taker);
      } else {
        collected.isInOrder = true;
        collectValue(collected, definition, value);
        if (!collected.isInOrder) isInOrder = false;
      }
      collected.ends[first + at] = collected.fields;
    }
  } finally {
    collected.fields = fields;
    collected.count = count;
    collected.terms = first;
  }
  collected.isInOrder = isInOrder;
  if (hasPairs) checkTargets(world, terms);
}

/** An object component without a default needs a value, unless it is there already, or its `check` hook decides. */
export function requireValue(world: World, definition: Definition, taker: number): void {
  if (hooksOf(definition).check !== undefined) return;
  if (taker !== 0 && seenAt(world, taker, definition, 0) !== undefined) return;
  throw new TreelineError("bad-value", `${definition.name} needs a value`);
}

function checkTargets(world: World, terms: readonly PlainTerm[]): void {
  for (let at = 0; at < terms.length; at++) {
    const { definition, target } = terms[at]! as unknown as Term;
    if (typeof terms[at] === "function" || definition.kind !== "relation") continue;
    if (target === ANY || definition === Any) refusePair(definition, target);
    if (!isLiving(world.entities, target)) requireAlive(world, target as Entity);
  }
}

/**
 * Writes the values that `collectValues` has read, with nothing else collected since, into a row of an entity that has all of the
 * terms.
 */
export function writeTerms(
  world: World,
  archetype: Archetype,
  terms: readonly PlainTerm[],
  row: number,
): void {
  const { collected } = world;
  const { lanes } = archetype;
  let field = collected.fields;
  let number = collected.count;
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at]!;
    if (typeof term === "function") continue;
    const { definition, target, value } = term as Term;
    if (value === undefined || definition.holds === "nothing") continue;
    const end = collected.ends[collected.terms + at]!;
    let column = columnOf(archetype, definition)!;
    let own = lanes;
    let place = row;
    if (column === undefined || definition.kind === "relation")
      ({ lanes: own, column, row: place } = valueAt(world, lanes.i32[row]!, definition, target)!);
    if (column.objectSlot >= 0) own.objects[column.objectSlot]![place] = value;
    else number = writeFields(collected, field, end, number, own, column, place);
    lanes.tracks?.written(definition, row);
    field = end;
  }
}

/**
 * Writes a row of an all-f32 archetype at once; it needs no defaults.
 *
 * @returns false, with nothing written, unless all fields were collected in the order of the schemas.
 */
export function writeWhole(
  { collected }: World,
  { flatLanes, archetype }: SpawnPlan,
  terms: number,
  row: number,
): boolean {
  const { length } = flatLanes;
  const { numbers, count, ends, fields } = collected;
  if (!collected.isInOrder || ends[collected.terms + terms - 1]! - fields !== length) return false;
  const { f32, stride } = archetype.lanes;
  for (let at = 0; at < length; at++) f32[flatLanes[at]! * stride + row] = numbers[count + at]!;
  return true;
}
