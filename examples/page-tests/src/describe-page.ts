// Builds a page, serves it and opens it for its tests (`describePage`), or what else shows pages (`describeServed`); errors fail them.
import { join } from "node:path";
import { build, defaultClientConditions } from "vite";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import {
  type Browser,
  type BrowserPage,
  connect,
  hasBrowser,
  openPage,
  type Size,
  serve,
} from "./browser.ts";

/**
 * Opens the page. Its address ends with the query, such as "?seed=1"; the window is small, since software draws it.
 *
 * @param before runs in the page before its own scripts.
 */
export type OpenPage = (query?: string, size?: Size, before?: () => void) => Promise<BrowserPage>;

const SMALL: Size = { width: 640, height: 400 };

/**
 * Tests of an example that is a page: builds it, serves it, and opens it in a browser. A test fails if the page throws an error, or writes
 * one to the console. Without a browser the tests are skipped, and the set-up of the run says so.
 *
 * @param folder that of the example, with its `index.html`.
 */
export function describePage(folder: string, tests: (open: OpenPage) => void): void {
  const start = async (): Promise<Served> => {
    await buildPage(folder);
    const server = await serve(join(folder, "dist"));
    return { url: `http://127.0.0.1:${server.address().port}/`, close: async () => server.close() };
  };
  describeServed(start, tests);
}

/** What shows pages, until it is closed. */
export interface Served {
  /** With a slash at its end. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The same for pages that something else shows. */
export function describeServed<Shown extends Served>(
  start: () => Promise<Shown>,
  tests: (open: OpenPage, shown: () => Shown) => void,
): void {
  describe.skipIf(!hasBrowser())("the page, in a browser", () => {
    const pages: BrowserPage[] = [];
    const errors: string[] = [];
    let browser: Browser;
    let shown: Shown;

    beforeAll(async () => {
      shown = await start();
      browser = await connect();
    });
    afterEach(async () => {
      for (const page of pages.splice(0)) await page.close();
      expect(errors.splice(0)).toEqual([]);
    });
    afterAll(async () => {
      await browser?.close();
      await shown?.close();
    });

    const open: OpenPage = async (query = "", size = SMALL, before) => {
      const page = await openPage(browser, size);
      pages.push(page);
      page.on("pageerror", (error) => errors.push(error.stack ?? String(error)));
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(message.text());
      });
      if (before !== undefined) await page.addInitScript(before);
      await page.goto(`${shown.url}${query}`);
      return page;
    };
    tests(open, () => shown);
  });
}

/** As for users, but from the sources of the packages, with their checks: as all other tests beside this one. */
async function buildPage(folder: string): Promise<void> {
  await build({
    root: folder,
    logLevel: "warn",
    resolve: { conditions: ["treeline-source", ...defaultClientConditions] },
    build: { chunkSizeWarningLimit: 5_000, reportCompressedSize: false },
  });
}
