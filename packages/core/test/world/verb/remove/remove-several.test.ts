import { describe, expect, it } from "vitest";
import {
  add,
  applyCommands,
  bits,
  componentsOf,
  createCommands,
  createWorld,
  defer,
  observe,
  pairsOf,
  record,
  remove,
  sparse,
  spawn,
  tagsOf,
} from "../../../../src/index.ts";
import { component, f32, relation, tag, withHooks } from "../../../defining.ts";
import { Any, ChildOf, Damage, Frozen, Knows, Label, Likes, Lit, Parent } from "../../../definitions.ts";
import { depthOf } from "../../../handles.ts";
import { codeOf, get, has, parentOf, targetsOf, verify } from "../../../reading.ts";
import { stateOf } from "../../refused.ts";

const Position = component("Position", { x: f32, y: f32 });
const Charge = component("Charge", { volts: f32 }, { storage: sparse });
const Chosen = tag("Chosen", { storage: bits });
const Sees = relation("Sees", { storage: sparse });

function shipWithAll() {
  const world = createWorld();
  const [dock, other] = [spawn(world), spawn(world)];
  const ship = spawn(
    world,
    ...[Position({ x: 1, y: 2 }), Label("Ship"), Frozen, Lit, Charge({ volts: 9 }), Chosen],
    ...[ChildOf(dock), Likes(dock), Likes(other), Knows(other), Sees(dock), Damage(other, { amount: 3 })],
  );
  return { world, dock, other, ship };
}

describe("remove with several terms", () => {
  it("removes components, tags, pairs and wildcards of every storage, and keeps the rest", () => {
    const { world, dock, other, ship } = shipWithAll();

    remove(world, ship, Position, Frozen, Charge, Chosen, ChildOf(Any), Likes(dock), Knows(other), Sees(Any));

    expect(componentsOf(world, ship)).toEqual([Label]);
    expect(tagsOf(world, ship)).toEqual([Lit]);
    expect(pairsOf(world, ship).map(({ relation: one, target }) => [one, target])).toEqual(
      expect.arrayContaining([
        [Likes, other],
        [Damage, other],
      ]),
    );
    expect(pairsOf(world, ship)).toHaveLength(2);
    expect([get(world, ship, Damage(other)), get(world, ship, Label)]).toEqual([{ amount: 3 }, "Ship"]);
    expect([targetsOf(world, other, Knows), depthOf(world, ship), verify(world)]).toEqual([[], 0, []]);
  });

  it.each([
    ["twice the same", () => [Frozen, Frozen, Position, Position]],
    ["what it does not have", () => [Frozen, tag("Never"), component("Never2", { x: 0 }), Position]],
    ["nothing at all", () => []],
  ])("accepts %s", (_, terms) => {
    const { world, ship } = shipWithAll();
    const given = terms();

    remove(world, ship, ...given);

    expect([has(world, ship, Frozen), has(world, ship, Position)]).toEqual(
      given.length === 0 ? [true, true] : [false, false],
    );
    expect(verify(world)).toEqual([]);
  });

  it("is one change: observers find all of it made", () => {
    const { world, dock, ship } = shipWithAll();
    const seen: unknown[] = [];
    for (const removed of [Position, Frozen, ChildOf(Any)])
      observe(world, { removed }, ({ definition }) =>
        seen.push([
          definition.name,
          has(world, ship, Position),
          has(world, ship, Frozen),
          parentOf(world, ship),
        ]),
      );

    remove(world, ship, Position, Frozen, ChildOf(dock));

    // `removed` is told before the change is made.
    expect(seen.sort()).toEqual([
      ["ChildOf", true, true, dock],
      ["Frozen", true, true, dock],
      ["Position", true, true, dock],
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("changes nothing if one of the terms is refused", () => {
    const { world, ship } = shipWithAll();
    const before = stateOf(world);

    // @ts-expect-error: a relation needs a target
    expect(codeOf(() => remove(world, ship, Position, Likes))).toBe("bad-term");
    // @ts-expect-error: undefined is no term
    expect(codeOf(() => remove(world, ship, Position, undefined, Frozen))).toBe("bad-term");
    expect(stateOf(world)).toEqual(before);
  });

  it("changes nothing if a hook refuses the root that the entity would become", () => {
    const world = createWorld();
    const Kept = withHooks(component("Kept", { x: f32 }), {
      check(_, entity, __, parent) {
        if (entity !== undefined && parent === undefined) throw new Error("not among the roots");
      },
    });
    const dock = spawn(world);
    const ship = spawn(world, Kept, Frozen, ChildOf(dock));
    const before = stateOf(world);

    expect(() => remove(world, ship, Frozen, ChildOf(Any))).toThrow("not among the roots");
    expect(stateOf(world)).toEqual(before);
    remove(world, ship, Kept, ChildOf(Any)); // what goes as well is not asked

    expect([has(world, ship, Kept), parentOf(world, ship), verify(world)]).toEqual([false, undefined, []]);
  });

  it("is deferred as one change inside an iteration, and by a command buffer", () => {
    const { world, dock, ship } = shipWithAll();
    const commands = createCommands(world);
    let inside: unknown;
    defer(world, () => {
      remove(world, ship, Position, Likes(dock));
      inside = [has(world, ship, Position), has(world, ship, Likes(dock))];
    });
    record(commands, () => remove(world, ship, Frozen, Parent(Any), ChildOf(dock)));
    const recorded = has(world, ship, Frozen);

    applyCommands(commands);

    expect([inside, recorded]).toEqual([[true, true], true]);
    expect([Position, Frozen, Likes(dock)].map((one) => has(world, ship, one))).toEqual([
      false,
      false,
      false,
    ]);
    expect([parentOf(world, ship), has(world, ship, Lit), verify(world)]).toEqual([undefined, true, []]);
  });

  it("gives the entity to the order of adding that is left", () => {
    const { world, dock, other, ship } = shipWithAll();
    const third = spawn(world);
    add(world, ship, Likes(third));

    remove(world, ship, Likes(dock), Frozen);

    expect([targetsOf(world, ship, Likes), verify(world)]).toEqual([[other, third], []]);
  });

  it("refuses an entity that is not alive", () => {
    const { world } = shipWithAll();

    expect(codeOf(() => remove(world, 99 as never, Position, Frozen))).toBe("dead-entity");
  });
});
