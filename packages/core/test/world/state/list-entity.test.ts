import { beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import {
  add,
  type Component,
  component,
  componentsOf,
  type Definition,
  definitionNamed,
  definitions,
  type EntityTag,
  entity as entityField,
  entityOf,
  type PairRelation,
  type PresentPair,
  pairsOf,
  relation,
  release,
  remove,
  set,
  type Tag,
  tagsOf,
} from "../../../src/index.ts";
import {
  Any,
  ChildOf,
  Damage,
  Disabled,
  DisabledTree,
  DockedTo,
  Frozen,
  Knows,
  Label,
  Likes,
  Lit,
  OrderedChildren,
  Parent,
  Position,
} from "../../definitions.ts";
import { drawing, plant } from "../../drawn-tree.ts";
import { a, b, c, createWorld, d, type Entity, setFour, spawn, type World, world } from "../../fixture.ts";
import { asTag, codeOf, get, isDisabled, subjectsOf } from "../../reading.ts";
import { livingTables } from "../snapshot.ts";

const Target = component("Target", { at: entityField });
const Nothing = component("Nothing", {});
const Itself = relation("Itself", { reflexive: true });

beforeEach(setFour);

describe("the components of an entity", () => {
  it("are those with values, in the order of definition", () => {
    const one = spawn(world, Frozen, Label("crate"), Likes(a), Position);

    expect(componentsOf(world, one)).toEqual([Position, Label]);
  });

  it("are none for an entity that has none", () => {
    expect(componentsOf(world, a)).toEqual([]);
  });

  it("do not include one whose schema is empty: that is a tag", () => {
    const one = spawn(world, Nothing, Position);

    expect([componentsOf(world, one), tagsOf(world, one)]).toEqual([[Position], [Nothing]]);
  });

  it("do not include relations with values", () => {
    expect(componentsOf(world, spawn(world, Damage(a, { amount: 3 })))).toEqual([]);
  });

  it("are definitions that get and set accept", () => {
    expectTypeOf(componentsOf(world, a)).toEqualTypeOf<Component[]>();
  });
});

describe("the tags of an entity", () => {
  it("come in the order of definition", () => {
    expect(tagsOf(world, spawn(world, Lit, OrderedChildren, Position, Frozen))).toEqual([
      OrderedChildren,
      Frozen,
      Lit,
    ]);
  });

  it("include Disabled, which is stored as a bit", () => {
    add(world, a, Disabled, Frozen);

    expect(tagsOf(world, a)).toEqual([Disabled, Frozen]);
  });

  it("include its own DisabledTree, and not that of an ancestor", () => {
    const { ship, cockpit } = plant(world, "ship\n  cockpit");
    add(world, ship, DisabledTree);

    expect([tagsOf(world, ship), tagsOf(world, cockpit)]).toEqual([[DisabledTree], []]);
  });

  it("end with the entities that it has as tags, in the order in which those were spawned", () => {
    add(world, d, asTag(c));
    add(world, d, asTag(a), Frozen);

    expect(tagsOf(world, d)).toEqual([Frozen, asTag(a), asTag(c)]);
  });

  it("do not show whose component entity it is, which definitionAt tells", () => {
    expect(tagsOf(world, entityOf(world, Frozen))).toEqual([]);
  });

  it("are tags, or entities as tags", () => {
    expectTypeOf(tagsOf(world, a)).toEqualTypeOf<(Tag | EntityTag)[]>();
  });
});

describe("the pairs of an entity", () => {
  it("come by relation in the order of definition, and by target in the order of adding", () => {
    add(world, d, Likes(c));
    add(world, d, Damage(a, { amount: 2 }));
    add(world, d, Likes(a));
    add(world, d, ChildOf(b));

    expect(pairsOf(world, d)).toEqual([
      { relation: ChildOf, target: b, value: undefined },
      { relation: Likes, target: c, value: undefined },
      { relation: Likes, target: a, value: undefined },
      { relation: Damage, target: a, value: { amount: 2 } },
    ]);
  });

  it("have copies of their values, each its own", () => {
    add(world, d, Damage(a, { amount: 2 }), Damage(b, { amount: 5 }));

    const [first] = pairsOf(world, d, Damage);
    first!.value.amount = 9;

    expect(pairsOf(world, d, Damage).map(({ value }) => value.amount)).toEqual([2, 5]);
  });

  it("tell which storage the parent is in", () => {
    const { cockpit, hold } = plant(world, "ship\n  cockpit\n  hold by value");

    expect([pairsOf(world, cockpit)[0]!.relation, pairsOf(world, hold)[0]!.relation]).toEqual([
      ChildOf,
      Parent,
    ]);
  });

  it("do not include entities used as tags", () => {
    add(world, d, asTag(a));

    expect(pairsOf(world, d)).toEqual([]);
  });

  it("do not include a pair with itself that a reflexive relation does not store", () => {
    add(world, d, Itself(a));

    expect(pairsOf(world, d)).toEqual([{ relation: Itself, target: a, value: undefined }]);
  });

  it("include both sides of a symmetric relation, each at its entity", () => {
    add(world, a, Knows(b));

    expect([pairsOf(world, a), pairsOf(world, b)].map(([pair]) => pair!.target)).toEqual([b, a]);
  });

  it("of one relation leave out all others", () => {
    add(world, d, Likes(c), DockedTo(a));

    expect(pairsOf(world, d, DockedTo)).toEqual([{ relation: DockedTo, target: a, value: undefined }]);
  });

  it("of ChildOf are the parent in either storage, and of Parent only one stored by value", () => {
    const { ship, cockpit, hold } = plant(world, "ship\n  cockpit\n  hold by value");
    const byValue = { relation: Parent, target: ship, value: undefined };

    expect([cockpit, hold].map((one) => pairsOf(world, one, ChildOf))).toEqual([
      [{ relation: ChildOf, target: ship, value: undefined }],
      [byValue],
    ]);
    expect([cockpit, hold].map((one) => pairsOf(world, one, Parent))).toEqual([[], [byValue]]);
  });

  it.each([
    ["a component", Position],
    ["the wildcard", Any],
    ["no definition", 3],
  ])("of %s are refused", (_, what) => {
    expect(codeOf(() => pairsOf(world, a, what as never))).toBe("bad-term");
  });

  it("have the type of the values of the relation that is named", () => {
    expectTypeOf(pairsOf(world, a, Damage)).toEqualTypeOf<PresentPair<{ amount: number }>[]>();
    expectTypeOf(pairsOf(world, a, Likes)).toEqualTypeOf<PresentPair[]>();
    expectTypeOf(pairsOf(world, a)).toEqualTypeOf<PresentPair[]>();
    expectTypeOf<PresentPair["relation"]>().toEqualTypeOf<PairRelation>();
  });
});

it.each([
  ["componentsOf", componentsOf],
  ["tagsOf", tagsOf],
  ["pairsOf", (inWorld: World, one: Entity) => pairsOf(inWorld, one)],
])("%s refuses an entity that is not alive", (_, read) => {
  release(world, a);

  expect(codeOf(() => read(world, a))).toBe("dead-entity");
});

describe("the definitions of a world", () => {
  it("are none in a new world", () => {
    expect(definitions(createWorld())).toEqual([]);
  });

  it("are those that entities have or once had, in the order of definition", () => {
    add(world, a, Lit, Likes(b));
    add(world, b, Position, ChildOf(c));
    remove(world, a, Lit);

    expect(definitions(world)).toEqual([ChildOf, Position, Lit, Likes]);
  });

  it("include one that only has a component entity", () => {
    entityOf(world, Frozen);

    expect(definitions(world)).toEqual([Frozen]);
  });

  it("include Disabled while an entity has it", () => {
    const { ship } = plant(world, "ship\n  cockpit");
    add(world, ship, DisabledTree);
    const before = definitions(world);

    add(world, a, Disabled);
    const during = definitions(world);
    remove(world, a, Disabled);

    expect(before).toEqual([ChildOf, DisabledTree]);
    expect(during).toEqual([ChildOf, Disabled, DisabledTree]);
    expect(definitions(world)).toEqual(before);
  });

  it("do not include the means by which entities are used as tags", () => {
    add(world, a, asTag(b));

    expect(definitions(world)).toEqual([]);
  });

  it("can be found by name", () => {
    spawn(world, Position, Likes(a));

    expect([definitionNamed(world, "Likes"), definitionNamed(world, "Frozen")]).toEqual([Likes, undefined]);
    expectTypeOf(definitionNamed(world, "Likes")).toEqualTypeOf<Definition | undefined>();
  });
});

/** What entities of one world become in another; others are spawned first, without anything. */
function copyTree(from: World, top: Entity, to: World, copies: Map<Entity, Entity>): void {
  const tree = [top];
  for (const one of tree) tree.push(...subjectsOf(from, one, ChildOf));
  for (const one of tree) copies.set(one, spawn(to));
  for (const one of tree) copyEntity(from, one, to, copies);
}

function copyEntity(from: World, one: Entity, to: World, copies: ReadonlyMap<Entity, Entity>): void {
  const copy = copies.get(one)!;
  for (const what of componentsOf(from, one)) {
    const value = get(from, one, what) as { [field: string]: unknown };
    for (const [field, { kind }] of what.fields)
      if (kind === "entity") value[field] = copies.get(value[field] as Entity);
    set(to, copy, what, value);
  }
  for (const what of tagsOf(from, one))
    add(to, copy, "target" in what ? asTag(copies.get(what.target)!) : what);
  for (const { relation: along, target, value } of pairsOf(from, one))
    add(to, copy, along(copies.get(target)!, value));
}

/** Everything the functions of this file tell of the entities. */
function listed(of: World, entities: readonly Entity[]): unknown[] {
  const place = (one: Entity): number => entities.indexOf(one);
  return entities.map((one) => ({
    components: componentsOf(of, one).map((what) => [what.name, what === Target ? 0 : get(of, one, what)]),
    tags: tagsOf(of, one).map((what) => ("target" in what ? place(what.target) : what.name)),
    pairs: pairsOf(of, one).map((pair) => [pair.relation.name, place(pair.target), pair.value]),
    aim: place(get(of, one, Target)?.at ?? one),
    isDisabled: isDisabled(of, one),
  }));
}

describe("a tree copied to another world by the functions that list what entities have", () => {
  it("equals the tree in components, tags, pairs, order, storages and the disabled state", () => {
    const planted = plant(
      world,
      "ship\n  cockpit\n    seat by value\n    lamp by value\n  hold by value\n    crate\n      lid\n  bay",
    );
    const { ship, cockpit, seat, lamp, hold, crate, lid, bay } = planted;
    add(world, ship, Position({ x: 1 }), OrderedChildren, Frozen);
    add(world, cockpit, Label("front"), Disabled, Nothing);
    add(world, hold, DisabledTree, Likes(lid), Likes(seat), Likes(ship));
    add(world, crate, Damage(lid, { amount: 2 }), Damage(seat, { amount: 4 }), Target({ at: lamp }));
    add(world, lamp, asTag(seat), asTag(ship), DockedTo(bay), Knows(lid));
    add(world, bay, Lit, Itself(ship), Itself(bay));
    add(world, seat, ChildOf(ship)); // moves it behind its new siblings
    const other = createWorld();
    const copies = new Map([a, b, c, d].map((one) => [one, spawn(other)]));

    copyTree(world, ship, other, copies);

    const originals = Object.values(planted);
    const copied = originals.map((one) => copies.get(one)!);
    expect(listed(other, copied)).toEqual(listed(world, originals));
    const names = Object.keys(planted);
    const named = Object.fromEntries(names.map((name, at) => [name, copied[at]!]));
    expect(drawing(other, named)).toBe(drawing(world, planted));
    expect(livingTables(other).length).toBe(livingTables(world).length);
  });
});
