import { type Entity, set, spawn } from "@treeline/core";
import { archetypeViewAt, clockOf, indexOf, rowAt } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { type Filter, query } from "../../src/index.ts";
import { evaluate, MAYBE, NO, type Truth, YES } from "../../src/match/evaluate.ts";
import { IterationState } from "../../src/query/state/iteration-state.ts";
import { Frozen, Likes } from "../definitions.ts";
import { Any, ChildOf, Parent } from "../public/builtins.ts";
import { component, relation, tag } from "../public/define.ts";
import { f32 } from "../public/fields.ts";
import { added, all, changed, not, or, removed } from "../public/filters.ts";
import { on, selfOrUp, up } from "../public/terms.ts";
import { setShip, ship, world } from "../test-world.ts";

const Warm = component("Warm", { x: f32 });
const Heavy = tag("Heavy");
const Within = relation("Within", { traversable: true, reflexive: true });
const NAMES = { [NO]: "no", [YES]: "yes", [MAYBE]: "maybe" };

beforeEach(setShip);

/** What a term evaluates to for the archetype of an entity, whatever its ancestors are. */
function ofArchetype(term: Filter, entity: Entity): string {
  const { plan } = query(world, all(or(term)));
  return NAMES[evaluate(plan.tests[0]!, archetypeViewAt(world, indexOf(entity)), undefined)];
}

/** What it evaluates to for the entity, or for all of its archetype; its source's archetype is that of `source`. */
function evaluateFor(term: Filter, entity: Entity, source?: Entity, onlyArchetype = false, since = 0): Truth {
  const tested = query(world, all(or(term)));
  const state = new IterationState(tested);
  state.begin(tested);
  const index = indexOf(entity);
  state.archetype = archetypeViewAt(world, index);
  state.index = onlyArchetype ? 0 : index;
  state.row = rowAt(world, index);
  state.since = since;
  state.isSteady = true;
  if (source !== undefined && state.sources.length > 0) {
    state.sources[0] = archetypeViewAt(world, indexOf(source));
    state.sourceRow[0] = rowAt(world, indexOf(source));
  }
  return evaluate(tested.plan.tests[0]!, state.archetype, state);
}

describe("for an archetype, whatever its ancestors are, a test evaluates to", () => {
  it.each<[string, () => Filter, string]>([
    ["what it has", () => Warm, "yes"],
    ["what it has not", () => Heavy, "no"],
    ["any target", () => Likes(Any), "yes"],
    ["some target, perhaps", () => Likes(ship), "maybe"],
    ["parents of the other storage", () => ChildOf(ship), "maybe"],
    ["no target of a relation it has not", () => relation("Harms")(ship), "no"],
    ["a reflexive relation, perhaps, for it may be the target", () => Within(ship), "maybe"],
    ["ancestors, perhaps", () => up(Heavy), "maybe"],
    ["itself", () => selfOrUp(Warm), "yes"],
    ["a given entity, perhaps", () => on(ship, Heavy), "maybe"],
    ["changes of what it has, perhaps", () => changed(Warm), "maybe"],
    ["no changes of what it has not", () => added(Heavy), "no"],
    ["no loss of what it has", () => removed(Frozen), "no"],
    ["a loss of what it has not, perhaps", () => removed(Heavy), "maybe"],
    ["not what it has", () => not(Warm), "no"],
    ["not what it has not", () => not(Heavy), "yes"],
    ["not what is unsure: unsure", () => not(Likes(ship)), "maybe"],
    ["one sure alternative is enough", () => or(Likes(ship), Warm), "yes"],
    ["one unsure alternative leaves it open", () => or(Likes(ship), Heavy), "maybe"],
    ["one missing part is enough against a group", () => all(Likes(ship), Heavy), "no"],
    ["one unsure part leaves a group open", () => all(Likes(ship), Warm), "maybe"],
  ])("%s", (_, term, expected) => {
    const entity = spawn(world, Warm, Frozen, Likes(ship), Parent(ship));

    expect(ofArchetype(term(), entity)).toBe(expected);
  });
});

describe("for one entity in a match context", () => {
  it("targets are certain, in both storages of parents", () => {
    const other = spawn(world);
    const entity = spawn(world, Likes(ship), Parent(ship));

    expect([evaluateFor(Likes(ship), entity), evaluateFor(Likes(other), entity)]).toEqual([YES, NO]);
    expect([evaluateFor(ChildOf(ship), entity), evaluateFor(ChildOf(other), entity)]).toEqual([YES, NO]);
    expect([evaluateFor(Within(entity), entity), evaluateFor(Within(ship), entity)]).toEqual([YES, NO]);
    expect(evaluateFor(Likes(ship), entity, undefined, true)).toBe(MAYBE);
  });

  it("an ancestor is there or not, and the entity itself if that counts", () => {
    const entity = spawn(world, Warm, ChildOf(ship));

    expect([evaluateFor(up(Warm), entity, ship), evaluateFor(up(Warm), entity)]).toEqual([YES, NO]);
    expect([evaluateFor(selfOrUp(Warm), entity), evaluateFor(selfOrUp(Heavy), entity)]).toEqual([YES, NO]);
  });

  it("a term about a fixed source holds for all entities, or for none", () => {
    const entity = spawn(world);
    const sun = spawn(world, Warm);

    expect([
      evaluateFor(on(sun, Warm), entity),
      evaluateFor(on(ship, Warm), entity, undefined, true),
    ]).toEqual([YES, NO]);
  });

  it("a value is changed by the tick of its row, and old for all if no row is newer", () => {
    const watched = query(world, changed(Warm));
    const [one, other] = [spawn(world, Warm), spawn(world, Warm)];
    const since = clockOf(world).now++;
    set(world, one, Warm, { x: 1 });

    const results = [one, other].map((entity) => evaluateFor(changed(Warm), entity, undefined, false, since));

    expect([results, watched.plan.isWatching]).toEqual([[YES, NO], true]);
    expect(evaluateFor(changed(Warm), one, undefined, true, since)).toBe(MAYBE);
    expect(evaluateFor(changed(Warm), one, undefined, true, clockOf(world).now)).toBe(NO);
  });

  it("the value of a source is changed by the tick of the source's row", () => {
    query(world, changed(Warm));
    const sun = spawn(world, Warm);
    const entity = spawn(world, ChildOf(sun));
    const since = clockOf(world).now++;

    expect(evaluateFor(changed(up(Warm)), entity, sun, false, since)).toBe(NO);
    set(world, sun, Warm, { x: 1 });
    expect(evaluateFor(changed(up(Warm)), entity, sun, false, since)).toBe(YES);
    expect(evaluateFor(changed(up(Warm)), entity, undefined, false, since)).toBe(NO);
  });
});
