import { type Entity, pack, set, spawn, spawnMany } from "@treeline/core";
import { archetypeViewAt, indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { entities, type Query, type QueryTerm, query } from "../../../src/index.ts";
import { evaluateAll, MAYBE, NO, YES } from "../../../src/match/evaluate.ts";
import { addInterval, createIntervalsFor, ROWS } from "../../../src/query/lists/row-intervals.ts";
import { filterIntervals, needRows } from "../../../src/query/rows/list-rows.ts";
import { IterationState } from "../../../src/query/state/iteration-state.ts";
import { Likes, Warm } from "../../definitions.ts";
import { ChildOf, Parent } from "../../public/builtins.ts";
import { component, relation } from "../../public/define.ts";
import { f32 } from "../../public/fields.ts";
import { all, changed, not, or } from "../../public/filters.ts";
import { on, selfOrUp } from "../../public/terms.ts";
import { setShip, ship, world } from "../../test-world.ts";

const Heavy = component("Heavy", { of: f32 });
const Within = relation("Within", { traversable: true, reflexive: true });

let dock: Entity;

beforeEach(setShip);
beforeEach(() => {
  dock = spawn(world);
});

/** The rows of the entity's archetype that pass, as [from, to] of each interval. */
function passing(tested: Query, entity: Entity): number[][] {
  const archetype = archetypeViewAt(world, indexOf(entity));
  const state = new IterationState(tested);
  state.begin(tested);
  const intervals = createIntervalsFor(tested);
  addInterval(intervals, archetype, 0, archetype.rows, ROWS);
  filterIntervals(tested, state, intervals);
  const found: number[][] = [];
  for (let at = 0; at < intervals.length; at += intervals.stride)
    found.push([intervals.numbers[at + 1]!, intervals.numbers[at + 2]!]);
  return found;
}

const make = (...terms: QueryTerm[]): Query => query(world, ...terms) as Query;

describe("rows that pass all tests", () => {
  it("are all of them without tests, and with tests that archetypes decide", () => {
    const [one] = spawnMany(world, 5, Warm);

    expect(passing(make(Warm), one!)).toEqual([[0, 5]]);
    expect(passing(make(or(Warm, Heavy)), one!)).toEqual([[0, 5]]);
    expect(passing(make(or(Heavy)), one!)).toEqual([]);
  });

  it("are whole tables, if a pair is in their type", () => {
    const [one] = [
      spawnMany(world, 4, Likes(ship)),
      spawnMany(world, 4, Likes(dock)),
      spawnMany(world, 4, Likes(ship), Likes(dock)),
    ].flat();
    pack(world);

    expect(passing(make(or(Likes(ship))), one!)).toEqual([
      [0, 4],
      [8, 12],
    ]);
    expect(passing(make(or(all(Likes(ship), not(Likes(dock))))), one!)).toEqual([[0, 4]]);
    expect(passing(make(not(all(Likes(ship)))), one!)).toEqual([[4, 8]]);
  });

  it("are decided one by one, where the parent is a value", () => {
    const children = [ship, dock, ship, ship, dock].map((parent) => spawn(world, Parent(parent)));

    expect(passing(make(or(ChildOf(ship))), children[0]!)).toEqual([
      [0, 1],
      [2, 4],
    ]);
    expect(passing(make(not(all(ChildOf(ship)))), children[0]!)).toEqual([
      [1, 2],
      [4, 5],
    ]);
  });

  it("are found in whatever block of ticks they are", () => {
    const many = spawnMany(world, 300, Warm);
    const tested = make(changed(Warm));
    entities(tested);
    const written = [0, 63, 64, 200, 299];
    for (const at of written) set(world, many[at]!, Warm, { of: 1 });

    expect(passing(tested, many[0]!)).toEqual([
      [0, 1],
      [63, 65],
      [200, 201],
      [299, 300],
    ]);
  });

  it("of two that must have changed are those where both have", () => {
    const many = spawnMany(world, 200, Warm, Heavy);
    const tested = make(changed(Warm), changed(Heavy));
    entities(tested);
    for (const at of [1, 70, 150]) set(world, many[at]!, Warm, { of: 1 });
    for (const at of [2, 70, 150]) set(world, many[at]!, Heavy, { of: 1 });

    expect(passing(tested, many[0]!)).toEqual([
      [70, 71],
      [150, 151],
    ]);
  });
});

describe("all tests together", () => {
  it("fail with one, and are unsure with one", () => {
    const one = spawn(world, Warm, Likes(ship));
    const results = [
      [or(Warm), or(Likes(ship))],
      [or(Likes(ship)), or(Heavy)],
      [or(Warm), on(ship, Heavy)],
      [or(Warm)],
    ].map((terms) => {
      const tested = make(...terms);
      const state = new IterationState(tested);
      state.begin(tested);
      state.archetype = archetypeViewAt(world, indexOf(one));
      return evaluateAll(tested.plan.tests, state.archetype, state);
    });

    expect(results).toEqual([MAYBE, NO, NO, YES]);
  });
});

describe("a test differs between rows of an archetype", () => {
  it.each<[string, () => QueryTerm, boolean]>([
    ["about a parent", () => or(ChildOf(ship)), true],
    ["about any relation", () => or(relation("R")(ship), not(Parent(dock))), true],
    ["about reflexive relations", () => or(Within(ship)), true],
    ["about changes", () => changed(Warm), true],
    ["about itself or above, if that is reflexive", () => selfOrUp(Within(ship)), true],
    ["about other pairs", () => or(Likes(ship)), true],
    ["not about components", () => or(Warm, Heavy), false],
    ["not about given entities", () => not(on(ship, Warm)), false],
  ])("%s", (_, term, expected) => {
    expect(needRows(make(term()).plan)).toBe(expected);
  });
});
