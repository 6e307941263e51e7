// Runs programs from documents (`runProgram`) and type-checks them (`typeErrors`).
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { at } from "./support.ts";

/** A new folder next to the package's dependencies, so that programs in it find them. The caller removes it. */
export function programFolder(): string {
  mkdirSync(at("examples/readme/dist"), { recursive: true });
  return mkdtempSync(at("examples/readme/dist/run-"));
}

/** How many frames a program gets that asks for frames, as pages do. */
const FRAMES = 3;
const MILLISECONDS = 16;

/** Runs a program to its end, with the first frames that it asks for. @throws what the program throws. */
export async function runProgram(folder: string, name: string, program: string): Promise<void> {
  const { code } = await transform(program, { loader: "ts", target: "es2023" });
  const path = join(folder, `${name}.js`);
  writeFileSync(path, code);
  const frames: ((time: number) => void)[] = [];
  Object.assign(globalThis, { requestAnimationFrame: (frame: (time: number) => void) => frames.push(frame) });
  try {
    await import(/* @vite-ignore */ pathToFileURL(path).href);
    for (let count = 0; count < FRAMES; count++) {
      for (const frame of frames.splice(0)) frame(count * MILLISECONDS);
    }
  } finally {
    Reflect.deleteProperty(globalThis, "requestAnimationFrame");
  }
}

interface TypeCheck {
  /** Check against the declarations that users get, which the build writes, instead of the sources, which takes longer. */
  readonly isShipped?: boolean;
  /** For the compiler, in addition. */
  readonly options?: readonly string[];
}

/** The output of the type checker for programs; empty if they satisfy it. */
export function typeErrors(
  folder: string,
  programs: ReadonlyMap<string, string>,
  {
    isShipped = process.env.TREELINE_BUILD === "shipped" || process.env.TREELINE_BUNDLED === "1",
    options: more = [],
  }: TypeCheck = {},
): string {
  for (const [name, program] of programs) writeFileSync(join(folder, `${name}.ts`), program);
  const options =
    "--noEmit --strict --target es2023 --module nodenext --moduleDetection force --lib es2023,dom --types node --skipLibCheck --ignoreConfig";
  const files = [...programs.keys()].map((name) => `${name}.ts`);
  const { stdout } = spawnSync(
    process.execPath,
    [
      at("node_modules/typescript/bin/tsc"),
      ...options.split(" "),
      ...more,
      ...conditions(isShipped),
      ...files,
    ],
    { cwd: folder, encoding: "utf8" },
  );
  return stdout;
}

function conditions(isShipped: boolean): string[] {
  return isShipped ? [] : ["--customConditions", "treeline-source", "--allowImportingTsExtensions"];
}
