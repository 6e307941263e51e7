// Starts a browser for tests: Chromium of the machine, or else the one of the package registry. WebGL is drawn by software, so that
// pictures are the same everywhere.
import { HUNG } from "../tests/limits.mjs";
import { tool } from "../tools.mjs";
import { findChromium } from "./chromium.mjs";

const FLAGS = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
];

/** With one process, closing a page can end the browser; without web security, frames reach what browsers of readers refuse them. */
const UNWANTED =
  /^--(?:single-process|disable-web-security|disable-site-isolation-trials|allow-running-insecure-content)$/;

/** @param start what to do with Playwright's browser type and the options. @returns what it returns, or `{ missing }` with the reason. */
async function startWith(start) {
  const { module: playwright, missing } = await tool("playwright-core", "tooling/site");
  if (missing !== undefined) return { missing };
  const installed = findChromium();
  try {
    if (installed.path !== undefined) {
      return await start(playwright.chromium, { executablePath: installed.path, args: FLAGS, timeout: HUNG });
    }
    const { module: chromium } = await tool("@sparticuz/chromium", "tooling/site");
    const executablePath = await chromium.executablePath();
    const args = chromium.args.filter((flag) => !UNWANTED.test(flag));
    return await start(playwright.chromium, { executablePath, args: [...args, ...FLAGS], timeout: HUNG });
  } catch (error) {
    const reason = String(error).split("\n")[0];
    return {
      missing: `no browser starts here (${reason})${installed.missing ? `, and ${installed.missing}` : ""}`,
    };
  }
}

/** @returns `{ browser }`, or `{ missing }` with the reason. */
export function launch() {
  return startWith(async (chromium, options) => ({ browser: await chromium.launch(options) }));
}

/** For several processes. @returns `{ server }`, to whose `wsEndpoint()` they connect, or `{ missing }` with the reason. */
export function launchServer() {
  return startWith(async (chromium, options) => ({ server: await chromium.launchServer(options) }));
}

/** @returns the browser of a server that another process has launched. */
export async function connect(endpoint) {
  const { module: playwright } = await tool("playwright-core", "tooling/site");
  return playwright.chromium.connect(endpoint, { timeout: HUNG });
}
