import { availableParallelism } from "node:os";
import { fullOrQuick, isQuick } from "../../measure/settings.ts";
import { type Host, patienceNow, type Room, TOO_LONG } from "../processes/host.ts";
import type { Match, Order } from "../processes/serve.ts";
import { cellsOf, type WorkloadName } from "../workloads/workloads.ts";
import { withBytes } from "./garbage-bytes.ts";
import type { Outcome, Result } from "./outcome.ts";
import { failureOf, type Player, playRounds } from "./rounds.ts";

/** Milliseconds: of a contestant alone in its process, before it is measured there, and of each cell of a seasoned process. */
const WARM_UP = fullOrQuick(800, 20);
const SEASONING = 60;
/** Of a seasoned cell, right before it is measured. */
const FRESHEN = 100;

/** Who needs more for a run, in milliseconds, has no use for warming up, and makes as few as there may be. */
const SLOW = 500;
/**
 * A contestant that has taken too long for so many cells of a row is not waited for in the rest of it: cells go from easy to hard,
 * and a minute is long.
 */
const LONG_TRIES = 1;

/** Worlds are built and warmed up on so many processors at once; while anybody is measured, nothing else goes on. */
const LANES = Math.min(availableParallelism(), 4);

export interface Choice {
  readonly workload: WorkloadName;
  /** Keys of the field; the first one says what is right. */
  readonly contestants: readonly string[];
  /** Is told what begins now. */
  readonly tell: (event: Beginning) => void;
}

export interface Beginning {
  readonly workload: WorkloadName;
  readonly place: number;
  readonly isSeasoned: boolean;
}

/** By contestant. */
type Outcomes = Map<string, Outcome>;

/** Plays all cells of a workload. */
export async function play(host: Host, choice: Choice): Promise<readonly Result[]> {
  const { workload, contestants, tell } = choice;
  const places = cellsOf(workload).map((_, place) => place);
  const alone: Outcomes[] = [];
  const past: Past = { took: new Map(), lost: new Map() };
  for (const place of places) {
    tell({ workload, place, isSeasoned: false });
    alone.push(await playAlone(host, choice, place, past));
  }
  const seasoned = isQuick || places.length === 1 ? alone : await playSeasoned(host, choice, alone);
  return places.flatMap((place) =>
    contestants.map((contestant) => ({
      contestant,
      place,
      alone: alone[place]!.get(contestant) ?? { kind: "cannot" },
      seasoned: seasoned[place]!.get(contestant) ?? { kind: "cannot" },
    })),
  );
}

/** What the cells of a row until now say about contestants. */
interface Past {
  /** Milliseconds until it was warm, the last time. */
  readonly took: Map<string, number>;
  /** How often it took too long. */
  readonly lost: Map<string, number>;
}

/** Each contestant in a process of its own that knows of no other cell. */
async function playAlone(host: Host, choice: Choice, place: number, past: Past): Promise<Outcomes> {
  const { workload, contestants } = choice;
  const { took } = past;
  // Who took longest begins first, beside the others.
  const longest = [...contestants].sort((one, other) => (took.get(other) ?? 0) - (took.get(one) ?? 0));
  const entered = await inLanes(longest, (contestant) => enter(host, { workload, contestant, place }, past));
  const entries = contestants.map((contestant) => entered.find((entry) => entry.contestant === contestant)!);
  const outcomes: Outcomes = new Map();
  const players: Player[] = [];
  let expected: number | undefined;
  for (const { contestant, answers, room, sum, call } of entries) {
    if (sum !== undefined) expected ??= sum;
    const refusal = answers ?? (sum === expected ? undefined : WRONG);
    if (refusal === undefined && room !== undefined) players.push({ contestant, place, room, call });
    else {
      outcomes.set(contestant, refusal ?? NOT_TRIED);
      room?.end();
    }
  }
  const played = await playRounds(workload, players);
  for (const [at, { contestant, room }] of players.entries()) {
    room.end();
    outcomes.set(contestant, await withBytes(host, { workload, contestant, place }, played[at]!));
  }
  return outcomes;
}

const WRONG: Outcome = { kind: "failed", why: "wrong result" };
const NOT_TRIED: Outcome = { kind: "failed", why: `not tried, ${TOO_LONG.why} in another cell` };

interface Entry {
  readonly contestant: string;
  readonly room?: Room;
  /** Why it does not take part. */
  readonly answers?: Outcome;
  readonly sum?: number;
  readonly call: number;
}

/** Opens a cell, proves it, and warms it up: all of it together may take as long as anybody is waited for. */
async function enter(
  host: Host,
  cell: { readonly workload: WorkloadName; readonly contestant: string; readonly place: number },
  { took, lost }: Past,
): Promise<Entry> {
  const { contestant, place } = cell;
  const losses = lost.get(contestant) ?? 0;
  if (losses >= LONG_TRIES) return { contestant, answers: NOT_TRIED, call: 0 };
  const room = await host.start();
  const begin = performance.now();
  const ask = (order: Order): Promise<Match> =>
    room.ask(order, Math.max(1, patienceNow() - (performance.now() - begin)));
  const orders: readonly Order[] = [
    { kind: "open", cell },
    { kind: "prove", place },
    { kind: "warm", place, time: WARM_UP },
  ];
  let entry: Entry = { contestant, room, call: 0 };
  for (const order of orders) {
    const answer = await ask(order);
    if (answer.kind === "proved") entry = { ...entry, sum: answer.sum };
    else if (answer.kind === "warmed") entry = { ...entry, call: answer.call };
    else if (answer.kind !== "opened") {
      if (failureOf(answer) === TOO_LONG.why) lost.set(contestant, losses + 1);
      entry = { ...entry, answers: refusalOf(answer) };
      break;
    }
  }
  took.set(contestant, performance.now() - begin);
  return entry;
}

function refusalOf(answer: Match): Outcome {
  return answer.kind === "cannot" ? { kind: "cannot" } : { kind: "failed", why: failureOf(answer) };
}

/** One process for each contestant, in which all cells of the row are open and have run before the first is measured. */
async function playSeasoned(
  host: Host,
  choice: Choice,
  alone: readonly Outcomes[],
): Promise<readonly Outcomes[]> {
  const { workload, contestants, tell } = choice;
  // Who failed alone is not tried again.
  const outcomes = alone.map(
    (cell): Outcomes => new Map([...cell].filter(([, { kind }]) => kind !== "measured")),
  );
  /** Who is slow is not warmed up. */
  const slowCall = (contestant: string, place: number): number | undefined => {
    const outcome = alone[place]!.get(contestant);
    return outcome?.kind === "measured" && outcome.median > SLOW ? outcome.median : undefined;
  };
  tell({ workload, place: 0, isSeasoned: true });
  const rooms = new Map<string, Room | undefined>();
  const sit = async (contestant: string): Promise<Room | undefined> => {
    const room = rooms.get(contestant);
    if (room?.isAlive() === true) return room;
    const next = await season(host, { workload, contestant, outcomes, slowCall });
    rooms.set(contestant, next);
    return next;
  };
  await inLanes(contestants, sit);
  for (const place of outcomes.keys()) {
    if (place > 0) tell({ workload, place, isSeasoned: true });
    const refreshed = await inLanes(contestants, async (contestant): Promise<Player | undefined> => {
      if (outcomes[place]!.has(contestant)) return undefined;
      const room = await sit(contestant);
      if (room === undefined || outcomes[place]!.has(contestant)) return undefined;
      const call = slowCall(contestant, place);
      if (call !== undefined) return { contestant, place, room, call };
      const answer = await room.ask({ kind: "warm", place, time: FRESHEN });
      if (answer.kind === "warmed") return { contestant, place, room, call: answer.call };
      outcomes[place]!.set(contestant, refusalOf(answer));
      return undefined;
    });
    const players = refreshed.filter((player) => player !== undefined);
    const played = await playRounds(workload, players);
    for (const [at, { contestant, room }] of players.entries()) {
      outcomes[place]!.set(contestant, played[at]!);
      await room.ask({ kind: "close", place });
    }
  }
  for (const room of rooms.values()) room?.end();
  return outcomes;
}

/** Opens a contestant's cells; one that ends the process is left out of the next one. @returns nothing if none is left. */
async function season(
  host: Host,
  row: {
    readonly workload: WorkloadName;
    readonly contestant: string;
    readonly outcomes: readonly Outcomes[];
    readonly slowCall: (contestant: string, place: number) => number | undefined;
  },
): Promise<Room | undefined> {
  const { workload, contestant, outcomes, slowCall } = row;
  for (;;) {
    const places = [...outcomes.keys()].filter((place) => !outcomes[place]!.has(contestant));
    if (places.length === 0) return undefined;
    const room = await host.start();
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
      const answer = await room.ask(order);
      if (answer.kind !== "opened" && answer.kind !== "warmed")
        outcomes[place]!.set(contestant, refusalOf(answer));
      if (!room.isAlive()) break;
    }
    if (room.isAlive()) return room;
    room.end();
  }
}

/** Does the work for all items, some at a time. @returns what came out, in their order. */
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
