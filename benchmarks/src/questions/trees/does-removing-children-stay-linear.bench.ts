// Whether the time per child stays equal while `COUNTS` children leave one parent in three `ORDERS` (`LIMIT`).
import * as core from "@treeline/core";
import { Any, add, ChildOf, type Entity, isAlive, parentOf, remove, type World } from "@treeline/core";
import { children, destroy } from "@treeline/query";
import { gather } from "../../fixtures/crowd.ts";
import { diceOf, shuffled } from "../../fixtures/dice.ts";
import { createSiblingLinks, distribute, type SiblingLinks, unlink } from "../../fixtures/sibling-links.ts";
import { STORAGES, type Storage } from "../../fixtures/storages.ts";
import { type Contestant, interleave, ratioOf, type Timing } from "../../measure/interleave.ts";
import { checksumOf, proveEqual, type Witness } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

const COUNTS = [25_000, 50_000, 100_000] as const;
const LIMIT = 1.5;
const PACE = { rounds: fullOrQuick(9, 3), time: 0, calls: 1, warmUp: 1 };

const ORDERS = ["first to last", "last to first", "in random order"] as const;
type Order = (typeof ORDERS)[number];

/** Numbers of children in the order in which they leave. */
function orderOf(count: number, order: Order): Int32Array {
  if (order === "in random order") return shuffled(count, diceOf(count));
  const numbers = Int32Array.from({ length: count }, (_, at) => at);
  return order === "first to last" ? numbers : numbers.reverse();
}

/** How the parent stores its children, and how they leave it. */
interface Way {
  readonly storage: Storage;
  /** The parent has OrderedChildren. */
  readonly isListed: boolean;
  readonly leaving: "destroy" | "remove";
}

/** Found by name, so that its rows appear as soon as core has it. */
const { OrderedChildren } = core as { readonly OrderedChildren?: core.Tag };

const WAYS = STORAGES.flatMap((storage) =>
  (["destroy", "remove"] as const).flatMap((leaving): Way[] => [
    { storage, isListed: false, leaving },
    ...(OrderedChildren === undefined ? [] : [{ storage, isListed: true, leaving }]),
  ]),
);

/** One parent, and its children that will leave. */
interface Siblings {
  readonly world: World;
  readonly parent: Entity;
  /** In order of creation. */
  readonly children: readonly Entity[];
  /** In the order in which they leave. */
  readonly leavers: readonly Entity[];
}

function found(count: number, order: Order, { storage, isListed }: Way): Siblings {
  const { world, parents, children } = gather(1, "block", count, storage.below);
  const parent = parents[0]!;
  if (isListed && OrderedChildren !== undefined) add(world, parent, OrderedChildren);
  return { world, parent, children, leavers: Array.from(orderOf(count, order), (at) => children[at]!) };
}

function leave({ world, leavers }: Siblings, leaving: Way["leaving"], count: number): void {
  if (leaving === "destroy") {
    for (let at = 0; at < count; at++) destroy(world, leavers[at]!);
  } else {
    for (let at = 0; at < count; at++) remove(world, leavers[at]!, ChildOf(Any));
  }
}

function foundHandWritten(count: number): SiblingLinks {
  const links = createSiblingLinks(1, count);
  distribute(links, 1);
  return links;
}

function unlinkAll(links: SiblingLinks, leavers: Int32Array, count: number): void {
  for (let at = 0; at < count; at++) unlink(links, leavers[at]!);
}

/** Half of the children leave: checks which ones remain, and in which order. */
function proofs(order: Order): Witness[] {
  const count = COUNTS[0];
  const half = count >> 1;
  const handWritten = (): number => {
    const links = foundHandWritten(count);
    unlinkAll(links, orderOf(count, order), half);
    const left: number[] = [];
    for (let child = links.last[0]!; child >= 0; child = links.before[child]!) left.push(child);
    return checksumOf(left.length, (at) => left.at(-1 - at)!);
  };
  const here = (way: Way): number => {
    const siblings = found(count, order, way);
    leave(siblings, way.leaving, half);
    const { world, parent, leavers } = siblings;
    const isGone = (child: Entity): boolean =>
      way.leaving === "destroy" ? !isAlive(world, child) : parentOf(world, child) === undefined;
    if (!leavers.every((child, at) => isGone(child) === at < half))
      throw new Error("the wrong ones have left");
    const numbers = new Map(siblings.children.map((child, number) => [child, number]));
    const left = children(world, parent);
    return checksumOf(left.length, (at) => numbers.get(left[at]!)!);
  };
  return [
    { name: "hand-written", checksum: handWritten },
    ...WAYS.map((way) => ({ name: wordsOf(way), checksum: () => here(way) })),
  ];
}

function wordsOf({ storage, isListed, leaving }: Way): string {
  const verb = leaving === "destroy" ? "destroy" : "remove ChildOf(Any)";
  return `${storage.name}${isListed ? ", OrderedChildren" : ""}: ${verb}`;
}

function contestantOf(count: number, order: Order, way: Way): Contestant {
  let siblings: Siblings;
  return {
    name: String(count),
    before: () => {
      siblings = found(count, order, way);
    },
    run: () => leave(siblings, way.leaving, count),
  };
}

function handContestant(count: number, order: Order): Contestant {
  const leavers = orderOf(count, order);
  let links: SiblingLinks;
  return {
    name: String(count),
    before: () => {
      links = foundHandWritten(count);
    },
    run: () => unlinkAll(links, leavers, count),
  };
}

/** Timings are of all children together: `times` as many children may take `times` as long. */
function rowsOf(words: string, contestants: readonly Contestant[], isHeld: boolean): Row[] {
  const timings = interleave(contestants, PACE);
  return COUNTS.map((count, at): Row => {
    const timing: Timing = timings[at]!;
    const ratio = ratioOf(timing, timings[0]!) / (count / COUNTS[0]);
    const row: Row = {
      row: `${words}, ${count.toLocaleString("en")}`,
      measured: nanosecondsAndLow(timing, count, "child"),
      ratio,
    };
    return isHeld && count === COUNTS.at(-1) ? { ...row, goal: atMost(LIMIT, "x", ratio) } : row;
  });
}

for (const order of ORDERS) proveEqual(proofs(order));

printTable(
  "The children of one parent leave one by one until none is left. Ratios per child, against 25,000 children.",
  [
    ...ORDERS.flatMap((order) => {
      const contestants = COUNTS.map((count) => handContestant(count, order));
      return rowsOf(`hand-written sibling links, ${order}`, contestants, false);
    }),
    ...WAYS.flatMap((way) =>
      ORDERS.flatMap((order) => {
        const contestants = COUNTS.map((count) => contestantOf(count, order, way));
        return rowsOf(`${wordsOf(way)}, ${order}`, contestants, true);
      }),
    ),
  ],
);
