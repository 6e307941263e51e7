// The options, the templates (`TEMPLATES`) and the help (`HELP`).
import { parseArgs } from "node:util";

/** What the caller has typed wrongly: the message says what to do. */
export class UsageError extends Error {}

/** Each is a folder in `templates`. */
export const TEMPLATES = {
  three: "a page that draws a tree of bodies with three.js",
  react: "a page with React",
  terminal: "a program for the terminal",
};
export type Template = keyof typeof TEMPLATES;

export interface Options {
  readonly folder: string | undefined;
  readonly template: string | undefined;
  readonly help: boolean;
}

const list = Object.entries(TEMPLATES)
  .map(([name, text]) => `  ${name.padEnd(10)}${text}`)
  .join("\n");

export const HELP = `npm create treeline FOLDER -- --template TEMPLATE

Writes a program that uses Treeline into a new or empty folder, and names its package after the folder.
Without these arguments, a terminal is asked for them.

templates:
${list}`;

/** @throws UsageError for an unknown option, and for more than one folder. */
export function readOptions(words: readonly string[]): Options {
  const options = {
    template: { type: "string", short: "t" },
    help: { type: "boolean", short: "h" },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
    if (positionals.length > 1)
      throw new UsageError(`one folder is made at a time, not ${positionals.join(" and ")}`);
    return { folder: positionals[0], template: values.template, help: values.help === true };
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof TypeError)) throw error;
    throw new UsageError(`${error.message.split(". ")[0]}; --help shows what there is`);
  }
}

/** @throws UsageError if there is no such template. */
export function requireTemplate(name: string): Template {
  if (Object.hasOwn(TEMPLATES, name)) return name as Template;
  throw new UsageError(`there is no template "${name}"; take one of these:\n${list}`);
}
