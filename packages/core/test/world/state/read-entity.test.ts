import { beforeEach, describe, expect, it } from "vitest";
import { ComponentEntity } from "../../../src/id/builtins.ts";
import { add, type Entity, entityOf, release, remove, spawn, type TermPattern } from "../../../src/index.ts";
import { definitionOf, matchingPairsAt } from "../../../src/world/state/read-entity.ts";
import { relation } from "../../defining.ts";
import { Any, ChildOf, Damage, DockedTo, Frozen, Likes, Parent, Position } from "../../definitions.ts";
import { setShip, ship, world } from "../../fixture.ts";
import { indexOf } from "../../handles.ts";
import { ANY, DisabledFromAbove, Is, parseTerm } from "../../internal.ts";
import { asTag, codeOf, get, has, targetOf } from "../../reading.ts";
import { snapshot } from "../snapshot.ts";

const Knows = relation("Knows", { reflexive: true });

let destroyed: Entity;

beforeEach(setShip);
beforeEach(() => {
  destroyed = spawn(world);
  release(world, destroyed);
});

/** The targets of an entity that match a pattern, as [relation, target]. */
function found(entity: Entity, what: TermPattern): string[] {
  const { pairs } = world.graph;
  return matchingPairsAt(world, indexOf(entity), parseTerm(world, what)).map(
    (pair) => `${pairs.relation[pair]} e${pairs.target[pair]}`,
  );
}

function pairText(definition: { readonly id: number }, target: Entity): string {
  return `${definition.id} e${indexOf(target)}`;
}

describe("a term as users write it", () => {
  it("is a definition, or the result of calling it without a value", () => {
    const named = [Position, Frozen, Position(), ChildOf(ship), Likes(Any), Any(ship)];

    expect(named.map((one) => definitionOf(world, one))).toEqual([
      Position,
      Frozen,
      Position,
      ChildOf,
      Likes,
      Any,
    ]);
  });

  it.each<[string, (what: never) => unknown]>([
    ["has", (what) => has(world, ship, what)],
    ["get", (what) => get(world, ship, what)],
    ["remove", (what) => remove(world, ship, what)],
  ])("is refused with a value, which would be ignored, by %s", (_, act) => {
    const before = snapshot(world);

    for (const what of [Position({ x: 0 }), Damage(ship, { amount: 1 })]) {
      expect(() => act(what as never)).toThrow(/^pass (Position|Damage) without a value$/);
      expect(codeOf(() => act(what as never))).toBe("bad-term");
    }
    expect(snapshot(world)).toEqual(before);
  });

  it.each<[string, unknown, string]>([
    ["undefined", undefined, "undefined is not a component, tag or pair; check for cyclic imports"],
    ["a list", [Position], "a list is not a component, tag or pair; spread it: ...terms"],
    [
      "an object",
      { x: 1 },
      "an object is not a component, tag or pair; call a component with it: Position({ x: 1, y: 2 })",
    ],
    [
      "a text",
      "Ship",
      'the text "Ship" is not a component, tag or pair; pass what component or tag returned, or Name("Ship") for a name',
    ],
    [
      "a class",
      Map,
      'a function is not a component, tag or pair; define it: const Ship = component<Ship>("Ship"), and pass Ship(value)',
    ],
    ["null", null, "null is not a component, tag or pair; pass what component, tag or relation returned"],
  ])("is refused with advice: %s", (_, what, message) => {
    expect(() => has(world, ship, what as never)).toThrow(message);
    expect(() => spawn(world, what as never)).toThrow(message);
  });

  it.each<[string, unknown]>([
    ["undefined, as cyclic imports give", undefined],
    ["null", null],
    ["a text", "Position"],
    ["an object", {}],
    ["an object without prototype", Object.create(null)],
    ["a symbol", Symbol("s")],
    ["a function", () => 1],
    ["what core keeps by itself", DisabledFromAbove],
    ["the internal mark of component entities", ComponentEntity],
  ])("is refused as bad-term: %s", (_, what) => {
    const verbs = [
      () => definitionOf(world, what as never),
      () => has(world, ship, what as never),
      () => remove(world, ship, what as never),
      () => spawn(world, what as never),
      () => add(world, ship, what as never),
    ];

    expect(verbs.map(codeOf)).toEqual(verbs.map(() => "bad-term"));
  });
});

describe("a pattern", () => {
  it("is a definition, and for relations a target", () => {
    expect(parseTerm(world, Position)).toMatchObject({ definition: Position, target: 0 });
    expect(parseTerm(world, Likes(ship))).toMatchObject({ definition: Likes, target: ship });
    expect(parseTerm(world, Likes(Any))).toMatchObject({ definition: Likes, target: ANY });
    expect(parseTerm(world, Any(ship))).toMatchObject({ definition: Any, target: ship });
  });

  it("of an entity as a tag is that entity, alive or not", () => {
    expect(parseTerm(world, asTag(ship))).toMatchObject({ definition: Is, target: ship });
    expect(parseTerm(world, asTag(destroyed))).toMatchObject({ definition: Is, target: destroyed });
  });

  it("of a relation without target is refused as bad-term", () => {
    expect(codeOf(() => has(world, ship, Likes as never))).toBe("bad-term");
    expect(codeOf(() => remove(world, ship, Likes as never))).toBe("bad-term");
    expect(codeOf(() => has(world, ship, Any as never))).toBe("bad-term");
  });

  it.each<[string, unknown]>([
    ["the internal number of wildcards", ANY],
    ["NaN", Number.NaN],
    ["infinite", Number.POSITIVE_INFINITY],
    ["half a number", 1.5],
    ["0", 0],
    ["a text", "x"],
    ["undefined", undefined],
    ["an object that would be a number", { valueOf: () => 1 }],
    ["a list of a handle", [1]],
    ["a symbol", Symbol("s")],
  ])("with a target that can be no handle is refused as dead-entity: %s", (_, odd) => {
    const one = spawn(world, ChildOf(ship), Likes(ship));
    const target = odd as Entity;
    const before = snapshot(world);
    const verbs = [
      () => has(world, one, ChildOf(target)),
      () => has(world, one, Any(target)),
      () => remove(world, one, ChildOf(target)),
      () => remove(world, one, Any(target)),
      () => remove(world, one, Likes(target)),
      () => spawn(world, ChildOf(target)),
      () => add(world, one, Likes(target)),
    ];

    expect(verbs.map(codeOf)).toEqual(verbs.map(() => "dead-entity"));
    expect(snapshot(world)).toEqual(before);
  });

  it.each([ANY, Number.NaN, 0, 1.5, Number.NEGATIVE_INFINITY])(
    "of %s as a tag is refused as dead-entity",
    (odd) => {
      const one = spawn(world, asTag(ship), ChildOf(ship));

      expect(codeOf(() => has(world, one, asTag(odd as Entity)))).toBe("dead-entity");
      expect(codeOf(() => remove(world, one, asTag(odd as Entity)))).toBe("dead-entity");

      expect(has(world, one, asTag(ship))).toBe(true);
    },
  );

  it("with a target that is not alive matches nothing", () => {
    const one = spawn(world, ChildOf(ship), Likes(ship));

    expect(
      [ChildOf(destroyed), Likes(destroyed), Any(destroyed), asTag(destroyed)].map((what) =>
        has(world, one, what),
      ),
    ).toEqual([false, false, false, false]);
    remove(world, one, Any(destroyed));
    expect(targetOf(world, one, Likes)).toBe(ship);
  });
});

describe("wildcards", () => {
  it("match in has, of both storages and of any relation", () => {
    const dock = spawn(world);
    const bare = spawn(world, Position, Frozen);
    const typed = spawn(world, ChildOf(ship), Likes(dock));
    const byValue = spawn(world, Parent(ship));
    const data = spawn(world, Damage(ship, { amount: 1 }));
    const matches = (what: TermPattern): boolean[] =>
      [bare, typed, byValue, data].map((one) => has(world, one, what));

    expect(matches(ChildOf(Any))).toEqual([false, true, true, false]);
    expect(matches(Parent(Any))).toEqual([false, false, true, false]);
    expect(matches(Likes(Any))).toEqual([false, true, false, false]);
    expect(matches(Damage(Any))).toEqual([false, false, false, true]);
    expect(matches(Any(ship))).toEqual([false, true, true, true]);
    expect(matches(Any(dock))).toEqual([false, true, false, false]);
    expect(matches(Any(Any))).toEqual([false, true, true, true]);
  });

  it("mean the pairs of an entity, the parent once, whichever way it is stored", () => {
    const one = spawn(world, ChildOf(ship), Likes(ship), DockedTo(ship));
    const byValue = spawn(world, Parent(ship), Likes(one));

    expect(found(one, Any(ship)).toSorted()).toEqual(
      [pairText(ChildOf, ship), pairText(Likes, ship), pairText(DockedTo, ship)].toSorted(),
    );
    expect(found(byValue, Any(Any)).toSorted()).toEqual(
      [pairText(ChildOf, ship), pairText(Likes, one)].toSorted(),
    );
    expect(found(byValue, ChildOf(Any))).toEqual([pairText(ChildOf, ship)]);
    expect(found(one, Parent(Any))).toEqual([]);
  });

  it("never match entities that are used as tags", () => {
    const marker = spawn(world);
    const one = spawn(world, asTag(marker));

    expect([Any(Any), Any(marker)].map((what) => has(world, one, what))).toEqual([false, false]);
    expect(has(world, one, asTag(marker))).toBe(true);
    remove(world, one, Any(Any));
    expect(has(world, one, asTag(marker))).toBe(true);
  });

  it("match stored pairs only, also of reflexive relations", () => {
    expect([Knows(ship), Knows(Any), Any(ship), Any(Any)].map((what) => has(world, ship, what))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it.each<[string, () => unknown]>([
    ["a relation with any target", () => Likes(Any)],
    ["any relation with a target", () => Any(ship)],
    ["any pair", () => Any(Any)],
    ["any parent", () => ChildOf(Any)],
    ["the wildcard itself", () => Any],
  ])("cannot be added: %s is refused as bad-term, and changes nothing", (_, termFor) => {
    const one = spawn(world);
    const before = snapshot(world);

    expect(codeOf(() => add(world, one, termFor() as never))).toBe("bad-term");
    expect(codeOf(() => spawn(world, termFor() as never))).toBe("bad-term");
    expect(codeOf(() => add(world, one, Frozen, termFor() as never))).toBe("bad-term");

    expect(snapshot(world)).toEqual(before);
  });
});

describe("an entity as a tag", () => {
  it("can be added at spawn and later, matched, and removed", () => {
    const [red, blue] = [spawn(world), spawn(world)];
    const one = spawn(world, asTag(red), Position({ x: 1 }));

    add(world, one, asTag(blue));
    const both = [has(world, one, asTag(red)), has(world, one, asTag(blue)), has(world, red, asTag(blue))];
    remove(world, one, asTag(red));

    expect(both).toEqual([true, true, false]);
    expect([has(world, one, asTag(red)), has(world, one, asTag(blue))]).toEqual([false, true]);
  });

  it("means the definition, if it is a component entity", () => {
    const frozen = entityOf(world, Frozen);
    const one = spawn(world, asTag(frozen));

    expect([has(world, one, Frozen), has(world, one, asTag(frozen))]).toEqual([true, true]);
    remove(world, one, asTag(frozen));
    expect(has(world, one, Frozen)).toBe(false);
  });

  it("for a relation is refused in add, and matches any target", () => {
    const likes = entityOf(world, Likes);
    const one = spawn(world, Likes(ship));

    expect(codeOf(() => add(world, ship, asTag(likes)))).toBe("bad-term");
    expect([has(world, one, asTag(likes)), has(world, ship, asTag(likes))]).toEqual([true, false]);
    remove(world, one, asTag(likes));
    expect(has(world, one, Likes(ship))).toBe(false);
  });

  it("may be its own", () => {
    add(world, ship, asTag(ship));

    expect(has(world, ship, asTag(ship))).toBe(true);
    release(world, ship);
    expect(world.graph.pairs.alive).toBe(0);
  });
});

describe("a pair that an entity has", () => {
  it("is found by target, in both storages", () => {
    const typed = spawn(world, ChildOf(ship), Likes(ship));
    const byValue = spawn(world, Parent(ship));
    const requests = [typed, byValue].map((one) => [
      has(world, one, ChildOf(ship)),
      has(world, one, Likes(ship)),
      has(world, one, DockedTo(ship)),
    ]);

    expect(requests).toEqual([
      [true, true, false],
      [true, false, false],
    ]);
  });
});
