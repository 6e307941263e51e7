// Lists code that a program of tooling/scripts/programs ships and never calls: `node tooling/scripts/idle.mjs first [lines]`. Bundles it from the
// sources, so that modules have names, runs it, and lists functions that did not run, by module, in characters. Bytes that users
// load are about a sixth of these.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { bundling, root, shipped } from "./lib.mjs";

const [program = "first", lines = "40"] = process.argv.slice(2);
const { outputFiles } = await build({
  ...bundling,
  ...shipped,
  entryPoints: [`tooling/scripts/programs/${program}.js`],
  packages: "bundle",
  conditions: ["treeline-source"],
  nodePaths: [join(root, "packages/invariants/node_modules")],
  write: false,
});
const code = outputFiles[0].text;
const sizeOf = (text) => text.replace(/\s+/g, " ").length;

/** Every function with a name: its position, and whether it ran. */
async function functionsOf(url) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await import(url);
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  return result
    .find((script) => script.url === url)
    .functions.filter(({ functionName }) => functionName !== "")
    .map(({ functionName: name, ranges: [{ startOffset: start, endOffset: end, count }] }) => ({
      name,
      start,
      end,
      ran: count > 0,
    }));
}

/** Functions that did not run, except nested ones, by module. */
function idleByModule(functions) {
  const sleepers = functions.filter(({ ran }) => !ran);
  const isInside = (one) =>
    sleepers.some((other) => other !== one && other.start <= one.start && one.end <= other.end);
  // The path of each module is in a comment above it.
  const modules = [...code.matchAll(/^\/\/ (?:packages\/)?(\S+)\.[jt]s$/gm)];
  const found = new Map();
  for (const one of sleepers) {
    if (isInside(one)) continue;
    const module = modules.findLast(({ index }) => index < one.start)[1].replace("/src/", "/");
    const size = sizeOf(code.slice(one.start, one.end));
    const sum = found.get(module) ?? { module, size: 0, names: [] };
    sum.size += size;
    sum.names.push(`${one.name} ${size}`);
    found.set(module, sum);
  }
  return [...found.values()].sort((a, b) => b.size - a.size);
}

const folder = mkdtempSync(join(tmpdir(), "idle-"));
try {
  const path = join(folder, "program.mjs");
  writeFileSync(path, code);
  const functions = await functionsOf(pathToFileURL(path).href);
  const idle = idleByModule(functions);
  const all = idle.reduce((sum, { size }) => sum + size, 0);
  console.log(`${program}: ${all} of ${sizeOf(code)} characters never run`);
  for (const { module, size, names } of idle.slice(0, Number(lines))) {
    console.log(`${`${size}`.padStart(6)} ${module}: ${names.join(", ")}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
