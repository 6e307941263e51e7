// `instances`: which entity has which slot of a mesh, growth, and what the graphics card is freed of.
import type { Component, Entity, Tag, World } from "@treeline/core";
import { grownInt32, indexOf } from "@treeline/core/internal";
import { monitor, query } from "@treeline/query";
import { BufferGeometry, InstancedMesh, type Material } from "three";
import { refuse } from "../base/refuse.ts";
import type { Group, GroupKind } from "../scene/scene-state.ts";
import { InstanceBounds } from "./bounds.ts";
import { SlotColumn } from "./slot-column.ts";

export interface InstanceOptions {
  /** For how many instances there is room at first. Default 64. Room grows by half, and the mesh stays the same object. */
  readonly capacity?: number | undefined;
  /**
   * Components whose numbers each instance has beside its matrix, by the name that a shader gives them: all fields, one after another.
   * `color` is the colour that the materials of three.js know: three numbers from 0 to 1. Instances have all of these components,
   * or inherit them: these are copied one by one.
   */
  readonly attributes?: Readonly<Record<string, Component>> | undefined;
}

/** A kind for `attachScene`: its entities are instances of one mesh, which is in one scene at a time. */
export interface InstanceKind extends GroupKind {
  readonly with: Component | Tag;
  /** In the scene while that is attached. Its matrices, count and bounds are written by `updateScene`. */
  readonly mesh: InstancedMesh;
}

/**
 * Lets all entities with a component, `World3D`, and the components of the attributes be instances of one mesh, as long as they are not
 * disabled: one call of the graphics card draws them all. Pass it to `attachScene`; `entityOf` takes the `instanceId` of a hit.
 *
 * @cost some 0.02 microseconds for each instance that moved, 0.5 for each that comes or goes. Few ranges are sent to the graphics
 *   card as they are; if much has changed, or in many places, everything is.
 * @throws TreelineError `bad-value` for a capacity that is no whole number above 0, and for attributes with fields that are no numbers.
 *
 * @example
 * const rocks = instances(Rock, geometry, material, { attributes: { color: Tint } });
 * attachScene(world, scene, [rocks]);
 */
export function instances(
  what: Component | Tag,
  geometry: BufferGeometry,
  material: Material | Material[],
  options: InstanceOptions = {},
): InstanceKind {
  const { capacity = 64, attributes = {} } = options;
  if (!Number.isInteger(capacity) || capacity < 1)
    refuse(`the capacity of instances is a whole number above 0, not ${String(capacity)}`);
  for (const { name, fields, storage } of Object.values(attributes))
    if (
      storage !== "table" ||
      fields.length === 0 ||
      fields.some(([, { kind }]) => kind === "value" || kind === "entity")
    )
      refuse(`the attributes of instances are components with numbers in tables, and ${name} is not`);
  const others = Object.entries(attributes).filter(([name]) => name !== "color");
  const own = others.length > 0 ? shallowCopy(geometry) : geometry;
  const mesh = new InstancedMesh(own, material, 0);
  return {
    with: what,
    mesh,
    attach: (world, { World3D }) => new Instances(world, World3D, what, mesh, geometry, attributes, capacity),
  };
}

/** The instances of a mesh in a world. */
class Instances implements Group {
  readonly object: InstancedMesh;
  /** By slot. */
  readonly entities: Entity[] = [];
  private readonly geometry: BufferGeometry;
  private readonly bounds: InstanceBounds;
  private readonly columns: ReadonlyMap<string, SlotColumn>;
  private readonly stop: () => void;
  private capacity: number;
  /** By entity index; -1 without a slot. */
  private slots = new Int32Array(0);
  private readonly coming = new Set<Entity>();
  private readonly leaving = new Set<Entity>();

  constructor(
    world: World,
    place: Component,
    what: Component | Tag,
    mesh: InstancedMesh,
    geometry: BufferGeometry,
    attributes: Readonly<Record<string, Component>>,
    capacity: number,
  ) {
    this.object = mesh;
    this.geometry = geometry;
    this.capacity = capacity;
    const having = [place, what, ...Object.values(attributes)] as Component[];
    const all = { "": place, ...attributes };
    this.columns = new Map(
      Object.entries(all).map(([name, one]) => [name, new SlotColumn(world, one, capacity)]),
    );
    this.useColumns();
    this.bounds = new InstanceBounds(mesh, geometry);
    this.stop = monitor(
      query(world, ...having),
      {
        entered: (entity) => {
          if (!this.leaving.delete(entity)) this.coming.add(entity);
        },
        left: (entity) => {
          if (!this.coming.delete(entity)) this.leaving.add(entity);
        },
      },
      { yieldExisting: true },
    );
  }

  update(): void {
    const { object, entities, bounds, columns, coming, leaving } = this;
    for (const entity of leaving) this.free(entity);
    bounds.leave(leaving.size);
    leaving.clear();
    for (const entity of coming) {
      const index = indexOf(entity);
      const known = this.slots.length;
      this.slots = grownInt32(this.slots, index + 1);
      this.slots.fill(-1, known);
      this.slots[index] = entities.push(entity) - 1;
    }
    if (entities.length > this.capacity) this.grow();
    object.count = entities.length;
    const firstNew = entities.length - coming.size;
    for (const [name, column] of columns) {
      const isCopied = new Uint8Array(coming.size);
      const copied = (first: number, end: number): void => {
        if (name === "") bounds.enlarge(first, end);
        for (let slot = Math.max(first, firstNew); slot < end; slot++) isCopied[slot - firstNew] = 1;
      };
      column.copyChanged(this.slots, copied);
      for (let slot = firstNew; slot < entities.length; slot++) {
        if (isCopied[slot - firstNew] === 1) continue; // others got the component after their values
        column.copyOf(entities[slot]!, slot);
        copied(slot, slot + 1);
      }
      column.send(entities.length);
    }
    coming.clear();
    bounds.finish();
  }

  restored(): void {
    for (const column of this.columns.values()) column.restored();
  }

  end(): void {
    const { object, columns } = this;
    this.stop();
    for (const column of columns.values()) column.end();
    this.freeBuffers();
    object.count = 0;
    object.removeFromParent();
  }

  /** The last instance takes the slot of one that leaves. */
  private free(entity: Entity): void {
    const { entities, slots, columns } = this;
    const slot = slots[indexOf(entity)]!;
    slots[indexOf(entity)] = -1;
    const last = entities.pop()!;
    if (entities.length === 0) this.slots = new Int32Array(0);
    if (last === entity) return;
    entities[slot] = last;
    slots[indexOf(last)] = slot;
    for (const column of columns.values()) column.moveSlot(entities.length, slot);
  }

  private grow(): void {
    this.capacity = Math.max(this.entities.length, this.capacity + (this.capacity >> 1));
    this.freeBuffers();
    for (const column of this.columns.values()) column.grow(this.capacity);
    this.useColumns();
  }

  /** Gives the mesh the attributes of the columns. */
  private useColumns(): void {
    const { object, columns } = this;
    for (const [name, { attribute }] of columns) {
      if (name === "") object.instanceMatrix = attribute;
      else if (name === "color") object.instanceColor = attribute;
      else object.geometry.setAttribute(name, attribute);
    }
  }

  /** Frees what the graphics card has for these instances only; the attributes of the geometry may be those of others. */
  private freeBuffers(): void {
    const { object, geometry } = this;
    object.dispose();
    const own = object.geometry;
    if (own === geometry) return;
    for (const name of Object.keys(geometry.attributes)) own.deleteAttribute(name);
    own.setIndex(null);
    own.dispose();
    share(geometry, own);
  }
}

function shallowCopy(geometry: BufferGeometry): BufferGeometry {
  const copy = new BufferGeometry();
  share(geometry, copy);
  for (const { start, count, materialIndex } of geometry.groups) copy.addGroup(start, count, materialIndex);
  copy.setDrawRange(geometry.drawRange.start, geometry.drawRange.count);
  copy.morphAttributes = geometry.morphAttributes;
  copy.morphTargetsRelative = geometry.morphTargetsRelative;
  return copy;
}

function share(from: BufferGeometry, to: BufferGeometry): void {
  if (from.boundingSphere === null) from.computeBoundingSphere();
  for (const [name, attribute] of Object.entries(from.attributes)) to.setAttribute(name, attribute);
  to.setIndex(from.index);
  to.boundingSphere = from.boundingSphere;
  to.boundingBox = from.boundingBox;
}
