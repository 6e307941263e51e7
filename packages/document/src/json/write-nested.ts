import type { Entity, World } from "@treeline/core";
import { handleOf, indexOf } from "@treeline/core/internal";
import type { EntityData, PartData, PartPlace } from "../format/document.ts";
import type { SavedPart } from "../format/instances.ts";
import type { EntityWriter } from "../save/entity-writer.ts";
import type { References } from "../save/references.ts";
import type { Selected } from "../save/select.ts";

/** The entities of a document in the nested form. Parts of instances are members of the root of the instance. */
export function writeNested(
  world: World,
  writer: EntityWriter,
  { indexes, parents, places }: Selected,
  references: References,
): EntityData[] {
  const { saver } = writer;
  const isSaved = (entity: Entity): boolean => places[indexOf(entity)]! > 0;
  const all: EntityData[] = [];
  /** By place; for entities of instances. */
  const parts: (SavedPart | undefined)[] = [];
  for (let place = 0; place < indexes.length; place++) {
    const index = indexes[place]!;
    const isRoot = parents[place] === -1;
    if (saver === undefined) {
      all.push(writer.write(index, isRoot));
      continue;
    }
    const entity = handleOf(world, index);
    const part = saver.describe(entity, isSaved);
    parts.push(part);
    all.push(part === undefined ? writer.write(index, isRoot) : writer.writePart(index, part));
    if (isRoot) delete all[place]!.storage;
    if (saver.idOf(entity) !== undefined) references.at(place);
  }
  const last = indexes.length === 0 ? undefined : saver?.lastIdOf(handleOf(world, indexes[0]!));
  const numbers = references.number(last, saver && ((place) => saver.idOf(handleOf(world, indexes[place]!))));
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
      const data: PartData = all[place]!;
      if (id !== undefined) all[place] = Object.assign({ id }, data);
      if (Object.keys(all[place]!).length > 0) changed.get(root)!.push([own, all[place] as PartData]);
      // Below what was attached, parts are listed in any case.
      if (above === undefined) childrenOf(all[parent]!).push({ part: own.address });
      else if (above.listsParts)
        childrenOf(all[root]!).push(
          below === undefined ? { part: own.address } : { part: own.address, below },
        );
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

function childrenOf(data: EntityData): (EntityData | PartPlace)[] {
  data.children ??= [];
  return data.children;
}

/** The members of an object, in another order, with others. The object itself is in lists already. */
function setMembers(data: EntityData, members: EntityData): void {
  delete data.children;
  Object.assign(data, members);
}
