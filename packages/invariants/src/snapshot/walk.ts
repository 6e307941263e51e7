/**
 * Random walks over snapshots: a world goes on after a snapshot, and is restored. From then on it and a world that never went on take
 * the same steps, and must be the same in all that can be read, also in the order of everything.
 *
 * @example
 * snapshotWalk({ seed: 7, steps: [40, 30, 30] }); // throws at the first difference
 */

import type { World } from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { checksum, restore, type Snapshot, snapshot } from "@treeline/document/snapshot";
import { createDice } from "../base/dice.ts";
import { chooseStep } from "../choose/choose.ts";
import { createListDice } from "../choose/lists.ts";
import { type Chooser, createPalette, type WalkKind } from "../choose/terms.ts";
import { EVERYTHING } from "../compare/round.ts";
import { BUFFERS, handleOf, type RealWorld } from "../step/real-world.ts";
import { same } from "../step/same.ts";
import type { Step } from "../step/step.ts";
import { stepText } from "../step/step.ts";
import { drawStorages, IS_REQUIRING } from "../step/storages.ts";
import { type Both, createBoth, type ReplayOptions, take } from "../walk/take.ts";
import { Probe } from "./probe.ts";

export interface SnapshotWalkOptions {
  readonly seed: number;
  /** Before the snapshot, in the future that is given up, and after the restore. */
  readonly steps: readonly [before: number, given: number, after: number];
  /** Default "plain". */
  readonly memory?: "plain" | "wasm";
  /** Whether components require others. Default: drawn. */
  readonly isRequiring?: boolean;
}

/** The numbers of entities that are spawned in the future that is given up begin here. */
const FUTURE = 50_000;
const FIRST_CLONE = 100_000;
const FIRST_FUTURE_CLONE = 600_000;
const RECYCLED = 4_200;
const KINDS: readonly WalkKind[] = ["mixed", "Parent", "mixed", "ChildOf"];

/** @throws Error at the first difference: its first line replays the walk. */
export function snapshotWalk(options: SnapshotWalkOptions): void {
  const done: Step[] = [];
  try {
    walkOn(options, done);
  } catch (error) {
    const { seed, steps, memory = "plain", isRequiring } = options;
    const last = done.length === 0 ? "" : stepText(done.at(-1)!);
    const requiring = isRequiring === undefined ? "" : `, isRequiring: ${isRequiring}`;
    const text = `snapshotWalk({ seed: ${seed}, steps: [${steps}], memory: "${memory}"${requiring} }) at step ${done.length - 1}, ${last}`;
    throw new Error(`${text}\n  ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function walkOn({ seed, steps, memory = "plain", isRequiring }: SnapshotWalkOptions, done: Step[]): void {
  const [before, given, after] = steps;
  const sampling = seed % 3 === 0 ? 1 : 5;
  const recycled = seed % 5 === 2 ? RECYCLED : 0;
  const drawn = drawStorages(seed);
  const storages = isRequiring === undefined ? drawn : { ...drawn, [IS_REQUIRING]: isRequiring };
  const replayed: ReplayOptions = { memory, observers: "unobserved", storages, recycled, sampling };
  const create = (): Both => createBoth(replayed, { ...EVERYTHING, sampling });
  /** One goes on and is restored, the other never goes on; of the third only the twin is used. */
  const [one, other, third] = [create(), create(), create()];
  const { world } = one.real;
  const [probe, otherProbe] = [new Probe(world), new Probe(other.real.world)];
  const chooser = chooserFor(seed, other, false);
  const choose = (from: Chooser): Step => {
    const step = chooseStep(from);
    done.push(step);
    return step;
  };

  for (let turn = 0; turn < before; turn++) {
    const step = choose(chooser);
    for (const both of [one, other, third]) take(both, step);
    if (turn % 3 === seed % 3) sameProbes([probe, otherProbe], turn);
  }
  for (const both of [one, other, third]) discardAll(both);

  let taken = snapshot(world);
  if (seed % 2 === 0) taken = snapshot(world, { into: taken });
  const kept = keptOf(one.real);
  const future = chooserFor(seed, one, true);
  let made: Probe | undefined;
  for (let turn = 0; turn < given; turn++) {
    take(one, choose(future));
    if (turn === 3) made = new Probe(world);
    if (turn % 4 === seed % 4) probe.read(createDice(turn));
    if (turn % 5 === 2) made?.read(createDice(turn));
  }
  discardAll(one);

  restore(world, taken);
  kept();
  third.naive.indexOf = (twin) => handleOf(one.real, twin) % 2 ** 24;
  const liveQueries = one.liveQueries.filter(({ terms }) =>
    terms.every(({ target }) => !(Number(target) >= FUTURE)),
  );
  const back: Both = { ...one, naive: third.naive, turn: other.turn, liveQueries };
  sameState(world, other.real.world);
  const late = seed % 2 === 0 ? [new Probe(world), new Probe(other.real.world)] : [];
  // Queries made since the snapshot have read all changes at the restore, as these have.
  const read = made && new Probe(other.real.world);
  read?.list();
  for (let turn = 0; turn < after; turn++) {
    if (read !== undefined) sameLists([made!, read], turn);
    sameProbes([probe, otherProbe], turn);
    sameProbes(late, turn + 1);
    const step = choose(chooser);
    for (const both of [back, other]) take(both, step);
    sameState(world, other.real.world);
    if (turn % 6 === 5) taken = restoreAtOnce([back, other], taken);
  }
}

function chooserFor(seed: number, { naive }: Both, isFuture: boolean): Chooser {
  const own = isFuture ? seed + 1_000_000 : seed;
  const dice = createDice(own);
  return {
    dice,
    palette: createPalette(dice),
    naive,
    kind: KINDS[Math.floor(seed / 4) % KINDS.length]!,
    reusesIndexes: true,
    isStrict: false,
    cap: 30,
    nextTwin: isFuture ? FUTURE : 1,
    nextClone: isFuture ? FIRST_FUTURE_CLONE : FIRST_CLONE,
    focus: [],
    lists: createListDice(own),
  };
}

/** A world with recorded commands has no snapshots. */
function discardAll(both: Both): void {
  for (let buffer = 0; buffer < BUFFERS; buffer++) take(both, { verb: "discardCommands", buffer });
}

/** Keeps what a walk knows of a world. @returns a function that puts it back. */
function keptOf({ handles, twins, spawned }: RealWorld): () => void {
  const kept = { handles: [...handles], twins: [...twins], spawned: [...spawned] };
  return () => {
    handles.clear();
    twins.clear();
    for (const [twin, handle] of kept.handles) handles.set(twin, handle);
    for (const [handle, twin] of kept.twins) twins.set(handle, twin);
    spawned.splice(0, spawned.length, ...kept.spawned);
  };
}

/** A snapshot that is restored at once changes nothing. */
function restoreAtOnce([back, other]: readonly [Both, Both], into: Snapshot): Snapshot {
  discardAll(back);
  discardAll(other);
  const taken = snapshot(back.real.world, { into });
  restore(back.real.world, taken);
  return taken;
}

function sameLists(probes: readonly Probe[], turn: number): void {
  const [one, other] = probes.map((probe) => probe.list(createDice(turn)));
  same(one, other, () => "what queries list that were made since the snapshot");
}

function sameProbes(probes: readonly Probe[], turn: number): void {
  const [one, other] = probes.map((probe) => probe.read(createDice(turn)));
  same(one, other, () => "what queries and monitors tell");
}

/** Both are verified: that reads what has moved, and the order of queries depends on when that is read. */
function sameState(one: World, other: World): void {
  const broken = [one, other].flatMap(verify);
  if (broken.length > 0) throw new Error(`broken invariants: ${broken.join("; ")}`);
  const [text, otherText] = [one, other].map((world) => dump(world).split("\n").sort().join("\n"));
  same(text, otherText, () => "the dump of the world");
  const [sum, otherSum] = [one, other].map(sumOf);
  if (sum !== undefined && otherSum !== undefined) same(sum, otherSum, () => "the checksum");
}

/** `undefined` while there are recorded commands. */
function sumOf(world: World): number | undefined {
  try {
    return checksum(world);
  } catch {
    return undefined;
  }
}
