import { beforeEach, describe, expect, it } from "vitest";
import { createWorld, type Entity, release, spawn } from "../../src/index.ts";
import { ChildOf, Parent } from "../definitions.ts";
import { setShip, ship, world } from "../fixture.ts";
import { destroy, moveTo, replaceChildren, spawnBelow } from "../internal.ts";
import { isAlive, subjectsOf } from "../reading.ts";

let a: Entity;
let b: Entity;
let c: Entity;

beforeEach(setShip);
beforeEach(() => {
  [a, b, c] = [spawn(world, ChildOf(ship)), spawn(world, Parent(ship)), spawn(world, ChildOf(ship))];
});

const children = (parent: Entity): Entity[] => subjectsOf(world, parent, ChildOf);

describe("moving to a parent", () => {
  it("puts a child before or behind a sibling, also a child of another parent", () => {
    const guest = spawn(world);

    moveTo(world, c, ship, 0, a);
    moveTo(world, guest, ship, 1, a);

    expect(children(ship)).toEqual([c, a, guest, b]);
  });

  it("without a sibling moves a new child to the end, and leaves an existing one where it is", () => {
    const guest = spawn(world);

    moveTo(world, a, ship);
    moveTo(world, guest, ship);

    expect(children(ship)).toEqual([a, b, c, guest]);
  });

  it("ignores a destroyed entity; an entity whose new parent was destroyed is destroyed, or stays in a world that drops", () => {
    const destroyed = spawn(world);
    release(world, destroyed);
    moveTo(world, destroyed, ship);
    moveTo(world, a, destroyed);
    expect([children(ship), isAlive(world, a)]).toEqual([[b, c], false]);

    const kind = createWorld({ ifParentDestroyed: "drop" });
    const [one, gone] = [spawn(kind), spawn(kind)];
    release(kind, gone);
    moveTo(kind, one, gone);
    expect(isAlive(kind, one)).toBe(true);
  });

  it("counts the other children where there is no such place, and changes nothing", () => {
    expect(moveTo(world, a, ship, 3)).toBe(2);
    expect(moveTo(world, a, ship, 0.5)).toBe(2);
    expect(children(ship)).toEqual([a, b, c]);
    expect(moveTo(world, a, ship, 2)).toBe(-1);
    expect(children(ship)).toEqual([b, c, a]);
  });

  it("adds the first child to a parent that had none", () => {
    expect([moveTo(world, a, c, 1), moveTo(world, a, c, 0)]).toEqual([0, -1]);
    expect(children(c)).toEqual([a]);
  });
});

describe("children as a list", () => {
  it("are replaced: an entity that is not listed becomes a root, destroyed ones are skipped", () => {
    const guest = spawn(world);
    const destroyed = spawn(world);
    release(world, destroyed);

    replaceChildren(world, ship, [c, destroyed, guest, a]);

    expect(children(ship)).toEqual([c, guest, a]);
    expect(subjectsOf(world, ship, Parent)).toEqual([]);
  });

  it("are put into another order", () => {
    replaceChildren(world, ship, [c, b, a]);

    expect(children(ship)).toEqual([c, b, a]);
  });
});

describe("a chain of spawns", () => {
  it("puts each entity below the one before, and leaves nothing if one is refused", () => {
    const chain = spawnBelow(world, ship, ChildOf, []);
    expect(chain).toEqual([]);
    const before = world.entities.alive;

    expect(() => spawnBelow(world, ship, ChildOf, [{ definition: undefined } as never])).toThrow();

    expect(world.entities.alive).toBe(before);
  });
});

it("destroying inside an iteration is deferred to its end, and skips entities that are not alive", () => {
  destroy(world, a);
  destroy(world, a);

  expect(children(ship)).toEqual([b, c]);
  expect(() => destroy(world, -1 as Entity)).toThrow(expect.objectContaining({ code: "dead-entity" }));
});
