// W13: `MOVES` children go below new parents, with and without 50 queries, in both storages, against links (`moveHandWritten`).
import { add, type Entity, parentOf, spawn } from "@treeline/core";
import { dispose } from "@treeline/query";
import { CHILDREN, type Crowd, gather } from "../../fixtures/crowd.ts";
import { diceOf } from "../../fixtures/dice.ts";
import { makeFiftyQueries } from "../../fixtures/fifty-queries.ts";
import {
  createSiblingLinks,
  distribute,
  moveChild,
  type SiblingLinks,
} from "../../fixtures/sibling-links.ts";
import { STORAGES, type Storage } from "../../fixtures/storages.ts";
import { type Contestant, interleave, ratioOf } from "../../measure/interleave.ts";
import { checksumOf, proveEqual, type Witness } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

const PARENTS = 50_000;
const MOVES = 10_000;
const PACE = { rounds: fullOrQuick(15, 6), time: 0, calls: 1, warmUp: 2 };

const dice = diceOf(13);
/** The child that goes below each new parent: numbers of children. */
const movers = Int32Array.from({ length: MOVES }, () => dice(CHILDREN));

/** A world before the moves. */
interface Scene {
  readonly crowd: Crowd;
  /** Handles in the order of the moves. */
  readonly inOrder: readonly Entity[];
}

function setUp(queries: 0 | 50, below: Storage["below"]): Scene {
  const crowd = gather(PARENTS, "block", CHILDREN, below);
  dispose(crowd.moving); // the only query
  if (queries === 50) makeFiftyQueries(crowd.world);
  return { crowd, inOrder: Array.from(movers, (child) => crowd.children[child]!) };
}

function move({ crowd: { world }, inOrder }: Scene, below: Storage["below"]): void {
  for (const child of inOrder) add(world, child, below(spawn(world)));
}

/** Over all children, which siblings have the same parent: new parents have no numbers in a world. */
function checksumOfParents(parentAt: (child: number) => unknown): number {
  const numbers = new Map<unknown, number>();
  return checksumOf(CHILDREN, (child) => {
    const parent = parentAt(child);
    if (!numbers.has(parent)) numbers.set(parent, numbers.size);
    return numbers.get(parent)!;
  });
}

function setUpLinks(): SiblingLinks {
  const links = createSiblingLinks(PARENTS + MOVES, CHILDREN);
  distribute(links, PARENTS);
  return links;
}

/** The lower bound. */
function moveHandWritten(links: SiblingLinks): void {
  for (let at = 0; at < MOVES; at++) moveChild(links, movers[at]!, PARENTS + at);
}

/** One way to make the moves. */
interface Entrant {
  readonly row: string;
  readonly contestant: Contestant;
  readonly witness: Witness;
  readonly isHeld: boolean;
}

function entrantOf({ name, below }: Storage, queries: 0 | 50): Entrant {
  const row = `${name}, ${queries === 0 ? "no" : queries} queries`;
  let scene: Scene;
  return {
    row,
    isHeld: name === "ChildOf",
    contestant: {
      name: row,
      before: () => {
        scene = setUp(queries, below);
      },
      run: () => move(scene, below),
    },
    witness: {
      name: row,
      checksum: () => {
        const proof = setUp(queries, below);
        move(proof, below);
        const { world, children } = proof.crowd;
        return checksumOfParents((child) => parentOf(world, children[child]!));
      },
    },
  };
}

function handEntrant(): Entrant {
  const row = "hand-written sibling links in arrays: no rows, no checks";
  let links: SiblingLinks;
  return {
    row,
    isHeld: false,
    contestant: {
      name: row,
      before: () => {
        links = setUpLinks();
      },
      run: () => moveHandWritten(links),
    },
    witness: {
      name: row,
      checksum: () => {
        const proof = setUpLinks();
        moveHandWritten(proof);
        return checksumOfParents((child) => proof.parent[child]!);
      },
    },
  };
}

const entrants = [
  handEntrant(),
  ...STORAGES.flatMap((storage) => [entrantOf(storage, 0), entrantOf(storage, 50)]),
];
proveEqual(entrants.map(({ witness }) => witness));
const timings = interleave(
  entrants.map(({ contestant }) => contestant),
  PACE,
);
const base = timings[1]!;

printTable(
  "W13: 50,000 parents with two children each. Spawns an empty entity and moves a random child below it, 10,000 times " +
    "in a fresh world. Ratios against ChildOf without queries. Flecs 4.1.6 in C: 5,048 ns without queries, 26,522 with " +
    "50; in its Parent storage 2,079 and 2,050.",
  entrants.map(({ row, isHeld }, at): Row => {
    const timing = timings[at]!;
    const found: Row = {
      row,
      measured: nanosecondsAndLow(timing, MOVES, "move"),
      ratio: ratioOf(timing, base),
    };
    return isHeld ? { ...found, goal: atMost(1_000, "ns", (timing.median * 1e6) / MOVES) } : found;
  }),
);
