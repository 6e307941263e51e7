import { describe, expect, it } from "vitest";
import { createWorld, type Entity, type Pair, release, spawn } from "../../../src/index.ts";
import { liveTerms } from "../../../src/world/change/terms.ts";
import { relation } from "../../defining.ts";
import { ChildOf, Frozen, Likes, Owns, Parent, Position } from "../../definitions.ts";

const Holds = relation("Holds", { onTargetDestroy: "refuse" });

function plant(ifParentDestroyed: "destroy" | "drop" = "destroy") {
  const world = createWorld({ ifParentDestroyed });
  const [alive, destroyed] = [spawn(world), spawn(world)];
  release(world, destroyed);
  return { world, alive, destroyed };
}

describe("deferred terms", () => {
  it("are all kept while their targets are alive", () => {
    const { world, alive } = plant();
    const terms = [Frozen, Position({ x: 1 }), Likes(alive), ChildOf(alive)];

    expect(liveTerms(world, terms)).toBe(terms);
  });

  it.each([
    ["removes", Likes],
    ["refuses", Holds],
  ])("lose the pairs of a relation that %s whose targets were destroyed", (_, Relation) => {
    const { world, alive, destroyed } = plant();
    const kept = [Frozen, Relation(alive), ChildOf(alive)];

    expect(liveTerms(world, [Frozen, Relation(destroyed), Relation(alive), ChildOf(alive)])).toEqual(kept);
  });

  it.each<[string, (destroyed: Entity) => Pair]>([
    ["ChildOf", (destroyed) => ChildOf(destroyed)],
    ["Parent", (destroyed) => Parent(destroyed)],
    ["a relation of the program's own", (destroyed) => Owns(destroyed)],
  ])("destroy the entity if a pair that deletes is among them: %s", (_, pairFor) => {
    const { world, alive, destroyed } = plant();

    expect(liveTerms(world, [Frozen, Likes(alive), pairFor(destroyed)])).toBeUndefined();
    expect(liveTerms(world, [Likes(destroyed), pairFor(destroyed)])).toBeUndefined();
  });

  it("never destroy the entity in a world that drops destroyed parents", () => {
    const { world, destroyed } = plant("drop");

    expect(liveTerms(world, [Frozen, ChildOf(destroyed), Owns(destroyed), Likes(destroyed)])).toEqual([
      Frozen,
    ]);
    expect(liveTerms(world, [Parent(destroyed)])).toEqual([]);
  });
});
