// W3: sums over the children of each parent, by a variable (`byVariable`), a query each (`byQueries`), `forEachChild`, `children`.
import { ChildOf, type Entity, locate } from "@treeline/core";
import {
  bind,
  children,
  eachRun,
  forEachChild,
  type Query,
  query,
  type Run,
  variable,
} from "@treeline/query";
import { Position } from "../../fixtures/components.ts";
import { CHILDREN, type Crowd, gather } from "../../fixtures/crowd.ts";
import { diceOf, shuffled } from "../../fixtures/dice.ts";
import { STORAGES, type Storage } from "../../fixtures/storages.ts";
import { interleave, ratioOf, type Timing } from "../../measure/interleave.ts";
import { checksumOf, proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";

printQuestion(import.meta.url);

const PARENTS = 1_000;
const parent = variable("parent");

/** A crowd, and its parents in the order in which they are queried. */
interface Nursery extends Crowd {
  readonly queried: readonly Entity[];
}

function furnish(storage: Storage): Nursery {
  const crowd = gather(PARENTS, "block", CHILDREN, storage.below);
  const order = shuffled(PARENTS, diceOf(11));
  return { ...crowd, queried: Array.from(order, (at) => crowd.parents[at]!) };
}

/** The sum over the run's children, where the callback finds it without a closure. */
const total = { sum: 0 };

function sumRun(run: Run): void {
  const { x } = run.columns(Position);
  const { first, end } = run;
  let sum = 0;
  for (let row = first; row < end; row++) sum += x[row]!;
  total.sum += sum;
}

/** Starts again for each parent. @returns a sum that depends on the order of the parents. */
type Summing = () => number;

function summing(queried: readonly Entity[], queryOf: (of: Entity) => Query): Summing {
  return () =>
    checksumOf(queried.length, (at) => {
      total.sum = 0;
      eachRun(queryOf(queried[at]!), sumRun);
      return total.sum;
    });
}

function byVariable({ world, queried }: Nursery): Summing {
  const childrenOf = query(world, Position, ChildOf(parent));
  return summing(queried, (of) => bind(childrenOf, parent, of));
}

function byVariableReversed({ world, queried }: Nursery): Summing {
  const childrenOf = query(world, ChildOf(parent), Position);
  return summing(queried, (of) => bind(childrenOf, parent, of));
}

function byQueries({ world, queried }: Nursery): Summing {
  return summing(queried, (of) => query(world, Position, ChildOf(of)));
}

function byQueriesReversed({ world, queried }: Nursery): Summing {
  return summing(queried, (of) => query(world, ChildOf(of), Position));
}

/** A hand-written cache: the rows of each parent's children. Any change makes it stale. */
function handWritten({ world, parents, children, queried }: Nursery): Summing {
  const places = new Map<Entity, number>(parents.map((entity, at) => [entity, at]));
  const lists = parents.map((): number[] => []);
  const place = locate(world, children[0]!, Position);
  if (place === undefined) throw new Error("a child has lost its position");
  const { x } = place.columns;
  children.forEach((child, at) => {
    lists[Math.floor((at * PARENTS) / CHILDREN)]!.push(locate(world, child, Position)!.row);
  });
  const rows = lists.map((list) => Int32Array.from(list));
  const order = queried.map((entity) => rows[places.get(entity)!]!);
  return () => checksumOf(order.length, (at) => sumRows(x, order[at]!));
}

function sumRows(x: Float32Array, rows: Int32Array): number {
  let sum = 0;
  for (let at = 0; at < rows.length; at++) sum += x[rows[at]!]!;
  return sum;
}

function compare(storage: Storage): Row[] {
  const nursery = furnish(storage);
  const ways = [
    { name: "hand-written", run: handWritten(nursery) },
    { name: "settable target", run: byVariable(nursery) },
    { name: "settable target, reversed", run: byVariableReversed(nursery) },
    { name: "a query each", run: byQueries(nursery) },
    { name: "a query each, reversed", run: byQueriesReversed(nursery) },
  ] as const;
  proveEqual(ways.map(({ name, run }) => ({ name, checksum: run })));

  const timings = interleave(ways.map(({ name, run }) => ({ name, run: () => void run() })));
  const [lowest] = timings;
  const rowOf = (row: string, timing: Timing, limit?: number): Row => ({
    row: `${storage.name}: ${row}`,
    measured: nanosecondsAndLow(timing, CHILDREN, "child"),
    ratio: ratioOf(timing, lowest!),
    ...(limit === undefined ? {} : { goal: atMost(limit, "ns", (timing.median * 1e6) / CHILDREN) }),
  });
  return [
    rowOf("hand-written lists of rows", timings[0]!),
    rowOf("settable target, (Position, ChildOf(parent))", timings[1]!, 1.5),
    rowOf("settable target, (ChildOf(parent), Position)", timings[2]!, 1.5),
    rowOf("a query made for each, (Position, ChildOf(p))", timings[3]!, 3),
    rowOf("a query made for each, (ChildOf(p), Position)", timings[4]!, 3),
  ];
}

printTable(
  "W3: sums `Position.x` over the children of one parent, for 1,000 parents of 100 children in one fixed shuffled order, " +
    "starting again for each. Ratios against hand-written lists. Flecs 4.1.6 in C, by a variable: 3.17 ns; in its Parent " +
    "storage 36.8; with a query for each 3.2 to 293, depending on the order of the terms.",
  STORAGES.flatMap(compare),
);

/** Sums the handles of all children of each parent. */
function sumHandles(queried: readonly Entity[], sumOf: (of: Entity) => number): Summing {
  return () => checksumOf(queried.length, (at) => sumOf(queried[at]!));
}

function compareHandles(storage: Storage): Row[] {
  const { world, queried } = furnish(storage);
  const lists = new Map(queried.map((of) => [of, children(world, of)]));
  const sumList = (list: readonly Entity[]): number => {
    let sum = 0;
    for (let at = 0; at < list.length; at++) sum += list[at]!;
    return sum;
  };
  const ways = [
    { name: "hand-written lists", run: sumHandles(queried, (of) => sumList(lists.get(of)!)) },
    {
      name: "forEachChild",
      limit: 4,
      run: sumHandles(queried, (of) => {
        let sum = 0;
        forEachChild(world, of, (child) => {
          sum += child;
        });
        return sum;
      }),
    },
    { name: "children", limit: 10, run: sumHandles(queried, (of) => sumList(children(world, of))) },
  ];
  proveEqual(ways.map(({ name, run }) => ({ name, checksum: run })));
  const timings = interleave(ways.map(({ name, run }) => ({ name, run: () => void run() })));
  return ways.map(({ name, limit }, at): Row => {
    const timing = timings[at]!;
    const row = {
      row: `${storage.name}: ${name}`,
      measured: nanosecondsAndLow(timing, CHILDREN, "child"),
      ratio: ratioOf(timing, timings[0]!),
    };
    return limit === undefined
      ? row
      : { ...row, goal: atMost(limit, "ns", (timing.median * 1e6) / CHILDREN) };
  });
}

printTable(
  "The same children as handles: kept in hand-written lists, by forEachChild, and listed by children. Ratios against the lists.",
  STORAGES.flatMap(compareHandles),
);
