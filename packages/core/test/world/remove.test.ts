import { describe, expect, it } from "vitest";
import {
  Any,
  add,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f32,
  get,
  has,
  isAlive,
  parentOf,
  relation,
  release,
  remove,
  spawn,
  tag,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { snapshot } from "./snapshot.ts";

const Position = component("Position", { x: f32, y: f32 });
const Label = component<string>("Label");
const Frozen = tag("Frozen");
const Likes = relation("Likes");
const Damage = relation("Damage", { fields: { amount: f32 } });

describe("remove", () => {
  it("takes a component, a tag and a pair off, and keeps the rest", () => {
    const world = createWorld();
    const ship = spawn(world);
    const one = spawn(world, Position({ x: 1, y: 2 }), Label("Seat"), Frozen, Likes(ship));

    remove(world, one, Label);
    remove(world, one, Frozen);
    remove(world, one, Likes(ship));

    expect([has(world, one, Label), has(world, one, Frozen), has(world, one, Likes(Any))]).toEqual([
      false,
      false,
      false,
    ]);
    expect(get(world, one, Position)).toEqual({ x: 1, y: 2 });
  });

  it("leaves an entity alive that has nothing any more", () => {
    const world = createWorld();
    const one = spawn(world, Position);

    remove(world, one, Position);

    expect([isAlive(world, one), has(world, one, Position)]).toEqual([true, false]);
  });

  it("takes one of several targets of a relation", () => {
    const world = createWorld();
    const [a, b, c] = [spawn(world), spawn(world), spawn(world)];
    const one = spawn(world, Likes(a), Likes(b), Likes(c));

    remove(world, one, Likes(b));

    expect([a, b, c].map((target) => has(world, one, Likes(target)))).toEqual([true, false, true]);
  });

  it("takes one of several pairs with data, and the others keep their values", () => {
    const world = createWorld();
    const [a, b, c] = [spawn(world), spawn(world), spawn(world)];
    const one = spawn(world, Damage(a, { amount: 1 }), Damage(b, { amount: 2 }), Damage(c, { amount: 3 }));

    remove(world, one, Damage(b));

    expect([a, b, c].map((target) => get(world, one, Damage(target)))).toEqual([
      { amount: 1 },
      undefined,
      { amount: 3 },
    ]);
  });

  it("takes all pairs of a relation with Any, and no other pair", () => {
    const world = createWorld();
    const [a, b] = [spawn(world), spawn(world)];
    const one = spawn(world, Likes(a), Likes(b), Damage(a, { amount: 1 }), Damage(b, { amount: 2 }));

    remove(world, one, Likes(Any));

    expect([has(world, one, Likes(Any)), has(world, one, Likes(a)), has(world, one, Likes(b))]).toEqual([
      false,
      false,
      false,
    ]);
    expect([get(world, one, Damage(a)), get(world, one, Damage(b))]).toEqual([{ amount: 1 }, { amount: 2 }]);
    remove(world, one, Damage(Any));
    expect(has(world, one, Damage(Any))).toBe(false);
  });

  it.each([
    ["its parent", (ship: Entity) => ChildOf(ship)],
    ["any parent", () => ChildOf(Any)],
  ])("makes a root of a child when %s is taken off", (_, pairFor) => {
    const world = createWorld();
    const ship = spawn(world);
    const one = spawn(world, ChildOf(ship), Position({ x: 3 }));

    remove(world, one, pairFor(ship));

    expect([parentOf(world, one), has(world, one, ChildOf(Any))]).toEqual([undefined, false]);
    expect(get(world, one, Position)).toEqual({ x: 3, y: 0 });
  });

  it("forgets the value: added again, a component has its defaults", () => {
    const world = createWorld();
    const one = spawn(world, Position({ x: 1 }), Label("Seat"), Frozen);

    remove(world, one, Position);
    remove(world, one, Label);
    add(world, one, Position, Label);

    expect([get(world, one, Position), get(world, one, Label)]).toEqual([{ x: 0, y: 0 }, undefined]);
  });

  it("does nothing where there is nothing to take", () => {
    const world = createWorld();
    const [ship, dead] = [spawn(world), spawn(world)];
    const one = spawn(world, Position, Likes(ship));
    release(world, dead);
    const before = snapshot(world);

    remove(world, one, Frozen);
    remove(world, one, Label);
    remove(world, one, Likes(one));
    remove(world, one, Likes(dead));
    remove(world, one, ChildOf(ship));
    remove(world, one, ChildOf(Any));
    remove(world, one, Damage(Any));

    expect(snapshot(world)).toEqual(before);
  });

  it("refuses a dead entity as dead-entity", () => {
    const world = createWorld();
    const dead = spawn(world);
    release(world, dead);

    expect(codeOf(() => remove(world, dead, Position))).toBe("dead-entity");
  });

  it.each([
    ["a relation without target", Likes],
    ["an object", {}],
    ["a function", () => 1],
    ["undefined", undefined],
  ])("refuses %s as bad-term, and changes nothing", (_, what) => {
    const world = createWorld();
    const one = spawn(world, Position, Likes(spawn(world)));
    const before = snapshot(world);

    expect(codeOf(() => remove(world, one, what as never))).toBe("bad-term");

    expect(snapshot(world)).toEqual(before);
  });
});
