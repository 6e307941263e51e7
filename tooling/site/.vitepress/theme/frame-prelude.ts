// What runs in the frame of an example before its program: sends what it prints, and what becomes of it, to the page.
import type { formatValue } from "./example/format-value.ts";

/** What kind of line: what `console.log`, `warn` and `error` print; or `failure`, an error that was thrown. */
export type PrintedKind = "log" | "warn" | "error" | "failure";

/** What a frame sends to its page; one of these in each message. */
export interface FrameMessage {
  /** A line that the program prints, or its error. */
  readonly treeline?: string;
  readonly treelineKind?: PrintedKind;
  /** Of an error: the line of the module of the program, counted from 1, if it is known. */
  readonly treelineAt?: number;
  /** The program has put an element into its document. */
  readonly treelineDraws?: boolean;
  /** See `ProgramState`. */
  readonly treelineState?: "running" | "settled" | "failed";
}

/**
 * Runs in the frame, by its text: it may use nothing outside, nor what the bundler replaces, such as `import()`.
 *
 * @param load imports the program.
 * @param url the address of its module.
 * @param start what the program logs before its own first line; what comes earlier is not shown.
 * @param turns how often a program that goes on is called again until it counts as settled.
 * @param format turns what the program prints into text.
 */
export function prelude(
  load: () => Promise<unknown>,
  url: string,
  start: string,
  turns: number,
  format: typeof formatValue,
): void {
  const send = (message: FrameMessage): void => parent.postMessage(message, "*");

  let isShown = false;
  const printer =
    (treelineKind: PrintedKind) =>
    (...words: unknown[]): void => {
      if (words[0] === start) {
        isShown = true;
        send({ treelineState: "running" });
      } else if (isShown) send({ treeline: words.map((word) => format(word)).join(" "), treelineKind });
    };
  const log = printer("log");
  Object.assign(console, { log, info: log, debug: log, warn: printer("warn"), error: printer("error") });

  /** The line of a stack at which the module of the program is. */
  const lineOf = (stack: string): number => {
    const place = stack.indexOf(`${url}:`);
    return place < 0 ? 0 : Number.parseInt(stack.slice(place + url.length + 1), 10);
  };
  const fail = (error: unknown, line = 0): void => {
    const at = line > 0 ? line : lineOf(String((error as Error | undefined)?.stack));
    send({ treeline: format(error), treelineKind: "failure", ...(at > 0 ? { treelineAt: at } : {}) });
    send({ treelineState: "failed" });
  };
  addEventListener("error", ({ error, message, filename, lineno }) =>
    fail(error ?? message, filename === url ? lineno : 0),
  );
  addEventListener("unhandledrejection", (event) => fail(event.reason));

  // What the program still waits for: frames, timers, requests. It has settled when its module is evaluated and nothing is left, or when
  // frames and timers have called it `turns` times, since it then goes on as it does.
  let pending = 0;
  let taken = 0;
  let isEvaluated = false;
  let isSettled = false;
  const settle = (): void => {
    if (isSettled || !isEvaluated || (pending > 0 && taken < turns)) return;
    isSettled = true;
    send({ treelineState: "settled" });
  };
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = settle;
  /** After the promises that are about to go on. */
  const settleSoon = (): void => port2.postMessage(0);
  const ended = (): void => {
    pending -= 1;
    settleSoon();
  };
  const waiting = new Map<string, () => void>();
  /** Counts what `begin` schedules as pending, until it has been called or ended. */
  const count = (begin: string, end: string, isRepeated: boolean): void => {
    const page = window as unknown as Record<string, (...words: unknown[]) => unknown>;
    const schedule = page[begin]!.bind(window);
    const cancel = page[end]!.bind(window);
    page[begin] = (callback, ...words) => {
      if (typeof callback !== "function") return schedule(callback, ...words);
      pending += 1;
      const id = schedule(
        (...values: unknown[]) => {
          taken += 1;
          if (!isRepeated) waiting.get(`${end} ${id}`)?.();
          try {
            callback(...values);
          } finally {
            settleSoon();
          }
        },
        ...words,
      );
      waiting.set(`${end} ${id}`, () => {
        waiting.delete(`${end} ${id}`);
        ended();
      });
      return id;
    };
    page[end] = (id) => {
      cancel(id);
      waiting.get(`${end} ${id}`)?.();
      return undefined;
    };
  };
  count("requestAnimationFrame", "cancelAnimationFrame", false);
  count("setTimeout", "clearTimeout", false);
  count("setInterval", "clearInterval", true);
  const { fetch } = window;
  window.fetch = (...words) => {
    pending += 1;
    return fetch(...words).finally(ended);
  };

  const isElement = (node: Node): boolean => node instanceof Element && node.tagName !== "SCRIPT";
  new MutationObserver((changes) => {
    if (changes.some(({ addedNodes }) => [...addedNodes].some(isElement))) send({ treelineDraws: true });
  }).observe(document.body, { childList: true });

  load().then(
    () => {
      isEvaluated = true;
      settleSoon();
    },
    (error) => fail(error),
  );
}
