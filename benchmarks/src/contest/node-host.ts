import { type ChildProcess, fork } from "node:child_process";
import { type Host, PATIENCE, type Room, TOO_LONG } from "./host.ts";
import type { Answer, Order } from "./serve.ts";

/** @param script the built `node-cell`. */
export function nodeHost(name: string, execPath: string, script: string): Host {
  return {
    name,
    start: async () => {
      const env = { ...process.env, NODE_ENV: "production" };
      return roomOf(fork(script, process.argv.slice(2), { execPath, execArgv: ["--expose-gc"], env }));
    },
    close: async () => {},
  };
}

function roomOf(child: ChildProcess): Room {
  const end = (): void => {
    child.kill("SIGKILL");
  };
  return { ask: (order) => ask(child, order, end), end };
}

function ask(child: ChildProcess, order: Order, end: () => void): Promise<Answer> {
  return new Promise((resolve) => {
    const finish = (answer: Answer): void => {
      clearTimeout(timer);
      child.off("message", finish);
      child.off("exit", onExit);
      resolve(answer);
    };
    const onExit = (code: number | null, signal: string | null): void => {
      finish({ kind: "failed", why: `the process ended (${signal ?? code})` });
    };
    const timer = setTimeout(() => {
      finish(TOO_LONG);
      end();
    }, PATIENCE);
    child.on("message", finish);
    child.on("exit", onExit);
    if (child.exitCode === null && child.signalCode === null) child.send(order);
    else onExit(child.exitCode, child.signalCode);
  });
}
