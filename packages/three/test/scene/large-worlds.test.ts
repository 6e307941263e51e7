import { ChildOf, createWorld, get, set, spawn, tag } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import * as large from "@treeline/transform/3d-f64";
import {
  AnimationClip,
  BoxGeometry,
  Group,
  MeshBasicMaterial,
  Object3D,
  Scene,
  VectorKeyframeTrack,
} from "three";
import { describe, expect, it } from "vitest";
import {
  applyClip,
  attachScene,
  detachScene,
  importGltf,
  instances,
  objectOf,
  pull,
  type Transforms,
  updateScene,
} from "../../src/index.ts";

const { Local3D, World3D } = large;
const Ship = tag("Ship");
const FAR = 4.5e12; // metres to Neptune

function stage() {
  const world = createWorld();
  const scene = new Scene();
  attachScene(world, scene, [{ with: Ship, local: true, make: () => new Object3D() }], { transforms: large });
  const planet = spawn(world, Local3D({ position: [FAR, 0, 0] }), World3D);
  const ship = spawn(world, Local3D({ position: [0.25, 0, 0] }), World3D, Ship, ChildOf(planet));
  updateScene(world);
  return { world, scene, planet, ship };
}

describe("a scene with transforms in 64 bits", () => {
  it("places objects exactly, far away from the origin", () => {
    const { world, planet, ship } = stage();
    const object = objectOf(world, ship)!;

    expect(object.matrixWorld.elements[12]).toBe(FAR + 0.25);

    set(world, planet, Local3D, { position: [FAR + 0.5, 0, 0] });
    updateScene(world);
    expect(object.matrixWorld.elements[12]).toBe(FAR + 0.75);
    expect(verify(world)).toEqual([]);
  });

  it("takes from an object what a gizmo moved by less than 32 bits can tell", () => {
    const { world, ship } = stage();
    const object = objectOf(world, ship)!;

    object.position.x += 1; // its parent is the scene: it has no object above
    pull(world, ship);
    updateScene(world);

    expect(get(world, ship, World3D)!.matrix[12]).toBe(FAR + 1.25);
    expect(get(world, ship, Local3D)!.position[0]).toBe(1.25);
  });

  it("imports glTF, and plays its clips", () => {
    const { world, planet } = stage();
    const scene = new Group();
    const arm = new Object3D();
    arm.name = "Arm";
    arm.position.x = 0.125;
    scene.add(arm);
    const track = new VectorKeyframeTrack("Arm.position", [0, 1], [0, 0, 0, 1, 0, 0]);
    const animations = [new AnimationClip("Wave", 1, [track])];

    const { clips, entities } = importGltf(
      world,
      { scene, animations },
      { with: [ChildOf(planet)], transforms: large },
    );
    updateScene(world);
    expect(arm.matrixWorld.elements[12]).toBe(FAR + 0.125);

    applyClip(world, clips[0]!, 0.5);
    expect(get(world, entities.get(arm)!, Local3D)!.position[0]).toBe(0.5);
  });

  it("shows instances, in 32 bits", () => {
    const world = createWorld();
    const ships = instances(Ship, new BoxGeometry(), new MeshBasicMaterial());
    attachScene(world, new Scene(), [ships], { transforms: large });
    spawn(world, Local3D({ position: [FAR, 2, 3] }), World3D, Ship);

    updateScene(world);

    expect([...ships.mesh.instanceMatrix.array.slice(12, 16)]).toEqual([Math.fround(FAR), 2, 3, 1]);
  });

  it("is not attached with what are no transforms, and leaves nothing behind then", () => {
    const { world, scene } = stage();
    detachScene(world);
    const ships = instances(Ship, new BoxGeometry(), new MeshBasicMaterial());

    expect(() => attachScene(world, scene, [ships], { transforms: {} as Transforms })).toThrow(
      expect.objectContaining({ code: "bad-value" }),
    );

    expect(scene.children).toEqual([]);
    expect(ships.mesh.parent).toBeNull();
    attachScene(world, scene, [ships], { transforms: large });
    detachScene(world);
    expect(verify(world)).toEqual([]);
  });

  it("refuses glTF in 32 bits, which would not follow", () => {
    const { world } = stage();

    expect(() => importGltf(world, { scene: new Group() })).toThrow(
      expect.objectContaining({ code: "bad-definition" }),
    );
    expect(verify(world)).toEqual([]);
  });
});
