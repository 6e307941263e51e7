// Bundles the programs in tooling/scripts/programs from the bundles that users get, as a user's bundler would. Each must print
// the lines at its end, and stay within tooling/scripts/size-budget.json, minified and gzipped. With --accept the budgets
// become the measured sizes plus one per cent, but a goal that is reached is kept. The sizes in README.md must be right as well.
// Each program is also bundled with its imports from the front package instead: that must give the same bytes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { bundling, filesBelow, frontName, readJson, readText, root } from "./lib.mjs";
import { importingFront, inFrontOrder } from "./packages/front.mjs";

const PROGRAMS = "tooling/scripts/programs";
const BUDGETS = "tooling/scripts/size-budget.json";
/** A folder from which all packages can be imported. */
const MODULES = join(root, "examples/readme/node_modules");
/** They belong to the program, and are not counted. */
const PEERS = ["three"];
const THREE = pathToFileURL(join(root, "packages/three/node_modules/three/build/three.module.js")).href;

/** Hides from the bundler that manifests declare modules free of side effects: it must analyse them itself. */
const ignoreManifests = {
  esbuild: {
    name: "ignoreManifests",
    setup({ onResolve, resolve }) {
      onResolve({ filter: /./ }, async ({ path, pluginData, ...from }) => {
        if (pluginData === "resolving") return;
        return { ...(await resolve(path, { ...from, pluginData: "resolving" })), sideEffects: true };
      });
    },
  },
  rolldown: {
    name: "ignoreManifests",
    async resolveId(path, importer, options) {
      return { ...(await this.resolve(path, importer, options)), moduleSideEffects: true };
    },
  },
};

/** Bundles a changed text of the program. */
const rewriting = {
  esbuild: (change) => ({
    name: "rewriting",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]scripts[\\/]programs[\\/]/ }, ({ path }) => ({
        contents: change(readText(path.slice(root.length + 1))),
      }));
    },
  }),
  rolldown: (change) => ({
    name: "rewriting",
    transform: {
      filter: { id: /[\\/]scripts[\\/]programs[\\/]/ },
      handler: (code) => change(code),
    },
  }),
};

const bundlers = {
  async esbuild(entry, plugins) {
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: [entry],
      bundle: true,
      format: "esm",
      minify: true,
      nodePaths: [MODULES],
      external: PEERS,
      plugins,
      logLevel: "warning",
      logOverride: bundling.logOverride,
      write: false,
    });
    return outputFiles[0].text.trim();
  },

  async rolldown(entry, plugins) {
    const bundle = await rolldown({
      cwd: root,
      input: entry,
      resolve: { modules: [MODULES] },
      external: PEERS,
      plugins,
      onLog: (_level, { message }) => console.warn(message),
    });
    const { output } = await bundle.generate({ format: "esm", minify: true });
    await bundle.close();
    return output[0].code.trim();
  },
};

/** The output of a bundled program, a line per call. */
async function printedBy(code) {
  const lines = [];
  const { log } = console;
  console.log = (...words) => {
    lines.push(words.map((word) => (typeof word === "string" ? word : inspect(word))).join(" "));
  };
  try {
    const resolved = code.replace(/(from ?)"three"/g, `$1${JSON.stringify(THREE)}`);
    await import(`data:text/javascript,${encodeURIComponent(resolved)}`);
  } catch (error) {
    lines.push(`${error}`);
  } finally {
    console.log = log;
  }
  return lines.join("\n");
}

/** A module that is imported as a whole is an object, and that of the front package has more. */
const hasWholeModules = (path) => /^import \* as \w+ from/m.test(readText(path));

/**
 * Whether a program has the same bundle if it imports the front package. The order of imports is the order of modules in a bundle, and short
 * names depend on it: where that of the program is another than that of the front package, the bundle is the same from a program in that order.
 *
 * @returns what is wrong, or undefined.
 */
async function frontProblem(path, bundler, code, plugins) {
  const bundled = (change) => bundlers[bundler](path, [rewriting[bundler](change), ...plugins]);
  const front = await bundled(importingFront);
  if (front === code) return undefined;
  const [one, other] = [
    await bundled(inFrontOrder),
    await bundled((text) => importingFront(inFrontOrder(text))),
  ];
  return one === other ? undefined : "has other bytes";
}

/** The expected output at the end of a program, after //>. */
const expectedOf = (path) =>
  [...readText(path).matchAll(/^\/\/> (.*)$/gm)].map(([, line]) => line).join("\n");

const README = "README.md";
/** The README may be off by this part of a size. */
const ROUNDING = 0.03;

/** The README's sizes: program -> the text of its size, such as "13.0 kB". */
const shownSizes = () =>
  new Map(
    [...readText(README).matchAll(/\[(\w+)\]\(tooling\/scripts\/programs\/\1\.js\)\) *\| *([\d.]+ kB)/g)].map(
      ([, name, size]) => [name, size],
    ),
  );

const accepts = process.argv.includes("--accept");
const budgets = readJson(BUDGETS);
const row = (...cells) => cells.map((cell, at) => (at ? `${cell}`.padStart(10) : cell.padEnd(12))).join("");
const fail = (why) => {
  console.log(why);
  process.exitCode = 1;
};

const programs = filesBelow(PROGRAMS, ".js").map((path) => path.replace(/^.*\/|\.js$/g, ""));
for (const name of Object.keys(budgets)) {
  if (!programs.includes(name)) fail(`${BUDGETS} has ${name}, which is not a program`);
}

const sizes = shownSizes();
if (sizes.size < 3) fail(`${README} has no table of sizes`);
console.log(row("bytes, gzip", "goal", ...Object.keys(bundlers).flatMap((bundler) => [bundler, "budget"])));
for (const name of [...Object.keys(budgets), ...programs.filter((program) => !budgets[program])]) {
  const path = `${PROGRAMS}/${name}.js`;
  const budget = (budgets[name] ??= {});
  const cells = [];
  for (const [bundler, bundle] of Object.entries(bundlers)) {
    const plugins = name === "nothing" ? [ignoreManifests[bundler]] : [];
    const code = await bundle(path, plugins);
    const printed = await printedBy(code);
    const bytes = code === "" ? 0 : gzipSync(code, { level: 9 }).length;
    const problem = hasWholeModules(path) ? undefined : await frontProblem(path, bundler, code, plugins);
    if (problem !== undefined)
      fail(`${path}, bundled by ${bundler} with imports of ${frontName}, ${problem}`);
    if (printed !== expectedOf(path)) fail(`${path}, bundled by ${bundler}, prints:\n${printed}`);
    const room = Math.ceil(bytes * 1.01);
    if (accepts) budget[bundler] = bytes <= budget.goal ? Math.min(room, budget.goal) : room;
    else if (!(bytes <= budget[bundler])) {
      fail(`${path}, bundled by ${bundler}, has ${bytes} bytes${name === "nothing" ? `: ${code}` : ""}`);
    }
    const shown = bundler === "esbuild" ? sizes.get(name) : undefined;
    if (shown !== undefined && Math.abs(Number.parseFloat(shown) * 1000 - bytes) > bytes * ROUNDING) {
      if (accepts)
        writeFileSync(
          join(root, README),
          readText(README).replace(
            new RegExp(`(${name}\\.js\\)\\) *\\| *)${shown}`),
            `$1${(bytes / 1000).toFixed(1)} kB`,
          ),
        );
      else fail(`${README} says ${shown} for ${path}, which has ${bytes} bytes; --accept rewrites it`);
    }
    cells.push(bytes, budget[bundler] ?? "none"); // without a budget it is over as well
  }
  console.log(row(name, budget.goal ?? "", ...cells));
}
if (process.exitCode === undefined) console.log(`the same bytes from ${frontName} as from the packages`);
if (accepts) writeFileSync(join(root, BUDGETS), `${JSON.stringify(budgets, null, 2)}\n`);
