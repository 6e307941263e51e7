import {
  add,
  ChildOf,
  clone,
  createWorld,
  Disabled,
  DisabledTree,
  get,
  remove,
  set,
  spawn,
  TreelineError,
  tag,
} from "@treeline/core";
import { restore, snapshot } from "@treeline/document/snapshot";
import { destroy } from "@treeline/query";
import { Local3D, Matrix3D, reparentInPlace, World3D } from "@treeline/transform/3d";
import {
  AxesHelper,
  Bone,
  BoxGeometry,
  BufferAttribute,
  Group,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Skeleton,
  SkinnedMesh,
  Vector3,
} from "three";
import { describe, expect, it } from "vitest";
import {
  attachScene,
  bindObject,
  detachScene,
  entityOf,
  objectOf,
  pull,
  unbindObject,
  updateScene,
} from "../../src/index.ts";
import { expectSound, placeOf, Ship, spawnShip, stage } from "../support.ts";

describe("attachScene", () => {
  it("makes an object for each entity with the component, those that exist as well", () => {
    const world = createWorld();
    const scene = new Scene();
    const first = spawnShip(world, 1);
    attachScene(world, scene, [{ with: Ship, make: () => new Group() }]);
    const second = spawnShip(world, 2);
    const other = spawn(world, World3D);
    const unplaced = spawn(world, Ship);

    updateScene(world);

    expect(objectOf(world, first)).toBeInstanceOf(Group);
    expect(objectOf(world, second)).toBeInstanceOf(Group);
    expect([objectOf(world, other), objectOf(world, unplaced)]).toEqual([undefined, undefined]);
    expect(placeOf(world, second)).toBe(2);
  });

  it("takes the first kind whose component the entity has, and another one when that is removed", () => {
    const world = createWorld();
    const Tug = tag("Tug");
    attachScene(world, new Scene(), [
      { with: Ship, make: () => new Group() },
      { with: Tug, make: () => new Mesh() },
    ]);
    const ship = spawnShip(world, 1, Tug);
    updateScene(world);
    expect(objectOf(world, ship)).toBeInstanceOf(Group);

    remove(world, ship, Ship);

    expect(placeOf(world, ship)).toBe(1);
    expect(objectOf(world, ship)).toBeInstanceOf(Mesh);
  });

  it("puts objects below those of the nearest entities above, and moves them with their entities", () => {
    const { world } = stage(() => new Object3D());
    const station = spawnShip(world, 10);
    const dock = spawn(world, Local3D({ position: [5, 0, 0] }), World3D, ChildOf(station));
    const ship = spawnShip(world, 1, ChildOf(dock));
    const far = spawnShip(world, 100);

    expect(placeOf(world, ship)).toBe(16);
    expect(objectOf(world, ship)!.parent).toBe(objectOf(world, station));
    expect(objectOf(world, ship)!.position.x).toBe(6);

    reparentInPlace(world, dock, far);

    expect(placeOf(world, ship)).toBe(16);
    expect(objectOf(world, ship)!.parent).toBe(objectOf(world, far));
    expect(objectOf(world, ship)!.position.x).toBe(-84);
  });

  it("hides the objects of disabled entities, but not those of enabled ones below", () => {
    const { world } = stage(() => new Object3D());
    const station = spawnShip(world, 10);
    const ship = spawnShip(world, 1, ChildOf(station));
    updateScene(world);

    add(world, station, Disabled);
    expect(placeOf(world, ship)).toBe(11);
    expect([objectOf(world, station)!.visible, objectOf(world, ship)!.visible]).toEqual([false, true]);
    expect(objectOf(world, ship)!.parent).not.toBe(objectOf(world, station));

    remove(world, station, Disabled);
    add(world, station, DisabledTree);
    updateScene(world);
    expect([objectOf(world, station)!.visible, objectOf(world, ship)!.visible]).toEqual([false, false]);
    expect(objectOf(world, ship)!.parent).toBe(objectOf(world, station));
  });

  it("leaves `visible` to you while the entity is neither disabled nor enabled", () => {
    const { world } = stage(() => new Object3D());
    const ship = spawnShip(world, 1);
    updateScene(world);
    objectOf(world, ship)!.visible = false;

    set(world, ship, Local3D, { position: [2, 0, 0] });
    updateScene(world);

    expect(objectOf(world, ship)!.visible).toBe(false);
  });

  it("disposes once what it has made, when the entity is destroyed or loses the component", () => {
    const { world, scene, made, disposed } = stage(() => new Object3D());
    const station = spawnShip(world, 10);
    spawnShip(world, 1, ChildOf(station));
    const tug = spawnShip(world, 2);
    updateScene(world);

    destroy(world, station);
    remove(world, tug, Ship);
    updateScene(world);
    updateScene(world);

    expect(disposed.length).toBe(3);
    expect(new Set(disposed)).toEqual(new Set(made));
    expect(scene.children[0]!.children).toEqual([]);
  });

  it("makes no object for an entity that is destroyed before the next update", () => {
    const { world, made } = stage(() => new Object3D());
    destroy(world, spawnShip(world, 1));

    updateScene(world);

    expect(made).toEqual([]);
  });

  it("does not dispose what the entity of a reused index shows", () => {
    const { world, made, disposed } = stage(() => new Object3D());
    const old = spawnShip(world, 1);
    updateScene(world);

    destroy(world, old);
    const ship = spawnShip(world, 2);

    expect(placeOf(world, ship)).toBe(2);
    expect([made.length, disposed]).toEqual([2, [made[0]]]);
  });

  it("keeps the objects of entities that a restore gives back, where they are then", () => {
    const { world, made, disposed } = stage(() => new Object3D());
    const station = spawnShip(world, 10);
    const ship = spawnShip(world, 1, ChildOf(station));
    updateScene(world);
    const state = snapshot(world);

    set(world, ship, Local3D, { position: [5, 0, 0] });
    remove(world, ship, ChildOf(station));
    const later = spawnShip(world, 3);
    updateScene(world);
    restore(world, state);

    expect(placeOf(world, ship)).toBe(11);
    expect(objectOf(world, ship)).toBe(made[1]);
    expect(objectOf(world, ship)!.parent).toBe(made[0]);
    expect(disposed).toEqual([made[2]]);
    expect(() => objectOf(world, later)).toThrow(TreelineError);
    expectSound(world);
  });

  it("tries again what `make` has thrown, and has done the rest", () => {
    const world = createWorld();
    let isBroken = true;
    attachScene(world, new Scene(), [
      {
        with: Ship,
        make: () => {
          if (isBroken) throw new Error("no model");
          return new Object3D();
        },
      },
    ]);
    const ship = spawnShip(world, 4);
    expect(() => updateScene(world)).toThrow("no model");

    isBroken = false;

    expect(placeOf(world, ship)).toBe(4);
  });

  it("refuses a second scene, what is no scene, and kinds that make nothing", () => {
    const { world, scene } = stage(() => new Object3D());

    expect(() => attachScene(world, scene)).toThrow("call detachScene first");
    expect(() => attachScene(createWorld(), {} as Scene)).toThrow(TreelineError);
    expect(() => attachScene(createWorld(), scene, [{ with: Ship } as never])).toThrow(TreelineError);
    expect(() => attachScene(createWorld(), scene, {} as never)).toThrow(TreelineError);
  });
});

describe("objects that do more than Object3D", () => {
  it("have the inverse matrix of a camera", () => {
    const { world } = stage(() => new PerspectiveCamera());
    const ship = spawnShip(world, 5);
    updateScene(world);

    expect((objectOf(world, ship) as PerspectiveCamera).matrixWorldInverse.elements[12]).toBe(-5);
  });

  it("have the inverse matrix of a skin, and bones that follow their entities", () => {
    const world = createWorld();
    const scene = new Scene();
    attachScene(world, scene);
    const geometry = new BoxGeometry(1, 1, 1);
    const count = geometry.getAttribute("position").count;
    geometry.setAttribute("skinIndex", new BufferAttribute(new Uint16Array(count * 4), 4));
    const weights = new Float32Array(count * 4).map((_, at) => (at % 4 === 0 ? 1 : 0));
    geometry.setAttribute("skinWeight", new BufferAttribute(weights, 4));
    const skin = new SkinnedMesh(geometry, new MeshBasicMaterial());
    const bone = new Bone();
    skin.bind(new Skeleton([bone]));
    const body = spawn(world, Local3D({ position: [3, 0, 0] }), World3D);
    const arm = spawn(world, Local3D({ position: [2, 0, 0] }), World3D, ChildOf(body));
    bindObject(world, body, skin);
    bindObject(world, arm, bone);
    updateScene(world);
    skin.skeleton.update();

    expect(skin.bindMatrixInverse.elements[12]).toBe(-3);
    const vertex = skin.applyBoneTransform(0, new Vector3());
    expect(vertex.applyMatrix4(skin.matrixWorld).x).toBe(5);
  });

  it("call what a class of yours does after its matrix, but not for what is below", () => {
    let calls = 0;
    class Sounding extends Object3D {
      override updateMatrixWorld(force?: boolean): void {
        super.updateMatrixWorld(force);
        calls++;
      }
    }
    const { world } = stage(() => new Sounding());
    const ship = spawnShip(world, 1);
    spawnShip(world, 1, ChildOf(ship));

    updateScene(world);

    expect(calls).toBe(2);
  });
});

describe("what others put into the scene", () => {
  it("is updated by three.js as ever, also below the object of an entity", () => {
    const { world, scene } = stage(() => new Group());
    const ship = spawnShip(world, 5);
    updateScene(world);
    const helper = new AxesHelper();
    const flag = new Object3D();
    flag.position.x = 1;
    scene.add(helper);
    objectOf(world, ship)!.add(flag);
    helper.position.x = 7;

    scene.updateMatrixWorld();
    expect([helper.matrixWorld.elements[12], flag.matrixWorld.elements[12]]).toEqual([7, 6]);

    set(world, ship, Local3D, { position: [8, 0, 0] });
    updateScene(world);
    scene.updateMatrixWorld();
    expect(flag.matrixWorld.elements[12]).toBe(9);

    objectOf(world, ship)!.remove(flag);
    flag.position.x = 50;
    scene.updateMatrixWorld();
    expect(flag.matrixWorld.elements[12]).toBe(9);
  });

  it("leaves the defaults of three.js alone", () => {
    const { world } = stage(() => new Object3D());
    spawnShip(world, 5);
    updateScene(world);

    expect([Object3D.DEFAULT_MATRIX_AUTO_UPDATE, Object3D.DEFAULT_MATRIX_WORLD_AUTO_UPDATE]).toEqual([
      true,
      true,
    ]);
    expect([new Object3D().matrixAutoUpdate, new Object3D().matrixWorldAutoUpdate]).toEqual([true, true]);
  });
});

describe("updateScene", () => {
  it("touches only what has changed", () => {
    const { world } = stage(() => new Object3D());
    const still = spawnShip(world, 1);
    const ship = spawnShip(world, 2);
    updateScene(world);
    objectOf(world, still)!.matrixWorld.elements[12] = 77;

    set(world, ship, Local3D, { position: [3, 0, 0] });
    updateScene(world);

    expect(objectOf(world, still)!.matrixWorld.elements[12]).toBe(77);
    expect(objectOf(world, ship)!.matrixWorld.elements[12]).toBe(3);
  });

  it("writes only `matrixWorld`, if the kind does not ask for more", () => {
    const world = createWorld();
    attachScene(world, new Scene(), [{ with: Ship, make: () => new Object3D() }]);
    const ship = spawnShip(world, 4);

    expect(placeOf(world, ship)).toBe(4);
    expect(objectOf(world, ship)!.position.x).toBe(0);
  });

  it("writes position, quaternion, scale and matrix, which raycasts and gizmos read", () => {
    const { world } = stage(() => new Mesh(new BoxGeometry(1, 1, 1)));
    const turned = { rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] };
    const ship = spawn(world, Local3D({ position: [1, 2, 3], scale: [2, 2, 2], ...turned }), World3D, Ship);
    updateScene(world);
    const object = objectOf(world, ship)!;

    expect(object.position.toArray()).toEqual([1, 2, 3]);
    expect(object.scale.toArray()).toEqual([2, 2, 2]);
    expect(object.rotation.z).toBeCloseTo(Math.PI / 2);
    expect(object.matrix.elements[14]).toBe(3);
  });

  it("places entities that have a matrix as their local transform, and those with nothing but a place in the world", () => {
    const { world } = stage(() => new Object3D());
    const matrix = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 4, 0, 0, 1];
    const sheared = spawn(world, Matrix3D({ matrix }), World3D, Ship);
    const fixed = spawn(world, World3D({ matrix }), Ship, ChildOf(sheared));
    updateScene(world);

    expect(objectOf(world, sheared)!.matrixWorld.elements).toEqual(matrix);
    expect(objectOf(world, fixed)!.matrixWorld.elements).toEqual(matrix);
    expect(objectOf(world, fixed)!.parent).not.toBe(objectOf(world, sheared));
  });

  it("refuses a world without a scene", () => {
    expect(() => updateScene(createWorld())).toThrow("call attachScene first");
  });
});

describe("detachScene", () => {
  it("leaves the scene and bound objects as they were", () => {
    const { world, scene, made, disposed } = stage(() => new Object3D());
    const camera = new PerspectiveCamera();
    const lamp = spawn(world, Local3D, World3D, Disabled);
    bindObject(world, lamp, camera);
    spawnShip(world, 1);
    updateScene(world);

    detachScene(world);

    expect([scene.children, disposed]).toEqual([[], made]);
    expect([camera.parent, camera.visible]).toEqual([null, true]);
    expect([camera.matrixAutoUpdate, camera.matrixWorldAutoUpdate]).toEqual([true, true]);
    expect(objectOf(world, lamp)).toBe(camera);
    expect(() => updateScene(world)).toThrow(TreelineError);
    attachScene(world, scene);
    expect(placeOf(world, lamp)).toBe(0);
  });
});

describe("bound objects", () => {
  it("stay below the parent that they have, and are where their entities are", () => {
    const { world, scene } = stage(() => new Object3D());
    const model = new Group();
    model.position.x = 100;
    scene.add(model);
    const part = new Object3D();
    model.add(part);
    const station = spawnShip(world, 10);
    const ship = spawn(world, Local3D({ position: [1, 0, 0] }), World3D, ChildOf(station));
    bindObject(world, ship, part);

    expect(placeOf(world, ship)).toBe(11);
    expect([part.parent, part.position.x]).toEqual([model, -89]);
    scene.updateMatrixWorld();
    expect(part.matrixWorld.elements[12]).toBe(11);

    destroy(world, ship);
    updateScene(world);
    expect([part.parent, part.matrixAutoUpdate]).toEqual([model, true]);
  });

  it("write their entities, if they own the local transform", () => {
    const { world } = stage(() => new Object3D());
    const station = spawnShip(world, 10);
    const ship = spawn(world, Local3D, World3D, ChildOf(station));
    const object = new Object3D();
    object.position.set(1, 2, 3);
    bindObject(world, ship, object, { owner: "object" });

    expect(placeOf(world, ship)).toBe(11);
    expect(Array.from(get(world, ship, Local3D)!.position)).toEqual([1, 2, 3]);

    object.position.x = 4;
    expect(placeOf(world, ship)).toBe(14);
  });

  it("are shown instead of what was made, until they are taken back", () => {
    const { world, made, disposed } = stage(() => new Object3D());
    const ship = spawnShip(world, 1);
    updateScene(world);
    const model = new Group();

    bindObject(world, ship, model);
    expect(placeOf(world, ship)).toBe(1);
    expect([objectOf(world, ship), disposed]).toEqual([model, made]);

    unbindObject(world, ship);
    expect(placeOf(world, ship)).toBe(1);
    expect(objectOf(world, ship)).toBe(made[1]);
    expect(model.parent).toBeNull();
  });

  it("stay with their entity when it is cloned", () => {
    const { world } = stage(() => new Object3D());
    const ship = spawnShip(world, 1);
    const model = new Group();
    bindObject(world, ship, model);
    updateScene(world);

    const copy = clone(world, ship);
    set(world, copy, Local3D, { position: [5, 0, 0] });
    updateScene(world);

    expect(entityOf(world, model)).toBe(ship);
    expect(model.matrixWorld.elements[12]).toBe(1);
  });
});

describe("entityOf", () => {
  it("leads from a hit of a raycaster to the entity", () => {
    const { world, scene } = stage(() => new Group().add(new Mesh(new BoxGeometry(1, 1, 1))));
    const [near, far] = [spawnShip(world, 5), spawnShip(world, 9)];
    updateScene(world);
    scene.updateMatrixWorld();

    const hits = new Raycaster(new Vector3(), new Vector3(1, 0, 0)).intersectObject(scene);

    expect([...new Set(hits.map(({ object }) => entityOf(world, object)))]).toEqual([near, far]);
  });
});

describe("pull", () => {
  it("writes what controls have moved to the entity", () => {
    const { world } = stage(() => new Object3D());
    const station = spawnShip(world, 10);
    const ship = spawnShip(world, 1, ChildOf(station));
    updateScene(world);
    const object = objectOf(world, ship)!;

    object.position.x = 3;
    object.rotation.z = Math.PI / 2;
    pull(world, ship);

    expect(Array.from(get(world, ship, Local3D)!.position)).toEqual([3, 0, 0]);
    expect(get(world, ship, Local3D)!.rotation[2]).toBeCloseTo(Math.SQRT1_2);
    expect(placeOf(world, ship)).toBe(13);
  });

  it("writes the place in the world, where parents differ", () => {
    const { world } = stage(() => new Object3D());
    const station = spawnShip(world, 10);
    const dock = spawn(world, Local3D({ position: [5, 0, 0] }), World3D, ChildOf(station));
    const ship = spawnShip(world, 1, ChildOf(dock));
    updateScene(world);

    objectOf(world, ship)!.position.x = 7;
    pull(world, ship);

    expect(Array.from(get(world, ship, Local3D)!.position)).toEqual([2, 0, 0]);
    expect(placeOf(world, ship)).toBe(17);
  });

  it("writes nothing if nothing has moved, or there is no object", () => {
    const { world } = stage(() => new Object3D());
    const ship = spawn(world, Local3D({ position: [0.1, 0, 0], scale: [0.3, 0.3, 0.3] }), World3D, Ship);
    const plain = spawn(world, Local3D, World3D);
    updateScene(world);
    objectOf(world, ship)!.matrixWorld.elements[12] = 77;

    pull(world, ship);
    pull(world, plain);
    updateScene(world);

    expect(objectOf(world, ship)!.matrixWorld.elements[12]).toBe(77);
  });

  it("refuses destroyed entities, and a world without a scene", () => {
    const { world } = stage(() => new Object3D());
    const ship = spawnShip(world, 1);
    destroy(world, ship);

    expect(() => pull(world, ship)).toThrow(TreelineError);
    expect(() => pull(createWorld(), ship)).toThrow("call attachScene first");
  });
});
