import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { at } from "./support.ts";

/** What the language server sends: an answer has an `id`, and so has a question of its own, which has a `method` as well. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly items?: readonly { readonly label: string }[] } | null;
}

const OPTIONS = { strict: true, module: "nodenext", target: "es2023", lib: ["es2023"], types: [] };
const START = -1;

/**
 * What an editor offers after each expression and a dot, in a program that starts as given, by TypeScript's own language server. The
 * packages are read as users get them: from the declarations that the build writes.
 */
export async function completionsAfter(
  folder: string,
  start: string,
  expressions: readonly string[],
): Promise<string[][]> {
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS }));
  const server = spawn(process.execPath, [at("node_modules/typescript/bin/tsc"), "--lsp", "--stdio"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const rootUri = pathToFileURL(folder).href;
  send({ id: START, method: "initialize", params: { processId: null, rootUri, capabilities: {} } });

  const offered: string[][] = [];
  let answers = 0;
  for await (const { id, method, result } of messagesIn(server.stdout)) {
    if (id === undefined) continue;
    if (method !== undefined) send({ id, result: null });
    else if (id === START) {
      send({ method: "initialized", params: {} });
      ask(send, pathToFileURL(join(folder, "program.ts")).href, start, expressions);
    } else {
      offered[id] = (result?.items ?? []).map(({ label }) => label);
      answers += 1;
    }
    if (answers === expressions.length) break;
  }
  server.kill();
  return offered;
}

/** Each expression has a line of its own. */
function ask(
  send: (message: object) => void,
  uri: string,
  start: string,
  expressions: readonly string[],
): void {
  const lines = expressions.map((expression) => `${expression}.`);
  const first = start.split("\n").length;
  const text = [start, ...lines.map((line) => `${line};`)].join("\n");
  send({
    method: "textDocument/didOpen",
    params: { textDocument: { uri, languageId: "typescript", version: 1, text } },
  });
  for (let id = 0; id < expressions.length; id++) {
    const position = { line: first + id, character: lines[id]!.length };
    send({ id, method: "textDocument/completion", params: { textDocument: { uri }, position } });
  }
}

/** Each is preceded by a line with its length in bytes, and an empty one. */
async function* messagesIn(stream: AsyncIterable<Buffer>): AsyncIterable<Message> {
  let bytes: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    bytes = Buffer.concat([bytes, chunk]);
    for (let head = headOf(bytes); head !== undefined && bytes.length >= head.end; head = headOf(bytes)) {
      yield JSON.parse(bytes.toString("utf8", head.start, head.end)) as Message;
      bytes = bytes.subarray(head.end);
    }
  }
}

function headOf(bytes: Buffer): { readonly start: number; readonly end: number } | undefined {
  const found = /Content-Length: (\d+)(?:\r\n[^\r]+)*\r\n\r\n/.exec(bytes.toString("latin1"));
  if (found === null) return undefined;
  const start = found.index + found[0].length;
  return { start, end: start + Number(found[1]) };
}
