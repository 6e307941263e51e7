import { Any, ChildOf, component, type Entity, f32, Parent, relation, set, spawn, tag } from "@treeline/core";
import { archetypeViewAt, clockOf, indexOf, rowAt } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import {
  added,
  all,
  changed,
  type Filter,
  not,
  on,
  or,
  query,
  removed,
  selfOrUp,
  up,
} from "../../src/index.ts";
import { evaluate, MAYBE, NO, type Truth, YES } from "../../src/match/evaluate.ts";
import { IterationState } from "../../src/query/state/iteration-state.ts";
import { Frozen, Likes } from "../definitions.ts";
import { setShip, ship, world } from "../stage.ts";

const Warm = component("Warm", { x: f32 });
const Heavy = tag("Heavy");
const Within = relation("Within", { traversable: true, reflexive: true });
const NAMES = { [NO]: "no", [YES]: "yes", [MAYBE]: "maybe" };

beforeEach(setShip);

/** What a term tells of the archetype of an entity, whoever its ancestors are. */
function ofArchetype(term: Filter, entity: Entity): string {
  const { plan } = query(world, all(or(term)));
  return NAMES[evaluate(plan.tests[0]!, archetypeViewAt(world, indexOf(entity)), undefined)];
}

/** What it tells when the entity is in sight, or all of its archetype; its holder's archetype is that of `source`. */
function inSight(term: Filter, entity: Entity, source?: Entity, onlyArchetype = false, since = 0): Truth {
  const asked = query(world, all(or(term)));
  const seen = new IterationState(asked);
  seen.begin(asked);
  const index = indexOf(entity);
  seen.archetype = archetypeViewAt(world, index);
  seen.index = onlyArchetype ? 0 : index;
  seen.row = rowAt(world, index);
  seen.since = since;
  seen.isSteady = true;
  if (source !== undefined && seen.sources.length > 0) {
    seen.sources[0] = archetypeViewAt(world, indexOf(source));
    seen.sourceRow[0] = rowAt(world, indexOf(source));
  }
  return evaluate(asked.plan.tests[0]!, seen.archetype, seen);
}

describe("of an archetype, whoever its ancestors are, a test tells", () => {
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

describe("of one entity in sight", () => {
  it("targets are sure, in both storages of parents", () => {
    const other = spawn(world);
    const entity = spawn(world, Likes(ship), Parent(ship));

    expect([inSight(Likes(ship), entity), inSight(Likes(other), entity)]).toEqual([YES, NO]);
    expect([inSight(ChildOf(ship), entity), inSight(ChildOf(other), entity)]).toEqual([YES, NO]);
    expect([inSight(Within(entity), entity), inSight(Within(ship), entity)]).toEqual([YES, NO]);
    expect(inSight(Likes(ship), entity, undefined, true)).toBe(MAYBE);
  });

  it("an ancestor is there or not, and oneself if that counts", () => {
    const entity = spawn(world, Warm, ChildOf(ship));

    expect([inSight(up(Warm), entity, ship), inSight(up(Warm), entity)]).toEqual([YES, NO]);
    expect([inSight(selfOrUp(Warm), entity), inSight(selfOrUp(Heavy), entity)]).toEqual([YES, NO]);
  });

  it("what is asked of a given entity holds for everybody, or for nobody", () => {
    const entity = spawn(world);
    const sun = spawn(world, Warm);

    expect([inSight(on(sun, Warm), entity), inSight(on(ship, Warm), entity, undefined, true)]).toEqual([
      YES,
      NO,
    ]);
  });

  it("a value is news by the tick of its row, and old for all if no row is newer", () => {
    const watched = query(world, changed(Warm));
    const [one, other] = [spawn(world, Warm), spawn(world, Warm)];
    const since = clockOf(world).now++;
    set(world, one, Warm, { x: 1 });

    const told = [one, other].map((entity) => inSight(changed(Warm), entity, undefined, false, since));

    expect([told, watched.plan.isWatching]).toEqual([[YES, NO], true]);
    expect(inSight(changed(Warm), one, undefined, true, since)).toBe(MAYBE);
    expect(inSight(changed(Warm), one, undefined, true, clockOf(world).now)).toBe(NO);
  });

  it("the value of a holder is news by the tick of the holder's row", () => {
    query(world, changed(Warm));
    const sun = spawn(world, Warm);
    const entity = spawn(world, ChildOf(sun));
    const since = clockOf(world).now++;

    expect(inSight(changed(up(Warm)), entity, sun, false, since)).toBe(NO);
    set(world, sun, Warm, { x: 1 });
    expect(inSight(changed(up(Warm)), entity, sun, false, since)).toBe(YES);
    expect(inSight(changed(up(Warm)), entity, undefined, false, since)).toBe(NO);
  });
});
