// What runs in the frame of an example before its program: sends what it prints, and what becomes of it, to the page.
import type { formatValue } from "./example/format-value.ts";

/** What a frame sends to its page; one of these in each message. */
export interface FrameMessage {
  /** A line that the program prints, or its error. */
  readonly treeline?: string;
  /** The program has put an element into its document. */
  readonly treelineDraws?: boolean;
  /** See `ProgramState`. */
  readonly treelineState?: "running" | "settled" | "failed";
}

/**
 * Runs in the frame, by its text: it may use nothing outside, nor what the bundler replaces, such as `import()`.
 *
 * @param load imports the program.
 * @param start what the program logs before its own first line; what comes earlier is not shown.
 * @param turns how often a program that goes on is called again until it counts as settled.
 * @param format turns what the program prints into text.
 */
export function prelude(
  load: () => Promise<unknown>,
  start: string,
  turns: number,
  format: typeof formatValue,
): void {
  const send = (message: FrameMessage): void => parent.postMessage(message, "*");

  let isShown = false;
  const log = (...words: unknown[]): void => {
    if (words[0] === start) {
      isShown = true;
      send({ treelineState: "running" });
    } else if (isShown) send({ treeline: words.map((word) => format(word)).join(" ") });
  };
  Object.assign(console, { log, info: log, warn: log, error: log });

  const fail = (error: unknown): void => {
    send({ treeline: format(error) });
    send({ treelineState: "failed" });
  };
  addEventListener("error", (event) => fail(event.error ?? event.message));
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

  load().then(() => {
    isEvaluated = true;
    settleSoon();
  }, fail);
}
