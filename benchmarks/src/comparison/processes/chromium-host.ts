// Starts Chromium (`FLAGS`) with each cell in a page and process of its own.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { wallClock } from "../../measure/clock.ts";
import { type Browser, launch } from "./chromium-pipe.ts";
import { type Host, type Runner, TOO_LONG, timeLimitNow } from "./host.ts";
import { servePages } from "./page-server.ts";
import type { Order, Reply } from "./serve.ts";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-startup-window",
  // Pages in the background run as fast as others, ...
  "--disable-renderer-backgrounding",
  "--disable-backgrounding-occluded-windows",
  "--disable-background-timer-throttling",
  // ... with the same priority; and there are no spare processes, which would be counted among those of pages.
  "--disable-features=PMProcessPriorityPolicy,SpareRendererForSitePerProcess",
  "--enable-precise-memory-info",
  "--js-flags=--expose-gc",
];

/** @param folder of the built pages, with `browser-cell.js`. */
export async function chromiumHost(binary: string, folder: URL): Promise<Host> {
  const profile = mkdtempSync(join(tmpdir(), "treeline-chromium-"));
  const server = await servePages(folder, pageOf(process.argv.slice(2)));
  const browser = launch(binary, [...FLAGS, `--user-data-dir=${profile}`]);
  const removeProfile = (): void => rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", removeProfile);
  const close = async (): Promise<void> => {
    await browser.close();
    server.close();
    removeProfile();
  };
  try {
    const { product } = await browser.send<{ product: string }>("Browser.getVersion");
    await browser.send("Target.setDiscoverTargets", { discover: true });
    // Keeps the window open while there is no cell.
    const pages = new Set([await openPage(browser, server.port, { newWindow: true })]);
    return {
      name: `Chromium ${product.replace(/^.*\//, "")}`,
      clock: wallClock.name,
      start: async () => {
        const page = await openPage(browser, server.port, { background: true });
        pages.add(page);
        await requireOwnProcess(browser, pages.size);
        return roomOf(browser, page, () => pages.delete(page));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Our options are where `settings.ts` looks for them. */
function pageOf(words: readonly string[]): string {
  return `<!doctype html><title>cell</title><script>globalThis.words = ${JSON.stringify(words)}</script>
<script type="module" src="/browser-cell.js"></script>`;
}

interface Page {
  readonly target: string;
  readonly session: string;
}

let sites = 0;

/** Each page is a separate site, and isolated, so no other page is in its process. */
async function openPage(browser: Browser, port: number, how: object): Promise<Page> {
  const url = `http://cell-${++sites}.localhost:${port}/`;
  const { targetId: target } = await browser.send<{ targetId: string }>("Target.createTarget", {
    url,
    ...how,
  });
  const { sessionId: session } = await browser.send<{ sessionId: string }>("Target.attachToTarget", {
    targetId: target,
    flatten: true,
  });
  const page = { target, session };
  const until = performance.now() + 30_000;
  // Until the address is loaded there is another document, which may vanish during the call.
  for (;;) {
    const isReady = await evaluate(browser, page, "crossOriginIsolated && typeof obey === 'function'").catch(
      () => false,
    );
    if (isReady === true) return page;
    if (performance.now() > until) throw new Error(`${url} was not loaded, or is not isolated`);
    await setTimeout(5);
  }
}

/** @throws Error with the reason. */
async function evaluate(browser: Browser, { session }: Page, expression: string): Promise<unknown> {
  const options = { expression, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await browser.send<Evaluated>("Runtime.evaluate", options, session);
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
  return result.value;
}

interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string };
}

function roomOf(browser: Browser, page: Page, forget: () => void): Runner {
  let ending: Reply | undefined;
  let onEnding = (_: Reply): void => {};
  const finish = (why: string): void => {
    ending ??= { kind: "failed", why };
    stop();
    forget();
    onEnding(ending);
  };
  const stop = browser.listen(({ method, params }) => {
    if (params.targetId !== page.target) return;
    if (method === "Target.targetCrashed")
      finish(causeOf(params.status as string, params.errorCode as number));
    else if (method === "Target.targetDestroyed") finish("the page was closed");
  });
  const end = (): void => {
    if (ending === undefined) finish("the page was closed");
    browser.send("Target.closeTarget", { targetId: page.target }).catch(() => {});
  };
  const send = (order: Order, timeLimit: number = timeLimitNow()): Promise<Reply> =>
    new Promise((resolve) => {
      const timer = globalThis.setTimeout(() => {
        finish(TOO_LONG.why);
        end();
      }, timeLimit);
      onEnding = (reply) => {
        clearTimeout(timer);
        onEnding = () => {};
        resolve(reply);
      };
      if (ending !== undefined) return onEnding(ending);
      evaluate(browser, page, `obey(${JSON.stringify(order)})`).then(
        (reply) => onEnding(reply as Reply),
        ({ message }: Error) => onEnding({ kind: "failed", why: message }),
      );
    });
  return { send, isAlive: () => ending === undefined && browser.isRunning(), end };
}

/** The names that Chromium gives to the ends of its processes. */
function causeOf(status: string, code: number): string {
  return status === "oom" ? "out of memory" : `the process ended (${status} ${code})`;
}

/** @throws Error if there are fewer processes for pages than pages. */
async function requireOwnProcess(browser: Browser, pages: number): Promise<void> {
  const { processInfo } = await browser.send<{ processInfo: { type: string }[] }>(
    "SystemInfo.getProcessInfo",
  );
  const count = processInfo.filter(({ type }) => type === "renderer").length;
  if (count < pages) throw new Error(`${pages} pages share ${count} processes`);
}
