// How entities of instances are written (`writeEntities`): parts as members of the root, in which order.
import { type Component, type Definition, type Entity, get, type World } from "@treeline/core";
import { archetypeViewAt, handleOf, indexOf } from "@treeline/core/internal";
import { type EntityData, type Json, type PartData, Unknown } from "@treeline/document";
import {
  addMember,
  type Numbering,
  orderMembers,
  type PartWriter,
  type Selected,
  sorted,
} from "@treeline/document/internal";
import { Name } from "@treeline/names";

/** What is written of an entity that belongs to an instance. */
export interface SavedPart {
  /** The key of the prefab, for the root of an instance. */
  readonly prefab: string | undefined;
  readonly root: Entity;
  /** The address of the part, and its place in the prefab; "" and 0 for the root. */
  readonly address: string;
  readonly order: number;
  readonly storage: "ChildOf" | "Parent" | undefined;
  /** The names of the fields to write; `undefined`: all. */
  readonly values: ReadonlyMap<Definition, readonly string[] | undefined>;
  readonly relations: readonly Definition[];
  readonly hasEntityTags: boolean;
  readonly without: readonly Definition[];
  /** Of the root: the addresses of the topmost parts that the instance has not, and their places in the prefab. */
  readonly missing: readonly (readonly [address: string, order: number])[];
  /** Its children are not those of the prefab in their order, followed by others. */
  readonly listsParts: boolean;
}

/** What of entities is written. */
export interface Descriptions {
  /** @returns `undefined` for an entity that is written whole. */
  describe(entity: Entity, isSaved: (entity: Entity) => boolean): SavedPart | undefined;
  /** What a whole entity reads without having it: written as its own. */
  inheritedBy(entity: Entity): readonly Definition[];
  /** What instances of a part get as their own, although they would inherit it. */
  autoOverridesOf(entity: Entity): readonly Definition[];
  /** The id of an entity of a prefab, which is the same in all its documents; `undefined` for others. */
  idOf(entity: Entity): number | undefined;
}

/** What an entity of an instance has changed. */
function writePart(world: World, writer: PartWriter, index: number, part: SavedPart): EntityData {
  const entity = handleOf(world, index);
  const { storage, values, relations, without } = part;
  const data: EntityData = {};
  if (values.has(Name)) data.name = get(world, entity, Name)!;
  else if (without.includes(Name)) (data as PartData).name = null;
  if (storage !== undefined) data.storage = storage;
  const components = new Map<string, Json>();
  const tags: string[] = [];
  for (const [definition, fields] of values) {
    if (!writer.isWanted(definition)) continue;
    const name = writer.nameOf(definition);
    if (definition.holds === "nothing") tags.push(name);
    else components.set(name, writtenValue(world, writer, index, definition, fields));
  }
  if (components.size > 0) data.components = sorted(components);
  if (tags.length > 0) data.tags = tags.sort();
  if (part.hasEntityTags) writer.writeEntityTags(index, data);
  if (relations.length > 0) {
    const pairs = writer.pairsOf(index, relations);
    for (const relation of relations) {
      const name = writer.isWanted(relation) ? writer.nameOf(relation) : "";
      if (name !== "" && !pairs.has(name)) pairs.set(name, []);
    }
    if (pairs.size > 0) data.pairs = sorted(pairs);
  }
  const lost = namesOf(writer, without);
  if (lost.length > 0) data.without = lost;
  if (archetypeViewAt(world, index).definitions.includes(Unknown)) writer.writeUnknown(index, data);
  return data;
}

function writtenValue(
  world: World,
  writer: PartWriter,
  index: number,
  definition: Definition,
  fields?: readonly string[],
): Json {
  const value = get(world, handleOf(world, index), definition as Component);
  return writer.writeValue(definition, value, () => writer.placeOf(index, definition.name), fields);
}

function namesOf(writer: PartWriter, definitions: readonly Definition[]): string[] {
  return definitions
    .filter((one) => writer.isWanted(one))
    .map((one) => writer.nameOf(one))
    .sort();
}

/** An entity that is written whole has what it reads from a prefab as its own. */
function addInherited(
  world: World,
  writer: PartWriter,
  index: number,
  data: EntityData,
  inherited: readonly Definition[],
): void {
  for (const definition of inherited) {
    if (!writer.isWanted(definition)) continue;
    const name = writer.nameOf(definition);
    if (definition.holds === "nothing") data.tags = [...(data.tags ?? []), name].sort();
    else addMember(data, name, writtenValue(world, writer, index, definition));
  }
  if (inherited.length > 0) orderMembers(data);
}

/** The entities of a document: parts of instances are members of the root of the instance. */
export function writeEntities(
  world: World,
  descriptions: Descriptions,
  last: number | undefined,
  writer: PartWriter,
  { indexes, parents, places }: Selected,
  references: Numbering,
): EntityData[] {
  const isSaved = (entity: Entity): boolean => places[indexOf(entity)]! > 0;
  const all: EntityData[] = [];
  /** By place; for entities of instances. */
  const parts: (SavedPart | undefined)[] = [];
  for (let place = 0; place < indexes.length; place++) {
    const index = indexes[place]!;
    const isRoot = parents[place] === -1;
    const entity = handleOf(world, index);
    const part = descriptions.describe(entity, isSaved);
    const data = part === undefined ? writer.write(index, isRoot) : writePart(world, writer, index, part);
    if (part === undefined) addInherited(world, writer, index, data, descriptions.inheritedBy(entity));
    if (isRoot) delete data.storage;
    const own = namesOf(writer, descriptions.autoOverridesOf(entity));
    if (own.length > 0) data.autoOverride = own;
    parts.push(part);
    all.push(data);
    if (descriptions.idOf(entity) !== undefined) references.at(place);
  }
  const numbers = references.number(last, (place) => descriptions.idOf(handleOf(world, indexes[place]!)));
  const roots: EntityData[] = [];
  /** By place of the root of an instance: what it says of its parts. */
  const changed = new Map<number, [part: SavedPart, data: PartData][]>();
  for (let place = 0; place < all.length; place++) {
    const id = numbers[place]?.$entity;
    const own = parts[place];
    const parent = parents[place]!;
    const above = parent === -1 ? undefined : parts[parent];
    const isPart = own !== undefined && own.prefab === undefined;
    const below = above !== undefined && above.prefab === undefined ? above.address : undefined;
    if (isPart) {
      const root = places[indexOf(own.root)]! - 1;
      if (id !== undefined) all[place] = Object.assign({ id }, all[place]);
      if (Object.keys(all[place]!).length > 0) changed.get(root)!.push([own, all[place] as PartData]);
      // Below what was attached, parts are listed in any case; below instances there, with the number of these.
      let of = 0;
      for (let at = parent; at !== root; at = parents[at]!) if (parts[at]?.prefab !== undefined) of++;
      const entry = {
        part: own.address,
        ...(of > 0 && { of }),
        ...(below !== undefined && { below }),
      };
      if (above === undefined) childrenOf(all[parent]!).push(entry);
      else if (of > 0 || above.listsParts) childrenOf(all[places[indexOf(above.root)]! - 1]!).push(entry);
      continue;
    }
    // Members are in the order in which they are written.
    const head: EntityData = {};
    if (below !== undefined) head.below = below;
    if (id !== undefined) head.id = id;
    if (own !== undefined) {
      changed.set(
        place,
        own.missing.map(([address, order]) => [{ ...own, address, order }, { missing: true }]),
      );
    }
    if (below !== undefined || id !== undefined || own !== undefined) {
      const { name, storage, ...others } = all[place]!;
      if (name !== undefined) head.name = name;
      if (storage !== undefined) head.storage = storage;
      if (own?.prefab !== undefined) head.prefab = own.prefab;
      all[place] = Object.assign(head, others);
    }
    if (parent === -1) roots.push(all[place]!);
    else if (above === undefined) childrenOf(all[parent]!).push(all[place]!);
    else childrenOf(all[places[indexOf(above.root)]! - 1]!).push(all[place]!);
  }
  for (const [place, list] of changed) {
    if (list.length === 0) continue;
    const { children, ...data } = all[place]!;
    list.sort(([one], [other]) => one.order - other.order || (one.address < other.address ? -1 : 1));
    const named: { [address: string]: PartData } = {};
    for (const [{ address }, one] of list) named[address] = one;
    setMembers(all[place]!, { ...data, parts: named, ...(children === undefined ? {} : { children }) });
  }
  return roots;
}

function childrenOf(data: EntityData): EntityData[] {
  data.children ??= [];
  return data.children;
}

/** The members of an object, in another order, with others. The object itself is in lists already. */
function setMembers(data: EntityData, members: EntityData): void {
  delete data.children;
  Object.assign(data, members);
}
