// `toDocument`: both forms of the same entities.
import type { Definition, Entity, World } from "@treeline/core";
import { requireOptions } from "@treeline/core/internal";
import { type DocumentData, type EntityData, FORMAT, put, VERSION } from "../format/document.ts";
import type { Selected } from "../format/entities.ts";
import type { InstanceFormat } from "../format/instances.ts";
import { EntityWriter } from "../save/entity-writer.ts";
import { type OutsideOptions, References } from "../save/references.ts";
import { givenRoots, type Selection, select } from "../save/select.ts";

/** One of `root`, `entities` and `all`, and what is saved of these entities. */
export interface SaveOptions extends Selection, OutsideOptions {
  /** Components and tags to save. Default: all. Names are always saved. */
  readonly components?: readonly Definition[] | undefined;
  /** Relations to save, besides parents. Default: all. */
  readonly relations?: readonly Definition[] | undefined;
  /** "nested": children inside their parents. "flat": one list. Default "nested". */
  readonly form?: "nested" | "flat" | undefined;
  /**
   * `prefabs` of `@treeline/prefab/document`: an instance is saved as the key of its prefab and what it has changed. Prefabs with a
   * key are left out of `all`: they have documents of their own. For `root` and `all`, in the nested form. Without it, instances of
   * prefabs are refused.
   */
  readonly prefabs?: InstanceFormat | undefined;
}

/**
 * Makes a document of a tree, of some entities or of a whole world: plain data, in which no handle is. The same content makes the same
 * document, in whichever order it was spawned; the order of siblings, of roots and of the targets of one relation is content.
 *
 * Values are copied. Component entities are not saved, nor are hooks, observers and settings of the world. A reference of a field to
 * an entity that is not alive becomes `null`.
 *
 * @cost about a microsecond for each entity; a selection by `entities` also goes over all entities of the world.
 * @throws TreelineError `dead-entity` if an entity is not alive; `bad-value` unless one of `root`, `entities` and `all` is given,
 *   for a `where` that is no function and another `outside`, for `entities` or the flat form together with `prefabs`, and for a
 *   prefab among several roots then; `iterating` for an entity that is pending until an iteration ends; `bad-document` for a
 *   JavaScript value that is no plain data and has no codec, for a reference to an entity outside that no path leads to alone, or
 *   that `outside` refuses, and for an instance of a prefab without `prefabs`, or of one without a key.
 *
 * @example
 * const text = writeJson(toDocument(world, { root: station }));
 * const clipboard = toDocument(world, { root: [lamp, chair], outside: "keep" });
 */
export function toDocument(world: World, options: SaveOptions): DocumentData {
  CHECK: requireOptions("toDocument", options, [
    "root",
    "entities",
    "all",
    "where",
    "components",
    "relations",
    "form",
    "resolve",
    "outside",
    "prefabs",
  ]);
  const { form = "nested", entities: chosen, prefabs } = options;
  const roots = givenRoots(world, options);
  /** The root, if it is one: that of a prefab, perhaps. */
  const root = roots?.length === 1 ? roots[0] : undefined;
  const saver = prefabs?.saver(world, { roots, entities: chosen, form });
  const isApart = saver && ((entity: Entity): boolean => entity !== root && saver.isApart(entity));
  const selected = select(world, options, roots, isApart);
  const references = new References(world, selected, options, saver);
  const writer = new EntityWriter(world, references, options, saver);
  const entities =
    saver?.writeAll(writer, selected, references) ?? writeAll(writer, selected, references, form);
  const versions = {};
  for (const [name, version] of [...writer.versions].sort(([one], [other]) => (one < other ? -1 : 1)))
    put(versions, name, version);
  const document: DocumentData = { format: FORMAT, version: VERSION, form, versions, entities };
  const lastId = root === undefined ? undefined : saver?.lastIdOf(root);
  if (lastId === undefined) return document;
  return { format: FORMAT, version: VERSION, form, versions, lastId, entities };
}

function writeAll(
  writer: EntityWriter,
  { indexes, parents }: Selected,
  references: References,
  form: "nested" | "flat",
): EntityData[] {
  const all: EntityData[] = [];
  for (let place = 0; place < indexes.length; place++) {
    all.push(writer.write(indexes[place]!, parents[place] === -1));
    if (form === "flat" && parents[place] !== -1) references.at(parents[place]!);
  }
  const numbers = references.number();
  const entities: EntityData[] = form === "flat" ? all : [];
  for (let place = 0; place < all.length; place++) {
    const id = numbers[place]?.$entity;
    const parent = parents[place]!;
    const isBelow = form === "flat" && parent !== -1;
    // Members are in the order in which they are written.
    if (id !== undefined || isBelow) {
      const head: EntityData = {};
      if (id !== undefined) head.id = id;
      if (isBelow) head.parent = numbers[parent]!.$entity;
      all[place] = Object.assign(head, all[place]);
    }
    if (form === "flat") continue;
    const data = all[place]!;
    if (parent === -1) entities.push(data);
    else {
      const above = all[parent]!;
      if (above.children === undefined) above.children = [data];
      else above.children.push(data);
    }
  }
  return entities;
}
