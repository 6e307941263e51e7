import { beforeEach, describe, expect, it } from "vitest";
import { add, clone, release, type SpawnTerm, set, spawn } from "../../../src/index.ts";
import { array, component, entity, f32, relation, withHooks } from "../../defining.ts";
import { Any, ChildOf, DockedTo, Frozen, Likes, Parent, storages } from "../../definitions.ts";
import { createWorld, dock, type Entity, setShipAndDock, ship, world } from "../../fixture.ts";
import {
  asTag,
  codeOf,
  get,
  has,
  isAlive,
  parentOf,
  subjectsOf,
  targetOf,
  targetsOf,
  verify,
} from "../../reading.ts";
import { livingTables } from "../snapshot.ts";

const Position = component("Position", { x: f32, cells: array(f32, 2) });
const Mesh = component<{ name: string }>("Mesh");
const Deep = withHooks(component<{ list: number[] }>("Deep"), {
  copy: (value) => ({ list: [...value.list] }),
});
const Title = withHooks(component<string>("Title"), { identifies: "siblings" });
const Aim = component("Aim", { at: entity, by: entity, x: f32 });
const Damage = relation("Damage", { fields: { amount: f32, by: entity } });

beforeEach(setShipAndDock);

describe("a clone", () => {
  it("has the same components, tags and pairs, and the original keeps them", () => {
    const marker = spawn(world);
    const one = spawn(
      world,
      Position({ x: 1, cells: [2, 3] }),
      Mesh({ name: "crate" }),
      Frozen,
      Likes(ship),
      Likes(dock),
      DockedTo(dock),
      Damage(ship, { amount: 4 }),
      asTag(marker),
    );

    const copy = clone(world, one);

    for (const each of [one, copy]) {
      expect([get(world, each, Position), get(world, each, Damage(ship))]).toEqual([
        { x: 1, cells: Float32Array.of(2, 3) },
        { amount: 4, by: undefined },
      ]);
      expect([
        has(world, each, Frozen),
        has(world, each, asTag(marker)),
        targetsOf(world, each, Likes),
      ]).toEqual([true, true, [ship, dock]]);
      expect(targetOf(world, each, DockedTo)).toBe(dock);
    }
    expect([get(world, copy, Mesh) === get(world, one, Mesh), verify(world)]).toEqual([true, []]);
  });

  it("has values of its own: fields are copied", () => {
    const one = spawn(world, Position({ x: 1, cells: [2, 3] }));
    const copy = clone(world, one);

    set(world, one, Position, { x: 9, cells: [9, 9] });

    expect(get(world, copy, Position)).toEqual({ x: 1, cells: Float32Array.of(2, 3) });
  });

  it("shares JavaScript values, unless their component says how to copy them", () => {
    const [mesh, deep] = [{ name: "crate" }, { list: [1, 2] }];
    const copy = clone(world, spawn(world, Mesh(mesh), Deep(deep)));

    expect(get(world, copy, Mesh)).toBe(mesh);
    expect([get(world, copy, Deep), get(world, copy, Deep) === deep]).toEqual([{ list: [1, 2] }, false]);
  });

  it.each(storages)(
    "has the same parent, as the last of its siblings, in the same storage: %s",
    (_, storage) => {
      const [one, other] = [spawn(world, storage(ship), Frozen), spawn(world, ChildOf(ship))];

      const copy = clone(world, one);

      expect(subjectsOf(world, ship, ChildOf)).toEqual([one, other, copy]);
      expect(has(world, copy, Parent(ship))).toBe(storage === Parent);
    },
  );

  it("does not get what identifies its original", () => {
    const copy = clone(world, spawn(world, Title("Ship"), Frozen));

    expect([has(world, copy, Title), has(world, copy, Frozen)]).toEqual([false, true]);
  });

  it("does not get what identifies its original in the world, nor do clones of what is below", () => {
    const Badge = withHooks(component<string>("Badge"), { identifies: "world" });
    add(world, ship, Badge("flagship"));
    spawn(world, Badge("bridge"), Title("Bridge"), ChildOf(ship));

    const copy = clone(world, ship, { deep: true });
    const [below] = subjectsOf(world, copy, ChildOf) as [Entity];

    expect([copy, below].map((one) => has(world, one, Badge))).toEqual([false, false]);
    expect(has(world, below, Title)).toBe(true);
    expect(get(world, clone(world, ship, { with: [Badge("other")] }), Badge)).toBe("other");
  });

  it("has neither children nor sources of the original", () => {
    spawn(world, ChildOf(ship));
    spawn(world, Likes(ship));

    const copy = clone(world, ship);

    expect([subjectsOf(world, copy, ChildOf), subjectsOf(world, copy, Likes)]).toEqual([[], []]);
  });

  it("of entities that point at themselves points at itself", () => {
    add(world, ship, Likes(ship), DockedTo(ship), Aim({ at: ship, by: dock }));

    const copy = clone(world, ship);

    expect([targetsOf(world, copy, Likes), targetOf(world, copy, DockedTo)]).toEqual([[copy], copy]);
    expect(get(world, copy, Aim)).toEqual({ at: copy, by: dock, x: 0 });
    expect([targetsOf(world, ship, Likes), get(world, ship, Aim)!.at]).toEqual([[ship], ship]);
  });

  it("of an entity field whose entity was destroyed has it unset", () => {
    const one = spawn(world, Aim({ at: dock, x: 2 }));
    release(world, dock);

    expect(get(world, clone(world, one), Aim)).toEqual({ at: undefined, by: undefined, x: 2 });
  });

  it("of a bare entity is a bare entity", () => {
    const copy = clone(world, ship);

    expect([isAlive(world, copy), copy === ship, has(world, copy, Any(Any))]).toEqual([true, false, false]);
  });
});

describe("a clone with more", () => {
  it.each<[string, () => SpawnTerm[], (copy: Entity) => unknown, unknown]>([
    ["a tag", () => [Frozen], (copy) => has(world, copy, Frozen), true],
    [
      "another value",
      () => [Position({ x: 5 })],
      (copy) => get(world, copy, Position),
      { x: 5, cells: Float32Array.of(0, 0) },
    ],
    ["another parent", () => [ChildOf(ship)], (copy) => parentOf(world, copy), "ship"],
    ["another parent in the other storage", () => [Parent(ship)], (copy) => parentOf(world, copy), "ship"],
    [
      "the same parent in the other storage",
      () => [ChildOf(dock)],
      (copy) => has(world, copy, Parent(Any)),
      false,
    ],
    [
      "another exclusive target",
      () => [DockedTo(ship)],
      (copy) => targetsOf(world, copy, DockedTo),
      ["ship"],
    ],
    ["one more target", () => [Likes(ship)], (copy) => targetsOf(world, copy, Likes), ["dock", "ship"]],
    [
      "another value of a pair",
      () => [Damage(dock, { amount: 7 })],
      (copy) => get(world, copy, Damage(dock))!.amount,
      7,
    ],
    ["a name of its own", () => [Title("Copy")], (copy) => get(world, copy, Title), "Copy"],
    ["an entity as a tag", () => [asTag(ship)], (copy) => has(world, copy, asTag(ship)), true],
  ])("removes %s", (_, terms, inspect, expected) => {
    const one = spawn(
      world,
      Position({ x: 1, cells: [1, 1] }),
      Title("One"),
      Parent(dock),
      DockedTo(dock),
      Likes(dock),
      Damage(dock, { amount: 1 }),
    );
    const before = livingTables(createWorld());

    const copy = clone(world, one, { with: terms() });

    const nameOf = (value: unknown): unknown => (value === ship ? "ship" : value === dock ? "dock" : value);
    const seen = inspect(copy);
    expect(Array.isArray(seen) ? seen.map(nameOf) : nameOf(seen)).toEqual(expected);
    expect([before, get(world, one, Title), parentOf(world, one), verify(world)]).toEqual([
      before,
      "One",
      dock,
      [],
    ]);
  });

  it.each<[string, string, () => SpawnTerm[]]>([
    ["dead-entity", "a parent that is not alive", () => [ChildOf(destroyed())]],
    ["dead-entity", "an entity as a tag that is not alive", () => [asTag(destroyed())]],
    ["bad-term", "two parents", () => [ChildOf(ship), Parent(dock)]],
    ["bad-term", "a tag twice", () => [Frozen, Frozen]],
    ["bad-term", "a wildcard", () => [Likes(Any) as never]],
    ["bad-term", "no term", () => [undefined as never]],
    ["bad-value", "a bad value", () => [Position({ x: "1" as never })]],
  ])("is refused with %s: %s, and no entity is spawned", (code, _, terms) => {
    const given = terms();
    const before = [livingTables(world), world.entities.alive];

    expect(codeOf(() => clone(world, ship, { with: given }))).toBe(code);

    expect([livingTables(world), world.entities.alive]).toEqual(before);
  });

  function destroyed(): Entity {
    const one = spawn(world);
    release(world, one);
    return one;
  }

  it("refuses the clone of an entity that is not alive as dead-entity", () => {
    expect(codeOf(() => clone(world, destroyed()))).toBe("dead-entity");
  });

  it("is refused as full before any hook is called, as a spawn is", () => {
    const requests: string[] = [];
    const Guarded = withHooks(component<string>("Guarded"), {
      check: (_, __, value) => {
        requests.push(value);
      },
    });
    const SitsIn = relation("SitsIn", { maxSubjects: 1 });
    const seat = spawn(world);
    const guest = spawn(world, SitsIn(seat), Guarded("guest"));
    requests.length = 0;

    expect(codeOf(() => clone(world, guest))).toBe("full");
    expect(codeOf(() => spawn(world, SitsIn(seat), Guarded("other")))).toBe("full");
    expect(requests).toEqual([]);
  });
});
