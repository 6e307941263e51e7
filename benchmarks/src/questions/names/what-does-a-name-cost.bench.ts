// Time of a name when spawned, added, changed and moved (`spawnNamed`, `nameAll`, `moveAll`); its bytes (`weighNames`).
import { setTimeout } from "node:timers/promises";
import { add, ChildOf, createWorld, type Entity, observe, set, spawn, tag, type World } from "@treeline/core";
import { lookup, Name } from "@treeline/names";
import { diceOf } from "../../fixtures/dice.ts";
import { answer, runElsewhere, taskHere } from "../../measure/elsewhere.ts";
import {
  type Contestant,
  differenceOf,
  interleave,
  medianOf,
  ratioOf,
  type Timing,
} from "../../measure/interleave.ts";
import { checksumOf, proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

const Rare = tag("Rare");

const COUNT = 100_000;
const PARENTS = 1_000;
const SHARE = COUNT / PARENTS;
const PACE = { rounds: fullOrQuick(25, 6), time: 0, calls: 1, warmUp: 3 };

/** All different; created before the measurement, and in one piece. */
const TEXTS = textsOf("entity number");
const OTHERS = textsOf("another name");

function textsOf(words: string): string[] {
  return Array.from({ length: COUNT }, (_, at) => {
    return String.fromCharCode(...Array.from(`${words} ${at}`, (sign) => sign.charCodeAt(0)));
  });
}

/** Parents for 100,000 children, named or not, and the spawned children. */
interface Nursery {
  readonly world: World;
  readonly parents: readonly Entity[];
  readonly entities: Entity[];
}

function openNursery(isNamed: boolean): Nursery {
  const world = createWorld();
  const parents = Array.from({ length: PARENTS }, (_, at) => {
    return isNamed ? spawn(world, Name(`parent ${at}`)) : spawn(world);
  });
  return { world, parents, entities: [] };
}

/** Observes a tag that no entity gets, so the observer is never called. */
function observeAbsent({ world }: Nursery): void {
  observe(world, { added: Rare }, () => {});
}

function spawnAll({ world, parents, entities }: Nursery): void {
  for (let at = 0; at < COUNT; at++) entities.push(spawn(world, ChildOf(parents[Math.floor(at / SHARE)]!)));
}

function spawnRoots({ world, entities }: Nursery): void {
  for (let at = 0; at < COUNT; at++) entities.push(spawn(world));
}

function spawnNamed({ world, parents, entities }: Nursery): void {
  for (let at = 0; at < COUNT; at++) {
    entities.push(spawn(world, Name(TEXTS[at]!), ChildOf(parents[Math.floor(at / SHARE)]!)));
  }
}

function nameAll({ world, entities }: Nursery, texts: readonly string[]): void {
  for (let at = 0; at < COUNT; at++) set(world, entities[at]!, Name, texts[at]!);
}

const DICE = diceOf(5);
const GOALS = Int32Array.from({ length: COUNT }, () => DICE(PARENTS));

function moveAll({ world, parents, entities }: Nursery): void {
  for (let at = 0; at < COUNT; at++) add(world, entities[at]!, ChildOf(parents[GOALS[at]!]!));
}

/** A change of 100,000 entities of a fresh world. */
interface Work {
  readonly row: string;
  readonly prepare: () => Nursery;
  readonly run: (nursery: Nursery) => void;
}

function prepared(isNamed: boolean, ...steps: readonly ((nursery: Nursery) => void)[]): () => Nursery {
  return () => {
    const nursery = openNursery(isNamed);
    for (const step of steps) step(nursery);
    return nursery;
  };
}

const WORKS = {
  bare: { row: "spawn a child, no name", prepare: prepared(false), run: spawnAll },
  spawned: { row: "spawn a child with a name", prepare: prepared(true), run: spawnNamed },
  rooted: {
    row: "set the name of a root that has none",
    prepare: prepared(true, spawnRoots),
    run: (nursery) => nameAll(nursery, TEXTS),
  },
  named: {
    row: "set the name of a child that has none",
    prepare: prepared(true, spawnAll),
    run: (nursery) => nameAll(nursery, TEXTS),
  },
  renamed: {
    row: "set another name",
    prepare: prepared(true, spawnNamed),
    run: (nursery) => nameAll(nursery, OTHERS),
  },
  moved: { row: "reparent at random, no name", prepare: prepared(false, spawnAll), run: moveAll },
  movedNamed: { row: "reparent at random, with the name", prepare: prepared(true, spawnNamed), run: moveAll },
  observed: {
    row: "spawn a child with a name, while there is an observer of something else",
    prepare: prepared(true, observeAbsent),
    run: spawnNamed,
  },
} satisfies Record<string, Work>;

function contestantOf({ row, prepare, run }: Work): Contestant {
  let nursery: Nursery;
  return {
    name: row,
    before: () => {
      nursery = prepare();
    },
    run: () => run(nursery),
  };
}

/** Each entity that is found by a name must be the one with that name. */
function proveNames(
  { row, prepare, run }: Work,
  texts: readonly string[],
  parentOf: (at: number) => number,
): void {
  const nursery = prepare();
  run(nursery);
  const { world, parents, entities } = nursery;
  const places = new Map(entities.map((entity, at) => [entity, at]));
  proveEqual([
    { name: "expected", checksum: () => checksumOf(COUNT, (at) => at) },
    {
      name: row,
      checksum: () =>
        checksumOf(COUNT, (at) => {
          const found = lookup(world, texts[at]!, { from: parents[parentOf(at)]! });
          return found === undefined ? -1 : places.get(found)!;
        }),
    },
  ]);
}

function compare(): void {
  const ownParent = (at: number): number => Math.floor(at / SHARE);
  proveNames(WORKS.spawned, TEXTS, ownParent);
  proveNames(WORKS.named, TEXTS, ownParent);
  proveNames(WORKS.renamed, OTHERS, ownParent);
  proveNames(WORKS.movedNamed, TEXTS, (at) => GOALS[at]!);

  const works: readonly Work[] = Object.values(WORKS);
  const timings = interleave(works.map(contestantOf), PACE);
  const timingOf = (name: keyof typeof WORKS): Timing => timings[works.indexOf(WORKS[name])]!;
  const rowOf = (name: keyof typeof WORKS, base: keyof typeof WORKS): Row => ({
    row: WORKS[name].row,
    measured: nanosecondsAndLow(timingOf(name), COUNT, "child"),
    ratio: ratioOf(timingOf(name), timingOf(base)),
  });
  const nameAlone = (differenceOf(timingOf("spawned"), timingOf("bare")) * 1e6) / COUNT;
  printTable(
    "100,000 different names of 13 to 19 characters, set one by one in a fresh world, parent by parent. Ratios against the same without names.",
    [
      rowOf("bare", "bare"),
      {
        ...rowOf("spawned", "bare"),
        goal: atMost(400, "ns", (timingOf("spawned").median * 1e6) / COUNT),
      },
      { row: "of that, for the name", measured: `${nameAlone.toFixed(0)} ns a child` },
      {
        ...rowOf("rooted", "bare"),
        goal: atMost(400, "ns", (timingOf("rooted").median * 1e6) / COUNT),
      },
      {
        ...rowOf("named", "bare"),
        goal: atMost(400, "ns", (timingOf("named").median * 1e6) / COUNT),
      },
      rowOf("observed", "bare"),
      rowOf("renamed", "bare"),
      rowOf("moved", "moved"),
      rowOf("movedNamed", "moved"),
    ],
  );
}

async function bytesHeld(): Promise<number> {
  for (let pass = 0; pass < 4; pass++) {
    globalThis.gc?.();
    await setTimeout(20); // array buffers are freed concurrently
  }
  const { heapUsed, external } = process.memoryUsage(); // `external` includes the array buffers
  return heapUsed + external;
}

/** The memory of a world with this many entities, without their texts, which exist before. */
async function weigh(count: number, isNamed: boolean): Promise<number> {
  if (globalThis.gc === undefined) throw new Error("needs --expose-gc");
  const texts = Array.from({ length: count }, (_, at) => `entity number ${at}`);
  for (const text of texts) text.charCodeAt(0);
  const warm = createWorld(); // so that the code itself is not measured
  for (let at = 0; at < 1_000; at++) spawn(warm, Name(texts[at]!));
  const before = await bytesHeld();
  const world = createWorld();
  for (let at = 0; at < count; at++) {
    if (isNamed) spawn(world, Name(texts[at]!));
    else spawn(world);
  }
  const held = (await bytesHeld()) - before;
  const last = lookup(world, texts[count - 1]!);
  if ((last !== undefined) !== isNamed || texts.length !== count) throw new Error("an entity is missing");
  return held;
}

function weighNames(count: number): Row {
  const bytes = medianOf(
    Array.from({ length: fullOrQuick(3, 1) }, () => {
      const held = (isNamed: boolean): number =>
        runElsewhere(import.meta.url, [`${isNamed ? "named" : "bare"} ${count}`], ["--expose-gc"]) as number;
      return (held(true) - held(false)) / count;
    }),
  );
  return {
    row: `${count.toLocaleString("en")} different names`,
    measured: `${bytes.toFixed(1)} bytes a name`,
    goal: atMost(60, "bytes", bytes),
  };
}

const task = taskHere();
if (task !== undefined) {
  const [kind, count] = task.split(" ");
  answer(await weigh(Number(count), kind === "named"));
} else {
  printQuestion(import.meta.url);
  compare();
  printTable(
    "Heap and array buffers of a world with names, minus those of one without; the texts themselves are not measured. " +
      "Tables double, so the share of a name varies with the number of names.",
    [weighNames(50_000), weighNames(100_000), weighNames(150_000)],
  );
}
