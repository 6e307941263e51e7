import { add, ChildOf, createWorld, type Entity, Parent, spawn, type World } from "@treeline/core";
import { handleOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { cascade, not, on, or, type Query, type QueryTerm, query, up, variable } from "../../../src/index.ts";
import { listJoined } from "../../../src/query/joins/solve.ts";
import { createIntervalsFor, HEAD } from "../../../src/query/lists/row-intervals.ts";
import { filterIntervals } from "../../../src/query/rows/list-rows.ts";
import { IterationState } from "../../../src/query/state/iteration-state.ts";
import { Frozen, Likes, Tag, Warm } from "../../definitions.ts";

const liked = variable("liked");

let world: World;
let root: Entity;
let ship: Entity;
let seat: Entity;

/** root (Warm) > ship > seat. The seat, which is spawned before the ship, likes both others, the ship the root. */
beforeEach(() => {
  world = createWorld();
  root = spawn(world, Warm);
  seat = spawn(world, Likes(root));
  ship = spawn(world, Parent(root), Likes(root));
  add(world, seat, Likes(ship));
  add(world, seat, ChildOf(ship));
});

/** Each match: the entity, what the variable is bound to, the source along each path, and the depth. */
function matches(...terms: QueryTerm[]): unknown[][] {
  const tested = query(world, ...terms) as Query;
  const [state, intervals] = [new IterationState(tested), createIntervalsFor(tested)];
  state.begin(tested);
  listJoined(tested, state, intervals);
  filterIntervals(tested, state, intervals);
  const { traversals } = tested.plan;
  const found: unknown[][] = [];
  for (let at = 0; at < intervals.length; at += intervals.stride) {
    const { i32 } = world.graph.archetypes[intervals.numbers[at]!]!.lanes;
    const others = [...intervals.numbers.subarray(at + HEAD, at + HEAD + 1 + traversals.length)];
    const depth = traversals.length > 0 ? [intervals.numbers[at + intervals.stride - 1]!] : [];
    for (let row = intervals.numbers[at + 1]!; row < intervals.numbers[at + 2]!; row++) {
      const names = [i32[row]!, ...others].map((index) => nameOf(index === 0 ? 0 : handleOf(world, index)));
      found.push([...names, ...depth]);
    }
  }
  return found;
}

function nameOf(entity: number): string {
  return entity === root ? "root" : entity === ship ? "ship" : entity === seat ? "seat" : "-";
}

describe("joined matches", () => {
  it("pass all tests, which may be about the bound entity", () => {
    add(world, seat, Tag);

    expect(matches(Likes(liked), or(Tag)).toSorted()).toEqual([
      ["seat", "root"],
      ["seat", "ship"],
    ]);
    expect(matches(Likes(liked), not(on(liked, Warm)))).toEqual([["seat", "ship"]]);
    expect(matches(Likes(liked), not(ChildOf(liked)))).toEqual([["seat", "root"]]);
  });

  it("have their ancestors and their depth beside them", () => {
    expect(matches(Likes(liked), up(Warm)).toSorted()).toEqual([
      ["seat", "root", "root", 2],
      ["seat", "ship", "root", 2],
      ["ship", "root", "root", 1],
    ]);
    add(world, ship, Warm);
    expect(matches(Likes(liked), Tag)).toEqual([]);
    expect(
      matches(Likes(liked), not(up(Tag)), up(Warm))
        .map((one) => one[3])
        .toSorted(),
    ).toEqual(["root", "ship", "ship"]);
  });

  it("come by depth, if they are required in that order", () => {
    const names = (...terms: QueryTerm[]): unknown[] => matches(...terms).map(([name]) => name);

    expect(names(Likes(liked), cascade(Warm))).toEqual(["ship", "seat", "seat"]);
    expect(names(Likes(liked), cascade(Warm, { desc: true }))).toEqual(["seat", "seat", "ship"]);
  });

  it("are right along long paths up, whose ancestors are walked once", () => {
    const chain: Entity[] = [ship];
    for (let at = 1; at < 120; at++) {
      const above = chain[at - 1]!;
      const terms = at === 40 ? [Warm] : at % 7 === 0 ? [Tag] : [];
      chain.push(spawn(world, (at % 2 === 0 ? ChildOf : Parent)(above), Likes(above), ...(terms as [])));
    }
    const found = (...terms: QueryTerm[]): [number, number][] => {
      const tested = query(world, ...terms, not(Frozen)) as unknown as Query;
      const [state, intervals] = [new IterationState(tested), createIntervalsFor(tested)];
      state.begin(tested);
      listJoined(tested, state, intervals);
      filterIntervals(tested, state, intervals);
      const pairs: [number, number][] = [];
      for (let at = 0; at < intervals.length; at += intervals.stride) {
        const { i32 } = world.graph.archetypes[intervals.numbers[at]!]!.lanes;
        const source = intervals.numbers[at + HEAD + tested.plan.variables.length]!;
        for (let row = intervals.numbers[at + 1]!; row < intervals.numbers[at + 2]!; row++) {
          const number = chain.indexOf(handleOf(world, i32[row]!));
          if (number > 0) pairs.push([number, source]);
        }
      }
      return pairs.toSorted(([one], [other]) => one - other);
    };
    const from = (first: number): number[] => [...chain.keys()].slice(first);

    const held = found(Likes(liked), up(Warm)).map(([number, source]) => [number, handleOf(world, source)]);
    expect(held).toEqual(from(1).map((number) => [number, number > 40 ? chain[40] : root]));
    expect(found(Likes(liked), on(liked, up(Tag))).map(([number]) => number)).toEqual(from(9));
    expect(found(Likes(liked), on(liked, up(Likes(chain[50]!)))).map(([number]) => number)).toEqual(from(53));
  });
});
