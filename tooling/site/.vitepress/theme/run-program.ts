// How a program of an example runs: in a frame of its own, which tells its page what it prints and what becomes of it.
import { formatValue } from "./example/format-value.ts";
import { type FrameMessage, prelude } from "./frame-prelude.ts";

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
  /** A line of `console.log` and the like, or an error. */
  readonly print: (line: string) => void;
  /** The program has put something into its document. */
  readonly draws: () => void;
  /** The program has come so far; `loading` is told first, before `startProgram` returns. */
  readonly becomes: (state: ProgramState) => void;
}

const START = "---- the example begins";

/** As many frames as examples get in Node, where a test compares what they print. */
const TURNS = 3;

/** The import map of the site as JSON, see `import-map.mjs`; Vite replaces the name. */
declare const IMPORT_MAP: string;

/** TypeScript without its types. */
async function withoutTypes(program: string): Promise<string> {
  const { transform } = await import("sucrase");
  return transform(program, { transforms: ["typescript"], disableESTransforms: true }).code;
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
  let code: string;
  try {
    code = await withoutTypes(`${before}\nconsole.log(${JSON.stringify(START)});\n${program}`);
  } catch (error) {
    output.print(String(error));
    output.becomes("failed");
    return () => {};
  }
  const frame = document.createElement("iframe");
  frame.title = "What the example draws";
  frame.style.cssText = "width: 100%; height: 100%; border: 0";
  const listen = ({ source, data }: MessageEvent<FrameMessage | undefined>): void => {
    if (source !== frame.contentWindow) return;
    if (typeof data?.treeline === "string") output.print(data.treeline);
    if (data?.treelineDraws === true) output.draws();
    if (data?.treelineState !== undefined) output.becomes(data.treelineState);
  };
  addEventListener("message", listen);
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const words = `() => import("${url}"), ${JSON.stringify(START)}, ${TURNS}, ${formatValue}`;
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
