// Asks TypeScript's own language server what an editor shows at places of a program.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../lib.mjs";

const OPTIONS = { strict: true, module: "nodenext", target: "es2023", lib: ["es2023"], types: [] };
const START = -1;

/**
 * @param folder where the program would be: its packages are those that it finds from there, as users get them. It gets a
 *   `tsconfig.json`.
 * @param questions [{ ask: "hover", line, character }]: 0-based places in the text, and what of `textDocument/` to ask there.
 * @returns the answers, in the order of the questions.
 */
export async function answersOfEditor(folder, text, questions) {
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS }));
  const server = spawn(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "--lsp", "--stdio"],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  const send = (message) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const rootUri = pathToFileURL(folder).href;
  const capabilities = { textDocument: { hover: { contentFormat: ["markdown"] } } };
  send({ id: START, method: "initialize", params: { processId: null, rootUri, capabilities } });

  const answers = [];
  let count = 0;
  for await (const { id, method, result } of messagesIn(server.stdout)) {
    if (id === undefined) continue;
    if (method !== undefined) send({ id, result: null });
    else if (id === START) {
      send({ method: "initialized", params: {} });
      askAll(send, pathToFileURL(join(folder, "program.ts")).href, text, questions);
    } else {
      answers[id] = result ?? undefined;
      count += 1;
    }
    if (count === questions.length) break;
  }
  server.kill();
  return answers;
}

function askAll(send, uri, text, questions) {
  const textDocument = { uri, languageId: "typescript", version: 1, text };
  send({ method: "textDocument/didOpen", params: { textDocument } });
  for (const [id, { ask, line, character }] of questions.entries()) {
    const params = { textDocument: { uri }, position: { line, character } };
    send({ id, method: `textDocument/${ask}`, params });
  }
}

/** Each is preceded by a line with its length in bytes, and an empty one. */
async function* messagesIn(stream) {
  let bytes = Buffer.alloc(0);
  for await (const chunk of stream) {
    bytes = Buffer.concat([bytes, chunk]);
    for (let head = headOf(bytes); head !== undefined && bytes.length >= head.end; head = headOf(bytes)) {
      yield JSON.parse(bytes.toString("utf8", head.start, head.end));
      bytes = bytes.subarray(head.end);
    }
  }
}

function headOf(bytes) {
  const found = /Content-Length: (\d+)(?:\r\n[^\r]+)*\r\n\r\n/.exec(bytes.toString("latin1"));
  if (found === null) return undefined;
  const start = found.index + found[0].length;
  return { start, end: start + Number(found[1]) };
}
