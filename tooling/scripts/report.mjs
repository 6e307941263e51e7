// Writes docs/benchmarks/: data as JSON, the page and its pictures, and the table in README.md, from the results in
// benchmarks/results/ and from the data that is there: what has no new results stays as it is. Pictures are made by ECharts,
// which is installed in tooling/tools/ when it is first needed. The same results yield the same bytes. `--results=` and `--out=`
// name other folders.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./lib.mjs";
import { filesOf, mergedData, readData } from "./report/data.mjs";
import { draw } from "./report/draw.mjs";
import { memoryPicturesOf } from "./report/memory.mjs";
import { modelOf } from "./report/model.mjs";
import { pageOf } from "./report/page.mjs";
import { picturesOf } from "./report/pictures.mjs";
import { withSpeed } from "./report/readme.mjs";
import { resultsIn, rowsIn } from "./report/results.mjs";
import { tool } from "./tools.mjs";

function optionOf(name, otherwise) {
  const start = `--${name}=`;
  return process.argv.find((word) => word.startsWith(start))?.slice(start.length) ?? otherwise;
}

const results = optionOf("results", "benchmarks/results");
const out = resolve(root, optionOf("out", "docs/benchmarks"));

const data = mergedData(readData(out), { hosts: resultsIn(results), rows: rowsIn(results) });
const hosts = data.hosts.map(modelOf);
if (hosts.length === 0) {
  console.error(`neither ${results} nor ${out} has results of the comparison; run npm run bench`);
  process.exit(1);
}

const written = [];
function write(name, text) {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, name), text);
  written.push(name);
}

/** Of the first host; one that cannot be drawn is shown if the file exists already. */
const pictures = [...picturesOf(hosts[0]), ...memoryPicturesOf(hosts[0])].map((one) => ({
  ...one,
  file: one.name,
}));
const { module: echarts, missing } = await tool("echarts");
if (echarts !== undefined) {
  for (const { file, alt, describe } of pictures) {
    for (const [theme, svg] of Object.entries(draw(echarts, alt, describe)))
      write(`${file}-${theme}.svg`, svg);
  }
}
const shown = pictures.filter(({ file }) => existsSync(join(out, `${file}-light.svg`)));

for (const [name, text] of filesOf(data)) write(name, text);
write("README.md", pageOf(hosts, shown, data.rows));
if (optionOf("out") === undefined) {
  const readme = join(root, "README.md");
  const text = withSpeed(readFileSync(readme, "utf8"), hosts[0]);
  if (text !== undefined) writeFileSync(readme, text);
  console.log(`README.md: ${text === undefined ? "unchanged: some rows have no results" : "its table"}`);
}

console.log(`written to ${out}: ${written.join(", ")}`);
if (missing !== undefined) console.error(`${missing}; the pictures are unchanged`);
