// `npm run docs`: builds the site into tooling/site/dist/site, and checks every link and, in a browser, every example of it.
// `npm run docs -- --serve` shows it afterwards, at http://localhost:4173.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../lib.mjs";
import { toolCommand } from "../tools.mjs";
import { buildDemos } from "./demos.mjs";
import { brokenLinks } from "./links.mjs";
import { writePages } from "./pages.mjs";
import { writeReference } from "./reference.mjs";
import { failedExamples } from "./run-examples.mjs";

const SITE = join(root, "tooling/site");

function runOrExit(name, args) {
  const { path, missing } = toolCommand(name, "tooling/site");
  if (missing !== undefined) {
    console.error(`docs: ${missing}`);
    process.exit(1);
  }
  const { status } = spawnSync(path, args, {
    cwd: SITE,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
}

function report(what, problems) {
  if (problems.length === 0) return;
  console.error(`docs: ${problems.length} ${what}\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  process.exitCode = 1;
}

writePages();
await buildDemos(join(SITE, "dist/pages/public/demos"));
const withoutReference = writeReference();
if (withoutReference !== undefined) {
  console.error(`docs: ${withoutReference}`);
  process.exit(1);
}
runOrExit("vitepress", ["build", "."]);
report("broken links", brokenLinks(join(SITE, "dist/site")));
report("examples failed", await failedExamples(join(SITE, "dist/site")));
if (process.exitCode === undefined)
  console.log("docs: tooling/site/dist/site is built; links and examples are right");
if (process.argv.includes("--serve")) runOrExit("vitepress", ["preview", "."]);
