// W8: adding, removing, setting and reading components of `ENTITIES`, in order and at random; a spawn with its destroy.
import {
  add,
  component,
  createWorld,
  type Entity,
  f32,
  field,
  get,
  has,
  locate,
  read,
  remove,
  set,
  spawn,
  tag,
  type World,
} from "@treeline/core";
import { destroy } from "@treeline/query";
import { Position, Velocity } from "../../fixtures/components.ts";
import { diceOf, shuffled } from "../../fixtures/dice.ts";
import { createHandTable, type HandTable, moveRow, pushRow } from "../../fixtures/hand-table.ts";
import { type Contestant, interleave, ratioOf, type Timing } from "../../measure/interleave.ts";
import { checksumOf, proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

const ENTITIES = 100_000;
const CYCLES = 20_000;
const PACE = { rounds: fullOrQuick(25, 8), time: 0, calls: 2, warmUp: 3 };

const Marked = tag("Marked");
const Absent = tag("Absent");
const Mass = component("Mass", { value: f32 });

type Order = "in order" | "shuffled";

/** All entities are in one table; they are iterated in order of creation, or always in the same random order. */
interface Stock {
  readonly world: World;
  readonly inOrder: readonly Entity[];
  has: "nothing more" | "a tag" | "a component";
}

function numbersIn(order: Order): Int32Array {
  if (order === "shuffled") return shuffled(ENTITIES, diceOf(17));
  return Int32Array.from({ length: ENTITIES }, (_, at) => at);
}

function stock(order: Order): Stock {
  const world = createWorld();
  const entities = Array.from({ length: ENTITIES }, (_, at) =>
    spawn(world, Position({ x: at % 1024, y: 1 }), Velocity({ x: 1, y: 2 })),
  );
  return {
    world,
    inOrder: Array.from(numbersIn(order), (number) => entities[number]!),
    has: "nothing more",
  };
}

function addTags({ world, inOrder }: Stock): void {
  for (let at = 0; at < inOrder.length; at++) add(world, inOrder[at]!, Marked);
}

function removeTags({ world, inOrder }: Stock): void {
  for (let at = 0; at < inOrder.length; at++) remove(world, inOrder[at]!, Marked);
}

function setMasses({ world, inOrder }: Stock): void {
  for (let at = 0; at < inOrder.length; at++) set(world, inOrder[at]!, Mass, { value: 3 });
}

function removeMasses({ world, inOrder }: Stock): void {
  for (let at = 0; at < inOrder.length; at++) remove(world, inOrder[at]!, Mass);
}

/** Changes all entities to the state from which a change starts, or in which it leaves them. */
function changeTo(stock: Stock, wanted: Stock["has"]): void {
  if (stock.has === wanted) return;
  if (stock.has === "a tag") removeTags(stock);
  if (stock.has === "a component") removeMasses(stock);
  if (wanted === "a tag") addTags(stock);
  if (wanted === "a component") setMasses(stock);
  stock.has = wanted;
}

function change(stock: Stock, from: Stock["has"], to: Stock["has"], run: (stock: Stock) => void): Contestant {
  return {
    name: `from ${from} to ${to}`,
    before: () => changeTo(stock, from),
    run: () => {
      run(stock);
      stock.has = to;
    },
  };
}

/** Reads add up what they find; the sum is kept, so that the compiler removes nothing. */
let kept = 0;

function getFields({ world, inOrder }: Stock): number {
  let sum = 0;
  for (let at = 0; at < inOrder.length; at++) sum += get(world, inOrder[at]!, Position)!.x;
  return sum;
}

const reused = { x: 0, y: 0 };

function readRows({ world, inOrder }: Stock): number {
  let sum = 0;
  for (let at = 0; at < inOrder.length; at++) {
    read(world, inOrder[at]!, Position, reused);
    sum += reused.x;
  }
  return sum;
}

function locateFields({ world, inOrder }: Stock): number {
  let sum = 0;
  for (let at = 0; at < inOrder.length; at++) {
    const { columns, row } = locate(world, inOrder[at]!, Position)!;
    sum += columns.x[row]!;
  }
  return sum;
}

const x = field(Position, "x");
const y = field(Position, "y");

function readField({ world, inOrder }: Stock): number {
  let sum = 0;
  for (let at = 0; at < inOrder.length; at++) sum += x.get(world, inOrder[at]!)!;
  return sum;
}

/** Writes the present values. */
function writeField({ world, inOrder }: Stock): number {
  for (let at = 0; at < inOrder.length; at++) y.set(world, inOrder[at]!, 1);
  return inOrder.length;
}

function countAbsent({ world, inOrder }: Stock): number {
  let sum = 0;
  for (let at = 0; at < inOrder.length; at++) if (has(world, inOrder[at]!, Absent)) sum++;
  return sum;
}

/** Sets the present values, so that the sums of the reads do not change. */
function setPositions({ world, inOrder }: Stock): number {
  for (let at = 0; at < inOrder.length; at++) set(world, inOrder[at]!, Position, { y: 1 });
  return inOrder.length;
}

/** The same rows in two hand-written tables, one of them for rows that have the tag. */
interface HandStock {
  readonly plain: HandTable;
  readonly marked: HandTable;
  readonly row: Int32Array;
  readonly numbers: Int32Array;
  isMarked: boolean;
}

function stockHandWritten(order: Order): HandStock {
  const plain = createHandTable();
  for (let at = 0; at < ENTITIES; at++) pushRow(plain, at, at % 1024, 1, 1, 2);
  const row = Int32Array.from({ length: ENTITIES }, (_, at) => at);
  return { plain, marked: createHandTable(), row, numbers: numbersIn(order), isMarked: false };
}

/** The lower bound of a tag: all rows go to the other table. */
function moveAllHandWritten(stock: HandStock): void {
  const { plain, marked, row, numbers } = stock;
  const from = stock.isMarked ? marked : plain;
  const to = stock.isMarked ? plain : marked;
  for (const number of numbers) {
    const hole = row[number]!;
    row[number] = moveRow(from, hole, to);
    if (hole < from.length) row[from.entity[hole]!] = hole;
  }
  stock.isMarked = !stock.isMarked;
}

/** The lower bound of a read. */
function readHandWritten({ plain, row, numbers }: HandStock): number {
  const { px } = plain;
  let sum = 0;
  for (const number of numbers) sum += px[row[number]!]!;
  return sum;
}

function spawnAndDestroy(world: World): void {
  for (let at = 0; at < CYCLES; at++) {
    destroy(world, spawn(world, Position({ x: at, y: 1 }), Velocity({ x: 1, y: 2 })));
  }
}

function createSetSetDestroy(world: World): void {
  for (let at = 0; at < CYCLES; at++) {
    const entity = spawn(world);
    set(world, entity, Position, { x: at, y: 1 });
    set(world, entity, Velocity, { x: 1, y: 2 });
    destroy(world, entity);
  }
}

interface Kept {
  readonly position: { readonly x: number; readonly y: number };
  readonly velocity: { readonly x: number; readonly y: number };
}

/** The lower bound of a spawn and a destroy: a plain object is added to a set and removed. */
function churnObjects(all: Set<Kept>): void {
  for (let at = 0; at < CYCLES; at++) {
    const entity = { position: { x: at, y: 1 }, velocity: { x: 1, y: 2 } };
    all.add(entity);
    all.delete(entity);
  }
}

function prove(order: Order): void {
  const proof = stock(order);
  const hand = stockHandWritten(order);
  const numberOf = new Map(Array.from(numbersIn(order), (number, at) => [proof.inOrder[at]!, number]));
  const sumIn = (): number =>
    checksumOf(ENTITIES, (at) => {
      const entity = proof.inOrder[at]!;
      const { x, y } = get(proof.world, entity, Position)!;
      const { x: vx, y: vy } = get(proof.world, entity, Velocity)!;
      const extra = (has(proof.world, entity, Marked) ? 1 : 0) + (get(proof.world, entity, Mass)?.value ?? 0);
      return x + 3 * y + 5 * vx + 7 * vy + 11 * extra + 13 * numberOf.get(entity)!;
    });
  const sumHandWritten = (table: HandTable, extra: number): number =>
    checksumOf(ENTITIES, (at) => {
      const number = hand.numbers[at]!;
      const row = hand.row[number]!;
      if (table.entity[row] !== number) throw new Error("a row is not where it should be");
      const { px, py, vx, vy } = table;
      return px[row]! + 3 * py[row]! + 5 * vx[row]! + 7 * vy[row]! + 11 * extra + 13 * number;
    });
  proveEqual([
    { name: "as made", checksum: sumIn },
    { name: "as made, hand-written", checksum: () => sumHandWritten(hand.plain, 0) },
    {
      name: "all changed and back",
      checksum: () => {
        for (const change of [addTags, removeTags, setMasses, removeMasses, setPositions, writeField])
          change(proof);
        spawnAndDestroy(proof.world);
        createSetSetDestroy(proof.world);
        return sumIn();
      },
    },
  ]);
  addTags(proof);
  moveAllHandWritten(hand);
  proveEqual([
    { name: "tags", checksum: sumIn },
    { name: "tags, hand-written", checksum: () => sumHandWritten(hand.marked, 1) },
  ]);
  moveAllHandWritten(hand);
  changeTo(proof, "nothing more");
  proveEqual(
    [getFields, readRows, locateFields, readField].map((sum) => ({
      name: sum.name,
      checksum: () => sum(proof),
    })),
  );
  proveEqual([
    { name: "get", checksum: () => getFields(proof) + countAbsent(proof) },
    { name: "hand-written", checksum: () => readHandWritten(hand) },
  ]);
}

/** A contestant with its row. */
interface Entrant {
  readonly row: string;
  readonly contestant: Contestant;
  readonly pieces: number;
  readonly limit?: number | undefined;
}

function compete(note: string, entrants: readonly Entrant[]): void {
  const timings = interleave(
    entrants.map(({ contestant }) => contestant),
    PACE,
  );
  const base = timings[0]!;
  printTable(
    note,
    entrants.map(({ row, pieces, limit }, at): Row => {
      const timing: Timing = timings[at]!;
      const time = (timing.median * 1e6) / pieces;
      const found: Row = {
        row,
        measured: nanosecondsAndLow(timing, pieces, "time"),
        ratio: ratioOf(timing, base) * (entrants[0]!.pieces / pieces),
      };
      return limit === undefined ? found : { ...found, goal: atMost(limit, "ns", time) };
    }),
  );
}

function changesIn(order: Order, limit: number): Entrant[] {
  const hand = stockHandWritten(order);
  const own = stock(order);
  const entrant = (
    row: string,
    from: Stock["has"],
    to: Stock["has"],
    run: (stock: Stock) => void,
    most?: number,
  ): Entrant => ({
    row: `${order}: ${row}`,
    contestant: change(own, from, to, run),
    pieces: ENTITIES,
    limit: most,
  });
  return [
    {
      row: `${order}: hand-written, rows between two tables`,
      contestant: { name: "hand-written", run: () => moveAllHandWritten(hand) },
      pieces: ENTITIES,
    },
    entrant("add a tag", "nothing more", "a tag", addTags, limit),
    entrant("remove a tag", "a tag", "nothing more", removeTags, limit),
    entrant("set a new component", "nothing more", "a component", setMasses),
    entrant("remove a component", "a component", "nothing more", removeMasses),
  ];
}

function readsIn(order: Order, limits: readonly (number | undefined)[]): Entrant[] {
  const hand = stockHandWritten(order);
  const own = stock(order);
  const entrant = (row: string, run: () => number, limit?: number): Entrant => ({
    row: `${order}: ${row}`,
    contestant: {
      name: row,
      run: () => {
        kept += run();
      },
    },
    pieces: ENTITIES,
    limit,
  });
  return [
    entrant("hand-written, one field through the row", () => readHandWritten(hand)),
    entrant("one field of the result of get", () => getFields(own), limits[0]),
    entrant("a component into a reused object with read", () => readRows(own), limits[1]),
    entrant("one field through locate", () => locateFields(own), limits[2]),
    entrant("one field through field", () => readField(own), limits[3]),
    entrant("has of a tag that no entity has", () => countAbsent(own)),
    entrant("set one field of a component that is there", () => setPositions(own)),
    entrant("set one field through field", () => writeField(own), limits[4]),
  ];
}

prove("in order");
prove("shuffled");
for (const [order, limit] of [
  ["in order", 60],
  ["shuffled", 110],
] as const) {
  compete(
    `W8, changes ${order}: 100,000 entities with Position and Velocity; all of them gain something and lose it again. ` +
      "Ratios against the first row.",
    changesIn(order, limit),
  );
}
compete(
  "W8, reads in order of creation. Ratios against the first row.",
  readsIn("in order", [25, undefined, undefined, 9, 8]),
);
compete("W8, reads at random. Ratios against the first row.", readsIn("shuffled", [25, 45, 20]));

const all = new Set<Kept>();
const beside = stock("in order").world;
const empty = createWorld();
const life = (row: string, run: () => void, limit?: number): Entrant => ({
  row,
  contestant: { name: row, run },
  pieces: CYCLES,
  limit,
});
compete(
  "W8, spawn and destroy, one at a time, beside the 100,000 or in an empty world. Ratios against the first row.",
  [
    life("plain objects in a Set", () => churnObjects(all)),
    life("spawn with two components, destroy", () => spawnAndDestroy(beside), 120),
    life("spawn empty, set Position, set Velocity, destroy", () => createSetSetDestroy(beside), 280),
    life("spawn with two components, destroy, in an empty world", () => spawnAndDestroy(empty)),
    life("spawn empty, set Position, set Velocity, destroy, in an empty world", () =>
      createSetSetDestroy(empty),
    ),
  ],
);
if (Number.isNaN(kept)) throw new Error("the reads found no numbers");
