import { beforeEach, describe, expect, it } from "vitest";
import { add, clear, defer, observe, release, remove, set, spawn, spawnMany } from "../../src/index.ts";
import { component, withHooks } from "../defining.ts";
import {
  Any,
  ChildOf,
  Damage,
  Follows,
  Frozen,
  Label,
  Likes,
  OrderedChildren,
  Parent,
  Position,
} from "../definitions.ts";
import { setShip, ship, world } from "../fixture.ts";
import { depthOf } from "../handles.ts";
import { asTag, codeOf, has, isAlive, parentOf, subjectsOf, verify } from "../reading.ts";
import { snapshot } from "../world/snapshot.ts";

let calls: unknown[] = [];
const Hooked = withHooks(component<string>("Hooked"), {
  check: (_, entity, value, parent) => {
    calls.push(["check", entity, value, parent]);
  },
  onRemove: (world, entity, value, parent) =>
    calls.push(["removed", has(world, entity, Frozen), value, parent]),
});

beforeEach(setShip);
beforeEach(() => {
  calls = [];
});

describe.each([
  ["ChildOf", ChildOf],
  ["Parent", Parent],
])("clear, of a child by %s,", (_, storage) => {
  it("removes everything, and the entity stays alive with its handle", () => {
    const marker = spawn(world);
    const one = spawn(
      world,
      storage(ship),
      Position({ x: 1 }),
      Label("x"),
      Frozen,
      Likes(ship),
      Damage(ship),
      asTag(marker),
    );

    clear(world, one);

    expect(isAlive(world, one)).toBe(true);
    expect([Position, Label, Frozen, Any(Any), asTag(marker)].map((what) => has(world, one, what))).toEqual(
      Array.from({ length: 5 }, () => false),
    );
    expect([parentOf(world, one), subjectsOf(world, ship, ChildOf), verify(world)]).toEqual([
      undefined,
      [],
      [],
    ]);
  });

  it("keeps its children, and all pairs whose target it is", () => {
    const one = spawn(world, storage(ship), Frozen);
    const children = [spawn(world, storage(one)), spawn(world, ChildOf(one)), spawn(world, Parent(one))];
    const friend = spawn(world, Likes(one));

    clear(world, one);

    expect([subjectsOf(world, one, ChildOf), subjectsOf(world, one, Likes)]).toEqual([children, [friend]]);
    expect(children.map((child) => depthOf(world, child))).toEqual([1, 1, 1]);
  });

  it("calls hooks and observers for everything while the entity still has it", () => {
    const one = spawn(world, storage(ship), Hooked("h"), Frozen);
    calls = [];
    observe(world, { removed: Any }, ({ definition, oldTarget }) =>
      calls.push([definition.name, has(world, one, Frozen), oldTarget]),
    );

    clear(world, one);

    const observers = calls.filter((each) =>
      ["Hooked", "Frozen", "ChildOf"].includes((each as string[])[0]!),
    );
    expect(observers).toEqual([
      ["Frozen", true, undefined],
      ["Hooked", true, undefined],
      ["ChildOf", true, ship],
    ]);
    expect(calls.filter((each) => !observers.includes(each))).toEqual([["removed", true, "h", ship]]);
  });
});

describe("clear", () => {
  it("of an entity that has nothing does nothing", () => {
    const before = snapshot(world);

    clear(world, ship);

    expect(snapshot(world)).toEqual(before);
  });

  it("lets the entity have everything again, with defaults", () => {
    const one = spawn(world, Position({ x: 1 }), Label("x"));

    clear(world, one);
    add(world, one, Position, ChildOf(ship));

    expect([parentOf(world, one), has(world, one, Label)]).toEqual([ship, false]);
  });

  it("ends the list of a parent with OrderedChildren, and keeps its order", () => {
    add(world, ship, OrderedChildren);
    const children = spawnMany(world, 3, ChildOf(ship));

    clear(world, ship);

    expect(subjectsOf(world, ship, ChildOf)).toEqual(children);
  });

  it("keeps depths of other relations right", () => {
    const [a, b] = [spawn(world), spawn(world)];
    add(world, a, Follows(ship));
    add(world, b, Follows(a));

    clear(world, a);

    expect([a, b].map((one) => depthOf(world, one, Follows))).toEqual([0, 1]);
    expect(verify(world)).toEqual([]);
  });

  it("refuses an entity that is not alive as dead-entity", () => {
    release(world, ship);

    expect(codeOf(() => clear(world, ship))).toBe("dead-entity");
  });

  it("is deferred to the end of an iteration, and later commands run after it", () => {
    const one = spawn(world, Frozen, ChildOf(ship), Position({ x: 1 }));

    defer(world, () => {
      clear(world, one);
      set(world, one, Position, { x: 2 });
      expect(has(world, one, Frozen)).toBe(true);
    });

    expect([has(world, one, Frozen), parentOf(world, one), has(world, one, Position)]).toEqual([
      false,
      undefined,
      true,
    ]);
  });

  it("cannot be undone by remove", () => {
    const one = spawn(world, Frozen);
    clear(world, one);
    const before = snapshot(world);

    remove(world, one, Frozen);

    expect(snapshot(world)).toEqual(before);
  });
});
