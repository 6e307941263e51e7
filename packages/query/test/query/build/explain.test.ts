import { type Entity, spawn, spawnMany, type World } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import type { Query, QueryTerm } from "../../../src/index.ts";
import { destroy, dispose, entities, explain, query } from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { Includes } from "../../definitions.ts";
import { Any, ChildOf, Disabled, DisabledTree, Parent } from "../../public/builtins.ts";
import { tag } from "../../public/define.ts";
import { added, changed, maybe, not, or, removed } from "../../public/filters.ts";
import { bind, group, groupBy, orderBy, page, shard } from "../../public/parts.ts";
import { cascade, on, selfOrUp, singleton, up, variable } from "../../public/terms.ts";
import { isIterating, nameEntities } from "../../world-state.ts";
import {
  DockedTo,
  explainedIn,
  Frozen,
  Light,
  Likes,
  lineOf,
  Position,
  plantExplained,
} from "./explained.ts";

const ship = variable("ship");
const team = variable("team");

let world: World;
let root: Entity;
let deck: Entity;
let dead: Entity;

beforeEach(() => {
  ({ world, root, deck, dead } = plantExplained());
});

function explained(...terms: readonly QueryTerm[]): string {
  return explainedIn(world, ...terms);
}

describe("explain", () => {
  it("reports terms, uses, archetypes with rows and tables, and matches", () => {
    query(world, Position, not(Light));

    expect(explained(Position, not(Light))).toBe(
      `query(Position, not(Light))
state: cached by the world, 2 users
plan: archetypes cached, and kept current
disabled: left out
archetypes: 3 match, 3 have rows
  ChildOf(Any), Position, Frozen: 1 row in 1 table, 1 match
  ChildOf(Any), Position: 3 rows in 1 table, 3 matches
  Likes(Any), Parent(Any), Position: 2 rows in 1 table, 2 matches
matches: 6`,
    );
  });

  it("reports which target is the rarest, and how many tables and value pairs lead to each", () => {
    expect(explained(Position, ChildOf(deck), Likes(root), not(Likes(dead)))).toBe(
      `query(Position, ChildOf(#2), Likes(#1), not(Likes(dead #9)))
state: not cached, since it names an entity
plan: rows looked up by target at each iteration
  target: ChildOf(#2), 1 table, 2 rows by value
  target: Likes(#1), 1 table (rarest)
  without: Likes(dead #9), no entity has it
disabled: left out
archetypes: 1 matches, 1 has rows
  Likes(Any), Parent(Any), Position: 2 rows in 1 table, 2 matches
matches: 2`,
    );
  });

  it("reports the paths to ancestors, and in how many batches their rows are", () => {
    expect(explained(Position, cascade(Light), maybe(up(Frozen, { relation: DockedTo })))).toBe(
      `query(Position, cascade(Light), maybe(up(Frozen, { relation: DockedTo })))
state: cached by the world, 1 user
plan: rows with the rows of their ancestors, parents first
  path: along ChildOf to Light
  path: along DockedTo to Frozen
  batches: 4
disabled: left out
archetypes: 4 match, 4 have rows
  Position, Light: 1 row in 1 table, 1 match
  ChildOf(Any), Position, Frozen: 1 row in 1 table, 1 match
  ChildOf(Any), Position: 3 rows in 1 table, 3 matches
  Likes(Any), Parent(Any), Position: 2 rows in 1 table, 2 matches
matches: 7`,
    );
  });

  it("reports what variables are bound to", () => {
    const tested = query(world, ChildOf(ship), on(ship, ChildOf(team)), Likes(root));

    expect(explain(bind(tested, team, root))).toBe(
      `query(ChildOf(ship), on(ship, ChildOf(team)), Likes(#1))
state: not cached, since it names an entity
plan: joined over variables, each step by the join with the fewest branches
  variable: ship, free
  variable: team, #1
  target: Likes(#1), 1 table
disabled: left out
archetypes: 1 matches, 1 has rows
  Likes(Any), Parent(Any), Position: 2 rows in 1 table, 2 matches
matches: 2`,
    );
  });

  it("counts matches, not rows, where a row matches once for each target", () => {
    for (const one of entities(query(world, ChildOf(deck)))) spawn(world, Likes(one), Likes(root));

    const text = explained(Likes(ship), not(Position));

    expect(lineOf("Likes(Any)", text)).toBe("5 rows in 5 tables, 10 matches");
    expect(lineOf("matches", text)).toBe("10");
  });

  it("reports which terms about fixed sources hold", () => {
    const text = explained(
      Position,
      on(root, Light),
      on(deck, up(Light)),
      on(root, selfOrUp(Frozen, { relation: DockedTo })),
      on(dead, Position),
      singleton(Light),
      on(root, Likes(dead)),
    );

    expect(text.split("\n").slice(1)).toEqual([
      "state: not cached, since it names an entity",
      "plan: archetypes looked up at each iteration",
      "source: on(#1, Light) holds",
      "source: on(#2, up(Light)) holds",
      "source: on(#1, selfOrUp(Frozen, { relation: DockedTo })) does not hold",
      "source: on(dead #9, Position) does not hold",
      "source: singleton(Light) does not hold",
      "source: on(#1, Likes(dead #9)) does not hold",
      "disabled: left out",
      "archetypes: 4 match, 4 have rows",
      "  Position, Light: 1 row in 1 table, 0 matches",
      "  ChildOf(Any), Position, Frozen: 1 row in 1 table, 0 matches",
      "  ChildOf(Any), Position: 3 rows in 1 table, 0 matches",
      "  Likes(Any), Parent(Any), Position: 2 rows in 1 table, 0 matches",
      "matches: 0",
    ]);
  });

  it("reports what a query tracks, and whether it has read", () => {
    const tested = query(
      world,
      Position,
      changed(Position),
      or(added(Light), not(removed(Frozen))),
    ) as unknown as Query;

    const before = explain(tested);
    entities(tested);
    const after = explain(tested);

    expect([lineOf("watches", before), lineOf("matches", before)]).toEqual([
      "changed(Position), added(Light), removed(Frozen)",
      "7",
    ]);
    expect([lineOf("state", before), lineOf("state", after)]).toEqual([
      "not shared, since it matches changes; has not read them yet",
      "not shared, since it matches changes; has read them",
    ]);
    expect(lineOf("matches", after)).toBe("0");
  });

  it("reports order and groups", () => {
    const byField = explained(Position, orderBy(Position, "x", { desc: true }), groupBy(ChildOf));
    const byFunction = explained(
      orderBy(Position, (one, other) => one.x - other.x),
      groupBy(() => 1),
    );

    expect([lineOf("order", byField), lineOf("groups", byField)]).toEqual([
      "by Position.x, largest first",
      "by target of ChildOf",
    ]);
    expect([lineOf("order", byFunction), lineOf("groups", byFunction)]).toEqual([
      "by a comparison of Position",
      "by a function",
    ]);
    expect(byField.split("\n")[0]).toBe(
      'query(Position, orderBy(Position, "x", { desc: true }), groupBy(ChildOf))',
    );
    expect(byFunction.split("\n")[0]).toBe("query(orderBy(Position, a function), groupBy(a function))");
  });

  it("reports which part is meant, and counts its matches", () => {
    const whole = query(world, Position, groupBy(ChildOf));

    const texts = [
      page(whole, 1, 3),
      page(shard(whole, 0, 2), 1, 1),
      group(whole, deck),
      group(whole, undefined),
      page(group(whole, deck), 0, 2),
    ].map((one) => explain(one));

    expect(texts.map((text) => [lineOf("part", text), lineOf("matches", text)])).toEqual([
      ["page(1, 3)", "3"],
      ["page(1, 1) of shard(0, 2)", "1"],
      ["group(#2)", "5"],
      ["group(undefined)", "1"],
      ["page(0, 2) of group(#2)", "2"],
    ]);
    expect(new Set(texts.map((text) => text.split("\n")[0]))).toEqual(
      new Set(["query(Position, groupBy(ChildOf))"]),
    );
  });

  it("reports the key of a group by a function", () => {
    const whole = query(
      world,
      Position,
      groupBy((entity) => (entity === root ? "top" : 1)),
    );

    expect(lineOf("part", explain(group(whole, "top")))).toBe('group(the text "top")');
    expect(lineOf("part", explain(group(whole, 1)))).toBe("group(1)");
  });

  it("names the targets of each of several queries that differ only in them", () => {
    const texts = [root, deck, dead].map((one) => explained(Position, ChildOf(one)).split("\n")[0]);

    expect(texts).toEqual([
      "query(Position, ChildOf(#1))",
      "query(Position, ChildOf(#2))",
      "query(Position, ChildOf(dead #9))",
    ]);
  });

  it("prints entities with the names of the world", () => {
    nameEntities(world, (entity) => (entity === root ? "Ship" : "Ship::Deck"));

    expect(explained(ChildOf(deck), on(root, Light)).split("\n")[0]).toBe(
      "query(ChildOf(Ship::Deck), on(Ship, Light))",
    );
  });

  it("reports that a reflexive target counts itself", () => {
    expect(lineOf("target", explained(Includes(root)))).toBe("Includes(#1), itself (rarest)");
  });

  it.each<[title: string, terms: readonly QueryTerm[], disabled: string, matches: string]>([
    ["left out", [Frozen], "left out", "2"],
    ["included", [Frozen, maybe(Disabled)], "included", "3"],
    ["included by the tree", [Frozen, not(DisabledTree)], "included", "3"],
  ])("reports whether disabled entities are %s", (_, terms, disabled, matches) => {
    spawn(world, Frozen, Disabled);

    const text = explained(...terms);

    expect([lineOf("disabled", text), lineOf("matches", text)]).toEqual([disabled, matches]);
  });

  it("omits what is private to core", () => {
    const tree = spawn(world, DisabledTree);
    spawn(world, ChildOf(tree), Light);

    expect(explained(Light, maybe(Disabled))).toContain("  ChildOf(Any), Light: 1 row in 1 table, 1 match");
  });

  it("names an archetype that has nothing", () => {
    spawnMany(world, 2);

    expect(explained(not(Any(Any)), not(Position))).toContain("  (nothing): 2 rows in 1 table, 2 matches");
  });

  it("shows twenty archetypes that have rows, and counts the others", () => {
    const Many = tag("Many");
    const tags = Array.from({ length: 23 }, (_, at) => tag(`T${at}`));
    const spawned = tags.map((one) => spawn(world, Many, one));
    destroy(world, spawned[0]!);

    const lines = explained(Many).split("\n").slice(4);

    expect(lines[0]).toBe("archetypes: 23 match, 22 have rows");
    expect(lines[1]).toBe("  Many, T1: 1 row in 1 table, 1 match");
    expect(lines[20]).toBe("  Many, T20: 1 row in 1 table, 1 match");
    expect(lines.slice(21)).toEqual(["  ... and 2 more", "matches: 22"]);
  });

  it("tells tables apart by their pairs, the parent included, unless it is stored by value", () => {
    const Told = tag("Told");
    const idol = spawn(world);
    for (const parent of [root, deck]) {
      spawnMany(world, 2, Told, ChildOf(parent));
      spawn(world, Told, Parent(parent));
      spawn(world, Told, ChildOf(parent), Likes(idol));
      spawn(world, Told, Parent(parent), Likes(idol));
    }

    const lines = explained(Told).split("\n").slice(5, 9);

    expect(lines).toEqual([
      "  ChildOf(Any), Told: 4 rows in 2 tables, 4 matches",
      "  Parent(Any), Told: 2 rows in 1 table, 2 matches",
      "  Likes(Any), ChildOf(Any), Told: 2 rows in 2 tables, 2 matches",
      "  Likes(Any), Parent(Any), Told: 2 rows in 1 table, 2 matches",
    ]);
    expect(lineOf("target", explained(Told, Likes(idol)))).toBe("Likes(#10), 3 tables (rarest)");
    expect(lineOf("target", explained(Told, Any(idol)))).toBe("Any(#10), 3 tables (rarest)");
    expect(lineOf("target", explained(Told, Parent(deck)))).toMatch(/^Parent\(#2\), 4 rows by value/);
  });

  it("reports that a disposed query is disposed", () => {
    const tested = query(world, Position, cascade(Light));
    dispose(tested);

    expect(explain(tested)).toBe(
      `query(Position, cascade(Light))
state: disposed; call query(world, ...) again`,
    );
  });

  it("refuses what is not a query", () => {
    expect([codeOf(() => explain(undefined as never)), codeOf(() => explain(Position as never))]).toEqual([
      "bad-query",
      "bad-query",
    ]);
  });

  it("rethrows what a comparison throws, and leaves nothing locked", () => {
    const tested = query(
      world,
      orderBy(Position, () => {
        throw new Error("no");
      }),
    );

    expect(() => explain(tested)).toThrow("no");
    expect(isIterating(world)).toBe(false);
  });
});
