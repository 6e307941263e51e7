import {
  add,
  ChildOf,
  createWorld,
  Disabled,
  DisabledTree,
  type Entity,
  get,
  has,
  isAlive,
  Parent,
  pack,
  remove,
  set,
  spawn,
  type World,
} from "@treeline/core";
import { restore, type Snapshot, snapshot } from "@treeline/document/snapshot";
import { destroy, isDescendant } from "@treeline/query";
import { detach } from "@treeline/query/hierarchy";
import { Object3D, Scene } from "three";
import { describe, expect, it } from "vitest";
import { Local3D, propagate, reparentInPlace, World3D, worldOf } from "../../src/3d.ts";
import { Dice, expectMatrices, expectSound, randomLocal } from "../support.ts";

type Parts = ReturnType<typeof randomLocal>;

/** A world and a scene of three.js with the same tree. */
class Twins {
  readonly world: World = createWorld();
  readonly scene = new Scene();
  readonly objects = new Map<Entity, Object3D>();
  readonly dice: Dice;
  /** Whether all entities are scaled alike along their axes, so that no matrix shears. */
  readonly isEven: boolean;
  private saved: (() => void) | undefined = undefined;

  constructor(seed: number, isEven = false) {
    this.dice = new Dice(seed);
    this.isEven = isEven;
  }

  get entities(): Entity[] {
    return [...this.objects.keys()];
  }

  step(): void {
    const { world, dice } = this;
    const kind = dice.below(20);
    if (this.objects.size < 20 || kind < 4) {
      this.spawn();
      return;
    }
    const one = dice.pick(this.entities);
    if (kind < 10) this.move(one);
    else if (kind < 14) this.reparent(one, dice.pick(this.entities));
    else if (kind === 14) this.makeRoot(one);
    else if (kind === 15) this.destroy(one);
    else if (kind === 16) (has(world, one, Disabled) ? remove : add)(world, one, Disabled);
    else if (kind === 17) (has(world, one, DisabledTree) ? remove : add)(world, one, DisabledTree);
    else if (kind === 18 && dice.below(8) === 0) pack(world);
    else if (kind === 19 && dice.below(2) === 0) this.saveOrRestore();
  }

  spawn(): void {
    const { world, scene, objects, dice } = this;
    const parts = this.parts();
    const parent = objects.size > 0 && dice.next() < 0.8 ? dice.pick(this.entities) : undefined;
    const terms = parent === undefined ? [] : [dice.pick([ChildOf, ChildOf, Parent])(parent)];
    const entity = spawn(world, Local3D(parts), World3D, ...terms);
    const object = new Object3D();
    placeObject(object, parts);
    (parent === undefined ? scene : objects.get(parent)!).add(object);
    objects.set(entity, object);
  }

  move(entity: Entity): void {
    const parts = this.parts();
    set(this.world, entity, Local3D, parts);
    placeObject(this.objects.get(entity)!, parts);
  }

  reparent(entity: Entity, parent: Entity): void {
    const { world, objects, dice } = this;
    if (!this.canBeBelow(entity, parent)) return;
    add(world, entity, dice.pick([ChildOf, ChildOf, Parent])(parent));
    objects.get(parent)!.add(objects.get(entity)!);
  }

  makeRoot(entity: Entity): void {
    detach(this.world, entity);
    this.scene.add(this.objects.get(entity)!);
  }

  destroy(entity: Entity): void {
    const { world, objects } = this;
    objects.get(entity)!.removeFromParent();
    destroy(world, entity);
    for (const one of this.entities) if (!isAlive(world, one)) objects.delete(one);
  }

  canBeBelow(entity: Entity, parent: Entity): boolean {
    return parent !== entity && !isDescendant(this.world, parent, entity);
  }

  private saveOrRestore(): void {
    if (this.saved === undefined) {
      const state: Snapshot = snapshot(this.world);
      const objects = [...this.objects].map(([entity, object]) => ({
        entity,
        object,
        parent: object.parent!,
        parts: object.clone(false),
      }));
      this.saved = () => {
        restore(this.world, state);
        this.objects.clear();
        this.scene.clear();
        for (const { object } of objects) object.clear();
        for (const { entity, object, parent, parts } of objects) {
          this.objects.set(entity, object);
          object.copy(parts, false);
          parent.add(object);
        }
      };
    } else {
      this.saved();
      this.saved = undefined;
    }
  }

  /** Numbers of 32 bits, so that both have the same. */
  private parts(): Parts {
    const { position, rotation, scale } = randomLocal(this.dice);
    if (this.isEven) scale.fill(scale[0]!);
    const [moved, turned, scaled] = [position, rotation, scale].map((list) => list.map(Math.fround));
    return { position: moved!, rotation: turned!, scale: scaled! };
  }

  /** @param most how far `worldOf`, which computes in 64 bits, may be from three.js. */
  compare(most: number): void {
    const { world, scene, objects } = this;
    scene.updateMatrixWorld(true);
    const rightOf = (entity: Entity): number[] => objects.get(entity)!.matrixWorld.elements;
    const { entities } = this;
    expectMatrices(entities, (entity) => get(world, entity, World3D)!.matrix, rightOf, 2e-5);
    expectMatrices(entities, (entity) => worldOf(world, entity), rightOf, most);
  }
}

function placeObject(object: Object3D, { position, rotation, scale }: Parts): void {
  object.position.fromArray(position);
  object.quaternion.fromArray(rotation);
  object.scale.fromArray(scale);
}

const WALKS = Number(process.env.TREELINE_WALKS ?? 1);

describe("beside three.js, random trees with random edits", () => {
  it.each(Array.from({ length: 15 * WALKS }, (_, seed) => seed + 1))(
    "have the matrices of updateMatrixWorld(true) after each frame: seed %i",
    (seed) => {
      const twins = new Twins(seed);
      const steps = twins.dice.pick([1, 3, 10, 40]);

      for (let frame = 0; frame < 120; frame++) {
        for (let step = 0; step < steps; step++) twins.step();
        propagate(twins.world);
        twins.compare(1e-6);
      }
      expect(twins.objects.size).toBeGreaterThan(10);
      expectSound(twins.world);
    },
  );
});

describe("beside three.js, entities that change their parent in place", () => {
  it.each(Array.from({ length: 5 * WALKS }, (_, seed) => seed + 1))(
    "have the matrices of attach, where nothing shears: seed %i",
    (seed) => {
      const twins = new Twins(seed, true);
      const { world, scene, objects, dice } = twins;
      for (let step = 0; step < 40; step++) twins.spawn();

      for (let frame = 0; frame < 100; frame++) {
        const one = dice.pick(twins.entities);
        const parent = dice.below(5) === 0 ? undefined : dice.pick(twins.entities);
        if (parent === undefined || twins.canBeBelow(one, parent)) {
          reparentInPlace(world, one, parent);
          (parent === undefined ? scene : objects.get(parent)!).attach(objects.get(one)!);
        }
        twins.move(dice.pick(twins.entities));
        propagate(world);
        twins.compare(2e-5); // local transforms are stored in 32 bits
      }
      expectSound(world);
    },
  );
});
