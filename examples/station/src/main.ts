// Connects the program to the process; ignores a closed pipe (`EPIPE`).
import { run } from "./run.ts";

const { stdout } = process;

// `node dist/main.js | head` closes the pipe early; that is not an error.
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await run(process.argv.slice(2), {
  line: (text) => stdout.write(`${text}\n`),
  error: (text) => process.stderr.write(`${text}\n`),
});
