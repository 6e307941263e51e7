import {
  add,
  ChildOf,
  createWorld,
  Disabled,
  type Entity,
  observe,
  remove,
  spawn,
  TreelineError,
  type World,
} from "@treeline/core";
import { restore, snapshot } from "@treeline/document/snapshot";
import { Prefab, prefab } from "@treeline/prefab";
import { destroy } from "@treeline/query";
import { Local3D, World3D } from "@treeline/transform/3d";
import { Group, Object3D, Scene } from "three";
import { describe, expect, it } from "vitest";
import {
  attachScene,
  bindObject,
  detachScene,
  objectOf,
  unbindObject,
  updateScene,
} from "../../src/index.ts";
import { expectSound, placeOf, Ship, spawnShip, stage } from "../support.ts";

describe("the objects of a scene", () => {
  it("takes out what was released, also when `make` throws", () => {
    const world = createWorld();
    const scene = new Scene();
    let isBroken = false;
    attachScene(world, scene, [
      {
        with: Ship,
        make: () => {
          if (isBroken) throw new Error("no model");
          return new Object3D();
        },
      },
    ]);
    const [gone, above] = [spawnShip(world, 1), spawnShip(world, 2)];
    const below = spawnShip(world, 1, ChildOf(above));
    updateScene(world);

    destroy(world, gone);
    remove(world, above, Ship);
    const ship = spawnShip(world, 4);
    isBroken = true;
    expect(() => updateScene(world)).toThrow("no model");
    isBroken = false;
    updateScene(world);

    expect(scene.children[0]!.children).toEqual([objectOf(world, below), objectOf(world, ship)]);
    expect(placeOf(world, below)).toBe(3);
  });

  it("takes out what was released, also when `dispose` throws, which is called once for each", () => {
    const world = createWorld();
    const scene = new Scene();
    const disposed: Entity[] = [];
    const dispose = (_: Object3D, entity: Entity): void => {
      disposed.push(entity);
      throw new Error("busy");
    };
    attachScene(world, scene, [{ with: Ship, make: () => new Object3D(), dispose }]);
    const [first, second] = [spawnShip(world, 1), spawnShip(world, 2)];
    updateScene(world);

    for (const one of [first, second]) destroy(world, one);
    expect(() => updateScene(world)).toThrow("busy");
    expect(() => updateScene(world)).toThrow("busy");
    updateScene(world);

    expect([scene.children[0]!.children, disposed]).toEqual([[], [first, second]]);
  });

  it.each([
    ["destroys", (ship: Entity, world: World) => destroy(world, ship)],
    ["takes the component from", (ship: Entity, world: World) => remove(world, ship, Ship)],
  ])("releases what a `make` %s, shown or not, itself included", (_, end) => {
    const world = createWorld();
    const scene = new Scene();
    const ended: Entity[] = [];
    const disposed: Entity[] = [];
    const make = (): Object3D => {
      for (const ship of ended.splice(0)) end(ship, world);
      return new Object3D();
    };
    attachScene(world, scene, [{ with: Ship, make, dispose: (_object, ship) => disposed.push(ship) }]);
    const shown = spawnShip(world, 1);
    updateScene(world);

    const fresh = spawnShip(world, 2);
    const last = spawnShip(world, 3);
    ended.push(shown);
    updateScene(world);
    expect(disposed).toEqual([shown]);

    const [one, other] = [spawnShip(world, 4), spawnShip(world, 5)];
    ended.push(fresh, one, other);
    updateScene(world);

    expect(disposed).toEqual([shown, fresh, one]);
    expect(scene.children[0]!.children).toEqual([objectOf(world, last)]);
    expectSound(world);
  });

  it.each([
    ["destroys", (ship: Entity, world: World) => destroy(world, ship)],
    ["takes the place from", (ship: Entity, world: World) => remove(world, ship, World3D)],
  ])("releases what an observer %s when another object has moved its entity", (_, end) => {
    const world = createWorld();
    const scene = new Scene();
    attachScene(world, scene, [{ with: Ship, make: () => new Object3D() }]);
    const [mover, owner] = [spawnShip(world, 1), spawnShip(world, 2)];
    const objects = [new Object3D(), new Object3D()];
    for (const [at, ship] of [mover, owner].entries())
      bindObject(world, ship, objects[at]!, { owner: "object" });
    updateScene(world);
    const fresh = spawnShip(world, 3);

    observe(world, { set: Local3D }, ({ entity }) => {
      if (entity === mover) for (const ship of [owner, fresh]) end(ship, world);
    });
    for (const object of objects) object.position.x = 5;
    updateScene(world);

    expect(scene.children[0]!.children).toEqual([objects[0]]);
    expectSound(world);
  });

  it("keeps a bound object that gets another owner or another entity", () => {
    const { world, scene } = stage(() => new Object3D());
    const [ship, tug] = [spawnShip(world, 1), spawnShip(world, 2)];
    const model = new Group();
    bindObject(world, ship, model);
    updateScene(world);

    bindObject(world, ship, model, { owner: "object" });
    updateScene(world);
    expect(model.parent).toBe(scene.children[0]);

    unbindObject(world, ship);
    bindObject(world, tug, model);
    expect(placeOf(world, tug)).toBe(2);
    expect(model.parent).toBe(scene.children[0]);
  });

  it("is ended by `detachScene`, which then throws the first error of `dispose`", () => {
    const world = createWorld();
    const scene = new Scene();
    const disposed: Entity[] = [];
    const dispose = (_: Object3D, entity: Entity): void => {
      throw new Error(`busy ${disposed.push(entity)}`);
    };
    attachScene(world, scene, [{ with: Ship, make: () => new Object3D(), dispose }]);
    const ships = [spawnShip(world, 1), spawnShip(world, 2)];
    updateScene(world);

    expect(() => detachScene(world)).toThrow("busy 1");

    expect([disposed, scene.children]).toEqual([ships, []]);
    expect(() => updateScene(world)).toThrow(TreelineError);
    attachScene(world, scene, [{ with: Ship, make: () => new Group() }]);
    updateScene(world);
    expect(objectOf(world, ships[1]!)).toBeInstanceOf(Group);
    expectSound(world);
  });

  it("shows no prefabs, nor what becomes one, until that is none any more", () => {
    const { world, scene, made, disposed } = stage(() => new Object3D());
    const base = prefab(world, Local3D, World3D, Ship);
    const model = new Group();
    const station = spawnShip(world, 10);
    const ship = spawnShip(world, 1, ChildOf(station));
    bindObject(world, ship, model);
    updateScene(world);
    expect(objectOf(world, base)).toBeUndefined();

    add(world, station, Prefab);
    updateScene(world);
    expect([scene.children[0]!.children, disposed, model.parent]).toEqual([[], made, null]);
    expect(objectOf(world, station)).toBeUndefined();

    remove(world, station, Prefab);
    expect([placeOf(world, station), placeOf(world, ship)]).toEqual([10, 11]);
    expect(model.parent).toBe(objectOf(world, station));
  });

  it("shows no prefab that a restore has given back", () => {
    const { world } = stage(() => new Object3D());
    const ship = spawnShip(world, 1, Prefab);
    const state = snapshot(world);
    remove(world, ship, Prefab);
    expect(placeOf(world, ship)).toBe(1);

    restore(world, state);
    updateScene(world);

    expect(objectOf(world, ship)).toBeUndefined();
  });

  it("gives an object that is enabled the visibility back that it had before", () => {
    const { world } = stage(() => new Object3D());
    const [ship, lamp, late] = [spawnShip(world, 1), spawn(world, World3D), spawn(world, World3D, Disabled)];
    const [dark, sleeping] = [new Object3D(), new Object3D()];
    dark.visible = false;
    sleeping.visible = false;
    bindObject(world, lamp, dark);
    bindObject(world, late, sleeping);
    updateScene(world);
    objectOf(world, ship)!.visible = false;

    for (const one of [ship, lamp]) add(world, one, Disabled);
    updateScene(world);
    for (const one of [ship, lamp, late]) remove(world, one, Disabled);
    updateScene(world);
    expect([objectOf(world, ship)!.visible, dark.visible, sleeping.visible]).toEqual([false, false, false]);

    objectOf(world, ship)!.visible = true;
    add(world, ship, Disabled);
    updateScene(world);
    remove(world, ship, Disabled);
    updateScene(world);
    expect(objectOf(world, ship)!.visible).toBe(true);
  });
});
