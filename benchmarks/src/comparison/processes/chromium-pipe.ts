/** Chromium's remote control over two pipes: JSON, each message ended by a zero byte. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/** A message that is not a reply. `session` is the page that it comes from, if any. */
export interface Event {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly session: string | undefined;
}

export interface Browser {
  /** @throws Error with the browser's message, or if the browser has ended. */
  readonly send: <Reply>(method: string, params?: object, session?: string) => Promise<Reply>;
  /** @returns a function that removes the listener. */
  readonly listen: (listener: (event: Event) => void) => () => void;
  readonly isRunning: () => boolean;
  /** Resolves when the browser has ended. */
  readonly close: () => Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
}

interface Pending {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** Milliseconds until it is killed if it does not end. */
const CLOSE_TIME = 3_000;

export function launch(binary: string, flags: readonly string[]): Browser {
  const stdio = ["ignore", "ignore", "pipe", "pipe", "pipe"] as const;
  const child = spawn(binary, [...flags, "--remote-debugging-pipe"], { stdio: [...stdio] });
  const pending = new Map<number, Pending>();
  const listeners = new Set<(event: Event) => void>();
  let number = 0;
  let ending: Error | undefined;
  const end = (reason: string): void => {
    ending ??= new Error(reason);
    for (const { reject } of pending.values()) reject(ending);
    pending.clear();
  };
  const lastLines = lastLinesOf(child);
  child.on("error", ({ message }) => end(message));
  child.on("exit", (code, signal) => end(`Chromium ended (${signal ?? code}) ${lastLines()}`.trim()));
  const kill = (): void => {
    child.kill("SIGKILL");
  };
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));

  const input = child.stdio[3] as Writable;
  input.on("error", ({ message }) => end(message));
  readMessages(child.stdio[4] as Readable, ({ id, method, params, result, error, sessionId }) => {
    if (method !== undefined) {
      for (const listener of listeners) listener({ method, params: params ?? {}, session: sessionId });
    }
    const caller = id === undefined ? undefined : pending.get(id);
    if (id === undefined || caller === undefined) return;
    pending.delete(id);
    if (error === undefined) caller.resolve(result as never);
    else caller.reject(new Error(error.message));
  });

  return {
    send: (method, params = {}, session) =>
      new Promise((resolve, reject) => {
        if (ending !== undefined) return reject(ending);
        const id = ++number;
        pending.set(id, { resolve, reject });
        input.write(`${JSON.stringify({ id, method, params, sessionId: session })}\0`);
      }),
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isRunning: () => ending === undefined,
    close: () =>
      new Promise((resolve) => {
        if (ending !== undefined) return resolve();
        const timer = setTimeout(kill, CLOSE_TIME);
        child.once("exit", () => {
          clearTimeout(timer);
          resolve();
        });
        input.write(`${JSON.stringify({ id: ++number, method: "Browser.close" })}\0`);
      }),
  };
}

/** @returns a function that returns the last lines of its error output. */
function lastLinesOf(child: ChildProcess): () => string {
  let last = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    last = (last + text).slice(-500);
  });
  return () => last.trim();
}

function readMessages(output: Readable, onMessage: (message: Message) => void): void {
  let rest = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\0");
    rest = parts.pop()!;
    for (const part of parts) onMessage(JSON.parse(part) as Message);
  });
}
