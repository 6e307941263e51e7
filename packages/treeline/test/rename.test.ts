import { execFileSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it } from "vitest";

const script = fileURLToPath(new URL("../../../tooling/scripts/packages/rename.mjs", import.meta.url));

/** What the script makes of files, as a text with one name becomes a text with another. */
function renamed(
  from: string,
  to: string,
  files: readonly (readonly [path: string, text: string])[],
): string[] {
  const program = `import { renaming } from ${JSON.stringify(pathToFileURL(script).href)};
    const rewritten = renaming(${JSON.stringify(from)}, ${JSON.stringify(to)});
    console.log(JSON.stringify(${JSON.stringify(files)}.map(([path, text]) => rewritten(path, text))));`;
  const words = ["--input-type=module", "--eval", program];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" })) as string[];
}

/** Texts in which NAME is the package, and a bare treeline is something else. LOAD is `import`, which `check:layers` would take for one of this file. */
const FILES: readonly (readonly [string, string])[] = [
  ["a.ts", 'import { each } from "NAME";\nexport * from "NAME/debug";\nconst all = await LOAD("NAME");\n'],
  [
    "a.ts",
    'const program = `import { each } from "NAME";`;\nconst other = \'import { each } from \\"NAME/debug\\";\';\n',
  ],
  [
    "a.ts",
    'export const FORMAT = "treeline";\nimport "treeline-other";\nimport { tag } from "@treeline/core";\n',
  ],
  ["a.ts", '/** See `NAME` and `NAME/document/json`; a file begins with "treeline". */\n'],
  ["a.cjs", 'const { each } = require("NAME");\n'],
  ["docs/a.md", "Import `NAME`, or `NAME/three` ([site](https://github.com/treeline-ecs/treeline)).\n"],
  [
    "docs/a.md",
    '```ts\nimport { each } from "NAME";\n```\n\n```text\n{"format":"treeline","version":1}\n```\n',
  ],
  ["docs/a.md", "```sh\nnpm install NAME three\nnpm create treeline@latest\ncd treeline\n```\n"],
  [".changeset/a.md", '---\n"NAME": minor\n---\n\nMore.\n'],
  [".changeset/config.json", '{\n  "fixed": [\n    "@treeline/core",\n    "NAME"\n  ]\n}\n'],
  ["examples/a/package.json", '{\n  "dependencies": {\n    "NAME": "workspace:*"\n  }\n}\n'],
  ["examples/a/file.json", '{\n  "format": "treeline"\n}\n'],
  ["packages/treeline/package.json", '{\n  "name": "NAME",\n  "keywords": ["treeline"]\n}\n'],
  ["packages/treeline/README.md", "# NAME\n\nTreeline by one import.\n"],
];
const named = (name: string): [string, string][] =>
  FILES.map(([path, text]) => [path, text.replaceAll("LOAD", "import").replaceAll("NAME", name)]);
const textsOf = (files: readonly (readonly [string, string])[]): string[] => files.map(([, text]) => text);

it("the package gets another name wherever it is meant, and nothing else does", () => {
  expect(renamed("treeline", "@treeline/treeline", named("treeline"))).toEqual(
    textsOf(named("@treeline/treeline")),
  );
});

it("and gets its first name back", () => {
  expect(renamed("@treeline/treeline", "treeline", named("@treeline/treeline"))).toEqual(
    textsOf(named("treeline")),
  );
});
