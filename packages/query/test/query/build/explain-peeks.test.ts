import { ChildOf, type Entity, set, spawn, type World } from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import {
  added,
  cascade,
  changed,
  each,
  entities,
  explain,
  groupBy,
  not,
  orderBy,
  type Query,
  type QueryTerm,
  query,
  up,
  variable,
} from "../../../src/index.ts";
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
  const questions: [story: string, ask: () => Query][] = [
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

  it.each(questions)("changes neither the world nor the answers of a query for %s", (_, ask) => {
    const [asked, other] = [ask(), ask()];
    const before = dump(world);

    const texts = [explain(asked), explain(asked)];

    expect(texts[0]).toBe(texts[1]);
    expect(entities(asked)).toEqual(entities(other));
    expect(dump(world)).toBe(before);
    expect(verify(world)).toEqual([]);
  });

  it.each(questions)("after changes tells what the next visit of a query for %s meets", (_, ask) => {
    const asked = ask();
    entities(asked);
    set(world, root, Light, { x: 1 });
    set(world, deck, Position, { x: 1 });
    spawn(world, ChildOf(deck), Position, Frozen);

    const text = explain(asked);

    expect(lineOf("matches", text)).toBe(String(entities(asked).length));
  });

  it("inside a visit sees the world as it is there", () => {
    const asked = query(world, Position);
    const texts: string[] = [];
    const before = explain(asked);

    each(asked, () => {
      spawn(world, Position);
      texts.push(explain(asked));
    });

    expect(new Set(texts)).toEqual(new Set([before]));
  });

  it("is the same for the same calls in a new world", () => {
    const ask = (): string => explained(Position, ChildOf(deck), not(Likes(root)), cascade(Light));
    const before = ask();
    ({ world, root, deck } = plantExplained());

    expect(ask()).toBe(before);
  });
});
