import {
  add,
  ChildOf,
  createWorld,
  type Entity,
  entityOf,
  Parent,
  remove,
  spawn,
  type World,
} from "@treeline/core";
import { ANY, clockOf, indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import {
  bind,
  changed,
  destroy,
  entities,
  on,
  type Query,
  query,
  selfOrUp,
  shard,
  singleton,
  up,
  variable,
} from "../../../src/index.ts";
import { IterationState } from "../../../src/query/state/iteration-state.ts";
import { Likes, Warm } from "../../definitions.ts";

const who = variable("who");

let world: World;
let root: Entity;
let seat: Entity;

beforeEach(() => {
  world = createWorld();
  root = spawn(world, Warm);
  seat = spawn(world, Parent(root));
});

function begun(asked: unknown): IterationState {
  const seen = new IterationState(asked as Query);
  seen.begin(asked as Query);
  return seen;
}

describe("what is asked of given entities", () => {
  it("is looked up as a visit begins: who has it, and whether it holds", () => {
    const seen = begun(
      query(world, on(root, Warm), on(seat, Warm), on(seat, up(Warm)), on(root, selfOrUp(Warm))),
    );

    expect(seen.found).toEqual([indexOf(root), 0, indexOf(root), indexOf(root)]);
  });

  it("is looked up again when the next visit begins", () => {
    const asked = query(world, on(root, Warm)) as Query;
    const seen = begun(asked);

    remove(world, root, Warm);
    expect(seen.found).toEqual([indexOf(root)]);
    seen.begin(asked);
    expect(seen.found).toEqual([0]);
  });

  it("of the dead, and of what nobody stands for, does not hold", () => {
    const asked = query(world, on(root, Warm), singleton(Warm));
    destroy(world, root);
    expect(begun(asked).found).toEqual([0, 0]);

    add(world, entityOf(world, Warm), Warm);
    expect(begun(asked).found).toEqual([0, indexOf(entityOf(world, Warm))]);
  });

  it("of a variable is looked up for whom it stands for", () => {
    const asked = query(world, ChildOf(who), on(who, Warm), on(root, Likes(who)));
    const seen = begun(asked);
    add(world, root, Likes(seat));
    const place = asked.plan.fixedSources.findIndex(({ source }) => source === who);
    const told = [root, seat].map((one) => {
      seen.variables[0] = indexOf(one);
      seen.findFixedSourceAt(0);
      seen.findFixedSourceAt(1);
      return [seen.found[place] !== 0, seen.found[1 - place] !== 0];
    });

    expect(told).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});

describe("variables", () => {
  it("stand for what they are set to, for any entity while free, and for nobody once that is dead", () => {
    const asked = query(world, ChildOf(who)) as Query;
    expect([begun(asked).variables, begun(asked).targetOf(who)]).toEqual([[0], ANY]);

    bind(asked, who, root);
    expect([begun(asked).variables, begun(asked).targetOf(who)]).toEqual([[indexOf(root)], root]);
    destroy(world, root);
    expect([begun(asked).variables, begun(asked).targetOf(who)]).toEqual([[0], root]);
  });
});

describe("ticks", () => {
  it("are those of the last look, also for a part; losses count from the query's beginning", () => {
    const asked = query(world, changed(Warm)) as Query;
    const { began } = asked;
    expect([begun(asked).since, begun(asked).sinceRemoved]).toEqual([0, began]);

    entities(asked);
    const looked = clockOf(world).now - 1;
    expect([begun(asked).since, begun(shard(asked, 0, 2)).since, begun(asked).sinceRemoved]).toEqual([
      looked,
      looked,
      looked,
    ]);
    expect(looked).toBeGreaterThan(began);
  });
});
