import { ChildOf, createWorld, type Entity, Parent, spawn, type World } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { cascade, not, or, type Query, type QueryTerm, query, up } from "../../../src/index.ts";
import { ROWS } from "../../../src/query/lists/row-intervals.ts";
import { Frozen, Owes, Tag, Warm } from "../../definitions.ts";
import { listedFor } from "../../listed-rows.ts";
import { matchesByRun } from "../../matches.ts";

let world: World;
let root: Entity;
let ship: Entity;
let seats: Entity[];

/** root > ship > two seats by ChildOf and two by Parent. */
beforeEach(() => {
  world = createWorld();
  root = spawn(world, Tag, Warm);
  ship = spawn(world, Tag, ChildOf(root));
  seats = [ChildOf, ChildOf, Parent, Parent].map((storage) => spawn(world, Tag, storage(ship)));
});

const rowsByInterval = (...terms: QueryTerm[]): Entity[][] => matchesByRun(query(world, ...terms) as Query);

describe("rows with ancestors are listed", () => {
  it("after those that have none, chunk by chunk", () => {
    const [a, b, c, d] = seats;

    expect(rowsByInterval(Tag, cascade(Warm))).toEqual([[root], [ship], [a, b], [c, d]]);
  });

  it("in reverse order if children come first", () => {
    expect(rowsByInterval(Tag, cascade(Warm, { desc: true })).map((one) => one.length)).toEqual([2, 2, 1, 1]);
    expect(rowsByInterval(Tag, cascade(Warm, { desc: true })).slice(-2)).toEqual([[ship], [root]]);
  });

  it("as positions in lists, those without as rows", () => {
    const { intervals } = listedFor(query(world, Tag, cascade(Warm)) as Query);
    const sources = [0, 1, 2, 3].map((at) => intervals.numbers[at * intervals.stride + 3]!);

    expect(sources.map((source) => source > ROWS)).toEqual([false, true, true, true]);
  });

  it("without those that have no such ancestor, if the query requires that", () => {
    expect(rowsByInterval(Tag, up(Warm)).flat()).toEqual([ship, ...seats]);
    expect(rowsByInterval(Tag, not(up(Warm)))).toEqual([[root]]);
    expect(rowsByInterval(or(up(Frozen), Warm))).toEqual([[root]]);
  });

  it("position by position, where a target or a test distinguishes rows", () => {
    const other = spawn(world, Tag, ChildOf(root));
    const far = spawn(world, Tag, Parent(other));
    const [a, b, c, d] = seats;

    expect(rowsByInterval(Tag, ChildOf(ship), cascade(Warm))).toEqual([
      [a, b],
      [c, d],
    ]);
    expect(rowsByInterval(Tag, or(ChildOf(other)), up(Warm))).toEqual([[far]]);
    expect(rowsByInterval(Tag, not(ChildOf(ship)), cascade(Warm)).flat()).toEqual([root, ship, other, far]);
  });

  it("table by table, where values of a pair are passed", () => {
    const [one, other] = [spawn(world, Owes(root), ChildOf(root)), spawn(world, Owes(root), ChildOf(ship))];
    const third = spawn(world, Owes(root), Owes(ship), ChildOf(ship));

    expect(rowsByInterval(Owes(root), up(Warm))).toEqual([[one], [other], [third]]);
  });
});
