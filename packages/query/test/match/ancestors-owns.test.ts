import { Any, add, ChildOf, type Entity, Parent, remove, spawn, tag } from "@treeline/core";
import { indexOf, parseTerm } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy } from "../../src/index.ts";
import { createPath, isSourceOf, type UpPath } from "../../src/match/ancestors.ts";
import { asTag } from "../public/builtins.ts";
import { Likes, Needs, Size, Tired, Within } from "../random/path-world.ts";
import { setWorld, world } from "../test-world.ts";

beforeEach(setWorld);

function pathTo(what: Parameters<typeof parseTerm>[1]): UpPath {
  return createPath(world, { relation: ChildOf, what: parseTerm(world, what) });
}

/** Which of some entities have it. */
function among(entities: Record<string, Entity>, what: Parameters<typeof parseTerm>[1]): string[] {
  const path = pathTo(what);
  return Object.keys(entities).filter((name) => isSourceOf(world, path, indexOf(entities[name]!)));
}

describe("the archetypes that have the component of a path", () => {
  it("are found for components, tags, pairs, wildcards and entities as tags", () => {
    const idol = spawn(world);
    const other = spawn(world);
    const entities = {
      idol,
      sized: spawn(world, Size),
      tired: spawn(world, Tired),
      fan: spawn(world, Likes(idol)),
      foreign: spawn(world, Likes(other)),
      marked: spawn(world, asTag(idol)),
      child: spawn(world, ChildOf(idol)),
      byValue: spawn(world, Parent(idol)),
      inside: spawn(world, Within(idol)),
      greedy: spawn(world, Needs(idol), Needs(other)),
      plain: spawn(world),
    };

    expect(among(entities, Size)).toEqual(["sized"]);
    expect(among(entities, Tired)).toEqual(["tired"]);
    expect(among(entities, Likes(idol))).toEqual(["fan"]);
    expect(among(entities, Likes(Any))).toEqual(["fan", "foreign"]);
    expect(among(entities, asTag(idol))).toEqual(["marked"]);
    expect(among(entities, ChildOf(idol))).toEqual(["child", "byValue"]);
    expect(among(entities, Parent(idol))).toEqual(["byValue"]);
    expect(among(entities, ChildOf(Any))).toEqual(["child", "byValue"]);
    expect(among(entities, Parent(Any))).toEqual(["byValue"]);
    expect(among(entities, Within(idol))).toEqual(["idol", "inside"]);
    expect(among(entities, Within(Any))).toEqual(["inside"]);
    expect(among(entities, Needs(other))).toEqual(["greedy"]);
    expect(among(entities, Any(idol))).toEqual(["fan", "child", "byValue", "inside", "greedy"]);
    expect(among(entities, Any(Any))).toEqual(["fan", "foreign", "child", "byValue", "inside", "greedy"]);
  });

  it("are none once the target is destroyed, and none while no entity has the pair", () => {
    const idol = spawn(world);
    const fan = spawn(world);
    const path = pathTo(Likes(idol));
    const before = isSourceOf(world, path, indexOf(fan));

    add(world, fan, Likes(idol));
    const between = isSourceOf(world, path, indexOf(fan));
    remove(world, fan, Likes(Any));
    add(world, fan, Likes(spawn(world)));
    destroy(world, idol);

    expect([before, between, isSourceOf(world, path, indexOf(fan))]).toEqual([false, true, false]);
  });

  it("are right with any number of archetypes", () => {
    const path = pathTo(Size);
    const many = Array.from({ length: 100 }, (_, at) => {
      const own = tag(`T${at}`);
      return [spawn(world, own), spawn(world, own, Size)] as const;
    });

    const results = many.map((both) => both.map((one) => isSourceOf(world, path, indexOf(one))));

    expect(results).toEqual(many.map(() => [false, true]));
    expect(many.map((both) => both.map((one) => isSourceOf(world, path, indexOf(one))))).toEqual(results);
  });
});
