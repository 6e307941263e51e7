// Makes one program of blocks (`programOf`), and takes apart what they print (`outputsOf`).
import { format } from "node:util";
import { vi } from "vitest";
import { runProgram } from "./programs.ts";

const NEXT_EXAMPLE = "---- next example";

/** Blocks of a document as one program: later ones continue where earlier ones stopped. */
export function programOf(blocks: readonly string[]): string {
  return blocks.join(`\nconsole.log("${NEXT_EXAMPLE}");\n`);
}

/** Runs a program of `programOf`. @returns what each of its blocks printed. */
export async function outputsOf(folder: string, name: string, program: string): Promise<string[]> {
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...words) => lines.push(format(...words)));
  try {
    await runProgram(folder, name, program);
  } finally {
    log.mockRestore();
  }
  return lines
    .join("\n")
    .split(NEXT_EXAMPLE)
    .map((text) => text.trim());
}
