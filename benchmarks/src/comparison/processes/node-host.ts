// Starts Node processes for cells, and says why one ended (`nodeHost`).
import { type ChildProcess, fork } from "node:child_process";
import { clock } from "../../measure/clock.ts";
import { type Host, type Runner, TOO_LONG, timeLimitNow } from "./host.ts";
import type { Order, Reply } from "./serve.ts";

/**
 * @param script the built `node-cell`.
 * @param flags options of V8.
 */
export function nodeHost(
  name: string,
  execPath: string,
  script: string,
  flags: readonly string[] = [],
): Host {
  const env = { ...process.env, NODE_ENV: "production" };
  const words = process.argv.slice(2);
  // One listener for each live process.
  process.setMaxListeners(0);
  return {
    name,
    clock: clock.name,
    start: async (young) => {
      const runner =
        young === undefined ? [] : [`--min-semi-space-size=${young}`, `--max-semi-space-size=${young}`];
      return ready(
        fork(script, words, { execPath, execArgv: ["--expose-gc", ...flags, ...runner], env, silent: true }),
      );
    },
    close: async () => {},
  };
}

/** Time is counted only after the process has started. */
async function ready(child: ChildProcess): Promise<Runner> {
  const runner = roomOf(child);
  const reply = await runner.send({ kind: "greet" });
  if (reply.kind === "failed") throw new Error(`a process could not start: ${reply.why}`);
  return runner;
}

function roomOf(child: ChildProcess): Runner {
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
    send: (order, timeLimit = timeLimitNow()) => send(child, order, { end, causeOf, timeLimit }),
    isAlive,
    end,
  };
}

interface Ending {
  readonly end: () => void;
  readonly causeOf: (ending: string) => string;
  readonly timeLimit: number;
}

function send(child: ChildProcess, order: Order, { end, causeOf, timeLimit }: Ending): Promise<Reply> {
  return new Promise((resolve) => {
    const finish = (reply: Reply): void => {
      clearTimeout(timer);
      child.off("message", finish);
      child.off("exit", onExit);
      resolve(reply);
    };
    const onExit = (code: number | null, signal: string | null): void => {
      finish({ kind: "failed", why: causeOf(signal ?? `${code}`) });
    };
    const timer = setTimeout(() => {
      finish(TOO_LONG);
      end();
    }, timeLimit);
    child.on("message", finish);
    child.on("exit", onExit);
    if (child.exitCode === null && child.signalCode === null) child.send(order);
    else onExit(child.exitCode, child.signalCode);
  });
}
