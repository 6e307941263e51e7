// Writes the bundles that users get. Shipped ones lose spaces, not names, and begin a line at a statement: Node prints the line that threw.
// Those with checks lose only spaces at the beginning of lines.
import { rolldown } from "rolldown";
import { parseSync } from "rolldown/utils";

/** A line that is longer than this ends at the next statement. */
const LINE = 300;

const WITHOUT_SPACES = { compress: false, mangle: false, codegen: { removeWhitespace: true } };

/** @returns the code of one file, with all its imports and with the comments that tell bundlers what is pure. */
export async function printed(path, isShipped) {
  const bundle = await rolldown({
    input: path,
    external: (id) => id !== path,
    treeshake: false,
    preserveEntrySignatures: "strict",
    logLevel: "silent",
  });
  const { output } = await bundle.generate({
    format: "es",
    comments: { annotation: true, legal: false, jsdoc: false },
    minify: isShipped && WITHOUT_SPACES,
  });
  const code = output[0].code.replace(/^\/\/ .*\n/m, ""); // where it was, before it was packed
  return isShipped ? inLines(code) : code;
}

function inLines(code) {
  const starts = [];
  noteStatements(parseSync("bundle.js", code).program, starts);
  starts.sort((one, other) => one - other);

  const lines = [];
  let from = 0;
  for (const start of starts) {
    if (start - from < LINE) continue;
    lines.push(code.slice(from, start));
    from = start;
  }
  return [...lines, code.slice(from)].join("\n");
}

/** Where statements and members of classes begin: a line may begin there. */
function noteStatements(node, starts) {
  for (const [key, value] of Object.entries(node)) {
    if (value === null || typeof value !== "object") continue;
    if (Array.isArray(value) && (key === "body" || key === "consequent"))
      starts.push(...value.map(({ start }) => start));
    noteStatements(value, starts);
  }
}
