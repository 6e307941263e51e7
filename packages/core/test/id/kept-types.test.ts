import { expect, expectTypeOf, it } from "vitest";
import { field, get, has, locate, patch, read, set, spawn, value } from "../../src/index.ts";
import { component } from "../defining.ts";
import { ChildOf, Damage, Frozen, Likes, Position } from "../definitions.ts";
import { setShip, ship, world } from "../fixture.ts";

const Door = component("Door", {
  state: "open" as "open" | "shut",
  floor: 1 as 1 | 2,
  isLocked: false,
  title: "door",
  width: 2,
});
const Velocity = component("Velocity", { dx: 0 });
const LIST = [Position, Velocity];

/** For what must compile, or must not; it is never run. */
const never = (act: () => unknown): unknown => act;

it('keep the unions of defaults with "as", and widen plain ones', () => {
  setShip();
  set(world, ship, Door, { state: "shut", floor: 2, title: "gate", width: 3, isLocked: true });

  const door = get(world, ship, Door)!;

  expectTypeOf(door).toEqualTypeOf<{
    state: "open" | "shut";
    floor: 1 | 2;
    isLocked: boolean;
    title: string;
    width: number;
  }>();
  expectTypeOf(field(Door, "state").get(world, ship)).toEqualTypeOf<"open" | "shut" | undefined>();
  expect(door).toEqual({ state: "shut", floor: 2, title: "gate", width: 3, isLocked: true });
  // @ts-expect-error a text that is not in the union
  never(() => set(world, ship, Door, { state: "opne" }));
  // @ts-expect-error a number that is not in the union
  never(() => set(world, ship, Door, { floor: 3 }));
  // @ts-expect-error a text that is not in the union
  never(() => spawn(world, Door({ state: "opne" })));
  // @ts-expect-error a text that is not in the union
  never(() => field(Door, "state").set(world, ship, "opne"));
  // @ts-expect-error a text that is not in the union
  never(() => patch(world, ship, Door, (row) => void (row.state = "opne")));
});

it("have values of any type, with undefined where there is no default", () => {
  const Bag = component("Bag", {
    items: value<string[]>(),
    prices: value<Map<string, number>>(),
    owner: value<{ name: string } | undefined>(),
    tags: value<readonly string[]>(Object.freeze(["new"])),
    mood: value<"glad" | "sad">("glad"),
  });
  const Names = component("Names", value<string[]>());
  setShip();
  const one = spawn(world, Bag({ items: ["rope"] }), Names);

  const bag = get(world, one, Bag)!;

  expectTypeOf(bag).toEqualTypeOf<{
    items: string[] | undefined;
    prices: Map<string, number> | undefined;
    owner: { name: string } | undefined;
    tags: readonly string[];
    mood: "glad" | "sad";
  }>();
  expectTypeOf(get(world, one, Names)).toEqualTypeOf<string[] | undefined>();
  expect(bag).toEqual({ items: ["rope"], prices: undefined, owner: undefined, tags: ["new"], mood: "glad" });
  expect(get(world, one, Names)).toBeUndefined();
});

it("of one of several definitions are the union of theirs", () => {
  setShip();
  set(world, ship, Position, { x: 3 });
  const tuple = [Position, Velocity] as const;
  const record = { place: Position, speed: Velocity };
  type Either = { x: number } | { dx: number };

  const read1 = LIST.map((what) => get(world, ship, what));

  expect(read1).toEqual([{ x: 3 }, undefined]);
  expectTypeOf(get(world, ship, LIST[0]!)).toEqualTypeOf<Either | undefined>();
  expectTypeOf(get(world, ship, tuple[0 as 0 | 1])).toEqualTypeOf<Either | undefined>();
  expectTypeOf(get(world, ship, record["place" as keyof typeof record])).toEqualTypeOf<Either | undefined>();
  for (const what of LIST) {
    expect(has(world, ship, what)).toBe(what === Position);
    never(() => read(world, ship, what, { x: 0, dx: 0 }));
    never(() => set(world, ship, what, { x: 1 }));
    never(() => set(world, ship, what, get(world, ship, what)!));
    never(() => locate(world, ship, what)?.row);
    never(() => patch(world, ship, what, (row) => void row));
    // @ts-expect-error a field of neither
    never(() => set(world, ship, what, { z: 1 }));
  }
});

it("of wrong terms are refused", () => {
  // @ts-expect-error a relation needs a target
  never(() => spawn(world, ChildOf));
  // @ts-expect-error a tag has no value
  never(() => get(world, ship, Frozen));
  // @ts-expect-error a relation needs a target
  never(() => get(world, ship, Damage));
  // @ts-expect-error a pair without fields has no value to set
  never(() => set(world, ship, Likes(ship), {}));
  // @ts-expect-error a field has no fields of its own
  never(() => component("Body", { place: { x: 0, y: 0 } }));
  // @ts-expect-error there is no such field
  never(() => field(Position, "z"));
});
