// `npm run docs`: builds the site into tooling/site/dist/site, and checks every link and, in a browser, every example of it.
// `npm run docs -- --serve` shows it instead, without building or checking what it does not need.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { packageFolders, root } from "../lib.mjs";
import { toolCommand } from "../tools.mjs";

const SITE = join(root, "tooling/site");
const BUILT = join(SITE, "dist/site");
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

function report(what, problems) {
  if (problems.length === 0) return;
  console.error(`docs: ${problems.length} ${what}\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  process.exitCode = 1;
}

/** Everything but the checks is imported late: it needs the packages to be installed and built. */
async function serve() {
  const isBuilt = packageFolders().every((folder) => existsSync(join(root, folder, "dist/.tsbuildinfo")));
  if (!isBuilt) runOrExit("npm", ["run", "-s", "build"]);
  const { showSite } = await import("./serve.mjs");
  const { url, finished } = await showSite(PORT);
  console.log(`docs: ${url}`);
  await finished;
}

async function build() {
  runOrExit("npm", ["run", "-s", "build"]);
  const { buildDemos } = await import("./demos.mjs");
  const { brokenLinks } = await import("./links.mjs");
  const { writeModules } = await import("./modules.mjs");
  const { writePages } = await import("./pages.mjs");
  const { writeReference } = await import("./reference.mjs");
  const { failedExamples } = await import("./run-examples.mjs");

  writePages();
  writeReference();
  const files = join(SITE, "dist/pages/public");
  await Promise.all([writeModules(join(files, "modules")), buildDemos(join(files, "demos"))]);
  const { path, missing } = toolCommand("vitepress", "tooling/site");
  stop(missing);
  runOrExit(path, ["build", "."], SITE);
  report("broken links", brokenLinks(BUILT));
  report("examples failed", await failedExamples(BUILT));
  if (process.exitCode === undefined)
    console.log("docs: tooling/site/dist/site is built; links and examples are right");
}

await (process.argv.includes("--serve") ? serve() : build());
