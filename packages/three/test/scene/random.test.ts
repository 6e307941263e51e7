import {
  add,
  ChildOf,
  createWorld,
  Disabled,
  DisabledTree,
  type Entity,
  has,
  isAlive,
  isDisabled,
  Parent,
  pack,
  parentOf,
  remove,
  set,
  spawn,
  type World,
} from "@treeline/core";
import { restore, snapshot } from "@treeline/document/snapshot";
import { destroy, isDescendant } from "@treeline/query";
import { detach } from "@treeline/query/hierarchy";
import { Local3D, World3D, worldOf } from "@treeline/transform/3d";
import { Matrix4, Object3D, PerspectiveCamera, Scene } from "three";
import { describe, expect, it } from "vitest";
import {
  attachScene,
  bindObject,
  detachScene,
  entityOf,
  objectOf,
  unbindObject,
  updateScene,
} from "../../src/index.ts";
import { Dice } from "../dice.ts";
import { expectSound, Lamp, Ship } from "../support.ts";

/** A world with a scene, random edits, and what must be true after each frame. */
class Stage {
  readonly world: World = createWorld();
  readonly scene = new Scene();
  readonly dice: Dice;
  /** Each object that was made, by how often it was disposed. */
  readonly disposed = new Map<Object3D, number>();
  /** Each object was shown by one entity only, from when it was made on. */
  readonly makers = new Map<Object3D, Entity>();
  readonly bound = new Set<Object3D>();
  all: Entity[] = [];
  private saved: (() => void) | undefined = undefined;

  constructor(seed: number) {
    this.dice = new Dice(seed);
    const kind = (of: typeof Ship, make: () => Object3D) => ({
      with: of,
      local: true,
      make: (entity: Entity) => {
        const object = make();
        this.disposed.set(object, 0);
        this.makers.set(object, entity);
        if (this.dice.below(3) === 0) object.add(foreignObject());
        return object;
      },
      dispose: (object: Object3D) => this.disposed.set(object, this.disposed.get(object)! + 1),
    });
    attachScene(this.world, this.scene, [
      kind(Ship, () => new Object3D()),
      kind(Lamp, () => new PerspectiveCamera()),
    ]);
  }

  step(): void {
    const { world, dice } = this;
    this.all = this.all.filter((one) => isAlive(world, one));
    const kind = dice.below(24);
    if (this.all.length < 15 || kind < 4) {
      this.spawn();
      return;
    }
    const one = dice.pick(this.all);
    if (kind < 9) {
      if (has(world, one, Local3D)) set(world, one, Local3D, randomParts(dice));
    } else if (kind < 12) this.reparent(one, dice.pick(this.all));
    else if (kind === 12) detach(world, one);
    else if (kind === 13) destroy(world, one);
    else if (kind === 14) this.toggle(one, Disabled);
    else if (kind === 15) this.toggle(one, DisabledTree);
    else if (kind < 18) this.toggle(one, dice.pick([Ship, Lamp]));
    else if (kind === 18) this.toggle(one, dice.pick([World3D, Local3D]));
    else if (kind === 19) this.bind(one);
    else if (kind === 20) unbindObject(world, one);
    else if (kind === 21) objectOf(world, one)?.add(foreignObject());
    else if (kind === 22 && dice.below(6) === 0) pack(world);
    else if (kind === 23 && dice.below(4) === 0) this.saveOrRestore();
  }

  spawn(): void {
    const { world, dice, all } = this;
    const parent = all.length > 0 && dice.below(5) > 0 ? dice.pick(all) : undefined;
    const terms = parent === undefined ? [] : [dice.pick([ChildOf, ChildOf, Parent])(parent)];
    const kinds = [Ship, Lamp].filter(() => dice.below(2) === 0);
    const transforms = dice.below(6) === 0 ? [] : [Local3D(randomParts(dice)), World3D];
    all.push(spawn(world, ...transforms, ...kinds, ...terms));
  }

  private reparent(one: Entity, parent: Entity): void {
    if (one === parent || isDescendant(this.world, parent, one)) return;
    add(this.world, one, this.dice.pick([ChildOf, ChildOf, Parent])(parent));
  }

  private toggle(one: Entity, what: typeof Ship | typeof World3D | typeof Local3D): void {
    const { world } = this;
    if (has(world, one, what)) remove(world, one, what);
    else add(world, one, what as typeof Ship);
  }

  private bind(one: Entity): void {
    const object = new Object3D();
    this.bound.add(object);
    bindObject(this.world, one, object);
  }

  private saveOrRestore(): void {
    if (this.saved === undefined) {
      const state = snapshot(this.world);
      const all = [...this.all];
      this.saved = () => {
        restore(this.world, state);
        this.all = all;
      };
    } else {
      this.saved();
      this.saved = undefined;
    }
  }

  /** The scene is what a reader of the whole world would make. */
  compare(): void {
    const { world, scene } = this;
    updateScene(world);
    scene.updateMatrixWorld();
    const root = scene.children[0]!;
    const living = this.all.filter((one) => isAlive(world, one));
    const shown = new Set<Object3D>();
    /** What is wrong: one assertion for all objects, since assertions take most of the time. */
    const wrong: string[] = [];
    const check = (isRight: boolean, what: string): void => {
      if (!isRight) wrong.push(what);
    };
    for (const entity of living) {
      const object = objectOf(world, entity);
      const isShown = has(world, entity, World3D) && object?.matrixAutoUpdate === false;
      const isDue = has(world, entity, Ship) || has(world, entity, Lamp) || this.bound.has(object!);
      check(isShown === (has(world, entity, World3D) && isDue), `whether ${entity} is shown`);
      if (object === undefined || !isShown) continue;
      shown.add(object);
      check(entityOf(world, object) === entity, `the entity of the object of ${entity}`);
      check((this.makers.get(object) ?? entity) === entity, `the object that was made for ${entity}`);
      check(object.visible === !isDisabled(world, entity), `whether ${entity} is visible`);
      check(isVisible(object) === !isDisabled(world, entity), `whether something above hides ${entity}`);
      check((this.parentOf(entity) ?? root) === object.parent, `the parent of ${entity}`);
      const { elements } = object.matrixWorld;
      check(isNear(elements, worldOf(world, entity), 1e-5), `the place of ${entity}`);
      const composed = new Matrix4().compose(object.position, object.quaternion, object.scale);
      const placed = composed.premultiply(object.parent!.matrixWorld);
      check(isNear(placed.elements, elements, 1e-4), `the local transform of ${entity}`);
      if (object instanceof PerspectiveCamera)
        check(isNear(object.matrixWorldInverse.elements, inverseOf(object), 0), `the camera ${entity}`);
    }
    scene.traverse((object) => {
      const isOwn = object === scene || object === root || shown.has(object);
      if (object.name !== "foreign") check(isOwn, "an object that no entity has");
      else {
        const right = object.parent!.matrixWorld.clone().multiply(object.matrix);
        check(isNear(object.matrixWorld.elements, right.elements, 0), "the place of an object of others");
      }
    });
    for (const [object, times] of this.disposed)
      check(times === (shown.has(object) ? 0 : 1), `${object.uuid} was disposed ${times} times`);
    expect(wrong).toEqual([]);
  }

  /** The object of the nearest entity above that has one and does not hide what is shown. */
  private parentOf(entity: Entity): Object3D | undefined {
    const { world } = this;
    const isAtRest = (one: Entity): boolean => has(world, one, World3D) && !has(world, one, Local3D);
    if (isAtRest(entity)) return undefined;
    for (let above = parentOf(world, entity); above !== undefined; above = parentOf(world, above)) {
      const object = objectOf(world, above);
      const isThere = object !== undefined && has(world, above, World3D);
      if (isThere && (isDisabled(world, entity) || !isDisabled(world, above))) return object;
      if (isAtRest(above)) return undefined;
    }
    return undefined;
  }
}

function foreignObject(): Object3D {
  const object = new Object3D();
  object.name = "foreign";
  object.position.set(1, 2, 3);
  return object;
}

/** What three.js computes for a camera in the same place. */
function inverseOf({ matrixWorld }: PerspectiveCamera): number[] {
  const camera = new PerspectiveCamera();
  camera.matrixAutoUpdate = false;
  camera.matrix.copy(matrixWorld);
  camera.updateMatrixWorld(true);
  return camera.matrixWorldInverse.elements;
}

function isVisible(object: Object3D): boolean {
  for (let one: Object3D | null = object; one !== null; one = one.parent) if (!one.visible) return false;
  return true;
}

/** Scaled alike along all axes, so that nothing shears. */
function randomParts(dice: Dice): { position: number[]; rotation: number[]; scale: number[] } {
  const raw = [0, 0, 0, 0].map(() => dice.between(-1, 1));
  const length = Math.hypot(...raw) || 1;
  const scale = dice.between(0.8, 1.25);
  return {
    position: [0, 0, 0].map(() => dice.between(-3, 3)),
    rotation: raw.map((one) => one / length),
    scale: [scale, scale, scale],
  };
}

/** Is the largest difference at most a part of the largest number? */
function isNear(actual: ArrayLike<number>, wanted: ArrayLike<number>, most: number): boolean {
  let size = 1;
  let difference = 0;
  for (let at = 0; at < wanted.length; at++) {
    size = Math.max(size, Math.abs(wanted[at]!));
    difference = Math.max(difference, Math.abs(actual[at]! - wanted[at]!));
  }
  return difference <= most * size;
}

describe("a scene after random edits", () => {
  // 99: a restore gives an entity back the object that it was bound to. 303: and those below follow.
  it.each([
    ...Array.from({ length: 5 * Number(process.env.TREELINE_WALKS ?? 1) }, (_, seed) => seed + 1),
    99,
    303,
  ])("has the objects, parents, matrices and visibility of the world: seed %i", (seed) => {
    const one = new Stage(seed);
    const steps = one.dice.pick([1, 3, 10, 40]);

    for (let frame = 0; frame < 100; frame++) {
      for (let step = 0; step < steps; step++) one.step();
      one.compare();
    }
    expectSound(one.world);

    detachScene(one.world);
    expect(one.scene.children).toEqual([]);
    for (const times of one.disposed.values()) expect(times).toBe(1);
    expect([...one.disposed.keys(), ...one.bound].filter(({ parent }) => parent?.name === "")).toEqual([]);
  });
});
