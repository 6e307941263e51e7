import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { report } from "../src/queries.ts";

const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const expected = readFileSync(here("test/expected.txt"), "utf8").replaceAll("\r\n", "\n").trimEnd();

/** Once is enough for the built program: it is the same whatever the tests import. */
const isBuilt = process.env.TREELINE_BUILD === "shipped" && existsSync(here("dist/main.js"));

describe("the program", () => {
  it("prints the expected text", () => {
    expect(report()).toBe(expected);
  });

  it.skipIf(!isBuilt)("prints the same text when built", () => {
    const { status, stdout } = spawnSync(process.execPath, [here("dist/main.js")], { encoding: "utf8" });

    expect(status).toBe(0);
    expect(stdout.trimEnd()).toBe(expected);
  });
});
