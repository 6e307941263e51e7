// Runs a task of a benchmark file in a separate process (`runElsewhere`).
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isQuick } from "./settings.ts";

/**
 * Runs a benchmark file in a separate process with a task.
 *
 * @returns what it printed with `answer`.
 */
export function runElsewhere(
  url: string,
  task: readonly string[],
  nodeOptions: readonly string[] = [],
): unknown {
  const { status, stdout } = spawnSync(
    process.execPath,
    [...nodeOptions, fileURLToPath(url), "--task", ...task, ...(isQuick ? ["--quick"] : [])],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  if (status !== 0) throw new Error(`the process for ${task.join(" ")} failed`);
  return JSON.parse(stdout);
}

/** The first word of the task that this process was started for; undefined if a person started it. */
export function taskHere(): string | undefined {
  const at = process.argv.indexOf("--task");
  return at < 0 ? undefined : process.argv[at + 1];
}

export function answer(value: unknown): void {
  console.log(JSON.stringify(value));
}
