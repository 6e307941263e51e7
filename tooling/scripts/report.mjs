// Writes docs/benchmarks/, and the table in README.md, from the results in benchmarks/results/: pages in Markdown, pictures by
// ECharts, which is installed in tooling/tools/ when it is first needed. Existing sections and rows that have no results stay as they are, so
// that a run of some workloads replaces or adds only these. The same results yield the same bytes. `--results=` and `--out=` name
// other folders.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./lib.mjs";
import { draw } from "./report/draw.mjs";
import { COMPARISON, frontPage } from "./report/front-page.mjs";
import { hostPage } from "./report/host-page.mjs";
import { keptFront, keptMemory, keptPage, withRows } from "./report/kept.mjs";
import { memoryIn, memoryPage } from "./report/memory-page.mjs";
import { hostsIn, keyOf, placeOf } from "./report/model.mjs";
import { picturesOf } from "./report/pictures.mjs";
import { withSpeed } from "./report/readme.mjs";
import { tool } from "./tools.mjs";

function optionOf(name, otherwise) {
  const start = `--${name}=`;
  return process.argv.find((word) => word.startsWith(start))?.slice(start.length) ?? otherwise;
}

const results = optionOf("results", "benchmarks/results");
const out = resolve(root, optionOf("out", "docs/benchmarks"));

/** Paths of the files in a folder, none if it is missing. */
function filesIn(folder) {
  const path = resolve(root, folder);
  return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [];
}

const hosts = hostsIn(results);
if (hosts.length === 0) {
  console.error(`${results} has no results of the comparison; run npm run bench`);
  process.exit(1);
}
const weighings = memoryIn(results, hosts);

const written = [];
function write(name, text) {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, name), text);
  written.push(name);
}

/** Picture by picture, host by host; a picture that cannot be drawn is shown if the file exists already. */
const pictures = [
  ...hosts.flatMap((host) => picturesOf(host).map((one) => ({ host, ...one }))),
  ...weighings.flatMap(({ host, pictures: some }) => some.map((one) => ({ host, ...one }))),
].map((one) => ({ ...one, file: `${one.host.key}-${one.name}` }));

const { module: echarts, missing } = await tool("echarts");
if (echarts !== undefined) {
  for (const { file, alt, describe } of pictures) {
    for (const [theme, svg] of Object.entries(draw(echarts, alt, describe))) {
      write(`${file}-${theme}.svg`, svg);
    }
  }
}
const shown = pictures.filter(({ file }) => existsSync(join(out, `${file}-light.svg`)));
const shownFor = (host) => shown.filter((one) => one.host === host);

const keptFor = new Map(hosts.map((host) => [host, keptPage(join(out, `${host.key}.md`), host.name)]));
for (const { key, name } of hosts) {
  const path = join(out, `${key}.md`);
  if (existsSync(path) && !readFileSync(path, "utf8").startsWith(`# ${name}\n`))
    console.error(
      `${key}.md is about another version than ${name}: what has no results now is no longer shown`,
    );
}
for (const host of hosts) write(`${host.key}.md`, hostPage(host, shownFor(host), keptFor.get(host)));
if (weighings.length > 0)
  write("memory.md", memoryPage(weighings, shown, keptMemory(join(out, "memory.md"))));

/** Rows of single questions, which were measured since the last full run. */
const rowFiles = filesIn(join(results, "rows"));
const rows =
  rowFiles.length === 0
    ? undefined
    : withRows(
        join(out, "rows.md"),
        rowFiles.map((path) => readFileSync(path, "utf8")),
      );
if (rows !== undefined) write("rows.md", rows);

/** Existing pages, whether they were written now or before. */
const others = [
  { path: "memory.md", text: "Memory: bytes a child, a parent and a name, growth, and the slowest spawn" },
  { path: "rows.md", text: "Rows about Treeline, with their targets" },
].filter(({ path }) => existsSync(join(out, path)));
const kept = keptFront(join(out, "README.md"), COMPARISON);
const [first] = [...kept.summaries.keys()];
const isFirst = first === undefined || placeOf(hosts[0].key) <= placeOf(keyOf(first));
write(
  "README.md",
  frontPage(
    hosts.map((host) => ({ host, kept: keptFor.get(host) })),
    isFirst ? shownFor(hosts[0]) : [],
    others,
    kept,
  ),
);
if (optionOf("out") === undefined) {
  const readme = join(root, "README.md");
  const text = withSpeed(readFileSync(readme, "utf8"), hosts[0]);
  if (text !== undefined) writeFileSync(readme, text);
  console.log(`README.md: ${text === undefined ? "unchanged: some rows have no results" : "its table"}`);
}

const pages = written.filter((name) => name.endsWith(".md"));
console.log(`written to ${out}: ${pages.join(", ")}, ${written.length - pages.length} pictures`);
if (missing !== undefined) {
  const left = pictures.map(({ file }) => file).join(", ");
  console.error(`${missing}; these pictures are unchanged: ${left}`);
}
