import { add, type Entity, has, spawn, type TermPattern } from "@treeline/core";
import { indexOf, parseTerm } from "@treeline/core/internal";
import { expect, it } from "vitest";
import { destroy } from "../../src/index.ts";
import { hasAt } from "../../src/match/pairs.ts";
import { Likes, Near, Tag, Warm } from "../definitions.ts";
import { Any, asTag, ChildOf, Parent } from "../public/builtins.ts";
import { createWorld } from "../public/define.ts";

it("what an entity has is what core says that it has: components, tags and pairs, in both storages", () => {
  const world = createWorld();
  const dead = spawn(world);
  const root = spawn(world, Warm, Tag);
  const ship = spawn(world, ChildOf(root), Likes(root), Likes(dead), Near(root));
  const seat = spawn(world, Parent(ship), Tag, Near(ship));
  const mast = spawn(world, ChildOf(ship), Likes(seat), Likes(ship));
  add(world, mast, asTag(seat));
  destroy(world, dead);
  const all: Entity[] = [root, ship, seat, mast];
  const patterns: TermPattern[] = [Warm, Tag, Any(Any), ChildOf(Any), Parent(Any), Likes(Any), Near(Any)];
  for (const one of [...all, dead])
    patterns.push(asTag(one), ChildOf(one), Parent(one), Likes(one), Near(one), Any(one));

  const results = (evaluate: (entity: Entity, what: TermPattern) => boolean): boolean[] =>
    all.flatMap((entity) => patterns.map((what) => evaluate(entity, what)));

  const found = results((entity, what) => {
    const { definition, target } = parseTerm(world, what);
    return hasAt(world, indexOf(entity), definition, target);
  });
  expect(found).toEqual(results((entity, what) => has(world, entity, what)));
  expect(found.filter((one) => one).length).toBeGreaterThan(20);
});
