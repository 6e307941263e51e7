/**
 * Measures the memory of worlds, names and growth, and times single spawns: these are not workloads, because no run is repeated.
 */
import { fullOrQuick, isQuick } from "../../measure/settings.ts";
import { NAMED, WEIGHED } from "../contestants/weighed.ts";
import type { Host } from "../processes/host.ts";
import type { Reply } from "../processes/serve.ts";
import { CYCLES, ENTITIES } from "../workloads/workloads.ts";
import { type Equipment, sumOfGrown } from "./holdings.ts";
import {
  type GrowOutcome,
  type GrowthOutcome,
  keepParts,
  type LayoutOutcome,
  type NamesOutcome,
  type Parts,
  partOf,
  type Row,
} from "./record.ts";
import { growTable, growthTable, layoutTables, namesTable, storagesTable } from "./table.ts";
import type { Finding, Stalls, Task, Weight } from "./task.ts";

export type WeighingName = "memory" | "storages" | "grow";

/** By name: the question that it replies. All are in the same file of results. */
export const WEIGHINGS: Readonly<Record<WeighingName, { readonly question: string; readonly does: string }>> =
  {
    memory: {
      question: "what-does-a-child-weigh",
      does: "measures the memory of worlds, names, and a million cycles",
    },
    storages: {
      question: "which-storage",
      does: "measures the memory of worlds in which entities have one more component or tag",
    },
    grow: { question: "what-does-a-spawn-cost", does: "times every single spawn of a million" },
  };

export interface Weighing {
  readonly host: Host;
  /** Keys of the field. */
  readonly contestants: readonly string[];
  /** Path of the results, memory-<host>.json. */
  readonly file: string;
  readonly report: (line: string) => void;
}

/** Stores the results. @returns tables in Markdown. */
export async function weigh(name: WeighingName, { contestants, ...rest }: Weighing): Promise<string> {
  const weighing = { ...rest, contestants: contestants.filter((key) => WEIGHED[key] !== undefined) };
  const parts = await WEIGHS[name](weighing);
  if (Object.keys(parts).length === 0) return `Memory is not measured in ${weighing.host.name}.`;
  keepParts(weighing.file, weighing.host, parts);
  const { layouts, names, storages, growth, grow } = parts;
  return [
    ...(layouts === undefined ? [] : layoutTables(layouts)),
    ...(names === undefined ? [] : [namesTable(names)]),
    ...(storages === undefined ? [] : [storagesTable(storages)]),
    ...(growth === undefined ? [] : [growthTable(growth)]),
    ...(grow === undefined ? [] : [growTable(grow)]),
  ].join("\n\n");
}

const LAYOUTS: readonly { readonly parents: number; readonly queries: number }[] = isQuick
  ? [1, 10_000].map((parents) => ({ parents, queries: 0 }))
  : [
      ...[1, 1_000, 10_000, 50_000].map((parents) => ({ parents, queries: 0 })),
      ...[1, 50_000].map((parents) => ({ parents, queries: 50 })),
    ];
const EQUIPMENTS: readonly Equipment[] = [
  { roots: ENTITIES, extra: "nothing", every: 1 },
  ...(["component", "tag"] as const).flatMap((extra) =>
    [1, 100].map((every) => ({ roots: ENTITIES, extra, every })),
  ),
];
const NAMES = ENTITIES;
const ALL_CYCLES = fullOrQuick(1_000_000, 20_000);
const GROWN = fullOrQuick(1_000_000, 50_000);
const REPETITIONS = fullOrQuick(3, 1);
/** A world that takes longer, in milliseconds, is built once: large ones do not need the minimum of several. */
const LONG = 8_000;

/** Not every host reports its memory in use after collecting garbage. */
async function isPossible(weighing: Weighing): Promise<boolean> {
  const [first = "arrays"] = weighing.contestants;
  const layout = { parents: 1, children: 1, queries: 0 };
  const trial = await findingOf(weighing, { kind: "settle", contestant: first, layout });
  return trial.kind !== "cannot";
}

async function weighAll(weighing: Weighing): Promise<Parts> {
  if (!(await isPossible(weighing))) return {};
  const named = weighing.contestants.filter((key) => NAMED.includes(key));
  return {
    layouts: await weighLayouts(weighing),
    ...(named.length === 0 ? {} : { names: await weighNames({ ...weighing, contestants: named }) }),
    growth: await weighGrowth(weighing),
  };
}

/** Two processes at once: the memory of a world does not depend on other processes. */
async function twoByTwo<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Promise<Found>,
): Promise<Found[]> {
  const found = new Array<Found>(items.length);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      found[at] = await find(items[at]!);
    }
  };
  await Promise.all([work(), work()]);
  return found;
}

type Failed = { readonly kind: "failed"; readonly why: string };

/** In a separate process. */
async function findingOf({ host }: Weighing, task: Task): Promise<Finding | Failed> {
  const runner = await host.start();
  const reply: Reply = await runner.send({ kind: "weigh", task });
  runner.end();
  if (reply.kind === "found") return reply.finding;
  return { kind: "failed", why: reply.kind === "failed" ? reply.why : "no reply" };
}

const WRONG: Failed = { kind: "failed", why: "wrong result" };

function least(weights: readonly Weight[]): Weight {
  return weights.reduce((best, one) => (one.held < best.held ? one : best));
}

type LayoutsPart = NonNullable<Parts["layouts"]>;

async function weighLayouts(weighing: Weighing): Promise<LayoutsPart> {
  const jobs = LAYOUTS.flatMap((_, place) =>
    weighing.contestants.map((contestant) => ({ contestant, place })),
  );
  const results = await twoByTwo(jobs, async ({ contestant, place }) => {
    return { contestant, place, outcome: await weighLayout(weighing, contestant, place) };
  });
  const note =
    `Worlds of ${ENTITIES.toLocaleString("en")} children with Position and Velocity in block order: heap and array buffers after ` +
    `collecting garbage, minus those before${isQuick ? "" : ", minimum of three processes (of one, where it takes long)"}. Counted is what a program must ` +
    "keep: the library's world, the program's own arrays of values where the library leaves those to the program, and the hand-written child list " +
    "where there is one. Handles in lists are not counted, names are not used. Contestants that must know the number of entities beforehand " +
    "got the exact number; arrays that double may be up to half empty.";
  return {
    ...partOf<LayoutOutcome, LayoutsPart["results"][number]>(note, "bytes a world", results),
    children: ENTITIES,
    cells: LAYOUTS,
  };
}

/** Of those that have `equip`; the others cannot. */
async function weighStorages(weighing: Weighing): Promise<Parts> {
  if (!(await isPossible(weighing))) return {};
  const jobs = EQUIPMENTS.flatMap((_, place) =>
    weighing.contestants.map((contestant) => ({ contestant, place })),
  );
  const results = await twoByTwo(jobs, async ({ contestant, place }) => {
    const { extra, every, roots } = EQUIPMENTS[place]!;
    weighing.report(`memory: ${contestant}, ${extra} for one in ${every}`);
    const task = { kind: "equip", contestant, equipment: EQUIPMENTS[place]! } as const;
    return { contestant, place, outcome: await weighOften(weighing, task, Math.ceil(roots / every)) };
  });
  const note =
    `Worlds of ${ENTITIES.toLocaleString("en")} roots with Position and Velocity, and the same where some have one more component of two fields, or one ` +
    "more tag: the difference, for each of all roots. Libraries that know only arrays of the program have room for a value of every entity; becsy's handles are in a list.";
  return {
    storages: {
      ...partOf<LayoutOutcome, LayoutsPart["results"][number]>(note, "bytes a world", results),
      cells: EQUIPMENTS,
    },
  };
}

async function weighLayout(weighing: Weighing, contestant: string, place: number): Promise<LayoutOutcome> {
  const { parents, queries } = LAYOUTS[place]!;
  weighing.report(`memory: ${contestant}, ${parents} parents, ${queries} queries`);
  const layout = { parents, children: ENTITIES, queries };
  return weighOften(weighing, { kind: "settle", contestant, layout }, ENTITIES);
}

async function weighOften(weighing: Weighing, task: Task, count: number): Promise<LayoutOutcome> {
  const repetitions: Weight[] = [];
  const begin = performance.now();
  while (repetitions.length < REPETITIONS && (repetitions.length === 0 || performance.now() - begin < LONG)) {
    const finding = await findingOf(weighing, task);
    if (finding.kind === "cannot" || finding.kind === "failed") return finding;
    if (finding.kind !== "weighed" || finding.count !== count) return WRONG;
    repetitions.push(finding.weight);
  }
  return { kind: "weighed", ...least(repetitions), repetitions };
}

async function weighNames(weighing: Weighing): Promise<NonNullable<Parts["names"]>> {
  const results = await twoByTwo(weighing.contestants, async (contestant): Promise<Row<NamesOutcome>> => {
    weighing.report(`memory: ${contestant}, names`);
    return { contestant, outcome: await weighNamesOf(weighing, contestant) };
  });
  const note =
    "Worlds of roots with different names, minus such worlds without names, per name; the texts themselves are not measured. " +
    "Hand-written: a map from names to numbers, and a list of names. Tables double, so the share of a name varies with the number of names.";
  return { ...partOf<NamesOutcome, Row<NamesOutcome>>(note, "bytes a name", results), names: NAMES };
}

async function weighNamesOf(weighing: Weighing, contestant: string): Promise<NamesOutcome> {
  const named: Weight[] = [];
  const bare: Weight[] = [];
  for (let turn = 0; turn < REPETITIONS * 2; turn++) {
    const isNamed = turn % 2 === 0;
    const finding = await findingOf(weighing, { kind: "named", contestant, names: NAMES, isNamed });
    if (finding.kind === "cannot" || finding.kind === "failed") return finding;
    if (finding.kind !== "weighed" || finding.count !== (isNamed ? NAMES : 0)) return WRONG;
    (isNamed ? named : bare).push(finding.weight);
  }
  return {
    kind: "weighed",
    held: (least(named).held - least(bare).held) / NAMES,
    repetitions: named.map(({ held }, at) => (held - bare[at]!.held) / NAMES),
  };
}

async function weighGrowth(weighing: Weighing): Promise<NonNullable<Parts["growth"]>> {
  const results = await twoByTwo(weighing.contestants, async (contestant): Promise<Row<GrowthOutcome>> => {
    weighing.report(`memory: ${contestant}, ${ALL_CYCLES} cycles`);
    const task = { kind: "cycle", contestant, cycles: ALL_CYCLES, cyclesARun: CYCLES } as const;
    const finding = await findingOf(weighing, task);
    if (finding.kind === "cannot" || finding.kind === "failed") return { contestant, outcome: finding };
    // No entity is left, which `churn` counts as 1.
    const isRight = finding.kind === "cycled" && finding.count === 1;
    return { contestant, outcome: isRight ? { kind: "weighed", ...finding.growth } : WRONG };
  });
  const note =
    "The workload `churn` repeatedly in one world: a parent is created, and a child of it, and both are destroyed. Heap and array " +
    "buffers after collecting garbage, minus those before the first cycle. Engines also drop code that was not used for a while, which shows as up to a megabyte less. " +
    "Slow contestants stop after 50 seconds.";
  return {
    ...partOf<GrowthOutcome, Row<GrowthOutcome>>(note, "bytes more than before", results),
    cycles: ALL_CYCLES,
  };
}

async function growAll(weighing: Weighing): Promise<Parts> {
  const results: Row<GrowOutcome>[] = [];
  for (const contestant of weighing.contestants) {
    weighing.report(`grow: ${contestant}, ${GROWN} spawns`);
    results.push({ contestant, outcome: await growOf(weighing, contestant) });
  }
  const note =
    `${GROWN.toLocaleString("en")} roots with Position and Velocity, spawned one by one in a fresh process, by wall time, including garbage collection and ` +
    `the clock itself${isQuick ? "" : "; of three runs the one whose slowest spawn is the fastest"}. A smaller world was grown and dropped before, for ` +
    "the compiler. Contestants that must know the number of entities, or leave values to arrays of the program, had runner for all beforehand; Javelin's " +
    "spawns are deferred to a tick after every thousand, becsy's come in frames of a thousand.";
  return {
    grow: { ...partOf<GrowOutcome, Row<GrowOutcome>>(note, "milliseconds", results), entities: GROWN },
  };
}

async function growOf(weighing: Weighing, contestant: string): Promise<GrowOutcome> {
  const expected = sumOfGrown(
    GROWN,
    (at) => at % 1024,
    (at) => 1 + (at % 3),
  );
  const repetitions: Stalls[] = [];
  for (let turn = 0; turn < REPETITIONS; turn++) {
    const finding = await findingOf(weighing, { kind: "grow", contestant, entities: GROWN });
    if (finding.kind === "cannot" || finding.kind === "failed") return finding;
    if (finding.kind !== "timed" || finding.count !== expected) return WRONG;
    repetitions.push(finding.stalls);
  }
  const best = repetitions.reduce((one, other) => (other.worst < one.worst ? other : one));
  return { kind: "timed", ...best, repetitions };
}

const WEIGHS: Readonly<Record<WeighingName, (weighing: Weighing) => Promise<Parts>>> = {
  memory: weighAll,
  storages: weighStorages,
  grow: growAll,
};
