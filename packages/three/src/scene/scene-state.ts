// What a world keeps for its scene; `EntityRoot`, which spares three.js from looking at each object.
import type { Component, Entity, Tag, World } from "@treeline/core";
import { worldState } from "@treeline/core/internal";
import type { Query } from "@treeline/query";
import { Object3D } from "three";
import type { Transforms } from "../base/transforms.ts";
import type { Binding } from "../objects/binding.ts";

/** How entities with a component or tag get their objects. */
export interface ObjectKind {
  readonly with: Component | Tag;
  /** Makes the object of one entity. Geometries and materials may be shared. */
  readonly make: (entity: Entity) => Object3D;
  /**
   * Whether `position`, `quaternion`, `scale` and `matrix` of the objects are written as well: gizmos and `pull` read them. Default false:
   * only `matrixWorld` is, which drawing and raycasts read.
   */
  readonly local?: boolean;
  /** Frees what the object holds alone, when its entity is destroyed or loses the component. The handle may be stale. */
  readonly dispose?: (object: Object3D, entity: Entity) => void;
}

/** A kind whose entities share one object. */
export interface GroupKind {
  /** What they share. In the scene while that is attached. */
  readonly mesh: Object3D;
  readonly attach: (world: World, transforms: Transforms) => Group;
}

/** What several entities share while a scene is attached. */
export interface Group {
  readonly object: Object3D;
  /** By `instanceId`. */
  readonly entities: readonly Entity[];
  readonly update: () => void;
  /** Called after a restore of the world. */
  readonly restored: () => void;
  readonly end: () => void;
}

/** The object of an entity, while a scene is attached. */
export interface Shown {
  readonly entity: Entity;
  readonly object: Object3D;
  readonly source: ObjectKind | Binding;
  /** Those of `matrixWorld`. */
  readonly elements: number[];
  /** The local transform of the object is written as well. */
  readonly hasLocal: boolean;
  /** It is below the object of the nearest entity above; otherwise it stays where others put it. */
  readonly isPlaced: boolean;
  /** What `Object3D.updateMatrixWorld` does not do: cameras, skins and audio have their own. */
  readonly isSpecial: boolean;
  /** The entity is disabled. */
  isHidden: boolean;
  /** `visible` before the entity was disabled, if it is. */
  wasVisible: boolean;
  /** What the object was before. */
  readonly before: { readonly matrix: boolean; readonly world: boolean; readonly visible: boolean };
}

/** Holds all objects of entities: three.js need not look at each of them to find out whether it moved. */
export class EntityRoot extends Object3D {
  /** Objects of others below objects of entities. */
  readonly foreign: Set<Object3D> = new Set();

  override updateMatrixWorld(): void {
    for (const object of this.foreign) object.updateMatrixWorld(true);
  }
}

/** What a world keeps for the scene that is attached to it. */
export interface SceneState {
  readonly world: World;
  readonly transforms: Transforms;
  readonly kinds: readonly ObjectKind[];
  readonly groups: readonly Group[];
  readonly root: EntityRoot;
  /** By entity index. */
  readonly shown: (Shown | undefined)[];
  /** Entities that may have got or lost their objects, or were disabled or enabled. */
  readonly touched: Set<Entity>;
  /** Entities whose objects, or the nearest ones below, may need another parent. */
  readonly moved: Set<Entity>;
  readonly special: Set<Shown>;
  /** Those that own their local transforms. */
  readonly owners: Set<Shown>;
  /** Those whose object has no matrices yet. */
  readonly fresh: Set<Shown>;
  /** Up to which tick matrices have been written to objects; -1 if none has. */
  since: number;
  readonly reparented: Query;
  readonly rebound: Query;
  readonly noteForeign: (event: { readonly child: Object3D }) => void;
  readonly forgetForeign: (event: { readonly child: Object3D }) => void;
  readonly stops: (() => void)[];
}

/** The scene of a world, if one is attached. */
export const sceneOf: (world: World) => { state: SceneState | undefined } = /* @__PURE__ */ worldState(
  (_, { packed }) => {
    const slot = { state: undefined as SceneState | undefined };
    packed.push(() => {
      const shown = slot.state?.shown ?? [];
      while (shown.length > 0 && shown.at(-1) === undefined) shown.pop();
    });
    return slot;
  },
);
