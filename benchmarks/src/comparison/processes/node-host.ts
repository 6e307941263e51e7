import { type ChildProcess, fork } from "node:child_process";
import { clock } from "../../measure/clock.ts";
import { type Host, patienceNow, type Room, TOO_LONG } from "./host.ts";
import type { Match, Order } from "./serve.ts";

/** @param script the built `node-cell`. */
export function nodeHost(name: string, execPath: string, script: string): Host {
  const env = { ...process.env, NODE_ENV: "production" };
  const words = process.argv.slice(2);
  // One listener for each process that lives.
  process.setMaxListeners(0);
  return {
    name,
    clock: clock.name,
    start: async (young) => {
      const room =
        young === undefined ? [] : [`--min-semi-space-size=${young}`, `--max-semi-space-size=${young}`];
      return ready(fork(script, words, { execPath, execArgv: ["--expose-gc", ...room], env, silent: true }));
    },
    close: async () => {},
  };
}

/** Nobody's time is counted before his process has started. */
async function ready(child: ChildProcess): Promise<Room> {
  const room = roomOf(child);
  const answer = await room.ask({ kind: "greet" });
  if (answer.kind === "failed") throw new Error(`a process could not start: ${answer.why}`);
  return room;
}

function roomOf(child: ChildProcess): Room {
  const end = (): void => {
    child.kill("SIGKILL");
  };
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  let last = "";
  child.stdout?.resume();
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    last = (last + text).slice(-4_000);
  });
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null && !child.killed;
  const causeOf = (ending: string): string =>
    last.includes("out of memory") ? "out of memory" : `the process ended (${ending})`;
  return {
    ask: (order, patience = patienceNow()) => ask(child, order, { end, causeOf, patience }),
    isAlive,
    end,
  };
}

interface Ending {
  readonly end: () => void;
  readonly causeOf: (ending: string) => string;
  readonly patience: number;
}

function ask(child: ChildProcess, order: Order, { end, causeOf, patience }: Ending): Promise<Match> {
  return new Promise((resolve) => {
    const finish = (answer: Match): void => {
      clearTimeout(timer);
      child.off("message", finish);
      child.off("exit", onExit);
      resolve(answer);
    };
    const onExit = (code: number | null, signal: string | null): void => {
      finish({ kind: "failed", why: causeOf(signal ?? `${code}`) });
    };
    const timer = setTimeout(() => {
      finish(TOO_LONG);
      end();
    }, patience);
    child.on("message", finish);
    child.on("exit", onExit);
    if (child.exitCode === null && child.signalCode === null) child.send(order);
    else onExit(child.exitCode, child.signalCode);
  });
}
