import { type Entity, set, spawn, type World } from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import { each, entities, explain, type Query, type QueryTerm, query } from "../../../src/index.ts";
import { ChildOf } from "../../public/builtins.ts";
import { added, changed, not } from "../../public/filters.ts";
import { groupBy, orderBy } from "../../public/parts.ts";
import { cascade, up, variable } from "../../public/terms.ts";
import { explainedIn, Frozen, Light, Likes, lineOf, Position, plantExplained } from "./explained.ts";

const ship = variable("ship");

let world: World;
let root: Entity;
let deck: Entity;

beforeEach(() => {
  ({ world, root, deck } = plantExplained());
});

function explained(...terms: readonly QueryTerm[]): string {
  return explainedIn(world, ...terms);
}

describe("explaining", () => {
  const descriptions: [title: string, make: () => Query][] = [
    ["archetypes", () => query(world, Position)],
    ["a target", () => query(world, ChildOf(deck))],
    ["batches", () => query(world, Position, cascade(Light))],
    ["variables", () => query(world, ChildOf(ship))],
    ["an order", () => query(world, Position, orderBy(Position, "x"))],
    ["groups", () => query(world, Position, groupBy(ChildOf))],
    ["changes", () => query(world, changed(Position))],
    ["changes above", () => query(world, changed(up(Light)))],
    ["additions", () => query(world, added(Frozen))],
  ];

  it.each(descriptions)("changes neither the world nor the matches of a query for %s", (_, make) => {
    const [tested, other] = [make(), make()];
    const before = dump(world);

    const texts = [explain(tested), explain(tested)];

    expect(texts[0]).toBe(texts[1]);
    expect(entities(tested)).toEqual(entities(other));
    expect(dump(world)).toBe(before);
    expect(verify(world)).toEqual([]);
  });

  it.each(descriptions)(
    "after changes reports what the next iteration of a query for %s meets",
    (_, make) => {
      const tested = make();
      entities(tested);
      set(world, root, Light, { x: 1 });
      set(world, deck, Position, { x: 1 });
      spawn(world, ChildOf(deck), Position, Frozen);

      const text = explain(tested);

      expect(lineOf("matches", text)).toBe(String(entities(tested).length));
    },
  );

  it("inside an iteration sees the world as it is there", () => {
    const tested = query(world, Position);
    const texts: string[] = [];
    const before = explain(tested);

    each(tested, () => {
      spawn(world, Position);
      texts.push(explain(tested));
    });

    expect(new Set(texts)).toEqual(new Set([before]));
  });

  it("is the same for the same calls in a new world", () => {
    const make = (): string => explained(Position, ChildOf(deck), not(Likes(root)), cascade(Light));
    const before = make();
    ({ world, root, deck } = plantExplained());

    expect(make()).toBe(before);
  });
});
