import { ChildOf, createWorld, type Entity, Parent, spawn, type World } from "@treeline/core";
import { ANY, archetypeViewAt, indexOf, rowAt } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { bind, cascade, eachBatch, type Query, query, up, variable } from "../../../src/index.ts";
import { beginIteration, endIteration, type Iteration } from "../../../src/iterate/iteration.ts";
import { IterationState } from "../../../src/query/state/iteration-state.ts";
import { Likes, Tag, Warm } from "../../definitions.ts";

const liked = variable("liked");

let world: World;
let root: Entity;
let ship: Entity;
let seat: Entity;

beforeEach(() => {
  world = createWorld();
  root = spawn(world, Warm, Tag);
  ship = spawn(world, Parent(root), Tag, Likes(root));
  seat = spawn(world, ChildOf(ship), Tag, Likes(ship));
});

interface Shown {
  entities: Entity[];
  depth: number;
  sources: (Entity | undefined)[];
  liked: number | undefined;
}

/** What a scene shows of each span. */
function shown(asked: unknown): Shown[] {
  const own = asked as Query;
  const visit: Iteration = beginIteration(own, false);
  const { intervals, state } = visit;
  const found: Shown[] = [];
  for (let at = 0; at < intervals.length; at += intervals.stride) {
    state.turnTo(intervals, at);
    const entities: Entity[] = [];
    for (let place = state.from; place < state.to; place++) entities.push(state.entityAt(place));
    const sources = state.sources
      .slice(0, own.plan.traversals.length)
      .map((archetype, place) =>
        archetype === undefined
          ? undefined
          : [root, ship, seat].find(
              (one) =>
                rowAt(world, indexOf(one)) === state.sourceRowAt(place, state.from) &&
                archetypeViewAt(world, indexOf(one)) === archetype,
            ),
      );
    expect(state.entityIn(state.rowAt(state.from))).toBe(entities[0]);
    found.push({
      entities,
      depth: state.depth,
      sources,
      liked: own.plan.variables.length > 0 ? state.targetOf(liked) : undefined,
    });
  }
  endIteration(own, visit, true);
  return found;
}

describe("a scene shows a span", () => {
  it("of rows, with nobody above", () => {
    expect(shown(query(world, Warm))).toEqual([
      { entities: [root], depth: 0, sources: [], liked: undefined },
    ]);
  });

  it("of a list, with its depth and whoever is above along each way", () => {
    expect(shown(query(world, Tag, cascade(Warm), up(Tag)))).toEqual([
      { entities: [ship], depth: 1, sources: [root, root], liked: undefined },
      { entities: [seat], depth: 2, sources: [root, ship], liked: undefined },
    ]);
    expect(shown(query(world, Tag, cascade(Warm)))[0]).toEqual({
      entities: [root],
      depth: 0,
      sources: [undefined],
      liked: undefined,
    });
  });

  it("that is joined, with what its variables stand for, its depth and its ancestors", () => {
    expect(shown(query(world, Likes(liked), cascade(Warm)))).toEqual([
      { entities: [ship], depth: 1, sources: [root], liked: root },
      { entities: [seat], depth: 2, sources: [root], liked: ship },
    ]);
  });

  it("for which a variable is set, with that", () => {
    const asked = query(world, Likes(liked));

    expect(shown(bind(asked, liked, ship))).toEqual([
      { entities: [seat], depth: 0, sources: [], liked: ship },
    ]);
    const state = new IterationState(bind(asked, liked, undefined) as never as Query);
    expect(state.targetOf(liked)).toBe(ANY);
  });

  it("with a place for what each variable stands for, whichever is looked at first", () => {
    const above = variable("above");
    const asked = query(world, Likes(liked), ChildOf(above), up(Warm)) as unknown as Query;
    const sizes = ({ sources, sourceRow, sourceRows }: IterationState): number[] =>
      [sources, sourceRow, sourceRows].map((list) => Object.keys(list).length);
    const found: unknown[] = [];
    eachBatch(asked, (batch) => {
      for (const one of [above, liked, Warm]) found.push(batch.sourceAt(one, batch.from));
    });
    const [{ state }] = asked.spares.lists as [Iteration];

    expect(found).toEqual([root, root, root, ship, ship, root]);
    expect([sizes(new IterationState(asked)), sizes(state)]).toEqual([
      [3, 3, 3],
      [3, 3, 3],
    ]);
  });
});
