// References and their ids (`References`), also to the outside (`OutsideOptions`); which paths lead to one entity alone (`uniquePath`).
import { type Entity, get, parentOf, TreelineError, type World } from "@treeline/core";
import { indexOf, textOf, worldState } from "@treeline/core/internal";
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

/** How documents refer to entities outside of them. */
export interface OutsideOptions {
  /**
   * A key for an entity outside of the document that something in it refers to: plain data, which `resolve` of `fromDocument` and
   * `fromBinary` gets. `undefined`: as `outside` says.
   */
  readonly resolve?: ((entity: Entity) => unknown) | undefined;
  /**
   * What becomes of references to other entities outside. By default they are written as paths, and one that no path leads to alone is
   * refused. "refuse" all; "drop" them: fields are then as without an entity, and pairs and entity tags are left out; or "keep" them for
   * the world that is saved, such as a clipboard does: there they lead to the same entity, whatever its name is by then. Elsewhere, and once
   * that is destroyed, they lead to what has the path, or are dropped: see `lost` of `fromDocument`.
   */
  readonly outside?: "keep" | "drop" | "refuse" | undefined;
}

/** By which documents know the world that they were saved from, in this process and in no other. */
export const markOf: (world: World) => { readonly mark: string } = /* @__PURE__ */ worldState(() => ({
  mark: `${Math.random()}${Math.random()}`,
}));

/** @throws TreelineError `bad-value`. */
export function requireOutside({ outside }: OutsideOptions): void {
  if (outside !== undefined && !["keep", "drop", "refuse"].includes(outside))
    throw new TreelineError("bad-value", 'outside is "keep", "drop" or "refuse"');
}

/** Makes the references of a document. `number` gives those to its own entities their ids, in the order of the document. */
export class References {
  private readonly world: World;
  private readonly selected: Selected;
  private readonly options: OutsideOptions;
  private readonly saver: InstanceSaver | undefined;
  /** By place. */
  private readonly own: ({ $entity: number } | undefined)[] = [];
  private readonly found = new Map<Entity, Reference | undefined>();

  constructor(world: World, selected: Selected, options: OutsideOptions, saver?: InstanceSaver) {
    requireOutside(options);
    this.world = world;
    this.saver = saver;
    this.selected = selected;
    this.options = options;
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

  /**
   * @param target is alive. @returns `undefined` for one outside that is dropped. @throws DocumentError for an entity outside that is refused, or
   *   that has no path of its own and is not resolved.
   */
  to(target: Entity, place: () => string): Reference | undefined {
    const own = this.selected.places[indexOf(target)]!;
    if (own > 0) return this.at(own - 1);
    if (!this.found.has(target)) this.found.set(target, this.find(target, place));
    return this.found.get(target);
  }

  private find(target: Entity, place: () => string): Reference | undefined {
    const { resolve, outside } = this.options;
    const key = resolve?.(target);
    if (key !== undefined) return { $outside: key as Json };
    const prefab = this.saver?.keyOf(target);
    if (prefab !== undefined) return { $prefab: prefab };
    if (outside === "drop") return undefined;
    const path = outside === "refuse" ? undefined : uniquePath(this.world, target);
    if (outside === "keep")
      return { $living: { world: markOf(this.world).mark, entity: target, ...(path && { path }) } };
    if (path !== undefined) return { $path: path };
    let text = `${textOf(this.world, target)} is not in the document`;
    if (outside === undefined) text += ", and no path leads to it alone";
    CHECK: text += "; save it too, name it, or pass resolve or outside";
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
