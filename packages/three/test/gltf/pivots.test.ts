import { ChildOf, createWorld, type Entity, get, set, spawn } from "@treeline/core";
import { Local3D, World3D, worldOf } from "@treeline/transform/3d";
import {
  AnimationClip,
  AnimationMixer,
  type KeyframeTrack,
  Matrix4,
  Object3D,
  QuaternionKeyframeTrack,
  Scene,
  Vector3,
  VectorKeyframeTrack,
} from "three";
import { beforeEach, describe, expect, it } from "vitest";
import {
  applyClip,
  attachScene,
  bindObject,
  importGltf,
  objectOf,
  pull,
  updateScene,
} from "../../src/index.ts";
import { Dice } from "../dice.ts";
import { Ship, stage } from "../support.ts";

/** A tree of objects, half of which turn about a pivot. The same seed makes the same tree. */
function plant(seed: number): { readonly scene: Object3D; readonly objects: Object3D[] } {
  const dice = new Dice(seed);
  const scene = new Object3D();
  const objects: Object3D[] = [];
  for (let at = 0; at < 12; at++) {
    const object = new Object3D();
    object.name = `Part${at}`;
    place(object, dice);
    if (dice.below(2) === 0) object.pivot = randomPoint(dice);
    (at < 2 ? scene : dice.pick(objects)).add(object);
    objects.push(object);
  }
  return { scene, objects };
}

function randomPoint(dice: Dice): Vector3 {
  return new Vector3(dice.between(-3, 3), dice.between(-3, 3), dice.between(-3, 3));
}

function place(object: Object3D, dice: Dice): void {
  object.position.copy(randomPoint(dice));
  object.rotation.set(dice.between(-3, 3), dice.between(-1, 1), dice.between(-3, 3));
  object.scale.setScalar(dice.between(0.5, 1.5));
}

/** A clip that moves, turns or scales some of the objects. */
function clipOf(seed: number): AnimationClip {
  const dice = new Dice(seed + 7);
  const tracks: KeyframeTrack[] = [];
  for (let at = 0; at < 12; at++) {
    const [one, two] = [new Object3D(), new Object3D()];
    place(one, dice);
    place(two, dice);
    const name = `Part${at}`;
    if (dice.below(3) === 0)
      tracks.push(new VectorKeyframeTrack(`${name}.position`, [0, 1], [...one.position, ...two.position]));
    if (dice.below(2) === 0)
      tracks.push(
        new QuaternionKeyframeTrack(
          `${name}.quaternion`,
          [0, 1],
          [...one.quaternion.toArray(), ...two.quaternion.toArray()],
        ),
      );
    if (dice.below(3) === 0)
      tracks.push(new VectorKeyframeTrack(`${name}.scale`, [0, 1], [...one.scale, ...two.scale]));
  }
  return new AnimationClip("Turn", 1, tracks);
}

function matricesOf(objects: readonly Object3D[]): number[][] {
  return objects.map(({ matrixWorld }) => [...matrixWorld.elements]);
}

function expectClose(given: readonly (readonly number[])[], right: readonly (readonly number[])[]): void {
  let worst = 0;
  for (const [at, numbers] of right.entries()) {
    const size = Math.max(1, ...numbers.map(Math.abs));
    for (const [place, number] of numbers.entries())
      worst = Math.max(worst, Math.abs(number - given[at]![place]!) / size);
  }
  expect(worst).toBeLessThan(2e-5);
}

describe.each([1, 2, 3, 4, 5, 6])("objects that turn about pivots, seed %i", (seed) => {
  let twin: ReturnType<typeof plant>;
  let mixer: AnimationMixer;
  beforeEach(() => {
    twin = plant(seed);
    mixer = new AnimationMixer(twin.scene);
    mixer.clipAction(clipOf(seed)).play();
  });

  it("are where three.js has them when they are imported, at rest and while clips run", () => {
    const { scene, objects } = plant(seed);
    const world = createWorld();
    const { clips, entities } = importGltf(world, { scene, animations: [clipOf(seed)] });
    attachScene(world, new Scene());

    updateScene(world);
    twin.scene.updateMatrixWorld(true);
    expectClose(matricesOf(objects), matricesOf(twin.objects));
    for (const time of [0, 0.5, 0.25, 0.9]) {
      mixer.setTime(time);
      twin.scene.updateMatrixWorld(true);
      applyClip(world, clips[0]!, time);
      updateScene(world);

      expectClose(matricesOf(objects), matricesOf(twin.objects));
      expectClose(
        objects.map((one) => [...worldOf(world, entities.get(one)!)]),
        matricesOf(twin.objects),
      );
      expectClose(
        objects.map(({ position }) => [...position]),
        twin.objects.map(({ position }) => [...position]),
      );
    }
  });

  it("are where three.js has them when others move the objects", () => {
    const { scene, objects } = plant(seed);
    const world = createWorld();
    const made = new Map<Object3D, Entity>();
    const shown = new Scene();
    attachScene(world, shown);
    for (const one of objects) {
      const above = made.get(one.parent!);
      made.set(one, spawn(world, Local3D, World3D, ...(above === undefined ? [] : [ChildOf(above)])));
    }
    scene.clear();
    for (const [object, entity] of made) {
      object.clear();
      object.parent = null;
      bindObject(world, entity, object, { owner: "object" });
    }

    for (const time of [0, 0.5, 0.9]) {
      mixer.setTime(time);
      twin.scene.updateMatrixWorld(true);
      for (const [at, { position, quaternion, scale }] of twin.objects.entries()) {
        objects[at]!.position.copy(position);
        objects[at]!.quaternion.copy(quaternion);
        objects[at]!.scale.copy(scale);
      }
      updateScene(world);

      expectClose(matricesOf(objects), matricesOf(twin.objects));
    }
  });
});

describe("an object with a pivot", () => {
  function door(): Object3D {
    const object = new Object3D();
    object.pivot = new Vector3(1, 0, 0);
    return object;
  }

  it("that is made or bound is where its entity is, and its parts lead there", () => {
    const { world } = stage(door);
    const made = spawn(world, Local3D, World3D, Ship);
    const bound = spawn(world, Local3D, World3D);
    bindObject(world, bound, door());
    const half = Math.SQRT1_2;
    for (const one of [made, bound])
      set(world, one, Local3D, { position: [5, 2, 0], rotation: [0, 0, half, half], scale: [2, 2, 2] });

    updateScene(world);

    for (const one of [made, bound]) {
      const object = objectOf(world, one)!;
      expectClose([object.matrixWorld.elements], [[...get(world, one, World3D)!.matrix]]);
      object.updateMatrix();
      expectClose([object.matrix.elements], [[...get(world, one, World3D)!.matrix]]);
    }
  });

  it("is pulled to where it is, also below an object that is not of its parent", () => {
    const { world, scene } = stage(door);
    const entity = spawn(
      world,
      Local3D,
      World3D,
      ChildOf(spawn(world, Local3D({ position: [0, 9, 0] }), World3D)),
    );
    const object = door();
    bindObject(world, entity, object);
    updateScene(world);

    for (const turn of [0.5, 1, -2]) {
      object.rotation.z = turn;
      object.position.set(turn, 0, 1);
      object.updateMatrix();
      const wanted = new Matrix4().multiplyMatrices(object.parent!.matrixWorld, object.matrix);
      pull(world, entity);
      updateScene(world);

      expectClose(
        [object.matrixWorld.elements, [...worldOf(world, entity)]],
        [wanted.elements, wanted.elements],
      );
    }
    expect(scene.children).toHaveLength(1);
  });

  it("keeps its place through a thousand frames of a clip", () => {
    const world = createWorld();
    const scene = new Object3D();
    const object = door();
    object.name = "Door";
    object.position.set(0.1, 0.2, 0.3);
    scene.add(object);
    const turn = new QuaternionKeyframeTrack("Door.quaternion", [0, 1], [0, 0, 0, 1, 0, 0, 1, 0]);
    const { clips, entities } = importGltf(world, {
      scene,
      animations: [new AnimationClip("Turn", 1, [turn])],
    });
    const entity = entities.get(object)!;
    const before = [...get(world, entity, Local3D)!.position];

    for (let frame = 0; frame <= 1_000; frame++) applyClip(world, clips[0]!, frame / 1_000);
    applyClip(world, clips[0]!, 0);

    expect([...get(world, entity, Local3D)!.position]).toEqual(before);
  });
});

describe("an object with a matrix of its own", () => {
  it("is imported where its matrix puts it", () => {
    const world = createWorld();
    const scene = new Object3D();
    const object = new Object3D();
    object.matrixAutoUpdate = false;
    object.matrix.compose(new Vector3(1, 2, 3), object.quaternion, new Vector3(2, 2, 2));
    scene.add(object);

    const { entities } = importGltf(world, { scene });

    const { position, scale } = get(world, entities.get(object)!, Local3D)!;
    expect([...position, ...scale]).toEqual([1, 2, 3, 2, 2, 2]);
  });

  it("that others move by it takes its entity along", () => {
    const world = createWorld();
    attachScene(world, new Scene());
    const entity = spawn(world, Local3D, World3D);
    const object = new Object3D();
    object.matrixAutoUpdate = false;
    bindObject(world, entity, object, { owner: "object" });

    for (const x of [3, 4]) {
      object.matrix.setPosition(x, 0, 0);
      updateScene(world);

      expect(get(world, entity, World3D)!.matrix[12]).toBe(x);
      expect(object.matrixWorld.elements[12]).toBe(x);
    }
  });
});
