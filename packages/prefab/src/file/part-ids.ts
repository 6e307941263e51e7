// Ids of parts, which are never given again (`setIds`), and their addresses: "4/2" (`Addresses`).
import { type Entity, isAlive, type World } from "@treeline/core";
import { indexOf, worldState } from "@treeline/core/internal";
import { treeOf } from "../publish/published.ts";
import { type InstanceAbove, instanceOf, isInstanceRoot, linkedPart } from "../spawn/find-part.ts";

/**
 * The ids of parts in the documents of their prefabs. A part keeps its id wherever in the prefab it is moved, and whatever it is named; an
 * id is not given again in the same prefab.
 */
class PartIds {
  readonly ids: Map<Entity, number> = new Map();
  /** By root of a prefab: the highest id that was ever given in it. */
  readonly last: Map<Entity, number> = new Map();
}

const stateOf = /* @__PURE__ */ worldState((_world, { records }) => {
  const record = new PartIds();
  records.push({
    record,
    settle(isRestored) {
      if (!isRestored) Object.assign(record, { ids: new Map(), last: new Map() });
    },
  });
  return record;
});

/** Sets the ids that the document of a prefab gives. @param last the highest one that was ever given. */
export function setIds(
  world: World,
  root: Entity,
  ids: Iterable<readonly [id: number, part: Entity]>,
  last: number,
): void {
  const state = stateOf(world);
  let highest = Math.max(last, state.last.get(root) ?? 0);
  for (const [id, part] of ids) {
    state.ids.set(part, id);
    highest = Math.max(highest, id);
  }
  state.last.set(root, highest);
}

export function lastIdOf(world: World, root: Entity): number {
  return stateOf(world).last.get(root) ?? 0;
}

/** The id of a part; 0 if it has none. */
export function idOf(world: World, part: Entity): number {
  return stateOf(world).ids.get(part) ?? 0;
}

/** What an entity of a prefab is called in documents, and its place in the prefab: parents before children. */
export interface Address {
  readonly address: string;
  readonly order: number;
}

/** Addresses of all entities of prefabs, computed when they are asked for, and valid until something is changed. */
export class Addresses {
  private readonly world: World;
  private readonly known = new Map<Entity, ReadonlyMap<Entity, Address>>();

  constructor(world: World) {
    this.world = world;
  }

  /**
   * The addresses of the parts below the root of a prefab: its own have their ids; those of an instance inside it have the id of the root of that
   * instance and their address in the prefab that it was made from: "4/2". Parts without an id get one.
   */
  of(root: Entity): ReadonlyMap<Entity, Address> {
    // Prefabs that are inside of it come first.
    for (const stack = [root]; stack.length > 0; ) {
      const at = stack.at(-1)!;
      if (this.known.has(at)) {
        stack.pop();
        continue;
      }
      const inner = this.prefabsIn(at).filter((one) => !this.known.has(one));
      if (inner.length > 0) stack.push(...inner);
      else {
        this.known.set(at, this.compute(at));
        stack.pop();
      }
    }
    return this.known.get(root)!;
  }

  /** The prefabs of which a prefab, or a part of it, is an instance. */
  private prefabsIn(root: Entity): Entity[] {
    const { world } = this;
    const found = new Set<Entity>();
    for (const entity of [root, ...treeOf(world, indexOf(root)).keys()])
      if (isInstanceRoot(world, entity)) found.add(linkedPart(world, entity)!);
    return [...found];
  }

  private compute(root: Entity): ReadonlyMap<Entity, Address> {
    const { world } = this;
    const found = new Map<Entity, Address>();
    const near = new Map<Entity, InstanceAbove | undefined>();
    const tree = treeOf(world, indexOf(root));
    const { ids, last } = stateOf(world);
    const used = new Set<number>();
    const taken = new Set<string>();
    let highest = last.get(root) ?? 0;
    for (const part of [root, ...tree.keys()]) highest = Math.max(highest, ids.get(part) ?? 0);
    last.set(root, highest);
    const renew = (part: Entity): number => {
      const next = last.get(root)! + 1;
      last.set(root, next);
      ids.set(part, next);
      return next;
    };
    const ensure = (part: Entity): number => {
      const known = ids.get(part) ?? 0;
      const id = known === 0 || used.has(known) ? renew(part) : known;
      used.add(id);
      return id;
    };
    let order = 0;
    for (const [part, parent] of [[root, undefined] as const, ...tree]) {
      const above = parent === undefined ? undefined : near.get(parent);
      const isRoot = isInstanceRoot(world, part);
      near.set(part, isRoot ? { entity: part, above } : above);
      if (parent === undefined) {
        ensure(part);
        found.set(part, { address: "", order: order++ });
        continue;
      }
      const instance = isRoot ? undefined : instanceOf(world, part, above);
      const inner =
        instance === undefined
          ? undefined
          : this.known.get(linkedPart(world, instance)!)!.get(linkedPart(world, part)!)?.address;
      // If the inner prefab has lost a part, or it has a clone, documents have it as if it had been attached.
      let address = `${ids.get(instance!)}/${inner}`;
      if (inner === undefined || taken.has(address)) address = `${ensure(part)}`;
      taken.add(address);
      found.set(part, { address, order: order++ });
    }
    return found;
  }
}

/** Forgets parts that are gone. */
export function dropIds(world: World): void {
  const { ids, last } = stateOf(world);
  for (const part of ids.keys()) if (!isAlive(world, part)) ids.delete(part);
  for (const root of last.keys()) if (!isAlive(world, root)) last.delete(root);
}
