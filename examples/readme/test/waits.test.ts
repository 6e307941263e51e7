// Refuses tests that wait for a time, look at a clock, or have a limit of their own (`OWN_LIMITS`).
import { describe, expect, it } from "vitest";
import { filesBelow, readDocument } from "./support.ts";

/** What waits for a time, whatever has happened by then. */
const FIXED = [
  /\b(?:setTimeout|setInterval|waitForTimeout|waitForNetworkIdle)\b/,
  /\btimers\/promises\b/,
  /\bAtomics\.wait(?:Async)?\b/,
  /\b(?:sleep|delay)\(/,
  /\bnetworkidle\b/,
];
/** What asks how late it is, and so depends on how busy the machine is. */
const CLOCKS = [/\b(?:performance|Date)\.now\b/, /\bhrtime\b/];
/** Limits of a test, a hook, a wait or a program of their own; the last is the third argument of `it`. */
const OWN_LIMITS = [
  /\btimeout\s*[:=]/i,
  /\b\w*Timeout\s*[:=]/,
  /\bvi\.setConfig\b/,
  /\bsetDefault(?:Navigation)?Timeout\(/,
  /^\s*\}, \d[\d_]*\);?$/,
  /^\s*\}, [A-Z_]+\);$/,
];

const own = "examples/readme/test/waits.test.ts";
const tests = [
  ...["packages", "examples", "benchmarks"]
    .flatMap((place) => filesBelow(place, ".ts"))
    .filter((path) => /^(?:packages|examples)\/[\w-]+\/test\/|^benchmarks\/test\//.test(path)),
  ...filesBelow("examples/page-tests/src", ".ts"),
].filter((path) => path !== own);
/** Sets the limit of pages. */
const PAGES = "examples/page-tests/src/browser.ts";
const scripts = [...filesBelow("tooling/scripts", ".mjs"), ...filesBelow("examples/page-tests/src", ".ts")];

function linesWith(patterns: readonly RegExp[], paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    readDocument(path)
      .split("\n")
      .flatMap((line, place) => {
        const found = patterns.map((pattern) => pattern.exec(line)?.[0]).find((one) => one !== undefined);
        return found === undefined ? [] : [`${path}:${place + 1}: ${found.trim()}`];
      }),
  );
}

describe("tests", () => {
  it("wait for conditions, never for a time", () => {
    expect(tests.length).toBeGreaterThan(600);
    expect(linesWith(FIXED, tests)).toEqual([]);
  });

  it("do not look at a clock", () => {
    expect(linesWith(CLOCKS, tests)).toEqual([]);
  });

  it("have one limit, that of tooling/scripts/tests/limits.mjs", () => {
    const lines = linesWith(OWN_LIMITS, tests).filter((line) => !line.startsWith(PAGES));

    expect(lines).toEqual([]);
    expect(readDocument(PAGES).match(/setDefaultTimeout\(.*\)/g)).toEqual(["setDefaultTimeout(HUNG)"]);
  });

  it("are found out if they have a limit or a wait", () => {
    const refused = [
      "await new Promise((resolve) => setTimeout(resolve, 5));",
      "await page.waitForTimeout(100);",
      'import { setTimeout } from "node:timers/promises";',
      "Atomics.wait(shared, 0, 0, 100);",
      "const begin = performance.now();",
      'it("waits", { timeout: 30_000 }, () => {',
      "  vi.setConfig({ testTimeout: 1000 });",
      "}, 60_000);",
      "  }, LONG);",
      "  page.setDefaultTimeout(5_000);",
    ];
    const all = [...FIXED, ...CLOCKS, ...OWN_LIMITS];

    expect(refused.filter((line) => !all.some((pattern) => pattern.test(line)))).toEqual([]);
  });
});

describe("scripts", () => {
  it("give what could hang the limit of tooling/scripts/tests/limits.mjs, and wait for no time", () => {
    expect(
      linesWith([/\btimeout\s*[:=](?! HUNG\b)/i, /\bwaitForTimeout\b/, /\btimers\/promises\b/], scripts),
    ).toEqual([]);
  });
});
