import {
  ChildOf,
  component,
  type Entity,
  f32,
  Parent,
  pack,
  relation,
  set,
  spawn,
  spawnMany,
} from "@treeline/core";
import { archetypeViewAt, indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import {
  all,
  changed,
  entities,
  not,
  on,
  or,
  type Query,
  type QueryTerm,
  query,
  selfOrUp,
} from "../../../src/index.ts";
import { evaluateAll, MAYBE, NO, YES } from "../../../src/match/evaluate.ts";
import { addInterval, createIntervalsFor, ROWS } from "../../../src/query/lists/row-intervals.ts";
import { filterIntervals, needRows } from "../../../src/query/rows/list-rows.ts";
import { IterationState } from "../../../src/query/state/iteration-state.ts";
import { Likes, Warm } from "../../definitions.ts";
import { setShip, ship, world } from "../../stage.ts";

const Heavy = component("Heavy", { of: f32 });
const Within = relation("Within", { traversable: true, reflexive: true });

let dock: Entity;

beforeEach(setShip);
beforeEach(() => {
  dock = spawn(world);
});

/** The rows of the entity's archetype that pass, as [from, to] of each span. */
function passing(asked: Query, entity: Entity): number[][] {
  const archetype = archetypeViewAt(world, indexOf(entity));
  const seen = new IterationState(asked);
  seen.begin(asked);
  const intervals = createIntervalsFor(asked);
  addInterval(intervals, archetype, 0, archetype.rows, ROWS);
  filterIntervals(asked, seen, intervals);
  const found: number[][] = [];
  for (let at = 0; at < intervals.length; at += intervals.stride)
    found.push([intervals.numbers[at + 1]!, intervals.numbers[at + 2]!]);
  return found;
}

const ask = (...terms: QueryTerm[]): Query => query(world, ...terms) as Query;

describe("rows that pass all tests", () => {
  it("are all of them without tests, and with tests that archetypes tell", () => {
    const [one] = spawnMany(world, 5, Warm);

    expect(passing(ask(Warm), one!)).toEqual([[0, 5]]);
    expect(passing(ask(or(Warm, Heavy)), one!)).toEqual([[0, 5]]);
    expect(passing(ask(or(Heavy)), one!)).toEqual([]);
  });

  it("are whole tables, where a pair stands in their type", () => {
    const [one] = [
      spawnMany(world, 4, Likes(ship)),
      spawnMany(world, 4, Likes(dock)),
      spawnMany(world, 4, Likes(ship), Likes(dock)),
    ].flat();
    pack(world);

    expect(passing(ask(or(Likes(ship))), one!)).toEqual([
      [0, 4],
      [8, 12],
    ]);
    expect(passing(ask(or(all(Likes(ship), not(Likes(dock))))), one!)).toEqual([[0, 4]]);
    expect(passing(ask(not(all(Likes(ship)))), one!)).toEqual([[4, 8]]);
  });

  it("are told one by one, where the parent is a value", () => {
    const children = [ship, dock, ship, ship, dock].map((parent) => spawn(world, Parent(parent)));

    expect(passing(ask(or(ChildOf(ship))), children[0]!)).toEqual([
      [0, 1],
      [2, 4],
    ]);
    expect(passing(ask(not(all(ChildOf(ship)))), children[0]!)).toEqual([
      [1, 2],
      [4, 5],
    ]);
  });

  it("are found in whatever block of ticks they lie", () => {
    const many = spawnMany(world, 300, Warm);
    const asked = ask(changed(Warm));
    entities(asked);
    const news = [0, 63, 64, 200, 299];
    for (const at of news) set(world, many[at]!, Warm, { of: 1 });

    expect(passing(asked, many[0]!)).toEqual([
      [0, 1],
      [63, 65],
      [200, 201],
      [299, 300],
    ]);
  });

  it("of two that must have changed are those where both have", () => {
    const many = spawnMany(world, 200, Warm, Heavy);
    const asked = ask(changed(Warm), changed(Heavy));
    entities(asked);
    for (const at of [1, 70, 150]) set(world, many[at]!, Warm, { of: 1 });
    for (const at of [2, 70, 150]) set(world, many[at]!, Heavy, { of: 1 });

    expect(passing(asked, many[0]!)).toEqual([
      [70, 71],
      [150, 151],
    ]);
  });
});

describe("all tests together", () => {
  it("fail with one, and are unsure with one", () => {
    const one = spawn(world, Warm, Likes(ship));
    const told = [
      [or(Warm), or(Likes(ship))],
      [or(Likes(ship)), or(Heavy)],
      [or(Warm), on(ship, Heavy)],
      [or(Warm)],
    ].map((terms) => {
      const asked = ask(...terms);
      const seen = new IterationState(asked);
      seen.begin(asked);
      seen.archetype = archetypeViewAt(world, indexOf(one));
      return evaluateAll(asked.plan.tests, seen.archetype, seen);
    });

    expect(told).toEqual([MAYBE, NO, NO, YES]);
  });
});

describe("a test differs between rows of a table", () => {
  it.each<[string, () => QueryTerm, boolean]>([
    ["about a parent", () => or(ChildOf(ship)), true],
    ["about any relation", () => or(relation("R")(ship), not(Parent(dock))), true],
    ["about reflexive relations", () => or(Within(ship)), true],
    ["about changes", () => changed(Warm), true],
    ["about itself or above, if that is reflexive", () => selfOrUp(Within(ship)), true],
    ["not about other pairs", () => or(Likes(ship)), false],
    ["not about given entities", () => not(on(ship, Warm)), false],
  ])("%s", (_, term, expected) => {
    const child = spawn(world, Parent(ship));

    expect(needRows(ask(term()).plan, archetypeViewAt(world, indexOf(child)))).toBe(expected);
  });

  it("not about a parent that stands in the type", () => {
    const child = spawn(world, ChildOf(ship));

    expect(needRows(ask(or(ChildOf(ship))).plan, archetypeViewAt(world, indexOf(child)))).toBe(false);
  });
});
