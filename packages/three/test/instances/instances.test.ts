import {
  add,
  array,
  ChildOf,
  component,
  createWorld,
  Disabled,
  type Entity,
  f32,
  remove,
  set,
  spawn,
  TreelineError,
  value,
} from "@treeline/core";
import { restore, snapshot } from "@treeline/document/snapshot";
import { instantiate, prefab } from "@treeline/prefab";
import { destroy } from "@treeline/query";
import { Local3D, World3D } from "@treeline/transform/3d";
import { BoxGeometry, InstancedMesh, MeshBasicMaterial, Raycaster, Scene, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { attachScene, detachScene, entityOf, instances, objectOf, updateScene } from "../../src/index.ts";
import { Ship, spawnShip } from "../support.ts";

const box = new BoxGeometry(1, 1, 1);
const grey = new MeshBasicMaterial();
const Heat = component("Heat", { now: 0 });
const Tint = component("Tint", { color: array(f32, 3) }, { onInstantiate: "inherit" });

describe("instances", () => {
  it("are found by a raycaster where they are, also after they have moved far", () => {
    const world = createWorld();
    const scene = new Scene();
    const ships = instances(Ship, box, grey);
    attachScene(world, scene, [ships]);
    const [near, far] = [spawnShip(world, 5), spawnShip(world, 900)];
    updateScene(world);
    scene.updateMatrixWorld();
    const hitsAlong = (direction: Vector3) =>
      new Raycaster(new Vector3(), direction)
        .intersectObject(scene)
        .map(({ object, instanceId }) => entityOf(world, object, instanceId));
    expect([...new Set(hitsAlong(new Vector3(1, 0, 0)))]).toEqual([near, far]);

    set(world, far, Local3D, { position: [0, 0, -700] });
    updateScene(world);

    expect([...new Set(hitsAlong(new Vector3(0, 0, -1)))]).toEqual([far]);
    expect(objectOf(world, near)).toBeUndefined();
  });

  it("keep the mesh when there are more than the capacity, and free the old buffers", () => {
    const world = createWorld();
    const scene = new Scene();
    const ships = instances(Ship, box, grey, { capacity: 2 });
    let disposed = 0;
    ships.mesh.addEventListener("dispose", () => {
      disposed++;
    });
    attachScene(world, scene, [ships]);
    for (let at = 0; at < 100; at++) spawnShip(world, at);

    updateScene(world);

    expect(ships.mesh).toBeInstanceOf(InstancedMesh);
    expect(scene.children).toContain(ships.mesh);
    expect([ships.mesh.count, disposed]).toEqual([100, 1]);
    expect(ships.mesh.instanceMatrix.array.length).toBe(1600);
  });

  it("send a range of what has moved, or everything if that is much", () => {
    const world = createWorld();
    const ships = instances(Ship, box, grey, { capacity: 100 });
    attachScene(world, new Scene(), [ships]);
    const all = Array.from({ length: 100 }, (_, at) => spawnShip(world, at));
    updateScene(world);
    const { instanceMatrix } = ships.mesh;
    instanceMatrix.onUploadCallback();
    const { version } = instanceMatrix;

    for (const at of [10, 11, 50]) set(world, all[at]!, Local3D, { position: [0, 1, 0] });
    updateScene(world);
    expect(instanceMatrix.updateRanges).toEqual([
      { start: 160, count: 32 },
      { start: 800, count: 16 },
    ]);
    expect(instanceMatrix.version).toBe(version + 1);

    for (const one of all) set(world, one, Local3D, { position: [0, 2, 0] });
    updateScene(world);
    expect(instanceMatrix.updateRanges).toEqual([]);

    updateScene(world);
    expect(instanceMatrix.version).toBe(version + 2);
  });

  it("send everything if they have moved without being drawn for long, so that ranges do not pile up", () => {
    const world = createWorld();
    const ships = instances(Ship, box, grey, { capacity: 100 });
    attachScene(world, new Scene(), [ships]);
    const all = Array.from({ length: 100 }, (_, at) => spawnShip(world, at));
    updateScene(world);
    const { instanceMatrix } = ships.mesh;
    instanceMatrix.onUploadCallback();

    const ranges = [1, 2, 3, 4].map((y) => {
      set(world, all[10]!, Local3D, { position: [0, y, 0] });
      updateScene(world);
      return instanceMatrix.updateRanges.length;
    });

    expect(ranges).toEqual([1, 2, 0, 0]);
    instanceMatrix.onUploadCallback();
    set(world, all[10]!, Local3D, { position: [0, 5, 0] });
    updateScene(world);
    expect(instanceMatrix.updateRanges).toEqual([{ start: 160, count: 16 }]);
  });

  it("have bounds around what is sheared", () => {
    const world = createWorld();
    const ships = instances(Ship, box, grey);
    attachScene(world, new Scene(), [ships]);
    const flat = spawn(world, Local3D({ scale: [10, 1, 1] }), World3D);
    const turned = Local3D({ rotation: [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)] });
    spawn(world, turned, World3D, Ship, ChildOf(flat));

    updateScene(world);

    expect(ships.mesh.boundingBox!.max.x).toBeCloseTo(10 * Math.sqrt(0.75), 5);
    expect(ships.mesh.boundingBox!.max.y).toBeCloseTo(Math.sqrt(0.75), 5);
  });

  it("have bounds that shrink again", () => {
    const world = createWorld();
    const ships = instances(Ship, box, grey);
    attachScene(world, new Scene(), [ships]);
    const [one, far] = [spawnShip(world, 0), spawnShip(world, 1000)];
    updateScene(world);
    expect(ships.mesh.boundingSphere!.radius).toBeGreaterThan(499);

    destroy(world, far);
    set(world, one, Local3D, { position: [1, 0, 0] });
    updateScene(world);

    expect(ships.mesh.boundingSphere!.radius).toBeLessThan(3);
  });

  it("leave the geometry that others use as it is", () => {
    const world = createWorld();
    const names = Object.keys(box.attributes);
    const ships = instances(Ship, box, grey, { attributes: { heat: Heat } });
    attachScene(world, new Scene(), [ships]);
    spawn(world, Local3D, World3D, Ship, Heat({ now: 7 }));
    updateScene(world);

    expect(ships.mesh.geometry.getAttribute("heat").array[0]).toBe(7);
    expect(ships.mesh.geometry.getAttribute("position")).toBe(box.getAttribute("position"));
    expect(Object.keys(box.attributes)).toEqual(names);
  });

  it("share morph targets and the drawn range with their geometry", () => {
    const geometry = new BoxGeometry(1, 1, 1);
    geometry.morphAttributes["position"] = [geometry.getAttribute("position").clone()];
    geometry.setDrawRange(6, 12);

    const { mesh } = instances(Ship, geometry, grey, { attributes: { heat: Heat } });

    expect(mesh.geometry.morphAttributes).toEqual(geometry.morphAttributes);
    expect(mesh.geometry.drawRange).toEqual({ start: 6, count: 12 });
    expect(mesh.geometry.groups).toEqual(geometry.groups);
  });

  it("have no entity once it is destroyed, before the next update as well", () => {
    const world = createWorld();
    const ships = instances(Ship, box, grey);
    attachScene(world, new Scene(), [ships]);
    const ship = spawnShip(world, 1);
    updateScene(world);
    expect(entityOf(world, ships.mesh, 0)).toBe(ship);

    destroy(world, ship);

    expect(entityOf(world, ships.mesh, 0)).toBeUndefined();
  });

  it("are refused by a second scene, and where they stand twice; nothing is attached", () => {
    const [world, other] = [createWorld(), createWorld()];
    const scene = new Scene();
    const [ships, rocks] = [instances(Ship, box, grey), instances(Ship, box, grey)];
    attachScene(world, scene, [ships]);

    expect(() => attachScene(other, scene, [rocks, ships])).toThrow("in one scene, once");
    expect(() => attachScene(other, scene, [rocks, rocks])).toThrow("in one scene, once");

    expect(rocks.mesh.parent).toBeNull();
    attachScene(other, new Scene(), [rocks]);
    expect(ships.mesh.parent).toBe(scene);
  });

  it("free what is theirs when they grow and when the scene ends, not what the geometry shares with others", () => {
    const world = createWorld();
    const ships = instances(Ship, box, grey, { capacity: 1, attributes: { heat: Heat } });
    const { mesh } = ships;
    const freed: (string | null)[][] = [];
    mesh.geometry.addEventListener("dispose", ({ target }) => {
      freed.push([...Object.keys(target.attributes), target.index && "index"]);
    });
    let ofMesh = 0;
    mesh.addEventListener("dispose", () => {
      ofMesh++;
    });
    attachScene(world, new Scene(), [ships]);
    for (let at = 0; at < 2; at++) spawn(world, Local3D, World3D, Ship, Heat({ now: at }));

    updateScene(world);
    expect([freed, ofMesh]).toEqual([[["heat", null]], 1]);
    expect(mesh.geometry.getAttribute("position")).toBe(box.getAttribute("position"));
    expect(mesh.geometry.index).toBe(box.index);

    detachScene(world);
    expect([freed.length, freed[1], ofMesh]).toEqual([2, ["heat", null], 2]);
  });

  it("leave the scene with it", () => {
    const world = createWorld();
    const scene = new Scene();
    const ships = instances(Ship, box, grey);
    attachScene(world, scene, [ships]);
    spawnShip(world, 1);
    updateScene(world);

    detachScene(world);

    expect([scene.children, ships.mesh.count]).toEqual([[], 0]);
    attachScene(world, scene, [ships]);
    updateScene(world);
    expect(ships.mesh.count).toBe(1);
  });

  it("refuse a wrong capacity, and attributes that are no numbers", () => {
    const Label = component("Label", { text: value<string>("") });
    const Empty = component("Empty", {});

    expect(() => instances(Ship, box, grey, { capacity: 0 })).toThrow(TreelineError);
    expect(() => instances(Ship, box, grey, { attributes: { label: Label } })).toThrow("Label is not");
    expect(() => instances(Ship, box, grey, { attributes: { empty: Empty as never } })).toThrow(
      TreelineError,
    );
  });
});

describe("instances with an inherited attribute", () => {
  /** A prefab with a colour, an instance that inherits it, and one with a colour of its own. */
  function paint() {
    const world = createWorld();
    const ships = instances(Ship, box, grey, { attributes: { color: Tint } });
    const { mesh } = ships;
    attachScene(world, new Scene(), [ships]);
    const base = prefab(world, Local3D, World3D, Ship, Tint({ color: [1, 0, 0] }));
    const first = instantiate(world, base);
    const second = instantiate(world, base, { with: [Tint({ color: [0, 0, 1] })] });
    /** After an update of the scene. */
    const colorOf = (entity: Entity): number[] => {
      updateScene(world);
      const slot = Array.from({ length: mesh.count }, (_, at) => entityOf(world, mesh, at)).indexOf(entity);
      return Array.from(mesh.instanceColor!.array.subarray(slot * 3, slot * 3 + 3));
    };
    return { world, mesh, base, first, second, colorOf };
  }

  it("have the value of the prefab, also after that is written", () => {
    const { world, mesh, base, first, second, colorOf } = paint();
    expect([colorOf(first), colorOf(second), mesh.count]).toEqual([[1, 0, 0], [0, 0, 1], 2]);

    set(world, base, Tint, { color: [0, 1, 0] });

    expect([colorOf(first), colorOf(second)]).toEqual([
      [0, 1, 0],
      [0, 0, 1],
    ]);
  });

  it("follow an override, and share again without it", () => {
    const { world, first, second, colorOf } = paint();
    expect(colorOf(first)).toEqual([1, 0, 0]);

    set(world, first, Tint, { color: [0, 1, 1] });
    remove(world, second, Tint);
    expect([colorOf(first), colorOf(second)]).toEqual([
      [0, 1, 1],
      [1, 0, 0],
    ]);

    set(world, first, Tint, { color: [1, 1, 1] });
    expect(colorOf(first)).toEqual([1, 1, 1]);
  });

  it("have what was written while they were disabled", () => {
    const { world, base, first, colorOf } = paint();
    expect(colorOf(first)).toEqual([1, 0, 0]);
    add(world, first, Disabled);
    updateScene(world);

    set(world, base, Tint, { color: [0, 1, 0] });
    updateScene(world);
    remove(world, first, Disabled);

    expect(colorOf(first)).toEqual([0, 1, 0]);
  });

  it("have the value that a restore gives back to the prefab", () => {
    const { world, base, first, colorOf } = paint();
    const state = snapshot(world);
    set(world, base, Tint, { color: [0, 1, 0] });
    expect(colorOf(first)).toEqual([0, 1, 0]);

    restore(world, state);

    expect(colorOf(first)).toEqual([1, 0, 0]);
  });
});
