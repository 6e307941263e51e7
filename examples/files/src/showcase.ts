// What is shown without arguments (`showBundled`): the bundled `LIST` with `SAMPLES`, and a table of the other trees.
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { roots } from "treeline";
import { loadTree } from "./formats/load.ts";
import { inspectTree } from "./program/inspect.ts";
import type { Command, Options } from "./program/options.ts";
import { columnsText, grouped, labelled, timeText } from "./text/text.ts";
import { runCommand } from "./tree/commands.ts";
import { extentBelow } from "./tree/extent.ts";
import type { FileTree } from "./tree/grow.ts";
import { measurePaths } from "./tree/measure.ts";

/** The same folder seen from src/ and from dist/. */
const DATA = fileURLToPath(new URL("../data/", import.meta.url));
const LIST = "test262-paths.txt.gz";

const SAMPLES: readonly Command[] = [
  { kind: "find", text: "test/built-ins/Array/prototype/flatMap/length.js" },
  { kind: "find", text: "test/built-ins/Array/prototype/flatmap/length.js" },
  { kind: "glob", text: "test/**/*Symbol*.js" },
  { kind: "glob", text: "*/built-ins/WeakRef/**/prop-desc.js" },
  { kind: "below", text: "test/language/module-code" },
];
const SAMPLE_LIMIT = 3;

/** The bundled list of paths as a tree. */
export function loadBundledList(): FileTree {
  return loadTree(`${DATA}${LIST}`, false);
}

export const BUNDLED_TITLE = "test262, the bundled list of paths";

/** Shows the bundled list, some commands with their output, and the bundled scenes and robot in a table. */
export function showBundled(tree: FileTree, options: Options, width: number): string[] {
  const lines = [...inspectTree(BUNDLED_TITLE, tree, options, width).lines, "", "some commands:"];
  for (const command of SAMPLES) {
    const { label, lines: result } = runCommand(tree.world, command, SAMPLE_LIMIT);
    lines.push(
      `  --${command.kind} "${command.text}"`,
      ...labelled(label, result).map((line) => `    ${line}`),
    );
  }
  return [...lines, "", "the other bundled trees:", ...tableOfOthers()];
}

function tableOfOthers(): string[] {
  const files = readdirSync(DATA).filter((file) => /\.(?:tscn|urdf)$/.test(file));
  const notes: string[] = [];
  const rows = files.sort().map((file) => {
    const tree = loadTree(`${DATA}${file}`, false);
    notes.push(...tree.notes.map((note) => `${basename(file)}: ${note}`));
    const { world, entities, growing } = tree;
    const { levels, mostChildren } = extentBelow(world, undefined);
    const { resolved } = measurePaths(tree);
    const counts = [entities.length, resolved, levels, roots(world).length, mostChildren];
    return [file, ...counts.map(grouped), timeText(growing)];
  });
  const head = ["file", "nodes", "found by path", "levels", "roots", "most children", "created in"];
  return [
    ...columnsText([head, ...rows]).map((line) => `  ${line}`),
    ...notes.map((note) => `  note: ${note}`),
  ];
}
