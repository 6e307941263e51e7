// A set-up file of Vitest: stacks name positions in sources, not in the bundles of tests and packages, which Vitest does not map.
import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const BUNDLED =
  /file:\/\/[^\s()]*\/(?:node_modules\/\.cache\/tests|(?:packages|examples|benchmarks)\/[\w-]+\/dist)\/[^\s()]*?\.js:\d+:\d+/g;
const DONE = Symbol.for("treeline: source positions");
/** Of the bundles that have been in a stack. */
const maps = new Map();

/** @returns the source map of a bundle; `undefined` if it has none. */
function mapOf(path) {
  if (!maps.has(path)) {
    const file = `${path}.map`;
    maps.set(path, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, "utf8"))) : undefined);
  }
  return maps.get(path);
}

/** "file:///bundle.js:1:2" as the position in its source. */
function sourceOf(place) {
  const [, url, line, column] = /^(.*):(\d+):(\d+)$/.exec(place);
  const bundle = fileURLToPath(url);
  const { originalSource, originalLine, originalColumn } =
    mapOf(bundle)?.findEntry(line - 1, column - 1) ?? {};
  if (originalSource === undefined) return place;
  return `${resolve(dirname(bundle), originalSource)}:${originalLine + 1}:${originalColumn + 1}`;
}

if (!(DONE in globalThis)) {
  const prior = Error.prepareStackTrace;
  const plain = (error, frames) => [String(error), ...frames.map((frame) => `    at ${frame}`)].join("\n");
  Error.prepareStackTrace = (error, frames) => {
    const stack = (prior ?? plain)(error, frames);
    return typeof stack === "string" ? stack.replace(BUNDLED, sourceOf) : stack;
  };
  globalThis[DONE] = true;
}
