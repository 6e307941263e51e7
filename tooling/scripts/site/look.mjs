// Opens every page of the built site in Chromium: wide and light, wide and dark, and as narrow as a telephone. Looks for what is too wide, for
// what the header covers, for findings of axe-core, for errors, and for requests that fail or go to another host; then runs the examples.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { launch } from "../browser/launch.mjs";
import { serve } from "../browser/serve.mjs";
import { misbehavingDemos } from "../home/look-at-demos.mjs";
import { filesBelow, root } from "../lib.mjs";
import { HUNG } from "../tests/limits.mjs";
import { findings, misplaced } from "./in-page.mjs";
import { runExamples } from "./run-examples.mjs";

const SITE = join(root, "tooling/site");
/** The pages without problems, by what they are made of: they are not opened again while they are the same. */
const SEEN = join(SITE, "node_modules/.cache/pages-without-problems.json");
const PICTURES = join(SITE, "dist/pictures");

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 380, height: 800 };
/** The colours are other ones in the dark, and little else. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];
/** What is another one in a narrow window. */
const OF_LAYOUT = ["target-size", "scrollable-region-focusable"];
/** What the home page may transfer, compressed as hosts do, without the demos. */
const HOME_BYTES = 300_000;
/** A page of each core; what they wait for overlaps. */
const AT_ONCE = 3;

/** The pages of the site, as paths below it; those of the gallery's demos are tested as examples, and only opened in two sizes. */
export const pagesOf = (folder) =>
  filesBelow(folder.slice(root.length + 1), ".html").map((path) => path.slice(folder.length - root.length));

/** Of a page and all that it may load, without the names that change with every build. */
function hashesOf(folder, paths) {
  const below = folder.slice(root.length + 1);
  const shared = createHash("sha256");
  const made = [
    ...filesBelow(`${below}/assets`, ".css"),
    ...filesBelow("tooling/site/.vitepress", ".ts", ".vue"),
    ...filesBelow(`${below}/modules`, ".js"),
    ...["look.mjs", "in-page.mjs", "run-examples.mjs"].map((name) => `tooling/scripts/site/${name}`),
    "tooling/site/pnpm-lock.yaml",
  ];
  for (const path of made) shared.update(readFileSync(join(root, path)));
  const rest = shared.digest("hex");
  const textOf = (path) => {
    const text = readFileSync(join(folder, path), "utf8");
    return path.startsWith("demos/") ? text : text.replace(/[\w.-]+\.(?:lean\.)?js\b/g, ""); // those of demos come with their sources
  };
  return new Map(
    paths.map((path) => [path, createHash("sha256").update(rest).update(textOf(path)).digest("hex")]),
  );
}

/** Writes down what a page says and asks for. @returns the lines so far, which grow. */
function listen(page, origin) {
  const lines = [];
  page.on("pageerror", (error) => lines.push(`throws ${error}`));
  page.on("console", (message) => {
    if (message.type() === "error") lines.push(`writes to the console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(?:data|blob|about):/.test(url))
      lines.push(`asks another host: ${url}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) lines.push(`gets ${response.status()} for ${response.url()}`);
  });
  page.on("requestfailed", (request) => {
    if (request.failure()?.errorText !== "net::ERR_ABORTED") lines.push(`cannot load ${request.url()}`);
  });
  return lines;
}

/** @param way "light", "dark" or "narrow". */
async function picture(page, way, path) {
  const file = join(PICTURES, way, path.replace(/\.html$/, ".png"));
  mkdirSync(dirname(file), { recursive: true });
  await page.screenshot({ path: file, fullPage: true });
}

async function lookAt(page, path, { axe, isPictured }) {
  const problems = [];
  const note = (way, lines) => problems.push(...lines.map((line) => `${way}: ${line}`));
  const isDemo = path.startsWith("demos/");
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize(WIDE);
  await page.goto(path);
  if (isDemo) {
    await page.evaluate(axe);
    for (const [way, size] of Object.entries({ light: WIDE, narrow: NARROW })) {
      await page.setViewportSize(size);
      note(way, await page.evaluate(misplaced));
      note(way, await page.evaluate(findings));
    }
    return { problems, count: 0 };
  }
  await page.waitForFunction(() => document.querySelector("#app")?.__vue_app__ !== undefined);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.evaluate(axe);
  note("light", await page.evaluate(misplaced));
  note("light", await page.evaluate(findings));
  if (isPictured) await picture(page, "light", path);

  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction(() => document.documentElement.classList.contains("dark"));
  note("dark", await page.evaluate(findings, OF_COLOURS));
  if (isPictured) await picture(page, "dark", path);

  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(NARROW);
  note("narrow", await page.evaluate(misplaced));
  note("narrow", await page.evaluate(findings, OF_LAYOUT));
  if (isPictured) await picture(page, "narrow", path);

  await page.setViewportSize(WIDE);
  const { count, problems: failed } = await runExamples(page);
  return { count, problems: [...problems, ...failed] };
}

/** @returns what is wrong with the home page: what it transfers, and the search by the keyboard. */
async function checkHome(browser, origin) {
  const problems = [];
  const page = await browser.newPage({ baseURL: origin, viewport: WIDE });
  page.setDefaultTimeout(HUNG);
  const sizes = [];
  page.on("requestfinished", (request) => {
    if (new URL(request.url()).pathname.startsWith("/demos/")) return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto("index.html", { waitUntil: "load" });
  await page.waitForFunction(() => document.querySelector("#app")?.__vue_app__ !== undefined);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  if (bytes > HOME_BYTES)
    problems.push(`index.html: transfers ${bytes} bytes without the demos, more than ${HOME_BYTES}`);

  await page.keyboard.press("Control+k");
  await page.locator(".VPLocalSearchBox input").waitFor();
  await page.keyboard.type("undo");
  await page.locator(".VPLocalSearchBox .result.selected").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  const link = await page.locator(".VPLocalSearchBox .result.selected").getAttribute("href");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname !== "/index.html");
  if (!page.url().includes("/how-to/undo"))
    problems.push(`the search by keys leads from "undo" to ${link}, and that to ${page.url()}`);
  await page.close();
  return problems;
}

/**
 * @param folder the built site.
 * @param words pages are opened if one of these is in their path; all without.
 * @param isPictured whether a picture of every page is written in each way; then no page is left out because it has been seen before.
 * @returns `{ problems, summary }`: a line for each problem, and what was done; `{ missing }` with the reason if there is no browser.
 */
export async function lookAtPages(folder, words, isPictured) {
  const { browser, missing } = await launch();
  if (missing !== undefined) return { missing };
  const server = await serve(folder);
  const origin = `http://127.0.0.1:${server.address().port}/`;
  const axe = readFileSync(createRequire(join(SITE, "package.json")).resolve("axe-core/axe.min.js"), "utf8");
  const all = pagesOf(folder);
  const hashes = hashesOf(folder, all);
  const seen = new Set(existsSync(SEEN) ? JSON.parse(readFileSync(SEEN, "utf8")) : []);
  const isMeant = (path) => words.length === 0 || words.some((word) => path.includes(word));
  const waiting = all.filter((path) => isMeant(path) && (isPictured || !seen.has(hashes.get(path))));
  const good = all.filter((path) => seen.has(hashes.get(path)) && !waiting.includes(path));
  const opened = waiting.length;
  /** Pages by problem: what is wrong with the theme is wrong with all of them. */
  const problems = new Map();
  let examples = 0;
  let done = 0;

  const takeNext = async () => {
    const context = await browser.newContext({ baseURL: origin }); // pages of one share what they have loaded
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const page = await context.newPage();
      page.setDefaultTimeout(HUNG);
      const said = listen(page, origin);
      const result = await lookAt(page, path, { axe, isPictured });
      await page.close();
      examples += result.count;
      const own = [...said, ...result.problems];
      done += 1;
      if (done % 50 === 0) console.log(`docs: ${done} of ${opened} pages opened`);
      if (own.length === 0) good.push(path);
      for (const line of own) problems.set(line, [...(problems.get(line) ?? []), path]);
    }
  };
  let ofHome = [];
  try {
    if (isMeant("index.html"))
      ofHome = [...(await checkHome(browser, origin)), ...(await misbehavingDemos(browser, origin))];
    await Promise.all(Array.from({ length: AT_ONCE }, takeNext));
  } finally {
    mkdirSync(dirname(SEEN), { recursive: true });
    writeFileSync(SEEN, JSON.stringify(good.map((path) => hashes.get(path))));
    await browser.close();
    server.close();
  }
  const summary = `${opened} of ${all.length} pages opened in three ways, ${examples} examples ran in Chromium; the others are as they were`;
  const lines = [...problems].map(
    ([line, pages]) =>
      `${pages.sort().slice(0, 3).join(", ")}${pages.length > 3 ? ` and ${pages.length - 3} more` : ""}: ${line}`,
  );
  return { problems: [...lines.sort(), ...ofHome], summary };
}
