// How a program of an example runs: in a frame of its own, which tells its page what it prints and what becomes of it.
import { formatValue } from "./example/format-value.ts";
import { type FrameMessage, type PrintedKind, prelude } from "./frame-prelude.ts";

/**
 * - `loading`: the program, or what it imports, is not there yet
 * - `running`: its first line runs
 * - `settled`: its module is evaluated, top-level `await` included, and it waits for no frame, timer or request; or, if it goes on, frames
 *   and timers have called it three times
 * - `failed`: it could not be loaded, or has thrown an error, which was printed
 *
 * A program that has settled may print more, or fail.
 */
export type ProgramState = "loading" | "running" | "settled" | "failed";

/** What a running program tells its page. */
export interface ProgramOutput {
  /**
   * A line of `console.log` and the like, or an error.
   *
   * @param at of an error: the line of the program, counted from 1, if it is known and not in what comes before the program.
   */
  readonly print: (line: string, kind: PrintedKind, at?: number) => void;
  /** The program has put something into its document. */
  readonly draws: () => void;
  /** The program has come so far; `loading` is told first, before `startProgram` returns. */
  readonly becomes: (state: ProgramState) => void;
}

/** What is logged before the first line of the program. */
export const START = "---- the example begins";

/** As many frames as examples get in Node, where a test compares what they print. */
export const TURNS = 3;

/** The import map of the site as JSON, see `import-map.mjs`; Vite replaces the name. */
declare const IMPORT_MAP: string;

/** A text that is no program, and at which line. */
export class SyntaxProblem extends Error {
  readonly at: number | undefined;

  constructor(message: string, at: number | undefined) {
    super(message);
    this.at = at;
  }
}

/** TypeScript without its types; lines stay where they are. @throws SyntaxProblem */
export async function withoutTypes(program: string): Promise<string> {
  const { transform } = await import("sucrase");
  try {
    return transform(program, { transforms: ["typescript"], disableESTransforms: true }).code;
  } catch (error) {
    const [message = "", text = message, line] =
      /^(?:Error transforming .*?: )?(.*?)(?: \((\d+):\d+\))?$/s.exec(String((error as Error).message)) ?? [];
    throw new SyntaxProblem(`SyntaxError: ${text}`, line === undefined ? undefined : Number(line));
  }
}

/**
 * Runs a program in a frame of its own, after what comes before it on its page, whose output is not shown.
 * @returns a function that ends it.
 */
export async function startProgram(
  place: HTMLElement,
  before: string,
  program: string,
  output: ProgramOutput,
): Promise<() => void> {
  output.becomes("loading");
  const head = `${before}\nconsole.log(${JSON.stringify(START)});\n`;
  const linesBefore = head.split("\n").length - 1;
  const print = (line: string, kind: PrintedKind, at = 0): void =>
    output.print(line, kind, at > linesBefore ? at - linesBefore : undefined);
  let code: string;
  try {
    code = await withoutTypes(head + program);
  } catch (error) {
    const { message, at } = error as SyntaxProblem;
    print(message, "failure", at);
    output.becomes("failed");
    return () => {};
  }
  const frame = document.createElement("iframe");
  frame.title = "What the example draws";
  frame.style.cssText = "width: 100%; height: 100%; border: 0";
  const listen = ({ source, data }: MessageEvent<FrameMessage | undefined>): void => {
    if (source !== frame.contentWindow) return;
    if (typeof data?.treeline === "string") print(data.treeline, data.treelineKind ?? "log", data.treelineAt);
    if (data?.treelineDraws === true) output.draws();
    if (data?.treelineState !== undefined) output.becomes(data.treelineState);
  };
  addEventListener("message", listen);
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const words = `() => import("${url}"), "${url}", ${JSON.stringify(START)}, ${TURNS}, ${formatValue}`;
  frame.srcdoc =
    `<!doctype html><html lang="en"><title>Example</title><base href="${location.href}">` +
    `<script type="importmap">${IMPORT_MAP}</script><body><script>(${prelude})(${words})</script>`;
  place.replaceChildren(frame);
  return () => {
    removeEventListener("message", listen);
    URL.revokeObjectURL(url);
    frame.remove();
  };
}
