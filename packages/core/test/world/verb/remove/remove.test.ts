import { describe, expect, it } from "vitest";
import { add, createWorld, type Entity, release, remove, spawn } from "../../../../src/index.ts";
import { component, f32, relation, withHooks } from "../../../defining.ts";
import { Any, ChildOf, Damage, Frozen, Label, Likes, Parent } from "../../../definitions.ts";
import { depthOf, indexOf } from "../../../handles.ts";
import { ENTITY_CHANGED, journaled } from "../../../journal.ts";
import { asTag, codeOf, get, has, isAlive, parentOf, subjectsOf, verify } from "../../../reading.ts";
import { snapshot } from "../../snapshot.ts";

const Position = component("Position", { x: f32, y: f32 });

describe("remove", () => {
  it("removes a component, a tag and a pair, and keeps the rest", () => {
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

  it("removes one of several targets of a relation", () => {
    const world = createWorld();
    const [a, b, c] = [spawn(world), spawn(world), spawn(world)];
    const one = spawn(world, Likes(a), Likes(b), Likes(c));

    remove(world, one, Likes(b));

    expect([a, b, c].map((target) => has(world, one, Likes(target)))).toEqual([true, false, true]);
  });

  it("removes one of several pairs with data, and the others keep their values", () => {
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

  it("removes all pairs of a relation with Any, and no other pair", () => {
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
  ])("makes a child a root when %s is removed", (_, pairFor) => {
    const world = createWorld();
    const ship = spawn(world);
    const one = spawn(world, ChildOf(ship), Position({ x: 3 }));

    remove(world, one, pairFor(ship));

    expect([parentOf(world, one), has(world, one, ChildOf(Any))]).toEqual([undefined, false]);
    expect(get(world, one, Position)).toEqual({ x: 3, y: 0 });
  });

  it("drops the value: added again, a component has its defaults", () => {
    const world = createWorld();
    const one = spawn(world, Position({ x: 1 }), Label("Seat"), Frozen);

    remove(world, one, Position);
    remove(world, one, Label);
    add(world, one, Position, Label("Bench"));

    expect([get(world, one, Position), get(world, one, Label)]).toEqual([{ x: 0, y: 0 }, "Bench"]);
  });

  it("does nothing where there is nothing to remove", () => {
    const world = createWorld();
    const [ship, destroyed] = [spawn(world), spawn(world)];
    const one = spawn(world, Position, Likes(ship));
    release(world, destroyed);
    const before = snapshot(world);

    remove(world, one, Frozen);
    remove(world, one, Label);
    remove(world, one, Likes(one));
    remove(world, one, Likes(destroyed));
    remove(world, one, ChildOf(ship));
    remove(world, one, ChildOf(Any));
    remove(world, one, Damage(Any));

    expect(snapshot(world)).toEqual(before);
  });

  it("refuses an entity that is not alive as dead-entity", () => {
    const world = createWorld();
    const destroyed = spawn(world);
    release(world, destroyed);

    expect(codeOf(() => remove(world, destroyed, Position))).toBe("dead-entity");
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

describe("remove with wildcards", () => {
  const Fears = relation("Fears");
  const Follows = relation("Follows", { acyclic: true });

  function plant(storage: typeof ChildOf) {
    const world = createWorld();
    const [ship, dock] = [spawn(world), spawn(world)];
    const one = spawn(
      world,
      storage(ship),
      Likes(ship),
      Likes(dock),
      Fears(ship),
      Damage(dock, { amount: 2 }),
      Follows(ship),
      Position({ x: 1 }),
      asTag(dock),
    );
    const child = spawn(world, ChildOf(one));
    const left = (): string[] =>
      [
        has(world, one, ChildOf(ship)) && "child of ship",
        has(world, one, Likes(ship)) && "likes ship",
        has(world, one, Likes(dock)) && "likes dock",
        has(world, one, Fears(ship)) && "fears ship",
        get(world, one, Damage(dock))?.amount === 2 && "damages dock",
        has(world, one, Follows(ship)) && "follows ship",
      ].filter((text) => text !== false);
    return { world, ship, dock, one, child, left };
  }

  describe.each([
    ["ChildOf", ChildOf],
    ["Parent", Parent],
  ])("of a child by %s", (_, storage) => {
    it("removes any parent, and the child keeps the rest", () => {
      const { world, one, left } = plant(storage);

      remove(world, one, ChildOf(Any));

      expect([parentOf(world, one), left()]).toEqual([
        undefined,
        ["likes ship", "likes dock", "fears ship", "damages dock", "follows ship"],
      ]);
      expect([get(world, one, Position), verify(world)]).toEqual([{ x: 1, y: 0 }, []]);
    });

    it("removes every pair to one target", () => {
      const { world, one, ship, left } = plant(storage);

      remove(world, one, Any(ship));

      expect([left(), verify(world)]).toEqual([["likes dock", "damages dock"], []]);
    });

    it("removes all pairs, but neither components nor entities that are used as tags", () => {
      const { world, one, dock, child, left } = plant(storage);

      remove(world, one, Any(Any));

      expect([left(), get(world, one, Position), has(world, one, asTag(dock))]).toEqual([
        [],
        { x: 1, y: 0 },
        true,
      ]);
      expect([parentOf(world, child), depthOf(world, child), verify(world)]).toEqual([one, 1, []]);
    });

    it("removes a pair by its own name only: Parent means children whose parent is stored by value", () => {
      const { world, one, ship } = plant(storage);

      remove(world, one, Parent(ship));
      const afterParent = parentOf(world, one);
      remove(world, one, ChildOf(ship));

      expect([afterParent, parentOf(world, one)]).toEqual([storage === Parent ? undefined : ship, undefined]);
    });

    it("removes the parent's place among siblings with it", () => {
      const { world, one, ship } = plant(storage);
      const others = [spawn(world, ChildOf(ship)), spawn(world, Parent(ship))];

      remove(world, one, Any(ship));
      add(world, one, storage(ship));

      expect(subjectsOf(world, ship, ChildOf)).toEqual([...others, one]);
    });
  });

  it("calls the check hooks once, for the lost parent", () => {
    const requests: unknown[] = [];
    const Hooked = withHooks(component<string>("Hooked"), {
      check: (_, entity, value, parent) => {
        requests.push([entity === undefined, value, parent]);
      },
    });
    const { world, one, ship } = plant(Parent);
    add(world, one, Hooked("h"));
    requests.length = 0;

    remove(world, one, Likes(Any));
    remove(world, one, Any(ship));

    expect(requests).toEqual([[false, "h", undefined]]);
  });

  it("that a check refuses changes nothing, the other pairs included", () => {
    let isArmed = false;
    const Hooked = withHooks(component<string>("Hooked"), {
      check: () => {
        if (isArmed) throw new Error("stay");
      },
    });
    const { world, one, ship } = plant(Parent);
    add(world, one, Hooked("h"));
    isArmed = true;
    const before = snapshot(world);

    expect(() => remove(world, one, Any(ship))).toThrow("stay");

    expect(snapshot(world)).toEqual(before);
  });

  it("moves the row once, whatever it removes", () => {
    const { world, one } = plant(Parent);

    const entries = journaled(world, () => remove(world, one, Any(Any)));

    const moves = entries.filter(([kind, number]) => kind === ENTITY_CHANGED && number === indexOf(one));
    expect(moves.length).toBe(1);
  });
});
