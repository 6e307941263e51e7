import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { wallClock } from "../../measure/clock.ts";
import { type Browser, launch } from "./chromium-pipe.ts";
import { type Host, patienceNow, type Room, TOO_LONG } from "./host.ts";
import { servePages } from "./page-server.ts";
import type { Match, Order } from "./serve.ts";

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
  // Pages that are not looked at run as fast as others, ...
  "--disable-renderer-backgrounding",
  "--disable-backgrounding-occluded-windows",
  "--disable-background-timer-throttling",
  // ... with the same priority; and no process waits for pages, which would be counted among those of pages.
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
    const { product } = await browser.ask<{ product: string }>("Browser.getVersion");
    await browser.ask("Target.setDiscoverTargets", { discover: true });
    // Keeps the window open while no cell is.
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

/** Our options stand where `settings.ts` looks for them. */
function pageOf(words: readonly string[]): string {
  return `<!doctype html><title>cell</title><script>globalThis.words = ${JSON.stringify(words)}</script>
<script type="module" src="/browser-cell.js"></script>`;
}

interface Page {
  readonly target: string;
  readonly session: string;
}

let sites = 0;

/** Each page is a site of its own: by that, and since it is isolated, no other page is in its process. */
async function openPage(browser: Browser, port: number, how: object): Promise<Page> {
  const url = `http://cell-${++sites}.localhost:${port}/`;
  const { targetId: target } = await browser.ask<{ targetId: string }>("Target.createTarget", {
    url,
    ...how,
  });
  const { sessionId: session } = await browser.ask<{ sessionId: string }>("Target.attachToTarget", {
    targetId: target,
    flatten: true,
  });
  const page = { target, session };
  const until = performance.now() + 30_000;
  // Until the address is reached there is another document, which may vanish while it is asked.
  for (;;) {
    const isReady = await evaluate(browser, page, "crossOriginIsolated && typeof obey === 'function'").catch(
      () => false,
    );
    if (isReady === true) return page;
    if (performance.now() > until) throw new Error(`${url} was not loaded, or is not isolated`);
    await setTimeout(5);
  }
}

/** @throws Error with what is wrong. */
async function evaluate(browser: Browser, { session }: Page, expression: string): Promise<unknown> {
  const options = { expression, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await browser.ask<Evaluated>("Runtime.evaluate", options, session);
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
  return result.value;
}

interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string };
}

function roomOf(browser: Browser, page: Page, forget: () => void): Room {
  let ending: Match | undefined;
  let onEnding = (_: Match): void => {};
  const finish = (why: string): void => {
    ending ??= { kind: "failed", why };
    stopListening();
    forget();
    onEnding(ending);
  };
  const stopListening = browser.listen(({ method, params }) => {
    if (params.targetId !== page.target) return;
    if (method === "Target.targetCrashed")
      finish(causeOf(params.status as string, params.errorCode as number));
    else if (method === "Target.targetDestroyed") finish("the page was closed");
  });
  const end = (): void => {
    if (ending === undefined) finish("the page was closed");
    browser.ask("Target.closeTarget", { targetId: page.target }).catch(() => {});
  };
  const ask = (order: Order, patience: number = patienceNow()): Promise<Match> =>
    new Promise((resolve) => {
      const timer = globalThis.setTimeout(() => {
        finish(TOO_LONG.why);
        end();
      }, patience);
      onEnding = (answer) => {
        clearTimeout(timer);
        onEnding = () => {};
        resolve(answer);
      };
      if (ending !== undefined) return onEnding(ending);
      evaluate(browser, page, `obey(${JSON.stringify(order)})`).then(
        (answer) => onEnding(answer as Match),
        ({ message }: Error) => onEnding({ kind: "failed", why: message }),
      );
    });
  return { ask, isAlive: () => ending === undefined && browser.isRunning(), end };
}

/** As Chromium calls the ends of its processes. */
function causeOf(status: string, code: number): string {
  return status === "oom" ? "out of memory" : `the process ended (${status} ${code})`;
}

/** @throws Error if there are fewer processes for pages than pages. */
async function requireOwnProcess(browser: Browser, pages: number): Promise<void> {
  const { processInfo } = await browser.ask<{ processInfo: { type: string }[] }>("SystemInfo.getProcessInfo");
  const count = processInfo.filter(({ type }) => type === "renderer").length;
  if (count < pages) throw new Error(`${pages} pages share ${count} processes`);
}
