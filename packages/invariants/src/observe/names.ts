/**
 * Observers that change names while names are being set. As with other observers that change the world, the twin does not predict
 * what they do.
 */
import type { Entity } from "@treeline/core";
import { Any, ChildOf, get, has, parentOf, remove, set, spawn, TreelineError } from "@treeline/core";
import { Alias, ensurePath, Name, pathOf, rename, withoutScope } from "@treeline/names";
import { destroy } from "@treeline/query";
import type { AnyEvent } from "../base/entry-points.ts";
import { queryVerbs, verbs } from "../base/entry-points.ts";
import { aboveOf, namedIn } from "../perform/names.ts";
import type { RealWorld } from "../step/real-world.ts";
import { textOf } from "../step/step.ts";
import { nameOfDefinition } from "../step/vocabulary.ts";
import type { Observers } from "./observe.ts";

/** Maximum events in one step before observers stop changing the world; maximum number of entities. */
const MAX_EVENTS = 60;
const MAX_ENTITIES = 40;

/**
 * When an observer is notified of a name, looking it up must find an entity that has it: the entity itself, or another one that
 * shares the name. Observers run outside of all scopes.
 */
export function attachNameObservers(real: RealWorld, observers: Observers): void {
  const { world } = real;
  verbs.observe(world, { added: Name, set: Name }, ({ entity, kind }) => {
    const name = get(world, entity, Name);
    if (name === undefined) return;
    const isOutside = pathOf(world, entity) === withoutScope(world, () => pathOf(world, entity));
    if (!isOutside) observers.broken.push("an observer is called inside the scope of the code that spawns");
    const scope = aboveOf(real, entity);
    const found = namedIn(world, scope, name);
    const isRight =
      found !== undefined &&
      ((get(world, found, Name) === name && aboveOf(real, found) === scope) ||
        (scope === undefined && get(world, found, Alias) === name));
    if (!isRight)
      observers.broken.push(`${kind} Name ${textOf(name)} of ${entity}: no entity is found by it`);
  });
}

export function attachNameReactions(real: RealWorld, observers: Observers): void {
  const { world } = real;
  const react = (event: AnyEvent): void => {
    if (observers.observed.length > MAX_EVENTS || queryVerbs.roots(world).length > MAX_ENTITIES) return;
    try {
      reactToName(real, event, observers.observed.length % 7);
    } catch (error) {
      if (!(error instanceof TreelineError) || error.code === "internal-error") throw error;
    }
  };
  verbs.observe(world, { added: Name, removed: Name, set: Name }, react);
  verbs.observe(world, { added: ChildOf, removed: ChildOf }, react);
}

function reactToName({ world }: RealWorld, event: AnyEvent, luck: number): void {
  const { kind, entity, definition } = event;
  const name = (verbs.get(world, entity, Name) as string | undefined) ?? "a";
  const parent = parentOf(world, entity);
  const siblings = parent === undefined ? queryVerbs.roots(world) : queryVerbs.children(world, parent);
  const sibling = siblings.find((one) => one !== entity);
  const spawnNamesake = (): Entity =>
    parent === undefined ? spawn(world, Name(name)) : spawn(world, ChildOf(parent), Name(name));
  switch (`${kind} ${nameOfDefinition(definition)} ${luck}`) {
    case "added Name 0":
    case "removed ChildOf 0":
      rename(world, entity, `${name}!`.slice(0, 6));
      break;
    case "added Name 1":
    case "removed Name 1":
    case "set Name 1":
      spawnNamesake();
      break;
    case "added Name 2":
    case "set Name 2":
      set(world, entity, Alias, name);
      break;
    case "added Name 3":
    case "added ChildOf 3":
      remove(world, entity, Name);
      break;
    case "added Name 4":
    case "set Name 4":
      if (parent !== undefined) remove(world, entity, ChildOf(Any));
      break;
    case "set Name 0":
    case "added ChildOf 1":
    case "removed Name 0":
      if (sibling !== undefined) rename(world, sibling, name);
      break;
    case "removed Name 2":
    case "set Name 3":
      if (namedIn(world, parent, name) !== undefined) destroy(world, namedIn(world, parent, name)!);
      break;
    case "added ChildOf 2":
    case "removed Name 3":
      ensurePath(world, [name, "b"], has(world, entity, Name) ? { from: entity } : {});
      break;
  }
}
