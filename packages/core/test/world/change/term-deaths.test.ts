import { describe, expect, it } from "vitest";
import {
  ChildOf,
  createWorld,
  type Entity,
  type Pair,
  Parent,
  relation,
  release,
  spawn,
} from "../../../src/index.ts";
import { liveTerms } from "../../../src/world/change/terms.ts";
import { Frozen, Likes, Owns, Position } from "../../definitions.ts";

const Holds = relation("Holds", { onTargetDestroy: "refuse" });

function plant(ifParentDestroyed: "destroy" | "drop" = "destroy") {
  const world = createWorld({ ifParentDestroyed });
  const [alive, dead] = [spawn(world), spawn(world)];
  release(world, dead);
  return { world, alive, dead };
}

describe("terms that waited", () => {
  it("are all left while their targets live", () => {
    const { world, alive } = plant();
    const terms = [Frozen, Position({ x: 1 }), Likes(alive), ChildOf(alive)];

    expect(liveTerms(world, terms)).toBe(terms);
  });

  it.each([
    ["removes", Likes],
    ["refuses", Holds],
  ])("lose the pairs of a relation that %s whose targets died", (_, Relation) => {
    const { world, alive, dead } = plant();
    const kept = [Frozen, Relation(alive), ChildOf(alive)];

    expect(liveTerms(world, [Frozen, Relation(dead), Relation(alive), ChildOf(alive)])).toEqual(kept);
  });

  it.each<[string, (dead: Entity) => Pair]>([
    ["ChildOf", (dead) => ChildOf(dead)],
    ["Parent", (dead) => Parent(dead)],
    ["a relation of the program's own", (dead) => Owns(dead)],
  ])("are deadly if a pair that deletes is among them: %s", (_, pairFor) => {
    const { world, alive, dead } = plant();

    expect(liveTerms(world, [Frozen, Likes(alive), pairFor(dead)])).toBeUndefined();
    expect(liveTerms(world, [Likes(dead), pairFor(dead)])).toBeUndefined();
  });

  it("are never deadly in a world that drops dead parents", () => {
    const { world, dead } = plant("drop");

    expect(liveTerms(world, [Frozen, ChildOf(dead), Owns(dead), Likes(dead)])).toEqual([Frozen]);
    expect(liveTerms(world, [Parent(dead)])).toEqual([]);
  });
});
