// Plays all cells of a workload (`play`): isolated, then warmed up by the others (`WARM_UP`); gives up slow ones (`LONG_TRIES`).
import { availableParallelism } from "node:os";
import { fullOrQuick, isQuick } from "../../measure/settings.ts";
import { type Host, type Runner, TOO_LONG, timeLimitNow } from "../processes/host.ts";
import type { Order, Reply } from "../processes/serve.ts";
import { cellsOf, isPlayedBy, type WorkloadName } from "../workloads/workloads.ts";
import { withBytes } from "./garbage-bytes.ts";
import type { Outcome, Result } from "./outcome.ts";
import { failureOf, type Player, playRounds } from "./rounds.ts";

/** Milliseconds of warm-up: of an isolated contestant before it is measured, and of each cell of a process with all cells. */
const WARM_UP = fullOrQuick(800, 20);
const SEASONING = 60;
/** The same for a cell of a process with all cells, right before it is measured. */
const FRESHEN = 100;

/** Milliseconds: contestants that need more for a run are not warmed up, and make as few runs as possible. */
const SLOW = 500;
/**
 * A contestant that has taken too long for this many cells of a row skips the rest of it: cells go from easy to hard, and a
 * minute is long.
 */
const LONG_TRIES = 1;

/** Worlds are built and warmed up on this many processors at once; during a measurement nothing else runs. */
const LANES = Math.min(availableParallelism(), 4);

export interface Choice {
  readonly workload: WorkloadName;
  /** Keys of the field; the checksums of the first one are the reference. */
  readonly contestants: readonly string[];
  /** Is called with what begins now. */
  readonly report: (event: Beginning) => void;
}

export interface Beginning {
  readonly workload: WorkloadName;
  readonly place: number;
  readonly isWarmedUp: boolean;
}

/** By contestant. */
type Outcomes = Map<string, Outcome>;

/** Plays all cells of a workload. */
export async function play(host: Host, given: Choice): Promise<readonly Result[]> {
  const { workload, report } = given;
  const contestants = given.contestants.filter((contestant) => isPlayedBy(workload, contestant));
  const choice = { ...given, contestants };
  const places = cellsOf(workload).map((_, place) => place);
  const isolated: Outcomes[] = [];
  const past: Past = { took: new Map(), lost: new Map() };
  for (const place of places) {
    report({ workload, place, isWarmedUp: false });
    isolated.push(await playIsolated(host, choice, place, past));
  }
  const warmedUp = isQuick || places.length === 1 ? isolated : await playWarmedUp(host, choice, isolated);
  return places.flatMap((place) =>
    contestants.map((contestant) => ({
      contestant,
      place,
      isolated: isolated[place]!.get(contestant) ?? { kind: "cannot" },
      warmedUp: warmedUp[place]!.get(contestant) ?? { kind: "cannot" },
    })),
  );
}

/** What the previous cells of a row have shown about contestants. */
interface Past {
  /** Milliseconds until it was warm, the last time. */
  readonly took: Map<string, number>;
  /** How often it took too long. */
  readonly lost: Map<string, number>;
}

/** Each contestant isolated, in a process that has no other cell. */
async function playIsolated(host: Host, choice: Choice, place: number, past: Past): Promise<Outcomes> {
  const { workload, contestants } = choice;
  const { took } = past;
  // The one that took longest begins first, in parallel with the others.
  const longest = [...contestants].sort((one, other) => (took.get(other) ?? 0) - (took.get(one) ?? 0));
  const entered = await inLanes(longest, (contestant) => enter(host, { workload, contestant, place }, past));
  const entries = contestants.map((contestant) => entered.find((entry) => entry.contestant === contestant)!);
  const outcomes: Outcomes = new Map();
  const players: Player[] = [];
  let expected: number | undefined;
  for (const { contestant, runner, sum, call, ...entry } of entries) {
    if (sum !== undefined) expected ??= sum;
    const refusal = entry.refusal ?? (sum === expected ? undefined : WRONG);
    if (refusal === undefined && runner !== undefined) players.push({ contestant, place, runner, call });
    else {
      outcomes.set(contestant, refusal ?? NOT_TRIED);
      runner?.end();
    }
  }
  const played = await playRounds(workload, players);
  for (const [at, { contestant, runner }] of players.entries()) {
    runner.end();
    outcomes.set(contestant, await withBytes(host, { workload, contestant, place }, played[at]!));
  }
  return outcomes;
}

const WRONG: Outcome = { kind: "failed", why: "wrong result" };
const NOT_TRIED: Outcome = { kind: "failed", why: `not tried, ${TOO_LONG.why} in another cell` };

interface Entry {
  readonly contestant: string;
  readonly runner?: Runner;
  /** The outcome of a contestant that does not take part. */
  readonly refusal?: Outcome;
  readonly sum?: number;
  readonly call: number;
}

/** Opens a cell, checks it, and warms it up: all of it together must end within the time limit. */
async function enter(
  host: Host,
  cell: { readonly workload: WorkloadName; readonly contestant: string; readonly place: number },
  { took, lost }: Past,
): Promise<Entry> {
  const { contestant, place } = cell;
  const losses = lost.get(contestant) ?? 0;
  if (losses >= LONG_TRIES) return { contestant, refusal: NOT_TRIED, call: 0 };
  const runner = await host.start();
  const begin = performance.now();
  const send = (order: Order): Promise<Reply> =>
    runner.send(order, Math.max(1, timeLimitNow() - (performance.now() - begin)));
  const orders: readonly Order[] = [
    { kind: "open", cell },
    { kind: "prove", place },
    { kind: "warm", place, time: WARM_UP },
  ];
  let entry: Entry = { contestant, runner, call: 0 };
  for (const order of orders) {
    const reply = await send(order);
    if (reply.kind === "proved") entry = { ...entry, sum: reply.sum };
    else if (reply.kind === "warmed") entry = { ...entry, call: reply.call };
    else if (reply.kind !== "opened") {
      if (failureOf(reply) === TOO_LONG.why) lost.set(contestant, losses + 1);
      entry = { ...entry, refusal: refusalOf(reply) };
      break;
    }
  }
  took.set(contestant, performance.now() - begin);
  return entry;
}

function refusalOf(reply: Reply): Outcome {
  return reply.kind === "cannot" ? { kind: "cannot" } : { kind: "failed", why: failureOf(reply) };
}

/** One process for each contestant, in which all cells of the row are open and have run before the first is measured. */
async function playWarmedUp(
  host: Host,
  choice: Choice,
  isolated: readonly Outcomes[],
): Promise<readonly Outcomes[]> {
  const { workload, contestants, report } = choice;
  // A contestant that failed isolated is not tried again.
  const outcomes = isolated.map(
    (cell): Outcomes => new Map([...cell].filter(([, { kind }]) => kind !== "measured")),
  );
  /** Slow contestants are not warmed up. */
  const slowCall = (contestant: string, place: number): number | undefined => {
    const outcome = isolated[place]!.get(contestant);
    return outcome?.kind === "measured" && outcome.median > SLOW ? outcome.median : undefined;
  };
  report({ workload, place: 0, isWarmedUp: true });
  const runners = new Map<string, Runner | undefined>();
  const sit = async (contestant: string): Promise<Runner | undefined> => {
    const runner = runners.get(contestant);
    if (runner?.isAlive() === true) return runner;
    const next = await openAll(host, { workload, contestant, outcomes, slowCall });
    runners.set(contestant, next);
    return next;
  };
  await inLanes(contestants, sit);
  for (const place of outcomes.keys()) {
    if (place > 0) report({ workload, place, isWarmedUp: true });
    const refreshed = await inLanes(contestants, async (contestant): Promise<Player | undefined> => {
      if (outcomes[place]!.has(contestant)) return undefined;
      const runner = await sit(contestant);
      if (runner === undefined || outcomes[place]!.has(contestant)) return undefined;
      const call = slowCall(contestant, place);
      if (call !== undefined) return { contestant, place, runner, call };
      const reply = await runner.send({ kind: "warm", place, time: FRESHEN });
      if (reply.kind === "warmed") return { contestant, place, runner, call: reply.call };
      outcomes[place]!.set(contestant, refusalOf(reply));
      return undefined;
    });
    const players = refreshed.filter((player) => player !== undefined);
    const played = await playRounds(workload, players);
    for (const [at, { contestant, runner }] of players.entries()) {
      outcomes[place]!.set(contestant, played[at]!);
      await runner.send({ kind: "close", place });
    }
  }
  for (const runner of runners.values()) runner?.end();
  return outcomes;
}

/** Opens a contestant's cells; a cell that ends the process is left out of the next one. @returns nothing if none is left. */
async function openAll(
  host: Host,
  row: {
    readonly workload: WorkloadName;
    readonly contestant: string;
    readonly outcomes: readonly Outcomes[];
    readonly slowCall: (contestant: string, place: number) => number | undefined;
  },
): Promise<Runner | undefined> {
  const { workload, contestant, outcomes, slowCall } = row;
  for (;;) {
    const places = [...outcomes.keys()].filter((place) => !outcomes[place]!.has(contestant));
    if (places.length === 0) return undefined;
    const runner = await host.start();
    const orders = [
      ...places.map((place): [number, Order] => [
        place,
        { kind: "open", cell: { workload, contestant, place } },
      ]),
      ...places
        .filter((place) => slowCall(contestant, place) === undefined)
        .map((place): [number, Order] => [place, { kind: "warm", place, time: SEASONING }]),
    ];
    for (const [place, order] of orders) {
      if (outcomes[place]!.has(contestant)) continue;
      const reply = await runner.send(order);
      if (reply.kind !== "opened" && reply.kind !== "warmed")
        outcomes[place]!.set(contestant, refusalOf(reply));
      if (!runner.isAlive()) break;
    }
    if (runner.isAlive()) return runner;
    runner.end();
  }
}

/** Does the work for all items, some at a time. @returns the results, in their order. */
async function inLanes<Item, Value>(
  items: readonly Item[],
  work: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    for (const [at, item] of queue) values[at] = await work(item);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return values;
}
