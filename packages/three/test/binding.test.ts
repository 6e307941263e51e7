import { createWorld, spawn, TreelineError } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { destroy } from "@treeline/query";
import { Group, Mesh, Object3D } from "three";
import { describe, expect, it } from "vitest";
import { bindObject, entityOf, objectOf, unbindObject } from "../src/index.ts";

describe("bindObject", () => {
  it("leads from the entity to its object and back, also from an object inside", () => {
    const world = createWorld();
    const ship = spawn(world);
    const object = new Group();
    const mesh = new Mesh();
    object.add(new Object3D().add(mesh));

    bindObject(world, ship, object);

    expect(objectOf(world, ship)).toBe(object);
    expect(entityOf(world, object)).toBe(ship);
    expect(entityOf(world, mesh)).toBe(ship);
    expect(entityOf(world, new Object3D())).toBeUndefined();
  });

  it("replaces the object that the entity had", () => {
    const world = createWorld();
    const ship = spawn(world);
    const first = new Object3D();
    bindObject(world, ship, first);
    const second = new Object3D();

    bindObject(world, ship, second);

    expect([objectOf(world, ship), entityOf(world, first)]).toEqual([second, undefined]);
  });

  it("refuses an object that shows another entity, and changes nothing", () => {
    const world = createWorld();
    const [ship, tug] = [spawn(world), spawn(world)];
    const object = new Object3D();
    bindObject(world, ship, object);

    expect(() => bindObject(world, tug, object)).toThrow(TreelineError);
    expect(() => bindObject(world, tug, object)).toThrow("call unbindObject for that one first");
    expect([objectOf(world, tug), entityOf(world, object)]).toEqual([undefined, ship]);
    expect(verify(world)).toEqual([]);
  });

  it("lets an object show another entity after its own is destroyed", () => {
    const world = createWorld();
    const ship = spawn(world);
    const object = new Object3D();
    bindObject(world, ship, object);
    destroy(world, ship);

    const tug = spawn(world);
    bindObject(world, tug, object);

    expect(entityOf(world, object)).toBe(tug);
  });
});

describe("unbindObject", () => {
  it("takes the object from its entity, twice as well", () => {
    const world = createWorld();
    const ship = spawn(world);
    const object = new Object3D();
    bindObject(world, ship, object);

    unbindObject(world, ship);
    unbindObject(world, ship);

    expect([objectOf(world, ship), entityOf(world, object)]).toEqual([undefined, undefined]);
  });
});
