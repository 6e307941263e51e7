#!/usr/bin/env node
// The program: whether there is a terminal to ask at, and how errors are shown.
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { UsageError } from "./base/options.ts";
import { create } from "./project/create.ts";

const { stdin: input, stdout: output } = process;
const terminal = input.isTTY && output.isTTY ? createInterface({ input, output }) : undefined;
const lines = terminal?.[Symbol.asyncIterator]();

/** @throws UsageError if the terminal is closed, by control-C or control-D. */
async function ask(question: string): Promise<string> {
  terminal!.setPrompt(question);
  terminal!.prompt();
  const line = await lines!.next();
  if (line.done === true) throw new UsageError("stopped; nothing was written");
  return line.value;
}

try {
  await create(process.argv.slice(2), {
    home: fileURLToPath(new URL("..", import.meta.url)),
    folder: process.cwd(),
    ask: terminal && ask,
    print: (text) => console.log(text),
    manager: /^\w+/.exec(process.env.npm_config_user_agent ?? "")?.[0] ?? "npm",
  });
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`create-treeline: ${error.message}`);
  process.exitCode = 1;
} finally {
  terminal?.close();
}
