import {
  add,
  asTag,
  ChildOf,
  type Definition,
  type Entity,
  entity,
  f32,
  get,
  has,
  type Relation,
  relation,
  remove,
  set,
  sparse,
  spawn,
  targetsOf,
} from "@treeline/core";
import { destroy } from "@treeline/query";
import { describe, expect, test } from "vitest";
import {
  applyToPrefab,
  IsA,
  instantiate,
  type Override,
  overridesOf,
  partOf,
  prefab,
  refreshInstances,
  revert,
} from "../../src/index.ts";
import { expectRefusal, newWorld, Position, world } from "../cases/fixture.ts";

const Near = relation("Near");
const Lead = relation("Lead", { storage: sparse });
const Drives = relation("Drives", { exclusive: true });
const Beside = relation("Beside", { symmetric: true });
const Mate = relation("Mate", { symmetric: true, exclusive: true });
const Wire = relation("Wire", { fields: { via: entity, length: f32 } });
const Seen = relation("Seen", { onInstantiate: "skip" });

interface Yard {
  readonly base: Entity;
  readonly a: Entity;
  readonly b: Entity;
  readonly outside: Entity;
  readonly instance: Entity;
  /** What the parts a and b are in the instance. */
  readonly ownA: Entity;
  readonly ownB: Entity;
}

/** A prefab with two parts, and an instance of it. @param give gives pairs to the parts. */
function yardWith(give: (yard: Omit<Yard, "instance" | "ownA" | "ownB">) => void): Yard {
  newWorld();
  const outside = spawn(world);
  const base = prefab(world);
  const [a, b] = [spawn(world, ChildOf(base)), spawn(world, ChildOf(base))];
  give({ base, a, b, outside });
  const instance = instantiate(world, base);
  return {
    base,
    a,
    b,
    outside,
    instance,
    ownA: partOf(world, instance, a)!,
    ownB: partOf(world, instance, b)!,
  };
}

/** What `overridesOf` lists, as texts. */
function listed({ a, b, base, outside, instance, ownA, ownB }: Yard, some?: readonly Override[]): string[] {
  const names = new Map([
    [a, "part a"],
    [b, "part b"],
    [base, "prefab"],
    [outside, "outside"],
    [instance, "root"],
    [ownA, "a"],
    [ownB, "b"],
  ]);
  return (some ?? overridesOf(world, instance)).map(({ kind, entity, definition, target, fields }) =>
    [kind, names.get(entity), definition!.name, target && (names.get(target) ?? "?"), ...fields].join(" "),
  );
}

describe.each([
  ["pairs in tables", Near],
  ["sparse pairs", Lead],
  ["symmetric pairs", Beside],
] as const)("%s", (_, Linked) => {
  const isSymmetric = Linked === Beside;

  test("that an instance has added or removed are listed, with their targets in the instance", () => {
    const yard = yardWith(({ a, b }) => add(world, a, Linked(b)));
    const { outside, instance, ownA, ownB } = yard;
    expect(listed(yard)).toEqual([]);

    add(world, ownB, Linked(outside));
    add(world, ownA, Linked(instance));
    remove(world, ownA, Linked(ownB));

    const expected = [
      `added a ${Linked.name} root`,
      `added b ${Linked.name} outside`,
      `removed a ${Linked.name} b`,
      ...(isSymmetric ? [`added root ${Linked.name} a`, `removed b ${Linked.name} a`] : []),
    ];
    expect(listed(yard).sort()).toEqual(expected.sort());
    refreshInstances(world, yard.base);
    expect(listed(yard).sort()).toEqual(expected.sort());
  });

  test("are taken back by revert: all of them, those of an entity, or those of a relation", () => {
    const change = (): Yard => {
      const yard = yardWith(({ a, b }) => add(world, a, Linked(b), Position));
      add(world, yard.ownA, Linked(yard.outside));
      remove(world, yard.ownA, Linked(yard.ownB));
      set(world, yard.ownA, Position, { x: 5 });
      return yard;
    };
    const acts: ((yard: Yard) => void)[] = [
      ({ instance }) => revert(world, instance),
      ({ ownA }) => revert(world, ownA),
      ({ ownA }) => revert(world, ownA, Linked),
    ];
    for (const [at, act] of acts.entries()) {
      const yard = change();
      act(yard);
      expect(targetsOf(world, yard.ownA, Linked)).toEqual([yard.ownB]);
      expect(listed(yard)).toEqual(at === 2 ? ["value a Position  x"] : []);
    }
  });

  test("are given to the prefab by applyToPrefab, with its own parts as targets", () => {
    const yard = yardWith(({ a, b }) => add(world, a, Linked(b)));
    const { base, a, outside, instance, ownA, ownB } = yard;
    const other = instantiate(world, base);
    add(world, ownA, Linked(outside), Linked(instance));
    remove(world, ownA, Linked(ownB));

    applyToPrefab(world, ownA, Linked);

    expect(targetsOf(world, a, Linked).sort()).toEqual([base, outside].sort());
    refreshInstances(world, base);
    expect(listed(yard)).toEqual([]);
    expect(targetsOf(world, partOf(world, other, a)!, Linked).sort()).toEqual([outside, other].sort());
    expect(overridesOf(world, other)).toEqual([]);
  });

  test("that the prefab has got or lost since are no changes of an instance", () => {
    const yard = yardWith(({ a, b }) => add(world, a, Linked(b)));
    const { base, a, b, outside, ownA } = yard;
    remove(world, a, Linked(b));
    add(world, a, Linked(outside));
    expect(listed(yard)).toEqual([]);
    refreshInstances(world, base);
    expect([listed(yard), targetsOf(world, ownA, Linked)]).toEqual([[], [outside]]);
  });
});

test("another target of an exclusive relation is one pair that came and one that went", () => {
  const yard = yardWith(({ a, b }) => add(world, a, Drives(b)));
  const { base, a, outside, instance, ownA, ownB } = yard;
  add(world, ownA, Drives(outside));
  expect(listed(yard)).toEqual(["added a Drives outside", "removed a Drives b"]);
  revert(world, instance);
  expect([targetsOf(world, ownA, Drives), listed(yard)]).toEqual([[ownB], []]);

  add(world, ownA, Drives(instance));
  applyToPrefab(world, ownA);
  expect([targetsOf(world, a, Drives), listed(yard)]).toEqual([[base], []]);
  refreshInstances(world, base);
  expect([targetsOf(world, ownA, Drives), listed(yard)]).toEqual([[instance], []]);
});

test("pairs of a relation that is symmetric and exclusive are reverted together", () => {
  const yard = yardWith(({ a, b }) => add(world, a, Mate(b)));
  const { outside, instance, ownA, ownB } = yard;
  add(world, ownA, Mate(outside));
  expect(listed(yard).sort()).toEqual(["added a Mate outside", "removed a Mate b", "removed b Mate a"]);
  revert(world, instance);
  expect([
    targetsOf(world, ownA, Mate),
    targetsOf(world, ownB, Mate),
    targetsOf(world, outside, Mate),
  ]).toEqual([[ownB], [ownA], []]);
  expect(listed(yard)).toEqual([]);
});

test("a symmetric pair of the prefab with an entity outside, which instances cannot have, is no change of theirs", () => {
  const yard = yardWith(({ a, outside }) => add(world, a, Mate(outside)));
  expect([listed(yard), targetsOf(world, yard.ownA, Mate)]).toEqual([[], []]);
  revert(world, yard.instance);
  expect(targetsOf(world, yard.outside, Mate)).toEqual([yard.a]);
});

test("fields of the value of a pair are listed, reverted and applied one by one", () => {
  const yard = yardWith(({ a, b }) => add(world, a, Wire(b, { via: b, length: 1 })));
  const { base, a, b, instance, ownA, ownB } = yard;
  set(world, ownA, Wire(ownB), { via: instance });
  expect(listed(yard)).toEqual(["value a Wire b via"]);

  set(world, a, Wire(b), { length: 2 });
  refreshInstances(world, base);
  expect(get(world, ownA, Wire(ownB))).toEqual({ via: instance, length: 2 });
  revert(world, ownA);
  expect(get(world, ownA, Wire(ownB))).toEqual({ via: ownB, length: 2 });
  expect(listed(yard)).toEqual([]);

  set(world, ownA, Wire(ownB), { via: ownA });
  applyToPrefab(world, ownA, Wire);
  expect([get(world, a, Wire(b)), listed(yard)]).toEqual([{ via: a, length: 2 }, []]);
});

test("entities that are used as tags are listed by their targets, and reverted", () => {
  const yard = yardWith(({ a, b }) => add(world, a, asTag(b)));
  const { instance, outside, ownA, ownB } = yard;
  remove(world, ownA, asTag(ownB));
  add(world, ownA, asTag(outside));
  const overrides = overridesOf(world, instance);
  expect(overrides.map(({ kind, entity: one, target }) => [kind, one, target])).toEqual([
    ["added", ownA, outside],
    ["removed", ownA, ownB],
  ]);
  revert(world, instance);
  expect([has(world, ownA, asTag(ownB)), has(world, ownA, asTag(outside))]).toEqual([true, false]);
  expect(overridesOf(world, instance)).toEqual([]);
});

test("pairs that instances do not get are not listed, nor those with parts that the instance has removed", () => {
  const yard = yardWith(({ a, b }) => add(world, a, Seen(b), Near(b)));
  const { instance, outside, ownA, ownB } = yard;
  add(world, ownA, Seen(outside));
  expect(listed(yard)).toEqual([]);
  destroy(world, ownB);
  expect(overridesOf(world, instance).map(({ kind }) => kind)).toEqual(["missing"]);
  revert(world, instance);
  expect(targetsOf(world, ownA, Near)).toEqual([partOf(world, instance, yard.b)]);
});

test("pairs of parts that come back point to one another, whichever comes first", () => {
  const yard = yardWith(({ a, b }) => add(world, a, Near(b), Wire(b, { via: b, length: 1 })));
  const { instance, ownA, ownB } = yard;
  for (const one of [ownB, ownA]) destroy(world, one);
  revert(world, instance);
  const [a, b] = [partOf(world, instance, yard.a)!, partOf(world, instance, yard.b)!];
  expect([targetsOf(world, a, Near), get(world, a, Wire(b))]).toEqual([[b], { via: b, length: 1 }]);
  expect(overridesOf(world, instance)).toEqual([]);
});

test("a pair that a level overrides is one of its own in variants and in instances inside others", () => {
  newWorld();
  const outside = spawn(world);
  const base = prefab(world);
  const part = spawn(world, ChildOf(base), Near(base));
  const variant = prefab(world, IsA(base));
  const ofVariant = partOf(world, variant, part)!;
  add(world, ofVariant, Near(outside));
  const instance = instantiate(world, variant);
  const kinds = (one: Entity): unknown[] =>
    overridesOf(world, one).map(({ kind, definition, target }) => [kind, definition as Definition, target]);
  expect([kinds(variant), kinds(instance)]).toEqual([[["added", Near, outside]], []]);
  remove(world, ofVariant, Near(variant));
  refreshInstances(world, variant);
  expect([kinds(variant), kinds(instance)]).toEqual([
    [
      ["added", Near, outside],
      ["removed", Near, variant],
    ],
    [],
  ]);
  expect(targetsOf(world, partOf(world, instance, part)!, Near)).toEqual([outside]);
});

test("revert of pairs refuses what is refused for values", () => {
  newWorld();
  const plain = spawn(world);
  expectRefusal("bad-term", () => revert(world, plain, Near as Relation));
});
