import * as core from "@treeline/core";
import { Any, add, ChildOf, type Entity, isAlive, parentOf, remove, type World } from "@treeline/core";
import { children, destroy } from "@treeline/query";
import { gather } from "../../fixtures/crowd.ts";
import { diceOf, shuffled } from "../../fixtures/dice.ts";
import { createSiblingLinks, type SiblingLinks, shareOut, unlink } from "../../fixtures/sibling-links.ts";
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

/** Numbers of children in the order in which they go. */
function orderOf(count: number, order: Order): Int32Array {
  if (order === "in random order") return shuffled(count, diceOf(count));
  const numbers = Int32Array.from({ length: count }, (_, at) => at);
  return order === "first to last" ? numbers : numbers.reverse();
}

/** How the parent keeps its children, and how they leave it. */
interface Way {
  readonly storage: Storage;
  /** The parent has OrderedChildren. */
  readonly isListed: boolean;
  readonly leaving: "destroy" | "remove";
}

/** Looked up by name, so that its rows appear as soon as core has it. */
const { OrderedChildren } = core as { readonly OrderedChildren?: core.Tag };

const WAYS = STORAGES.flatMap((storage) =>
  (["destroy", "remove"] as const).flatMap((leaving): Way[] => [
    { storage, isListed: false, leaving },
    ...(OrderedChildren === undefined ? [] : [{ storage, isListed: true, leaving }]),
  ]),
);

/** One parent and its children, who are to leave. */
interface Family {
  readonly world: World;
  readonly parent: Entity;
  /** In order of birth. */
  readonly children: readonly Entity[];
  /** In the order in which they go. */
  readonly leavers: readonly Entity[];
}

function found(count: number, order: Order, { storage, isListed }: Way): Family {
  const { world, parents, children } = gather(1, "block", count, storage.below);
  const parent = parents[0]!;
  if (isListed && OrderedChildren !== undefined) add(world, parent, OrderedChildren);
  return { world, parent, children, leavers: Array.from(orderOf(count, order), (at) => children[at]!) };
}

function leave({ world, leavers }: Family, leaving: Way["leaving"], count: number): void {
  if (leaving === "destroy") {
    for (let at = 0; at < count; at++) destroy(world, leavers[at]!);
  } else {
    for (let at = 0; at < count; at++) remove(world, leavers[at]!, ChildOf(Any));
  }
}

function foundByHand(count: number): SiblingLinks {
  const links = createSiblingLinks(1, count);
  shareOut(links, 1);
  return links;
}

function unlinkAll(links: SiblingLinks, leavers: Int32Array, count: number): void {
  for (let at = 0; at < count; at++) unlink(links, leavers[at]!);
}

/** Half of the children leave: who is still there, in which order? */
function proofs(order: Order): Witness[] {
  const count = COUNTS[0];
  const half = count >> 1;
  const byHand = (): number => {
    const links = foundByHand(count);
    unlinkAll(links, orderOf(count, order), half);
    const left: number[] = [];
    for (let child = links.last[0]!; child >= 0; child = links.before[child]!) left.push(child);
    return checksumOf(left.length, (at) => left.at(-1 - at)!);
  };
  const here = (way: Way): number => {
    const family = found(count, order, way);
    leave(family, way.leaving, half);
    const { world, parent, leavers } = family;
    const isGone = (child: Entity): boolean =>
      way.leaving === "destroy" ? !isAlive(world, child) : parentOf(world, child) === undefined;
    if (!leavers.every((child, at) => isGone(child) === at < half))
      throw new Error("the wrong ones have left");
    const numbers = new Map(family.children.map((child, number) => [child, number]));
    const left = children(world, parent);
    return checksumOf(left.length, (at) => numbers.get(left[at]!)!);
  };
  return [
    { name: "by hand", checksum: byHand },
    ...WAYS.map((way) => ({ name: wordsOf(way), checksum: () => here(way) })),
  ];
}

function wordsOf({ storage, isListed, leaving }: Way): string {
  const verb = leaving === "destroy" ? "destroy" : "remove ChildOf(Any)";
  return `${storage.name}${isListed ? ", OrderedChildren" : ""}: ${verb}`;
}

function contestantOf(count: number, order: Order, way: Way): Contestant {
  let family: Family;
  return {
    name: String(count),
    before: () => {
      family = found(count, order, way);
    },
    run: () => leave(family, way.leaving, count),
  };
}

function handContestant(count: number, order: Order): Contestant {
  const leavers = orderOf(count, order);
  let links: SiblingLinks;
  return {
    name: String(count),
    before: () => {
      links = foundByHand(count);
    },
    run: () => unlinkAll(links, leavers, count),
  };
}

/** Timings are of whole families: a family of `times` as many may take so many times as long. */
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
  "The children of one parent go one by one until nobody is left. Ratios by child, against 25,000 children.",
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
