import { ChildOf, Parent, type Relation, spawn } from "@treeline/core";
import { archetypeViewAt, indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { BY_ENTITY, BY_TABLE, Files, filingOf, NOT_FILED } from "../../../src/query/batches/filing.ts";
import { along, Docked, Needs, Size } from "../../random/path-world.ts";
import { setWorld, world } from "../../test-world.ts";

beforeEach(setWorld);

function filesAlong(...relations: readonly Relation[]): Files {
  return new Files(
    world,
    relations.map((relation) => along(world, relation, Size)),
  );
}

describe("a list of paths", () => {
  it.each<[string, Relation[], [hasValueParents: boolean, isWide: boolean, byTable: boolean]]>([
    ["ChildOf", [ChildOf], [true, false, false]],
    ["Docked", [Docked], [false, false, false]],
    ["Needs", [Needs], [false, true, false]],
    ["ChildOf twice", [ChildOf, ChildOf], [true, false, false]],
    ["ChildOf, Docked", [ChildOf, Docked], [true, false, false]],
    ["Docked, ChildOf", [Docked, ChildOf], [true, false, true]],
    ["Docked, Needs", [Docked, Needs], [false, true, false]],
  ])("knows what is special about it: %s", (_, relations, right) => {
    const { hasValueParents, isWide, hasDepthByTable } = filesAlong(...relations);

    expect([hasValueParents, isWide, hasDepthByTable]).toEqual(right);
  });

  it("files by what an archetype has: not at all, by table, or by entity", () => {
    const port = spawn(world);
    const entities = [
      port,
      spawn(world, ChildOf(port)),
      spawn(world, Parent(port)),
      spawn(world, Docked(port)),
      spawn(world, Docked(port), Parent(port)),
    ];
    const filings = [filesAlong(ChildOf), filesAlong(Docked), filesAlong(Docked, ChildOf)].map((paths) =>
      entities.map((one) => filingOf(paths, archetypeViewAt(world, indexOf(one)))),
    );

    expect(filings).toEqual([
      [NOT_FILED, BY_TABLE, BY_ENTITY, NOT_FILED, BY_ENTITY],
      [NOT_FILED, NOT_FILED, NOT_FILED, BY_TABLE, BY_TABLE],
      [NOT_FILED, BY_TABLE, BY_ENTITY, BY_TABLE, BY_ENTITY],
    ]);
  });
});
