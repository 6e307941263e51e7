import {
  add,
  asTag,
  ChildOf,
  Disabled,
  DisabledTree,
  type Entity,
  OrderedChildren,
  Parent,
  remove,
  set,
  spawn,
  TreelineError,
  type World,
} from "@treeline/core";
import { Alias, configureNames, Label, Name } from "@treeline/names";
import { children, destroy, setChildOrder } from "@treeline/query";
import fc from "fast-check";
import {
  Chosen,
  Docked,
  Friend,
  Heat,
  Hot,
  Likes,
  Link,
  Marked,
  Mood,
  Needs,
  Notes,
  Owes,
  Position,
  Stats,
} from "./support.ts";

/** What is done to a world: entities are numbers of those spawned, modulo their count. */
export interface Step {
  readonly what: number;
  readonly one: number;
  readonly other: number;
  readonly number: number;
  readonly text: string;
  readonly value: unknown;
}

const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("__proto__", "constructor", "\ud800", "$entity", "a::b", "#1", "A", "B"),
);

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    what: fc.nat(31),
    one: fc.nat(20),
    other: fc.nat(20),
    number: fc.double(),
    text,
    value: fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(Number.NaN, -0, undefined, { $entity: 1 }, { $object: [] }),
    ),
  }),
  { maxLength: 40 },
);

export function play(world: World, list: readonly Step[], isLoose: boolean): void {
  if (isLoose) configureNames(world, { collisions: "allow" });
  const spawned: Entity[] = [spawn(world)];
  for (const step of list) {
    const one = spawned[step.one % spawned.length]!;
    const other = spawned[step.other % spawned.length]!;
    try {
      perform(world, spawned, step, one, other);
    } catch (error) {
      // Steps that are refused, and those for entities that are gone.
      if (!(error instanceof TreelineError) || error.code === "internal-error") throw error;
    }
  }
}

function perform(
  world: World,
  spawned: Entity[],
  { what, number, text, value }: Step,
  one: Entity,
  other: Entity,
): void {
  switch (what) {
    case 0:
      spawned.push(spawn(world, Position({ x: number })));
      return;
    case 1:
    case 2:
    case 3:
      spawned.push(spawn(world, ChildOf(one)));
      return;
    case 4:
    case 5:
      spawned.push(spawn(world, Parent(one), Position({ y: number })));
      return;
    case 6:
      spawned.push(spawn(world, Name(text), ChildOf(one), Marked));
      return;
    case 7:
    case 8:
      add(world, one, Name(text));
      return;
    case 9:
      add(world, one, Position({ x: number, y: -0 }));
      return;
    case 10:
      add(world, one, Stats({ big: number, on: true, list: [number, 1, 2], note: value }));
      return;
    case 11:
      add(world, one, Link({ to: other, weight: number }));
      return;
    case 12:
      add(world, one, Notes(value));
      return;
    case 13:
      add(world, one, Heat({ degrees: number }));
      return;
    case 14:
      add(world, one, Mood(value));
      return;
    case 15:
      add(world, one, Chosen);
      return;
    case 16:
      add(world, one, Hot);
      return;
    case 17:
    case 18:
      add(world, one, Likes(other));
      return;
    case 19:
      add(world, one, Friend(other));
      return;
    case 20:
      add(world, one, Needs(other));
      return;
    case 21:
      add(world, one, Owes(other, { sum: number }));
      return;
    case 22:
      add(world, one, Docked(other));
      return;
    case 23:
      add(world, one, asTag(other));
      return;
    case 24:
      add(world, one, Disabled);
      return;
    case 25:
      add(world, one, DisabledTree);
      return;
    case 26:
      add(world, one, ChildOf(other));
      return;
    case 27:
      add(world, one, OrderedChildren);
      return;
    case 28:
      setChildOrder(world, one, children(world, one).reverse());
      return;
    case 29:
      remove(world, one, ChildOf(other));
      return;
    case 30:
      destroy(world, one);
      return;
    default:
      add(world, one, Label(text));
      set(world, one, Alias, text);
  }
}
