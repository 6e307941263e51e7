import {
  add,
  component,
  type Entity,
  f64,
  get,
  i32,
  relation,
  remove,
  set,
  spawn,
  spawnMany,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  destroy,
  each,
  eachBatch,
  eachRun,
  entities,
  explain,
  type QueryTerm,
  query,
} from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { ChildOf, Parent } from "../../public/builtins.ts";
import { createWorld } from "../../public/define.ts";
import { groupBy, groupsOf, orderBy, page } from "../../public/parts.ts";
import { cascade, selfOrUp, up } from "../../public/terms.ts";
import { Score, Unit } from "./scores.ts";

const Team = component("Team", { rank: i32, bonus: f64 });
const Flag = component<string>("Flag");
const In = relation("In", { exclusive: true, traversable: true });

let world: World;
let teams: Entity[];
let byRank: QueryTerm;

/** Three teams with ranks 3, 1, 2; two units in each, in both storages, and one without a team. */
beforeEach(() => {
  world = createWorld();
  teams = [3, 1, 2].map((rank) => spawn(world, Team({ rank })));
  teams.forEach((team, at) => {
    spawn(world, Unit, Score({ points: at, lives: 1 }), ChildOf(team));
    spawn(world, Unit, Score({ points: at + 10, lives: 2 }), Parent(team));
  });
  spawn(world, Unit, Score({ points: 99, lives: 1 }));
  byRank = orderBy(up(Team), "rank");
});
afterEach(() => {
  expect(verify(world)).toEqual([]);
});

function points(...terms: QueryTerm[]): (number | undefined)[] {
  return entities(query(world, ...terms)).map((one) => get(world, one, Score)?.points);
}

describe("an order by a value above", () => {
  it("is that of the nearest ancestor, equal ones by their indexes; entities without it come last", () => {
    expect(points(Unit, byRank)).toEqual([1, 11, 2, 12, 0, 10, 99]);
    expect(points(Unit, orderBy(up(Team), "rank", { desc: true }))).toEqual([0, 10, 2, 12, 1, 11, 99]);
  });

  it("requires no ancestor, and passes no value", () => {
    const rows: number[] = [];

    each(query(world, Unit, Score, byRank), (...row) => rows.push(row.length));

    expect(rows).toEqual([2, 2, 2, 2, 2, 2, 2]);
  });

  it("follows values of ancestors, through whatever they are written", () => {
    const tested = [Unit, byRank];
    points(...tested);

    set(world, teams[0]!, Team, { rank: 0 });
    expect(points(...tested)).toEqual([0, 10, 1, 11, 2, 12, 99]);

    each(query(world, Team), (team) => {
      team.rank = -team.rank;
    });
    expect(points(...tested)).toEqual([2, 12, 1, 11, 0, 10, 99]);

    const writes = { writes: [Team] };
    eachRun(
      query(world, Team),
      (run) => {
        const { rank } = run.columns(Team);
        for (let row = run.first; row < run.end; row++) rank[row]! += row * 10;
      },
      writes,
    );
    expect(points(...tested)).toEqual([0, 10, 1, 11, 2, 12, 99]);
  });

  it("follows entities that get another parent, in both storages", () => {
    const tested = [Unit, byRank];
    const [first, second] = entities(query(world, Unit, ChildOf(teams[0]!)));
    points(...tested);

    add(world, first!, ChildOf(teams[1]!));
    expect(points(...tested)).toEqual([0, 1, 11, 2, 12, 10, 99]);
    add(world, second!, Parent(teams[2]!));
    expect(points(...tested)).toEqual([0, 1, 11, 10, 2, 12, 99]);
    remove(world, first!, ChildOf(teams[1]!));
    expect(points(...tested)).toEqual([1, 11, 10, 2, 12, 0, 99]);
  });

  it("follows ancestors that get and lose the component, or another parent", () => {
    const league = spawn(world, Team({ rank: 100 }));
    const tested = [Unit, byRank];
    points(...tested);

    remove(world, teams[1]!, Team);
    expect(points(...tested)).toEqual([2, 12, 0, 10, 1, 11, 99]);
    add(world, teams[1]!, ChildOf(league));
    expect(points(...tested)).toEqual([2, 12, 0, 10, 1, 11, 99]);
    set(world, league, Team, { rank: 1 });
    expect(points(...tested)).toEqual([1, 11, 2, 12, 0, 10, 99]);
    destroy(world, teams[2]!);
    expect(points(...tested)).toEqual([1, 11, 0, 10, 99]);
  });

  it("with selfOrUp is the own value of entities that have one", () => {
    const captain = spawn(world, Unit, Score({ points: 50 }), Team({ rank: 2 }), ChildOf(teams[1]!));
    const tested = [Unit, orderBy(selfOrUp(Team), "rank")];

    expect(points(...tested)).toEqual([1, 11, 2, 12, 50, 0, 10, 99]);
    expect(points(Unit, byRank)).toEqual([1, 11, 50, 2, 12, 0, 10, 99]);
    set(world, captain, Team, { rank: 9 });
    expect(points(...tested)).toEqual([1, 11, 2, 12, 0, 10, 50, 99]);
    remove(world, captain, Team);
    expect(points(...tested)).toEqual([1, 11, 50, 2, 12, 0, 10, 99]);
  });

  it("follows another relation", () => {
    const boxes = [2, 1].map((rank) => spawn(world, Team({ rank }), ChildOf(teams[0]!)));
    for (const [at, box] of boxes.entries()) spawn(world, Score({ points: at }), In(box));

    expect(points(Score, orderBy(up(Team, { relation: In }), "rank")).slice(0, 2)).toEqual([1, 0]);
  });

  it("may be a comparison, of objects too", () => {
    for (const [at, text] of ["red", "blue", "green"].entries()) add(world, teams[at]!, Flag(text));
    const byText = orderBy(up(Flag), (one, other) => (one < other ? -1 : one > other ? 1 : 0));
    const byBoth = orderBy(
      up(Team),
      (one, other) => one.rank * 10 + one.bonus - other.rank * 10 - other.bonus,
    );

    expect(points(Unit, byText)).toEqual([1, 11, 2, 12, 0, 10, 99]);
    expect(points(Unit, byBoth)).toEqual([1, 11, 2, 12, 0, 10, 99]);
    set(world, teams[2]!, Team, { bonus: -15 });
    expect(points(Unit, byBoth)).toEqual([2, 12, 1, 11, 0, 10, 99]);
    set(world, teams[0]!, Flag, "amber");
    expect(points(Unit, byText)).toEqual([0, 10, 1, 11, 2, 12, 99]);
  });

  it("orders within groups, and levels of a cascade", () => {
    const [top, low] = [spawn(world), spawn(world)];
    add(world, teams[0]!, ChildOf(top));
    add(world, teams[1]!, ChildOf(low));

    expect(groupsOf(query(world, Unit, byRank, groupBy(ChildOf)))).toEqual([...teams, undefined]);
    expect(points(Unit, cascade(Team), byRank)).toEqual([99, 2, 12, 1, 11, 0, 10]);
    expect(points(Unit, cascade(Team, { desc: true }), byRank)).toEqual([1, 11, 0, 10, 2, 12, 99]);
  });

  it("works with a target, for few of many entities, and in pages", () => {
    spawnMany(world, 500);
    const league = spawn(world);
    for (const team of teams) add(world, team, ChildOf(league));
    const ranked = query(
      world,
      Score,
      ChildOf(teams[0]!),
      orderBy(up(Team), "rank"),
      orderBy(Score, "lives", { desc: true }),
    );

    expect(entities(ranked).map((one) => get(world, one, Score)?.points)).toEqual([10, 0]);
    expect(
      entities(page(query(world, Unit, byRank), 2, 3)).map((one) => get(world, one, Score)?.points),
    ).toEqual([2, 12, 0]);
  });

  it("is a path of batches", () => {
    const ranks: number[] = [];

    eachBatch(query(world, Unit, byRank), (batch) => {
      if (batch.has(Team)) ranks.push(batch.columnsOf(Team, Team).rank[batch.rowsOf(Team)[batch.from]!]!);
    });

    expect([...new Set(ranks)]).toEqual([1, 2, 3]);
  });

  it("is told by explain", () => {
    expect(explain(query(world, Unit, byRank))).toContain("order: by Team.rank above\n");
    expect(explain(query(world, Unit, orderBy(selfOrUp(Team), "rank", { desc: true })))).toContain(
      'query(Unit, orderBy(selfOrUp(Team), "rank", { desc: true }))',
    );
  });

  it("is refused for what has no such field, for cascade and for pairs", () => {
    const refused = (make: () => QueryTerm): unknown => codeOf(() => query(world, Unit, make()));

    expect(refused(() => orderBy(up(Unit) as never, "x" as never))).toBe("bad-query");
    expect(refused(() => orderBy(up(Team), "points" as never))).toBe("bad-query");
    expect(refused(() => orderBy(up(ChildOf(teams[0]!)) as never, (() => 0) as never))).toBe("bad-query");
    expect(refused(() => orderBy(cascade(Team) as never, "rank" as never))).toBe("bad-query");
    expect(refused(() => orderBy(up(Team, { relation: Unit as never }), "rank"))).toBe("bad-query");
  });
});

describe("several orders", () => {
  it("are decided by the first, equal ones by the next, and in the end by the index", () => {
    const byLives = orderBy(Score, "lives", { desc: true });

    expect(points(Unit, byLives, orderBy(Score, "points"))).toEqual([10, 11, 12, 0, 1, 2, 99]);
    expect(points(Unit, byLives, orderBy(Score, "points", { desc: true }))).toEqual([
      12, 11, 10, 99, 2, 1, 0,
    ]);
    expect(points(Unit, orderBy(Score, "points"), byLives)).toEqual([0, 1, 2, 10, 11, 12, 99]);
    expect(points(Unit, orderBy(Score, "isOut"), byRank, byLives)).toEqual([11, 1, 12, 2, 10, 0, 99]);
  });

  it("keep entities without a value last, for each by itself", () => {
    const loner = spawn(world, Unit, ChildOf(teams[1]!));
    const stranger = spawn(world, Unit);
    const tested = query(world, Unit, byRank, orderBy(Score, "points", { desc: true }));

    expect(entities(tested).map((one) => get(world, one, Score)?.points)).toEqual([
      11,
      1,
      undefined,
      12,
      2,
      10,
      0,
      99,
      undefined,
    ]);
    expect([entities(tested)[2], entities(tested)[8]]).toEqual([loner, stranger]);
  });

  it("follow the values of each", () => {
    const tested = [Unit, orderBy(Score, "lives"), orderBy(Score, "points", { desc: true })];
    const one = entities(query(world, Unit))[0]!;
    points(...tested);

    set(world, one, Score, { points: 1.5 });
    expect(points(...tested)).toEqual([99, 2, 1.5, 1, 12, 11, 10]);
    set(world, one, Score, { lives: 3 });
    expect(points(...tested)).toEqual([99, 2, 1, 12, 11, 10, 1.5]);
  });

  it("may be comparisons and fields", () => {
    const byParity = orderBy(Score, (one, other) => (one.points % 2) - (other.points % 2));

    expect(points(Unit, byParity, orderBy(Score, "points", { desc: true }))).toEqual([
      12, 10, 2, 0, 99, 11, 1,
    ]);
    expect(points(Unit, orderBy(Score, "lives"), byParity)).toEqual([0, 2, 1, 99, 10, 12, 11]);
  });

  it("go on to the next where one does not tell values apart, not a number included", () => {
    const [one, other] = entities(query(world, Unit));
    set(world, one!, Score, { points: Number.NaN, lives: 5 });
    set(world, other!, Score, { points: Number.NaN, lives: 4 });
    const lives = entities(query(world, Unit, orderBy(Score, "points"), orderBy(Score, "lives"))).map(
      (unit) => get(world, unit, Score)!.lives,
    );

    expect(lives.slice(-2)).toEqual([4, 5]);
  });

  it("are one query for equal terms, and another in another order", () => {
    const [a, b] = [orderBy(Score, "points"), orderBy(Score, "lives")];

    expect(query(world, Unit, a, b)).toBe(query(world, Unit, a, orderBy(Score, "lives")));
    expect(query(world, Unit, a, b)).not.toBe(query(world, Unit, b, a));
  });
});
