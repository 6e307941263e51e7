// W12: making a query of 1 or 50,000 tables and disposing it (`makeAndDispose`), against checking a list (`queryHandWritten`).
import { cascade, dispose, eachRun, type Query, query } from "@treeline/query";
import { Position, Velocity } from "../../fixtures/components.ts";
import { CHILDREN, type Crowd, gather } from "../../fixtures/crowd.ts";
import { interleave, ratioOf, type Timing } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, printQuestion, printTable, type Row } from "../../measure/report.ts";

printQuestion(import.meta.url);

/** Queries in one sample. */
const TIMES = 100;

/** A world whose query does not exist yet, so that making it is not a lookup. */
function createCrowdWithoutQuery(parents: number): Crowd {
  const crowd = gather(parents, "block");
  dispose(crowd.moving);
  return crowd;
}

function makeQuery({ world }: Crowd): Query {
  return query(world, Position, Velocity);
}

function makeWithCascade({ world }: Crowd): Query {
  return query(world, Position, Velocity, cascade(Position));
}

function makeAndDispose(crowd: Crowd, how: (crowd: Crowd) => Query): void {
  for (let time = 0; time < TIMES; time++) dispose(how(crowd));
}

/** A hand-written program that keeps a list of all tables and checks each of them. */
interface HandTable {
  readonly components: ReadonlySet<unknown>;
  readonly rows: number;
}

function tablesHandWritten(parents: number): HandTable[] {
  return Array.from({ length: parents }, () => ({
    components: new Set([Position, Velocity]),
    rows: CHILDREN / parents,
  }));
}

function queryHandWritten(tables: readonly HandTable[]): HandTable[] {
  return tables.filter(({ components }) => components.has(Position) && components.has(Velocity));
}

function rowsOf(fresh: Query): number {
  let rows = 0;
  eachRun(fresh, ({ first, end }) => {
    rows += end - first;
  });
  dispose(fresh);
  return rows;
}

const one = createCrowdWithoutQuery(1);
const many = createCrowdWithoutQuery(50_000);
const tables = tablesHandWritten(50_000);
proveEqual([
  { name: "hand-written", checksum: () => queryHandWritten(tables).reduce((sum, { rows }) => sum + rows, 0) },
  { name: "1 table", checksum: () => rowsOf(makeQuery(one)) },
  { name: "50,000 tables", checksum: () => rowsOf(makeQuery(many)) },
  { name: "with cascade", checksum: () => rowsOf(makeWithCascade(many)) },
]);

const [hand, ofOne, ofMany, ofDepth] = interleave([
  { name: "hand-written", run: () => queryHandWritten(tables) },
  { name: "1 table", run: () => makeAndDispose(one, makeQuery) },
  { name: "50,000 tables", run: () => makeAndDispose(many, makeQuery) },
  { name: "with cascade", run: () => makeAndDispose(many, makeWithCascade) },
]);

const microsecondsOf = ({ median }: Timing, times: number): number => (median * 1e3) / times;
const rowOf = (row: string, timing: Timing, times: number, limit?: number): Row => {
  const cost = microsecondsOf(timing, times);
  return {
    row,
    measured: `${cost.toLocaleString("en", { maximumSignificantDigits: 3 })} µs`,
    ratio: ratioOf(timing, ofOne) * (TIMES / times),
    ...(limit === undefined ? {} : { goal: atMost(limit, "µs", cost) }),
  };
};
printTable(
  "W12: the query of W2 is made and disposed; no equal query exists. Ratios against one table. Flecs 4.1.6 in C: 3.37 µs " +
    "for one table, 6,528 for 50,000, and 1,230 to free it.",
  [
    rowOf("a list of 50,000 tables, checked one by one", hand, 1),
    rowOf("1 parent (1 table)", ofOne, TIMES),
    rowOf("50,000 parents (50,000 tables)", ofMany, TIMES, 10),
    rowOf("the same, with cascade", ofDepth, TIMES),
  ],
);
