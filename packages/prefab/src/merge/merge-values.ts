// What follows in instances: what is as published, by field (`mergeColumns`, `mergeFacts`).
import {
  type Component,
  type Definition,
  type Entity,
  has,
  isAlive,
  type Relation,
  targetOf,
  type World,
} from "@treeline/core";
import { columnsOf, indexOf, markRow, notifiedWrites, trackOf } from "@treeline/core/internal";
import {
  type Change,
  changedFields,
  type Fact,
  factsOf,
  fieldOf,
  type InInstance,
  isSame,
  pointed,
  sameIn,
} from "../publish/facts.ts";
import type { Published } from "../publish/published.ts";
import { prefabRootOf } from "../spawn/contained.ts";
import { isOfPrefab } from "../spawn/part-terms.ts";
import { ownCopiesAt } from "../state/own-copies.ts";
import { eachLinkedRun } from "../state/owners.ts";
import { gain, lose, type Merge } from "./merge.ts";
import { hasMade } from "./untouched.ts";

/** Can a change be written without hooks and observers, and does it mean the same in each instance? */
export function isPlain(world: World, { before, now, fields }: Change): boolean {
  if (before === undefined || now === undefined || now.target !== 0) return false;
  const { hooks, storage, holds } = now.definition;
  if (hooks !== undefined || storage !== "table" || notifiedWrites(world, now.definition) >= 0) return false;
  return holds === "fields" && fields.every(([, { kind }]) => kind !== "entity" && kind !== "value");
}

/**
 * Writes the new values of a part into the rows of its instances, field by field, where the former one is still there. For plain changes.
 *
 * @cost a comparison of two numbers for each linked row whose archetype has the component.
 */
export function mergeColumns(world: World, number: number, { before, now, fields }: Change): void {
  const { definition } = now!;
  eachLinkedRun(world, (archetype, links, first, end) => {
    const columns = columnsOf(archetype, definition) as { readonly [name: string]: Float64Array } | undefined;
    if (columns === undefined) return;
    const track = trackOf(archetype, definition, "changed");
    for (const [name] of fields) {
      const column = columns[name]!;
      const old = numbersOf(before!, name);
      const next = numbersOf(now!, name);
      for (let row = first; row < end; row++) {
        if (links[row] !== number || !hasNumbers(column, row * old.length, old)) continue;
        column.set(next, row * old.length);
        if (track !== undefined) markRow(track, row, track.clock.now);
      }
    }
  });
}

/** A field as its column holds it. */
function numbersOf({ value }: Fact, name: string): ArrayLike<number> {
  const field = fieldOf(value, name);
  return typeof field === "object" ? (field as ArrayLike<number>) : [Number(field)];
}

function hasNumbers(column: Float64Array, place: number, numbers: ArrayLike<number>): boolean {
  for (let at = 0; at < numbers.length; at++) {
    const own = column[place + at]!;
    const wanted = numbers[at]!;
    if (own !== wanted && !Object.is(own, wanted)) return false;
  }
  return true;
}

/**
 * Plans changes of a part for an entity of an instance, with hooks and observers, but for what the instance has changed itself.
 *
 * @param published as the entity was made.
 */
export function mergeFacts(
  world: World,
  merge: Merge,
  entity: Entity,
  { part, root, facts }: Published,
  changes: readonly Change[],
  inInstance: InInstance,
): void {
  const own = factsOf(world, entity, false);
  const known = facts.map((one) => pointed(one, inInstance));
  const lost = new Set<Definition>();
  /** What has left the prefab is itself from now on, although the instance may still have an entity that was made from it. */
  const insideNow: InInstance = (target, isInherited) =>
    isInherited === true || target === root || !isAlive(world, target) || prefabRootOf(world, target) === root
      ? inInstance(target, isInherited)
      : target;
  for (const { before, now, fields } of changes) {
    const fact = now === undefined ? pointed(before!, inInstance) : pointed(now, insideNow);
    const { definition, target, value } = fact;
    if (target === 0 && (now ?? before)!.target !== 0) continue; // to a part that the instance has not
    const present = sameIn(own, fact);
    if (now === undefined) {
      if (present === undefined || changedFields(present, fact).length > 0) lost.add(definition);
      else {
        lose(merge, entity, present);
        own.splice(own.indexOf(present), 1); // it may come again, for another target of the prefab
      }
    } else if (before === undefined) {
      if (present === undefined && !isOwn(definition, target) && !isOfPrefab(world, root, now, target))
        gain(merge, entity, fact);
    } else if (present !== undefined) {
      const old = pointed(before, inInstance);
      const followed = fields.filter(([name]) =>
        isSame(fieldOf(present.value, name), fieldOf(old.value, name)),
      );
      if (followed.length === 0) continue;
      const merged = followed[0]![0] === "" ? value : { ...(present.value as object) };
      for (const [name] of followed)
        if (name !== "") (merged as { [name: string]: unknown })[name] = fieldOf(value, name);
      gain(merge, entity, { definition, target, value: merged });
    }
  }

  /** Has an entity what it shall get, or something else instead? */
  function isOwn(definition: Definition, target: Entity): boolean {
    if (target === 0)
      return (
        has(world, entity, definition as Component) ||
        (definition.onInstantiate === "inherit" && !ownCopiesAt(world, indexOf(part)).includes(definition))
      );
    // An exclusive relation: the instance has another target of its own, or none, or the target has.
    const other =
      definition.symmetric && target > 0 ? targetOf(world, target, definition as Relation) : undefined;
    return (
      definition.exclusive &&
      (lost.has(definition) ||
        (other !== undefined && !hasMade(world, target, definition, other)) ||
        own.some((one) => one.definition === definition && sameIn(known, one) === undefined))
    );
  }
}
