import { type Entity, get, parentOf, type World } from "@treeline/core";
import { indexOf, textOf } from "@treeline/core/internal";
import { lookup, Name } from "@treeline/names";
import type { Json, Reference } from "../format/document.ts";
import type { Selected } from "../format/entities.ts";
import { refuseDocument } from "../format/error.ts";
import type { InstanceSaver } from "../format/instances.ts";
import { siblingsOf } from "./select.ts";

/** The names from the root to an entity, if they lead back to it and to no other entity; else `undefined`. */
export function uniquePath(world: World, entity: Entity): string[] | undefined {
  const names: string[] = [];
  for (let at: Entity | undefined = entity; at !== undefined; at = parentOf(world, at)) {
    const name = get(world, at, Name);
    if (name === undefined) return undefined;
    names.push(name);
  }
  names.reverse();
  if (lookup(world, names) !== entity) return undefined;
  // Where a world allows siblings of one name, a look-up finds the first.
  for (let at: Entity | undefined = entity; at !== undefined; at = parentOf(world, at)) {
    const name = get(world, at, Name);
    if (siblingsOf(world, at).filter((one) => get(world, one, Name) === name).length > 1) return undefined;
  }
  return names;
}

/** Makes the references of a document. `number` gives those to its own entities their ids, in the order of the document. */
export class References {
  private readonly world: World;
  private readonly selected: Selected;
  private readonly resolve: ((entity: Entity) => unknown) | undefined;
  private readonly saver: InstanceSaver | undefined;
  /** By place. */
  private readonly own: ({ $entity: number } | undefined)[] = [];
  private readonly outside = new Map<Entity, Reference>();

  constructor(
    world: World,
    selected: Selected,
    resolve: ((entity: Entity) => unknown) | undefined,
    saver?: InstanceSaver,
  ) {
    this.world = world;
    this.saver = saver;
    this.selected = selected;
    this.resolve = resolve;
  }

  /** The reference to the entity of the document at a place: 1 + the place, until `number` is called. */
  at(place: number): { $entity: number } {
    this.own[place] ??= { $entity: place + 1 };
    return this.own[place];
  }

  /** The place of an entity of the document. */
  orderOf(entity: Entity): number | undefined {
    const own = this.selected.places[indexOf(entity)]!;
    return own > 0 ? own : undefined;
  }

  /** @param target is alive. @throws DocumentError for an entity outside that has no path of its own and is not resolved. */
  to(target: Entity, place: () => string): Reference {
    const own = this.selected.places[indexOf(target)]!;
    if (own > 0) return this.at(own - 1);
    let reference = this.outside.get(target);
    if (reference === undefined) {
      reference = this.find(target, place);
      this.outside.set(target, reference);
    }
    return reference;
  }

  private find(target: Entity, place: () => string): Reference {
    const key = this.resolve?.(target);
    if (key !== undefined) return { $outside: key as Json };
    const prefab = this.saver?.keyOf(target);
    if (prefab !== undefined) return { $prefab: prefab };
    const path = uniquePath(this.world, target);
    if (path !== undefined) return { $path: path };
    let text = `${textOf(this.world, target)} is not in the document, and no path leads to it alone`;
    CHECK: text += "; save it too, name it, or pass resolve";
    return refuseDocument(place(), text);
  }

  /**
   * Numbers the entities that references lead to, from `last` + 1. @returns the numbers by place; holes for the others.
   * @param idAt the id of an entity that has one in any case.
   */
  number(
    last = 0,
    idAt?: (place: number) => number | undefined,
  ): readonly ({ $entity: number } | undefined)[] {
    let next = last;
    const { own } = this;
    for (let place = 0; place < own.length; place++) {
      const reference = own[place];
      if (reference !== undefined) reference.$entity = idAt?.(place) ?? ++next;
    }
    return own;
  }
}
