import { describe, expect, it } from "vitest";
import {
  CHILD_OF,
  ComponentEntity,
  Disabled,
  DisabledFromAbove,
  DisabledTree,
  isBuiltin,
  isInternal,
  Life,
  OrderedChildren,
  PARENT,
  Parent,
} from "../../src/id/builtins.ts";
import { Is } from "../../src/id/definition.ts";
import { Any, ChildOf, tag } from "../../src/index.ts";

describe.each([
  ["ChildOf", ChildOf],
  ["Parent", Parent],
])("%s", (_, Relation) => {
  it("allows one parent, no cycle, and destroys children with it", () => {
    expect({ ...Relation }).toMatchObject({
      kind: "relation",
      holds: "nothing",
      exclusive: true,
      acyclic: true,
      keepsDepth: true,
      onTargetDestroy: "delete",
    });
  });

  it("is known by its number", () => {
    expect([CHILD_OF, PARENT]).toEqual([ChildOf.id, Parent.id]);
  });
});

describe("builtins", () => {
  it("are installed by core, and cannot be destroyed", () => {
    const all = [
      ChildOf,
      Parent,
      OrderedChildren,
      Disabled,
      DisabledTree,
      DisabledFromAbove,
      ComponentEntity,
      Life,
    ];

    expect(all.map((one) => [isBuiltin(one), one.onDestroy])).toEqual(all.map(() => [true, "refuse"]));
    expect([isBuiltin(Any), isBuiltin(Is), isBuiltin(tag("Frozen"))]).toEqual([true, true, false]);
  });

  it("are partly internal: users can neither add nor see those", () => {
    expect([DisabledFromAbove, ComponentEntity, Life].map(isInternal)).toEqual([true, true, true]);
    expect([ChildOf, Parent, OrderedChildren, Disabled, DisabledTree, Is].map(isInternal)).toEqual(
      Array.from({ length: 6 }, () => false),
    );
  });
});
