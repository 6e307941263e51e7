import { formatValue } from "./example/format-value.ts";

/** What a running program tells its page. */
export interface ProgramOutput {
  /** A line of `console.log` and the like, or an error. */
  readonly print: (line: string) => void;
  /** The program has put something into its document. */
  readonly draws: () => void;
}

const START = "---- the example begins";

/** Runs in the frame, before the program: sends lines to the page, formatted nearly as Node does. */
function prelude(start: string, format: typeof formatValue): void {
  const send = (line: string): void => parent.postMessage({ treeline: line }, "*");
  let isShown = false;
  const log = (...words: unknown[]): void => {
    if (words[0] === start) isShown = true;
    else if (isShown) send(words.map((word) => format(word)).join(" "));
  };
  Object.assign(console, { log, info: log, warn: log, error: log });
  const fail = (error: unknown): void => send(format(error));
  addEventListener("error", (event) => fail(event.error ?? event.message));
  addEventListener("unhandledrejection", (event) => fail(event.reason));
  const isElement = (node: Node): boolean => node instanceof Element && node.tagName !== "SCRIPT";
  new MutationObserver((changes) => {
    if (!changes.some(({ addedNodes }) => [...addedNodes].some(isElement))) return;
    parent.postMessage({ treelineDraws: true }, "*");
  }).observe(document.body, { childList: true });
}

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
  let code: string;
  try {
    code = await withoutTypes(`${before}\nconsole.log(${JSON.stringify(START)});\n${program}`);
  } catch (error) {
    output.print(String(error));
    return () => {};
  }
  const frame = document.createElement("iframe");
  frame.style.cssText = "width: 100%; height: 100%; border: 0";
  const listen = ({ source, data }: MessageEvent): void => {
    if (source !== frame.contentWindow) return;
    if (typeof data?.treeline === "string") output.print(data.treeline);
    if (data?.treelineDraws === true) output.draws();
  };
  addEventListener("message", listen);
  const importMap = document.querySelector('script[type="importmap"]')!.textContent;
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  frame.srcdoc =
    `<!doctype html><base href="${location.href}"><script type="importmap">${importMap}</script><body>` +
    `<script>(${prelude})(${JSON.stringify(START)}, ${formatValue})</script><script type="module" src="${url}"></script>`;
  place.replaceChildren(frame);
  return () => {
    removeEventListener("message", listen);
    URL.revokeObjectURL(url);
    frame.remove();
  };
}
