// W5: `CHILDREN` spawned one by one (`spawnEach`), by `spawnMany`, `spawnRows`, below few or many parents (`TARGETS`), against hand-written code.
import {
  createWorld,
  type Entity,
  locate,
  type Relation,
  spawn,
  spawnMany,
  spawnRows,
  type World,
} from "@treeline/core";
import { children, roots } from "@treeline/query";
import { Position, Velocity } from "../../fixtures/components.ts";
import { createHandTable, type HandTable, pushRow } from "../../fixtures/hand-table.ts";
import { append, createSiblingLinks, type SiblingLinks } from "../../fixtures/sibling-links.ts";
import { STORAGES, type Storage } from "../../fixtures/storages.ts";
import { type Contestant, interleave, ratioOf, type Timing } from "../../measure/interleave.ts";
import { checksumOf, proveEqual, type Witness } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

const CHILDREN = 100_000;
const PACE = { rounds: fullOrQuick(25, 8), time: 0, calls: 1, warmUp: 3 };

/** By number of parents, for children by ChildOf: one by one, and with one call per parent. */
const TARGETS: readonly (readonly [parents: number, single: number, many: number])[] = [
  [1, 150, 30],
  [1_000, 180, 30],
  [10_000, 300, 70],
];

/** A world in which children are spawned. Handles are not kept. */
interface Nursery {
  readonly world: World;
  readonly parents: readonly Entity[];
}

type Spawn = (nursery: Nursery, below: Storage["below"]) => void;

function spawnEach({ world, parents }: Nursery, below: Storage["below"]): void {
  const share = CHILDREN / parents.length;
  let at = 0;
  for (const parent of parents) {
    for (const end = at + share; at < end; at++) {
      spawn(world, Position({ x: at % 1024, y: 0 }), Velocity({ x: 1, y: 1 + (at % 3) }), below(parent));
    }
  }
}

/** One call of `spawnRows`: the same values, written into columns. */
function spawnByColumns({ world, parents }: Nursery, below: Storage["below"]): void {
  const share = CHILDREN / parents.length;
  const list = Array.from({ length: CHILDREN }, (_, at) => parents[Math.floor(at / share)]!);
  spawnRows(world, CHILDREN, [Position, Velocity, (below as Relation).each(list)], (columns, first, end) => {
    const { x } = columns(Position);
    const velocity = columns(Velocity);
    for (let row = first; row < end; row++) {
      x[row] = (row - first) % 1024;
      velocity.x[row] = 1;
      velocity.y[row] = 1 + ((row - first) % 3);
    }
  });
}

function spawnEachRoot({ world }: Nursery): void {
  for (let at = 0; at < CHILDREN; at++) {
    spawn(world, Position({ x: at % 1024, y: 0 }), Velocity({ x: 1, y: 1 + (at % 3) }));
  }
}

function spawnByParent({ world, parents }: Nursery, below: Storage["below"]): void {
  const share = CHILDREN / parents.length;
  for (const parent of parents) {
    spawnMany(world, share, Position({ x: 1, y: 2 }), Velocity({ x: 3, y: 4 }), below(parent));
  }
}

function spawnManyRoots({ world }: Nursery): void {
  spawnMany(world, CHILDREN, Position({ x: 1, y: 2 }), Velocity({ x: 3, y: 4 }));
}

function openNursery(parentCount: number): Nursery {
  const world = createWorld();
  return { world, parents: Array.from({ length: parentCount }, () => spawn(world)) };
}

/** Of all children: parent by parent, siblings in order. */
function checksumOfNursery({ world, parents }: Nursery): number {
  const spawned = parents.length === 0 ? roots(world) : parents.flatMap((parent) => children(world, parent));
  const sumOf = (child: Entity): number => {
    const { x, y } = placeOf(world, child, Position);
    const { x: vx, y: vy } = placeOf(world, child, Velocity);
    return x + 3 * y + 5 * vx + 7 * vy;
  };
  return checksumOf(spawned.length, (at) => sumOf(spawned[at]!));
}

function placeOf(world: World, child: Entity, what: typeof Position): { x: number; y: number } {
  const place = locate(world, child, what);
  if (place === undefined) throw new Error("a child has no place");
  return { x: place.columns.x[place.row]!, y: place.columns.y[place.row]! };
}

/** Columns that grow, and lists of siblings. */
interface HandNursery {
  readonly table: HandTable;
  readonly links: SiblingLinks;
}

const HAND_PARENTS = 1_000;

function openHandWritten(): HandNursery {
  return { table: createHandTable(), links: createSiblingLinks(HAND_PARENTS, CHILDREN) };
}

/** The lower bound of one by one. */
function spawnHandWritten({ table, links }: HandNursery): void {
  const share = CHILDREN / HAND_PARENTS;
  for (let at = 0; at < CHILDREN; at++) {
    pushRow(table, at, at % 1024, 0, 1, 1 + (at % 3));
    append(links, at, Math.floor(at / share));
  }
}

/** The lower bound of many at once. */
function spawnManyHandWritten({ table, links }: HandNursery): void {
  const share = CHILDREN / HAND_PARENTS;
  for (let at = 0; at < CHILDREN; at++) {
    pushRow(table, at, 1, 2, 3, 4);
    append(links, at, Math.floor(at / share));
  }
}

function checksumHandWritten({ table, links }: HandNursery): number {
  const order: number[] = [];
  for (let parent = HAND_PARENTS - 1; parent >= 0; parent--) {
    for (let child = links.last[parent]!; child >= 0; child = links.before[child]!) order.push(child);
  }
  const { px, py, vx, vy } = table;
  const sumOf = (row: number): number => px[row]! + 3 * py[row]! + 5 * vx[row]! + 7 * vy[row]!;
  return checksumOf(order.length, (at) => sumOf(order.at(-1 - at)!));
}

/** One way to spawn the children: a contestant, its proof and its row. */
interface Entrant {
  readonly row: string;
  readonly contestant: Contestant;
  readonly witness: Witness;
  readonly limit?: number;
}

function entrantOf(row: string, parentCount: number, give: (nursery: Nursery) => void): Entrant {
  let nursery: Nursery;
  return {
    row,
    contestant: {
      name: row,
      before: () => {
        nursery = openNursery(parentCount);
      },
      run: () => give(nursery),
    },
    witness: {
      name: row,
      checksum: () => {
        const proof = openNursery(parentCount);
        give(proof);
        return checksumOfNursery(proof);
      },
    },
  };
}

function handWritten(give: (nursery: HandNursery) => void): Entrant {
  const row = `hand-written: growing columns and sibling links, ${HAND_PARENTS.toLocaleString("en")} parents`;
  let nursery: HandNursery;
  return {
    row,
    contestant: {
      name: row,
      before: () => {
        nursery = openHandWritten();
      },
      run: () => give(nursery),
    },
    witness: {
      name: row,
      checksum: () => {
        const proof = openHandWritten();
        give(proof);
        return checksumHandWritten(proof);
      },
    },
  };
}

function belowParents(give: Spawn, limitOf: (target: (typeof TARGETS)[number]) => number): Entrant[] {
  return STORAGES.flatMap(({ name, below }) =>
    TARGETS.map((target): Entrant => {
      const [count] = target;
      const words = count === 1 ? "1 parent" : `${count.toLocaleString("en")} parents`;
      const entrant = entrantOf(`${name}, ${words}`, count, (nursery) => give(nursery, below));
      return name === "ChildOf" ? { ...entrant, limit: limitOf(target) } : entrant;
    }),
  );
}

function compete(note: string, entrants: readonly Entrant[]): void {
  proveEqual(entrants.map(({ witness }) => witness));
  const timings = interleave(
    entrants.map(({ contestant }) => contestant),
    PACE,
  );
  const base = timings[1]!;
  printTable(
    note,
    entrants.map(({ row, limit }, at): Row => {
      const timing: Timing = timings[at]!;
      return {
        row,
        measured: nanosecondsAndLow(timing, CHILDREN, "child"),
        ratio: ratioOf(timing, base),
        ...(limit === undefined ? {} : { goal: atMost(limit, "ns", (timing.median * 1e6) / CHILDREN) }),
      };
    }),
  );
}

compete(
  "W5: 100,000 children with Position and Velocity, one `spawn` each, parent by parent in a fresh world; parents exist " +
    "before. Ratios against no parent. Flecs 4.1.6 in C: 149, 182 and 320 ns for 1, 1,000 and 10,000 parents.",
  [
    handWritten(spawnHandWritten),
    entrantOf("no parent", 0, spawnEachRoot),
    ...belowParents(spawnEach, ([, single]) => single),
  ],
);
compete(
  "The same children by columns, with one `spawnRows`; the list of parents is made in the measured time. Ratios against no parent, one " +
    "`spawn` each.",
  [
    handWritten(spawnHandWritten),
    entrantOf("no parent", 0, spawnEachRoot),
    ...belowParents(spawnByColumns, () => 20),
  ],
);
compete(
  "The same with one `spawnMany` per parent; all children start with the same values. Ratios against no parent. " +
    "Flecs 4.1.6 in C, from arrays: 3.25, 16.6 and 128 ns.",
  [
    handWritten(spawnManyHandWritten),
    entrantOf("no parent", 0, spawnManyRoots),
    ...belowParents(spawnByParent, ([, , many]) => many),
  ],
);
