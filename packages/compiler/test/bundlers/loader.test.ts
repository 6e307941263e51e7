import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EXPECTED, OF_LIBRARIES, PROGRAM, withProgram } from "./program.ts";

const register = new URL("../../dist/register.js", import.meta.url);
let program: ReturnType<typeof withProgram>;

beforeEach(() => {
  program = withProgram();
  write(PROGRAM);
});

afterEach(() => program.remove());

function write(text: string): void {
  const { code } = transformSync(text, { loader: "ts" });
  writeFileSync(join(program.folder, "program.js"), code.replaceAll("program\\.ts", "program\\.js"));
}

function run(...flags: string[]): { readonly isCompiled: boolean; readonly place: string } {
  const text = execFileSync(
    process.execPath,
    ["--enable-source-maps", ...flags, join(program.folder, "program.js")],
    {
      encoding: "utf8",
      env: { ...process.env, NODE_OPTIONS: "" },
    },
  );
  return JSON.parse(text);
}

describe.skipIf(!existsSync(fileURLToPath(register)))("a program that Node loads with the hook", () => {
  it("is compiled, and errors have the same places as without it", () => {
    const written = run();
    const compiled = run("--import", register.href);

    expect(written).toMatchObject({ ...EXPECTED, isCompiled: false });
    expect(compiled).toEqual({ ...written, isCompiled: true });
  });

  it("is compiled as well if it imports the packages that treeline exports", () => {
    write(OF_LIBRARIES);

    expect(run("--import", register.href)).toMatchObject(EXPECTED);
  });
});
