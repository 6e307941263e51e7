/** Runs a program that may come from a foreign link: its frame has no origin, reaches no server, and cannot touch the page. */
import { formatValue } from "../example/format-value.ts";
import { type FrameMessage, type PrintedKind, prelude } from "../frame-prelude.ts";
import { type ProgramState, START, SyntaxProblem, TURNS, withoutTypes } from "../run-program.ts";
import { GUARD_SCRIPT, withLoopGuard } from "./loop-guard.ts";
import { modulesOf } from "./modules.ts";
import { readTables, type TableReaders, type WorldPicture } from "./read-tables.ts";

export interface SandboxOutput {
  readonly print: (line: string, kind: PrintedKind, at?: number) => void;
  readonly draws: () => void;
  readonly becomes: (state: ProgramState) => void;
  /** The worlds that the program has made; called again when they have changed. */
  readonly shows: (worlds: readonly WorldPicture[]) => void;
}

export interface Sandbox {
  /** Whether it goes on telling what worlds contain. */
  readonly setLive: (isLive: boolean) => void;
  readonly stop: () => void;
}

/** What the page sends to its frame, once. */
interface Start {
  readonly program: string;
  readonly imports: Readonly<Record<string, string>>;
  readonly texts: Readonly<Record<string, string>>;
}

/** What the frame uses to read worlds. */
const READERS = ["@treeline/core", "@treeline/core/internal", "@treeline/core/debug"];

/** What a frame may load: only what it has made itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' blob: data:",
  "style-src 'unsafe-inline'",
  "img-src blob: data:",
  "media-src blob: data:",
  "font-src blob: data:",
  "connect-src blob: data:",
  "worker-src blob: data:",
].join("; ");

/** How the page of a program looks before the program changes it. */
const STYLE =
  "html{color-scheme:light dark}body{margin:8px;font:14px system-ui,sans-serif}canvas{max-width:100%}";

/** Runs in the frame, by its text, with `load` instead of `import`, which a bundler would replace. Waits for the program, then makes its modules and runs it. */
function boot(
  load: (name: string) => Promise<unknown>,
  runPrelude: typeof prelude,
  format: typeof formatValue,
  read: typeof readTables,
  core: string,
  start: string,
  turns: number,
): void {
  const worlds: unknown[] = [];
  const MOST_WORLDS = 4;
  Object.assign(globalThis, {
    treelineWorld: (world: unknown) => {
      if (worlds.length < MOST_WORLDS) worlds.push(world);
      return world;
    },
  });
  let isLive = true;
  let port: MessagePort | undefined; // the program cannot write to it
  let readers: TableReaders | undefined;
  let last = "";

  const show = (): void => {
    if (readers === undefined) return;
    const found = worlds.flatMap((world) => {
      try {
        return [read(world, readers!, format)];
      } catch {
        return []; // it was disposed
      }
    });
    const text = JSON.stringify(found);
    if (text === last) return;
    last = text;
    port?.postMessage(found);
  };
  const { setTimeout: later } = window; // before the prelude counts timers
  let pictures = 0;
  const repeat = (): void => {
    const began = performance.now();
    if (isLive || pictures < 3) show(); // at the beginning in any case
    pictures += 1;
    later.call(window, repeat, Math.max(400, 10 * (performance.now() - began))); // at most a tenth of the time
  };

  const run = ({ program, imports, texts }: Start): void => {
    const module = (text: string): string =>
      URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const map: Record<string, string> = {};
    for (const [address, text] of Object.entries(texts)) map[address] = module(text);
    for (const [name, address] of Object.entries(imports)) map[name] = map[address]!;
    const real = imports[core];
    if (real !== undefined) {
      // The rest as it is, and a createWorld that remembers what it has made.
      map[core] = module(
        `export * from "${real}"; import { createWorld as create } from "${real}"; export const createWorld = (...options) => treelineWorld(create(...options));`,
      );
    }
    const script = document.createElement("script");
    script.type = "importmap";
    script.textContent = JSON.stringify({ imports: map });
    document.head.append(script);
    if (real !== undefined) {
      const names = ["", "/internal", "/debug"].map((entry) => `${core}${entry}`);
      Promise.all(names.map(load)).then(
        ([all, internal, debug]) => {
          readers = { core: all, internal, debug } as TableReaders;
          repeat();
        },
        () => {}, // the program fails in the same way, and says why
      );
    }
    const url = module(program);
    runPrelude(() => load(url), url, start, turns, format);
  };

  addEventListener(
    "message",
    ({ data, ports }: MessageEvent<Start>) => {
      port = ports[0]!;
      port.onmessage = ({ data }: MessageEvent<boolean>) => {
        isLive = data;
        if (isLive) show();
      };
      run(data);
    },
    { once: true },
  );
}

/**
 * Runs a program in a frame inside `place`.
 *
 * The frame is sandboxed without `allow-same-origin`: it has no cookies, no storage, and no access to the page. Servers would have to allow
 * modules for such a frame, so the page loads them, and the frame gets their texts.
 */
export async function startSandbox(
  place: HTMLElement,
  program: string,
  output: SandboxOutput,
): Promise<Sandbox> {
  output.becomes("loading");
  let start: Start;
  try {
    const code = `console.log(${JSON.stringify(START)});${await withoutTypes(withLoopGuard(program))}`;
    start = { program: code, ...(await modulesOf(code, READERS)) };
  } catch (error) {
    const at = error instanceof SyntaxProblem ? error.at : undefined;
    output.print((error as Error).message, "failure", at);
    output.becomes("failed");
    return { setLive: () => {}, stop: () => {} };
  }
  const frame = document.createElement("iframe");
  frame.title = "What the program draws";
  frame.setAttribute("sandbox", "allow-scripts");
  const stop = (): void => {
    removeEventListener("message", listen);
    port.close();
    frame.remove();
  };
  const listen = ({ source, data }: MessageEvent<FrameMessage | undefined>): void => {
    if (source !== frame.contentWindow) return;
    if (typeof data?.treeline === "string") {
      output.print(data.treeline, data.treelineKind ?? "log", data.treelineAt);
    }
    if (data?.treelineDraws === true) output.draws();
    if (data?.treelineState !== undefined) output.becomes(data.treelineState);
  };
  const { port1: port, port2: portOfFrame } = new MessageChannel();
  port.onmessage = ({ data }: MessageEvent<WorldPicture[]>) => output.shows(data);
  let loads = 0;
  frame.addEventListener("load", () => {
    loads += 1;
    if (loads === 1) return frame.contentWindow!.postMessage(start, "*", [portOfFrame]);
    stop();
    output.print("The program has left its page, so the playground has ended it.", "failure");
    output.becomes("failed");
  });
  addEventListener("message", listen);
  const words = ["(name) => import(name)", prelude, formatValue, readTables].join(", ");
  const texts = [READERS[0], START, TURNS].map((word) => JSON.stringify(word)).join(", ");
  frame.srcdoc =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
    `<title>Program</title><style>${STYLE}</style></head><body><script>${GUARD_SCRIPT}(${boot})(${words}, ${texts})</script></body></html>`;
  place.replaceChildren(frame);
  return {
    setLive: (isLive) => port.postMessage(isLive),
    stop,
  };
}
