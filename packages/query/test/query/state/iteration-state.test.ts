import { add, ChildOf, type Entity } from "@treeline/core";
import { ANY, archetypeViewAt, indexOf, rowAt } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { bind, cascade, eachBatch, type Query, query, unbind, up, variable } from "../../../src/index.ts";
import { beginIteration, endIteration, type Iteration } from "../../../src/iterate/iteration.ts";
import { IterationState } from "../../../src/query/state/iteration-state.ts";
import { Likes, Tag, Warm } from "../../definitions.ts";
import { root, seat, setBranch, ship, world } from "../../test-world.ts";

const liked = variable("liked");

beforeEach(() => {
  setBranch(Warm, Tag);
  for (const [one, above] of [
    [ship, root],
    [seat, ship],
  ] as const) {
    add(world, one, Tag);
    add(world, one, Likes(above));
  }
});

interface Shown {
  entities: Entity[];
  depth: number;
  sources: (Entity | undefined)[];
  liked: number | undefined;
}

/** The iteration state at each row interval. */
function shown(tested: unknown): Shown[] {
  const own = tested as Query;
  const iteration: Iteration = beginIteration(own, false);
  const { intervals, state } = iteration;
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
  endIteration(own, iteration, true);
  return found;
}

describe("an iteration state at an interval", () => {
  it("of rows has no ancestors", () => {
    expect(shown(query(world, Warm))).toEqual([
      { entities: [root], depth: 0, sources: [], liked: undefined },
    ]);
  });

  it("of a list has its depth and the ancestor along each path", () => {
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

  it("that is joined has what its variables are bound to, its depth and its ancestors", () => {
    expect(shown(query(world, Likes(liked), cascade(Warm)))).toEqual([
      { entities: [ship], depth: 1, sources: [root], liked: root },
      { entities: [seat], depth: 2, sources: [root], liked: ship },
    ]);
  });

  it("for which a variable is set has that", () => {
    const tested = query(world, Likes(liked));

    expect(shown(bind(tested, liked, ship))).toEqual([
      { entities: [seat], depth: 0, sources: [], liked: ship },
    ]);
    const state = new IterationState(unbind(tested, liked) as never as Query);
    expect(state.targetOf(liked)).toBe(ANY);
  });

  it("has an entry for what each variable is bound to, whichever is read first", () => {
    const above = variable("above");
    const tested = query(world, Likes(liked), ChildOf(above), up(Warm)) as unknown as Query;
    const sizes = ({ sources, sourceRow, sourceRows }: IterationState): number[] =>
      [sources, sourceRow, sourceRows].map((list) => Object.keys(list).length);
    const found: unknown[] = [];
    eachBatch(tested, (batch) => {
      for (const one of [above, liked, Warm]) found.push(batch.sourceAt(one, batch.from));
    });
    const [{ state }] = tested.spares.lists as [Iteration];

    expect(found).toEqual([root, root, root, ship, ship, root]);
    expect([sizes(new IterationState(tested)), sizes(state)]).toEqual([
      [3, 3, 3],
      [3, 3, 3],
    ]);
  });
});
