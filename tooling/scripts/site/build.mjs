// `npm run docs`: builds the site into tooling/site/dist/site, and checks all of it. `npm run docs -- --pictures` writes a picture of every page
// in three ways, too; words after it choose pages. `npm run docs -- --serve` shows the site, without building or checking what it does not need.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { packageFolders, root } from "../lib.mjs";
import { toolCommand } from "../tools.mjs";

const SITE = join(root, "tooling/site");
const BUILT = "tooling/site/dist/site";
const BASE = process.env.SITE_BASE ?? "/";
/** Where `--serve` shows the site, if it is free. */
const PORT = 5173;

function runOrExit(command, args, cwd = root) {
  const { status } = spawnSync(command, args, { cwd, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
}

function stop(problem) {
  if (problem === undefined) return;
  console.error(`docs: ${problem}`);
  process.exit(1);
}

const started = Date.now();
const say = (line) => console.log(`docs: ${line} (${((Date.now() - started) / 1000).toFixed(0)} s)`);

/** @param problems a line for each. @param good what to say if there are none. */
function report(what, problems, good) {
  if (problems.length === 0) return say(good);
  console.error(`docs: ${problems.length} ${what}\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  process.exitCode = 1;
}

// What each of them does is imported late: it needs the packages to be installed and built.

async function serve() {
  const isBuilt = packageFolders().every((folder) => existsSync(join(root, folder, "dist/.tsbuildinfo")));
  if (!isBuilt) runOrExit("npm", ["run", "-s", "build"]);
  const { showSite } = await import("./serve.mjs");
  const { url } = await showSite(PORT);
  say(url);
  const { buildDemos } = await import("./demos.mjs"); // while the site is already there
  await buildDemos(join(SITE, "dist/pages/public/demos"));
}

async function build() {
  runOrExit("npm", ["run", "-s", "build"]);
  const { buildDemos } = await import("./demos.mjs");
  const { writeLlms } = await import("./llms.mjs");
  const { writeModules } = await import("./modules.mjs");
  const { writePages } = await import("./pages.mjs");
  const { writeReference } = await import("./reference.mjs");

  writePages();
  writeReference();
  const files = join(SITE, "dist/pages/public");
  await Promise.all([writeModules(join(files, "modules")), buildDemos(join(files, "demos"))]);
  const { problems, sizes } = writeLlms(files);
  const bytes = Object.entries(sizes).map(([name, size]) => `${name} has ${(size / 1000).toFixed(0)} kB`);
  report("pages that llms.txt cannot list", problems, bytes.join(", "));
  const { path, missing } = toolCommand("vitepress", "tooling/site");
  stop(missing);
  runOrExit(path, ["build", "."], SITE);
  say(`${BUILT} is built`);
}

async function check(words, isPictured) {
  const { brokenLinksOfTexts } = await import("./llms.mjs");
  const { brokenLinks } = await import("./links.mjs");
  const { lookAtPages } = await import("./look.mjs");
  const { wrongAnswers } = await import("./search-answers.mjs");

  const folder = join(root, BUILT);
  const links = [...brokenLinks(folder), ...brokenLinksOfTexts(folder)];
  report("broken links", links, "all links lead to something");
  const { problems, count } = await wrongAnswers(BUILT, BASE);
  report("wrong answers of the search", problems, `the search answers ${count} queries`);
  const seen = await lookAtPages(folder, words, isPictured);
  if (seen.missing !== undefined) say(`THE PAGES WERE NOT OPENED IN A BROWSER: ${seen.missing}`);
  else report("problems of pages", seen.problems, seen.summary);
  const { failedPlayground } = await import("./check-playground.mjs");
  const { failedTutorial } = await import("./check-tutorial.mjs");
  for (const [name, failed] of Object.entries({ playground: failedPlayground, tutorial: failedTutorial })) {
    if (words.length > 0 && !words.includes(name)) continue;
    const { missing, problems, count } = await failed(folder);
    if (missing === undefined)
      report(`promises of the ${name} do not hold`, problems, `the ${name} keeps ${count} promises`);
  }
}

const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
if (process.argv.includes("--serve")) await serve();
else {
  await build();
  await check(words, process.argv.includes("--pictures"));
}
