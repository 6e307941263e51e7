// The signatures of exports as readable code: declarations without comments, formatted by Biome in one go.
import { spawnSync } from "node:child_process";
import { root } from "../lib.mjs";
import { textOf } from "./exports.mjs";

/** Fits the column of a page. */
const WIDTH = 76;

/** @returns record -> its signature. */
export function signaturesOf(all) {
  const marks = all.map((one, place) => `// @@ ${place}\n${declared(one)}`);
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      "node_modules/@biomejs/biome/bin/biome",
      "format",
      "--config-path=tooling/lint.json",
      `--line-width=${WIDTH}`,
      "--stdin-file-path=tooling/signatures.ts",
    ],
    { cwd: root, input: marks.join("\n"), encoding: "utf8", maxBuffer: 2 ** 26 },
  );
  if (status !== 0) throw new Error(`signatures could not be formatted: ${stderr}`);
  const parts = stdout.split(/^\/\/ @@ \d+\n/m).slice(1);
  return new Map(all.map((one, place) => [one, parts[place].replace(/^(?:export )?declare /gm, "").trim()]));
}

function declared({ declarations, module, name, declaredName }) {
  const texts = declarations.map(({ statement }) =>
    textOf(module, statement)
      .replace(/^export /, "")
      .replace(/^(?!declare|type|interface)/, "declare ")
      .replace(/^\s+private .*\n/gm, "")
      .replace(/^ {4}\[[^\]]*\]\??:.*never.*\n/gm, ""),
  );
  return name === declaredName
    ? texts.join("\n")
    : texts.join("\n").replaceAll(`function ${declaredName}`, `function ${name}`);
}
