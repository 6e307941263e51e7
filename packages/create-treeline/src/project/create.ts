// What `npm create treeline` asks, in which order it checks, and what it says is next (`create`).
import { relative, resolve } from "node:path";
import { HELP, readOptions, requireTemplate, TEMPLATES, UsageError } from "../base/options.ts";
import { packageNameOf, requireEmpty, writeProject } from "./write.ts";

export interface Surroundings {
  /** The folder of this package. */
  readonly home: string;
  /** Where the program runs. */
  readonly folder: string;
  /** Asks at the terminal; `undefined` if there is none. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  readonly print: (text: string) => void;
  /** The package manager that has started the program, such as `pnpm`. */
  readonly manager: string;
}

const DEFAULT_FOLDER = "my-treeline";
const DEFAULT_TEMPLATE = "three";

/** Everything is checked before anything is written. @throws UsageError for what the caller should do otherwise. */
export async function create(words: readonly string[], where: Surroundings): Promise<void> {
  const options = readOptions(words);
  if (options.help) {
    where.print(HELP);
    return;
  }
  const named = options.folder ?? (await askFor(where, `Folder (${DEFAULT_FOLDER}): `, DEFAULT_FOLDER));
  const folder = resolve(where.folder, named);
  packageNameOf(folder);
  requireEmpty(folder);
  const choices = Object.keys(TEMPLATES).join(", ");
  const question = `Template, one of ${choices} (${DEFAULT_TEMPLATE}): `;
  const template = requireTemplate(options.template ?? (await askFor(where, question, DEFAULT_TEMPLATE)));
  writeProject(where.home, folder, template);

  const path = relative(where.folder, folder);
  const steps = [
    ...(path === "" ? [] : [`cd ${path}`]),
    `${where.manager} install`,
    `${where.manager} run dev`,
  ];
  where.print(
    `${path === "" ? "This folder" : path} has ${TEMPLATES[template]}. Next:\n\n  ${steps.join("\n  ")}\n`,
  );
}

async function askFor({ ask }: Surroundings, question: string, otherwise: string): Promise<string> {
  if (ask === undefined) throw new UsageError(`name a folder and a template:\n\n${HELP}`);
  const answer = (await ask(question)).trim();
  return answer === "" ? otherwise : answer;
}
