/** What a running program tells its page. */
export interface ProgramOutput {
  /** A line of `console.log` and the like, or an error. */
  readonly print: (line: string) => void;
  /** The program has put something into its document. */
  readonly draws: () => void;
}

const START = "---- the example begins";

/** Runs in the frame, before the program: sends lines to the page, formatted nearly as Node does. */
function prelude(start: string): void {
  const send = (line: string): void => parent.postMessage({ treeline: line }, "*");
  const keyOf = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`);
  const format = (value: unknown, depth: number): string => {
    if (typeof value === "string") return depth === 0 ? value : `'${value}'`;
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value === "function")
      return value.name === "" ? "[Function (anonymous)]" : `[Function: ${value.name}]`;
    if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
    if (value instanceof Error)
      return value.stack?.includes(value.message) ? `${value}` : `${value.name}: ${value.message}`;
    const inside = (one: unknown): string => format(one, depth + 1);
    if (Array.isArray(value)) return value.length === 0 ? "[]" : `[ ${value.map(inside).join(", ")} ]`;
    if (ArrayBuffer.isView(value)) {
      const list = [...(value as Float32Array)];
      return `${value.constructor.name}(${list.length}) [ ${list.join(", ")} ]`;
    }
    if (value instanceof Map) {
      return `Map(${value.size}) {${[...value].map(([key, one]) => ` ${inside(key)} => ${inside(one)}`).join(",")} }`;
    }
    if (value instanceof Set) return `Set(${value.size}) { ${[...value].map(inside).join(", ")} }`;
    const entries = Object.entries(value);
    return entries.length === 0
      ? "{}"
      : `{ ${entries.map(([key, one]) => `${keyOf(key)}: ${inside(one)}`).join(", ")} }`;
  };
  let isShown = false;
  const log = (...words: unknown[]): void => {
    if (words[0] === start) isShown = true;
    else if (isShown) send(words.map((word) => format(word, 0)).join(" "));
  };
  Object.assign(console, { log, info: log, warn: log, error: log });
  const fail = (error: unknown): void => send(format(error, 0));
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
    `<script>(${prelude})(${JSON.stringify(START)})</script><script type="module" src="${url}"></script>`;
  place.replaceChildren(frame);
  return () => {
    removeEventListener("message", listen);
    URL.revokeObjectURL(url);
    frame.remove();
  };
}
