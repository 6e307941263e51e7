import { describe, expect, it } from "vitest";
import { ANY, nextNumber } from "../../src/id/definition.ts";
import type { Entity, Field, RelationOptions, Schema } from "../../src/index.ts";
import { component, f32, f64, relation, tag } from "../defining.ts";
import { Any } from "../definitions.ts";
import { codeOf } from "../reading.ts";

const someEntity = 17 as Entity;

describe("every definition", () => {
  it("has a number of its own, above those before", () => {
    const one = component("One", { x: f32 });
    const two = tag("Two");
    const three = relation("Three");

    expect(one.id).toBeGreaterThan(0);
    expect([two.id > one.id, three.id > two.id]).toEqual([true, true]);
  });

  it("has a number that no other definition in the process has", () => {
    const before = tag("Before").id;
    const between = nextNumber();

    expect(new Set([before, between, tag("After").id]).size).toBe(3);
  });

  it("may be named like another one", () => {
    expect(tag("Same").id).not.toBe(tag("Same").id);
  });

  it("is called what it was named", () => {
    expect([component("Position", { x: f32 }).name, tag("Frozen").name, relation("Likes").name]).toEqual([
      "Position",
      "Frozen",
      "Likes",
    ]);
  });
});

describe("component", () => {
  it("with a schema holds fields, in the order of the schema", () => {
    const Position = component("Position", { y: f64, x: f32 });

    expect({ ...Position }).toMatchObject({ kind: "component", holds: "fields" });
    expect(Position.fields.map(([name]) => name)).toEqual(["y", "x"]);
  });

  it("without a schema holds values", () => {
    expect({ ...component<string>("Label") }).toMatchObject({
      kind: "component",
      holds: "values",
      fields: [["", { kind: "value", initial: undefined }]],
    });
  });

  it("with an empty schema holds nothing", () => {
    expect(component("Empty", {}).holds).toBe("nothing");
  });

  it("called, returns a term with its value", () => {
    const Position = component("Position", { x: f32 });
    const value = { x: 3 };

    expect(Position(value)).toEqual({ definition: Position, target: 0, value });
    expect(Position()).toEqual({ definition: Position, target: 0, value: undefined });
  });
});

describe("tag", () => {
  it("called, returns a term: a value in it is not lost, so that it can be refused", () => {
    const Frozen = tag("Frozen") as unknown as (value?: unknown) => unknown;

    expect(Frozen({ since: 3 })).toEqual({ definition: Frozen, target: 0, value: { since: 3 } });
    expect(Frozen()).toEqual({ definition: Frozen, target: 0, value: undefined });
  });
});

describe("relation", () => {
  it("removes pairs when targets are destroyed, and allows several targets, by default", () => {
    expect({ ...relation("Likes") }).toMatchObject({
      kind: "relation",
      holds: "nothing",
      exclusive: false,
      acyclic: false,
      onTargetDestroy: "remove",
    });
  });

  it("is exclusive once it is acyclic", () => {
    expect(relation("Follows", { acyclic: true }).exclusive).toBe(true);
  });

  it("is traversable, and keeps depths, once it is acyclic; acyclic once it is traversable", () => {
    const kept = { exclusive: true, acyclic: true, traversable: true, keepsDepth: true };

    expect({ ...relation("Follows", { acyclic: true }) }).toMatchObject(kept);
    expect({ ...relation("Follows", { traversable: true }) }).toMatchObject(kept);
  });

  it("may be acyclic with many targets, or without being traversable: no depth is kept then", () => {
    expect({ ...relation("Depends", { acyclic: true, exclusive: false }) }).toMatchObject({
      exclusive: false,
      acyclic: true,
      traversable: true,
      keepsDepth: false,
    });
    expect({ ...relation("Ranks", { acyclic: true, traversable: false }) }).toMatchObject({
      exclusive: true,
      acyclic: true,
      traversable: false,
      keepsDepth: false,
    });
  });

  it("is neither symmetric nor reflexive nor limited by default", () => {
    expect({ ...relation("Likes") }).toMatchObject({ symmetric: false, reflexive: false, maxSubjects: 0 });
    expect({ ...relation("Knows", { symmetric: true, reflexive: true }) }).toMatchObject({
      symmetric: true,
      reflexive: true,
    });
    expect(relation("Seat", { maxSubjects: 2 }).maxSubjects).toBe(2);
  });

  it("with fields holds them", () => {
    const Damage = relation("Damage", { fields: { amount: f32 } });

    expect([Damage.holds, Damage.fields.length]).toEqual(["fields", 1]);
  });

  it("called, returns a pair with its target and value", () => {
    const Damage = relation("Damage", { fields: { amount: f32 } });

    expect(Damage(someEntity, { amount: 3 })).toEqual({
      definition: Damage,
      target: someEntity,
      value: { amount: 3 },
    });
    expect(Damage(Any).target).toBe(ANY);
  });
});

describe("a number in place of a handle", () => {
  it("never makes a wildcard of a pair", () => {
    const Likes = relation("Likes");

    expect([Likes(-1 as Entity).target, Any(-1 as Entity).target]).toEqual([Number.NaN, Number.NaN]);
  });
});

describe("the wildcard", () => {
  it("makes wildcards of any relation: with a target, or with itself", () => {
    expect(Any(someEntity)).toEqual({ definition: Any, target: someEntity, value: undefined });
    expect(Any(Any)).toEqual({ definition: Any, target: ANY, value: undefined });
  });
});

describe("a bad definition is refused as bad-definition", () => {
  it.each([
    ["a component without a name", () => component("", { x: f32 })],
    ["an object component without a name", () => component("")],
    ["a tag without a name", () => tag("")],
    ["a relation without a name", () => relation("")],
    ["a name that is no text", () => tag(5 as unknown as string)],
    ["a name that is missing", () => tag(undefined as unknown as string)],
    ["a field that is a list", () => component("Bad", { x: ["f32"] } as unknown as Schema)],
    ["a field that is missing", () => component("Bad", { x: undefined } as unknown as Schema)],
    ["a field that is null", () => component("Bad", { x: null } as unknown as Schema)],
    ["a field without a width", () => component("Bad", { x: { kind: "f32", length: 1 } as Field })],
    ["a relation with a bad field", () => relation("Bad", { fields: { x: {} } as unknown as Schema })],
    ["traversable and not acyclic", () => relation("Bad", { traversable: true, acyclic: false })],
    ["symmetric and acyclic", () => relation("Bad", { symmetric: true, acyclic: true })],
    ["symmetric and traversable", () => relation("Bad", { symmetric: true, traversable: true })],
    ["symmetric with fields", () => relation("Bad", { symmetric: true, fields: { x: f32 } })],
    ["symmetric with maxSubjects", () => relation("Bad", { symmetric: true, maxSubjects: 1 })],
    ["no sources at most", () => relation("Bad", { maxSubjects: 0 })],
    ["half a source at most", () => relation("Bad", { maxSubjects: 1.5 })],
    ["a word for the number of sources", () => relation("Bad", { maxSubjects: "many" as never })],
    ["null for a schema", () => component("Bad", null as never)],
    ["a number for a schema", () => component("Bad", 5 as never)],
    ["a text for a schema", () => component("Bad", "x" as never)],
    ["null for the options of a relation", () => relation("Bad", null as never)],
    ["a text for the options of a relation", () => relation("Bad", "exclusive" as never)],
    ["null for the fields of a relation", () => relation("Bad", { fields: null } as never)],
    ["a number for the fields of a relation", () => relation("Bad", { fields: 5 } as never)],
    ["an object that is no number of sources", () => relation("Bad", { maxSubjects: Object.create(null) })],
    [
      "an unknown policy",
      () => relation("Bad", { onTargetDestroy: "explode" } as unknown as RelationOptions),
    ],
  ])("%s", (_, define) => {
    expect(codeOf(define)).toBe("bad-definition");
  });
});
