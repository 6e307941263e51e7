import { ChildOf, createWorld, type Entity, spawn, type World } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { distance, Local3D, lookAt, rotateWorld, translateWorld, World3D, worldOf } from "../../src/3d.ts";

const half = Math.SQRT1_2;

/** A ship that is turned about z by a quarter and twice as large, with a camera at 1 0 0 in it. */
function plantCamera(): { world: World; ship: Entity; camera: Entity } {
  const world = createWorld();
  const ship = spawn(
    world,
    Local3D({ position: [10, 0, 0], rotation: [0, 0, half, half], scale: [2, 2, 2] }),
    World3D,
  );
  const camera = spawn(world, Local3D({ position: [1, 0, 0] }), World3D, ChildOf(ship));
  return { world, ship, camera };
}

function expectColumn(world: World, entity: Entity, column: number, wanted: readonly number[]): void {
  const matrix = worldOf(world, entity);
  for (const [axis, one] of wanted.entries()) expect(matrix[column * 4 + axis]).toBeCloseTo(one, 5);
}

describe("moves in the world", () => {
  it("translateWorld goes along the axes of the world", () => {
    const { world, camera } = plantCamera();

    translateWorld(world, camera, [1, 2, 3]);

    expectColumn(world, camera, 3, [11, 4, 3]);
  });

  it("rotateWorld turns about the position of the entity", () => {
    const { world, camera } = plantCamera();

    rotateWorld(world, camera, [half, 0, 0, half]);

    expectColumn(world, camera, 3, [10, 2, 0]);
    expectColumn(world, camera, 0, [0, 0, 2]);
    expectColumn(world, camera, 1, [-2, 0, 0]);
    expectColumn(world, camera, 2, [0, -2, 0]);
  });

  it("lookAt points the negative z axis at a position, and keeps position and scale", () => {
    const { world, camera } = plantCamera();

    lookAt(world, camera, [10, 2, -50]);

    expectColumn(world, camera, 0, [2, 0, 0]);
    expectColumn(world, camera, 1, [0, 2, 0]);
    expectColumn(world, camera, 2, [0, 0, 2]);
    expectColumn(world, camera, 3, [10, 2, 0]);
  });

  it("lookAt takes an entity, and another direction than up if that is along the way", () => {
    const { world, camera } = plantCamera();
    const above = spawn(world, Local3D({ position: [10, 20, 0] }), World3D);

    lookAt(world, camera, above);

    expectColumn(world, camera, 2, [0, -2, 0]);
    lookAt(world, camera, above, [1, 0, 0]);
    expectColumn(world, camera, 1, [2, 0, 0]);
  });

  it("lookAt changes nothing if the target is where the entity is", () => {
    const { world, camera } = plantCamera();
    const before = worldOf(world, camera);

    lookAt(world, camera, camera);

    expect(worldOf(world, camera)).toEqual(before);
  });

  it("distance is in units of the world", () => {
    const { world, ship, camera } = plantCamera();

    expect(distance(world, ship, camera)).toBeCloseTo(2, 6);
  });
});
