// Writes the bundles that users get. Shipped ones lose spaces, not names, and begin a line at a statement: Node prints the line that threw.
// Those with checks lose only spaces at the beginning of lines.
import { rolldown } from "rolldown";
import { parseSync, Visitor } from "rolldown/utils";

/** A line that is longer than this ends at the next statement. */
const LINE = 240;

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
  const note = (statements) => starts.push(...statements.map(({ start }) => start));
  new Visitor({
    Program: ({ body }) => note(body),
    BlockStatement: ({ body }) => note(body),
    SwitchCase: ({ consequent }) => note(consequent),
  }).visit(parseSync("bundle.js", code).program);
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
