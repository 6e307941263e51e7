#!/usr/bin/env node
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { UsageError } from "./base/options.ts";
import { create } from "./project/create.ts";

const isSeen = process.stdin.isTTY && process.stdout.isTTY;
const terminal = isSeen ? createInterface({ input: process.stdin, output: process.stdout }) : undefined;
try {
  await create(process.argv.slice(2), {
    home: fileURLToPath(new URL("..", import.meta.url)),
    folder: process.cwd(),
    ask: terminal && ((question) => terminal.question(question)),
    print: (text) => console.log(text),
    manager: /^\w+/.exec(process.env.npm_config_user_agent ?? "")?.[0] ?? "npm",
  });
} catch (error) {
  if (error instanceof UsageError) console.error(`create-treeline: ${error.message}`);
  else if ((error as Error).name !== "AbortError") throw error; // that is control-C at a question
  process.exitCode = 1;
} finally {
  terminal?.close();
}
