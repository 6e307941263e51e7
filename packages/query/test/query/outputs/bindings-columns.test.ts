import { type Entity, get, spawn, spawnMany, type Valued, type World } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { type Batch, eachBatch, eachRun, type QueryTerm, query, type Run } from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { Frozen, Likes, Position, Velocity } from "../../definitions.ts";
import { Any, ChildOf, Parent } from "../../public/builtins.ts";
import { createWorld, relation } from "../../public/define.ts";
import { f32 } from "../../public/fields.ts";
import { maybe, not } from "../../public/filters.ts";
import { cascade } from "../../public/terms.ts";

const Damage = relation("Damage", { fields: { amount: f32, kind: f32 } });

let world: World;
let ship: Entity;
let station: Entity;
let buoy: Entity;

beforeEach(() => {
  world = createWorld();
  [ship, station, buoy] = spawnMany(world, 3) as [Entity, Entity, Entity];
});

/** [entity, amount] for each row, by runs. */
function amountsByRun(target: Entity, ...more: QueryTerm[]): Map<Entity, number> {
  const found = new Map<Entity, number>();
  eachRun(query(world, Damage(target), ...more), (run) => {
    const { amount } = run.columns(Damage(target));
    for (let row = run.first; row < run.end; row++) found.set(run.entityAt(row), amount[row]!);
  });
  return found;
}

describe("columns of a pair with data", () => {
  it("are those of the target, among several pairs of one relation", () => {
    const one = spawn(world, Damage(ship, { amount: 1 }), Damage(station, { amount: 2 }));
    const other = spawn(world, Damage(station, { amount: 3 }), Damage(buoy, { amount: 4 }));

    expect([...amountsByRun(ship)]).toEqual([[one, 1]]);
    expect(amountsByRun(station)).toEqual(
      new Map([
        [one, 2],
        [other, 3],
      ]),
    );
    expect([...amountsByRun(buoy)]).toEqual([[other, 4]]);
  });

  it("are those of each table also when one pair is cached and required again", () => {
    spawn(world, Damage(ship, { amount: 1 }), Damage(station, { amount: 2 }));
    spawn(world, Damage(station, { amount: 3 }), Damage(buoy, { amount: 4 }));
    const damage = Damage(station);
    const received: number[] = [];

    eachRun(query(world, damage), (run) => {
      received.push(run.columns(damage).amount[run.first]!, run.columns(damage).amount[run.first]!);
    });

    expect(received.toSorted()).toEqual([2, 2, 3, 3]);
  });

  it("are available for two targets at once", () => {
    spawn(world, Damage(station, { amount: 2 }), Damage(ship, { amount: 1 }));
    const received: number[] = [];

    eachRun(query(world, Damage(ship), Damage(station)), (run) => {
      const [first, second] = [run.columns(Damage(ship)), run.columns(Damage(station))];
      received.push(first.amount[run.first]!, second.amount[run.first]!);
    });

    expect(received).toEqual([1, 2]);
  });

  it("are written in place", () => {
    const one = spawn(world, Damage(ship, { amount: 1 }), Damage(station, { amount: 2, kind: 5 }));

    eachRun(query(world, Damage(station)), (run) => {
      run.columns(Damage(station)).amount[run.first] = 9;
    });

    expect(get(world, one, Damage(station))).toEqual({ amount: 9, kind: 5 });
    expect(get(world, one, Damage(ship))).toEqual({ amount: 1, kind: 0 });
  });

  it("are those of each table also where children of many parents share tables", () => {
    const children = [
      spawn(world, Parent(ship), Damage(ship, { amount: 1 })),
      spawn(world, Parent(station), Damage(ship, { amount: 2 })),
      spawn(world, Parent(ship), Damage(station, { amount: 9 }), Damage(ship, { amount: 3 })),
      spawn(world, Parent(ship), Damage(ship, { amount: 4 }), Damage(buoy, { amount: 9 })),
      spawn(world, Parent(ship), Damage(ship, { amount: 5 })),
    ];

    expect(amountsByRun(ship)).toEqual(new Map(children.map((child, at) => [child, at + 1])));
    expect(amountsByRun(ship, ChildOf(ship))).toEqual(
      new Map([
        [children[0], 1],
        [children[2], 3],
        [children[3], 4],
        [children[4], 5],
      ]),
    );
    expect(amountsByRun(ship, not(Parent(ship)))).toEqual(new Map([[children[1], 2]]));
  });

  it("are stored beside those of components", () => {
    spawn(world, Position({ x: 7 }), Damage(ship, { amount: 1 }), ChildOf(station));
    const received: number[] = [];

    eachRun(query(world, Position, Damage(ship)), (run) => {
      received.push(run.columns(Position).x[run.first]!, run.columns(Damage(ship)).amount[run.first]!);
    });

    expect(received).toEqual([7, 1]);
  });
});

describe("columns are refused as bad-query", () => {
  it.each<[title: string, make: () => unknown]>([
    ["of a component that the rows do not have", () => Velocity],
    ["of a tag, which has no values", () => Frozen],
    ["of a pair without data, although it is a term", () => Likes(ship)],
    ["of a pair with data that no term names, although the rows have it", () => Damage(station)],
    ["of a pair with data that the rows do not have", () => Damage(buoy)],
    ["of a pair with data and any target", () => Damage(Any)],
    ["of a relation without target", () => Damage],
    ["of a pair that must not be there", () => Likes(station)],
  ])("%s", (_, make) => {
    spawn(world, Position, Frozen, Likes(ship), Damage(ship), Damage(station));
    const terms = [Position, Frozen, Likes(ship), Damage(ship), Damage(Any), not(Likes(station))] as const;
    const codes: (string | undefined)[] = [];
    const inspect = (source: Run | Batch): void => {
      for (let again = 0; again < 2; again++) {
        codes.push(codeOf(() => source.columns(make() as Valued<unknown, unknown>)));
      }
    };

    eachRun(query(world, ...terms), inspect);
    eachBatch(query(world, ...terms, cascade(Position)), inspect);

    expect(codes).toEqual(["bad-query", "bad-query", "bad-query", "bad-query"]);
  });

  it("where maybe finds nothing, and only there", () => {
    spawn(world, Position, Velocity);
    spawn(world, Position);
    const codes: (string | undefined)[] = [];

    eachRun(query(world, Position, maybe(Velocity)), (run) => {
      codes.push(codeOf(() => run.columns(Velocity)));
    });

    expect(codes).toEqual([undefined, "bad-query"]);
  });

  it("with the name of the component", () => {
    spawn(world, Position);
    const inspect = (): void => eachRun(query(world, Position), (run) => run.columns(Velocity));

    expect(inspect).toThrow(/Velocity/);
  });
});
