import { add, type Entity, entityOf, remove, spawn, type World } from "@treeline/core";
import { ANY, clockOf, indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy, entities, type Query, query } from "../../../src/index.ts";
import { IterationState } from "../../../src/query/state/iteration-state.ts";
import { Likes, Warm } from "../../definitions.ts";
import { ChildOf, Parent } from "../../public/builtins.ts";
import { createWorld } from "../../public/define.ts";
import { changed } from "../../public/filters.ts";
import { bind, shard } from "../../public/parts.ts";
import { on, selfOrUp, singleton, up, variable } from "../../public/terms.ts";

const bound = variable("who");

let world: World;
let root: Entity;
let seat: Entity;

beforeEach(() => {
  world = createWorld();
  root = spawn(world, Warm);
  seat = spawn(world, Parent(root));
});

function begun(tested: unknown): IterationState {
  const state = new IterationState(tested as Query);
  state.begin(tested as Query);
  return state;
}

describe("a term about a given entity", () => {
  it("is evaluated as an iteration begins: whether the entity has it, and where", () => {
    const state = begun(
      query(world, on(root, Warm), on(seat, Warm), on(seat, up(Warm)), on(root, selfOrUp(Warm))),
    );

    expect(state.found).toEqual([indexOf(root), 0, indexOf(root), indexOf(root)]);
  });

  it("is evaluated again when the next iteration begins", () => {
    const tested = query(world, on(root, Warm)) as Query;
    const state = begun(tested);

    remove(world, root, Warm);
    expect(state.found).toEqual([indexOf(root)]);
    state.begin(tested);
    expect(state.found).toEqual([0]);
  });

  it("does not hold for a destroyed entity, nor for an unbound one", () => {
    const tested = query(world, on(root, Warm), singleton(Warm));
    destroy(world, root);
    expect(begun(tested).found).toEqual([0, 0]);

    add(world, entityOf(world, Warm), Warm);
    expect(begun(tested).found).toEqual([0, indexOf(entityOf(world, Warm))]);
  });

  it("of a variable is evaluated for the bound entity", () => {
    const tested = query(world, ChildOf(bound), on(bound, Warm), on(root, Likes(bound)));
    const state = begun(tested);
    add(world, root, Likes(seat));
    const place = tested.plan.fixedSources.findIndex(({ source }) => source === bound);
    const reported = [root, seat].map((one) => {
      state.variables[0] = indexOf(one);
      state.findFixedSourceAt(0);
      state.findFixedSourceAt(1);
      return [state.found[place] !== 0, state.found[1 - place] !== 0];
    });

    expect(reported).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});

describe("variables", () => {
  it("are bound to what they are set to, to any entity while free, and to none once that is destroyed", () => {
    const tested = query(world, ChildOf(bound)) as Query;
    expect([begun(tested).variables, begun(tested).targetOf(bound)]).toEqual([[0], ANY]);

    bind(tested, bound, root);
    expect([begun(tested).variables, begun(tested).targetOf(bound)]).toEqual([[indexOf(root)], root]);
    destroy(world, root);
    expect([begun(tested).variables, begun(tested).targetOf(bound)]).toEqual([[0], root]);
  });
});

describe("ticks", () => {
  it("are those of the last read, also for a part; losses count from the query's beginning", () => {
    const tested = query(world, changed(Warm)) as Query;
    const { began } = tested;
    expect([begun(tested).since, begun(tested).began]).toEqual([0, began]);

    entities(tested);
    const lastRead = clockOf(world).now - 1;
    expect([begun(tested).since, begun(shard(tested, 0, 2)).since, begun(tested).began]).toEqual([
      lastRead,
      lastRead,
      began,
    ]);
    expect(lastRead).toBeGreaterThan(began);
  });
});
