import { fileURLToPath } from "node:url";
import type { NodePlan } from "../src/formats/node-plan.ts";
import { run } from "../src/run.ts";

/** A path below the example's folder. */
export function here(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/** The message of what `action` throws; fails the test if it throws nothing or more than one line. */
export function complaintOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    const message = error instanceof Error && error.name === "FilesError" ? error.message : String(error);
    if (/[\n\r]/.test(message)) throw new Error(`more than one line: ${message}`);
    return message;
  }
  throw new Error("nothing was refused");
}

/** A plan's nodes as paths, followed by their kinds. */
export function outline({ nodes }: NodePlan): string[] {
  const paths: string[] = [];
  for (const { name, parent } of nodes) paths.push(parent === -1 ? name : `${paths[parent]}/${name}`);
  return paths.map((path, place) => `${path}: ${nodes[place]!.kind}`);
}

/** What a run printed, and its exit code. */
export interface Result {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly errors: readonly string[];
}

/** Runs the program in this process; `typed` are commands of a person, `piped` those of another program. */
export async function runHere(
  args: readonly string[],
  input: { readonly typed?: readonly string[]; readonly piped?: readonly string[] } = {},
): Promise<Result> {
  const lines: string[] = [];
  const errors: string[] = [];
  const code = await run(args, {
    line: (text) => lines.push(...text.split("\n")),
    error: (text) => errors.push(...text.split("\n")),
    width: 100,
    commands: () => oneByOne(input.typed ?? input.piped ?? []),
    isTyped: input.typed !== undefined,
  });
  return { code, lines, errors };
}

async function* oneByOne(commands: readonly string[]): AsyncGenerator<string> {
  yield* commands;
}

/** A deterministic random source: whole numbers from 0 to below `sides`. */
export function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides);
  };
}
