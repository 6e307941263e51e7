// Connects the program to the terminal; shows a prompt if input and output are terminals (`isTyped`); ignores a closed pipe (`EPIPE`).
import { createInterface } from "node:readline";
import { type Complete, run } from "./run.ts";

const { stdin, stdout } = process;
const isTyped = stdin.isTTY === true && stdout.isTTY === true;

/** The lines of the standard input, with a prompt if a person types them. */
async function* commands(completer: Complete): AsyncGenerator<string> {
  if (stdin.isTTY && !isTyped) return; // the output is not on the terminal, so a prompt would not be visible
  const input = createInterface(
    isTyped ? { input: stdin, output: stdout, prompt: "> ", completer } : { input: stdin },
  );
  if (isTyped) input.prompt();
  for await (const line of input) {
    yield line;
    if (isTyped) input.prompt();
  }
  if (isTyped) stdout.write("\n"); // ends the line of the last prompt
}

// `node dist/main.js | head` closes the pipe early; that is not an error.
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await run(process.argv.slice(2), {
  line: (text) => stdout.write(`${text}\n`),
  error: (text) => process.stderr.write(`${text}\n`),
  width: Math.min(Math.max(stdout.columns ?? 100, 60), 110),
  commands,
  isTyped,
});
