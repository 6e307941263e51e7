// Checks `docs/errors.md`: each code has a section, wrong samples throw it, right ones run; and all @throws.
import { rmSync } from "node:fs";
import { createWorld, isAlive, release, spawn, spawnMany, TreelineError } from "treeline";
import { afterAll, describe, expect, it } from "vitest";
import { documentedThrows, sources, throwerOf, throwsIn } from "./docstrings.ts";
import { programFolder, runProgram, typeErrors } from "./programs.ts";
import { blocksOf, proseOf, readDocument } from "./support.ts";

const folder = programFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const isShipped = process.env.TREELINE_BUILD === "shipped";
Error.stackTraceLimit = 50;

/** One block of the page, and the label in the line above it. */
interface Sample {
  readonly label: string;
  readonly code: string;
  /** For titles and files: the section, and the number of the block in it, from 1. */
  readonly name: string;
}

const [introduction = "", ...sections] = readDocument("docs/errors.md")
  .split(/^## /m)
  .map((text) => text.trim());
const [prelude, ...others] = blocksOf(introduction).map(({ text }) => text);

function codeOf(section: string): string {
  return section.split("\n")[0]!;
}

function samplesOf(section: string): Sample[] {
  const labelled = section.matchAll(/^([^\n]*)\n\n```ts\n([\s\S]*?)^```$/gm);
  return [...labelled].map(([, label, code], place) => ({
    label: label!,
    code: code!,
    name: `${codeOf(section)}-${place + 1}`,
  }));
}

/** Every block is a program of its own, after the lines that all of them begin with. */
function programOf(code: string): string {
  return `${prelude!}\n${code}`;
}

const rightOnes = (samples: readonly Sample[]) => samples.filter(({ label }) => label === "Right:");
const wrongOnes = (samples: readonly Sample[]) => samples.filter(({ label }) => label !== "Right:");

/** The codes as listed in the source; they are a type, so they do not exist at run time. */
function codes(): string[] {
  const [, list = ""] = /type TreelineErrorCode =([^;]*);/.exec(
    readDocument("packages/core/src/base/error.ts"),
  )!;
  return [...list.matchAll(/"([a-z-]+)"/g)].map(([, code]) => code!);
}

/** The function that threw, unless its comment documents the code. */
function undocumentedBy({ code, stack = "" }: TreelineError): string | undefined {
  const thrower = throwerOf(stack);
  if (thrower === undefined) return stack;
  const { path, name, origin } = thrower;
  const documented = documentedThrows(path, name);
  const isDocumented =
    documented.includes(`\`${code}\``) ||
    /\bdeferred (?:change|command)/.test(documented) ||
    (documented.includes("`check` hook") && origin.startsWith("packages/names/"));
  return isDocumented ? undefined : `${name} of ${path} does not document ${code}`;
}

describe("the @throws of source files", () => {
  it("name codes that exist", () => {
    const known = codes();
    const documented = [...sources].flatMap(
      ([path, text]) =>
        throwsIn(text.replace(/^\s*\*(?!\/) ?/gm, " ").replace(/\s+/g, " "))
          .match(/`[a-z]+(?:-[a-z]+)+`/g)
          ?.map((code) => ({ path, code: code.slice(1, -1) })) ?? [],
    );

    expect(documented.length).toBeGreaterThan(100);
    expect(documented.filter(({ code }) => !known.includes(code))).toEqual([]);
  });
});

describe("docs/errors.md", () => {
  it("has one section for each code, in alphabetical order, and no other", () => {
    expect(codes().length).toBeGreaterThan(15);
    expect(sections.map(codeOf)).toEqual(codes().sort());
  });

  it.each(sections.map((section) => [codeOf(section), section]))("shows %s wrong and right", (_, section) => {
    const labels = samplesOf(section).map(({ label }) => label);

    expect(labels.length).toBe(blocksOf(section).length);
    expect(labels.filter((label) => !/^(?:Right|Wrong|Wrong, in checked bundles):$/.test(label))).toEqual([]);
    expect(labels[0]).toMatch(/^Wrong/);
    expect(labels).toContain("Right:");
    expect(proseOf(section)).toContain("Usual causes: ");
  });

  it("begins with programs that run", async () => {
    for (const [place, code] of others.entries()) {
      await runProgram(folder, `introduction-${place + 1}`, programOf(code));
    }
  });
});

describe.each(sections.map((section) => ({ code: codeOf(section), samples: samplesOf(section) })))(
  "$code",
  ({ code, samples }) => {
    for (const sample of wrongOnes(samples)) {
      const isChecked = sample.label === "Wrong, in checked bundles:";
      it.skipIf(isChecked && isShipped)(`comes from ${sample.name}`, async () => {
        const error: unknown = await runProgram(folder, sample.name, programOf(sample.code)).catch(
          (thrown: unknown) => thrown,
        );

        expect(error).toBeInstanceOf(TreelineError);
        expect((error as TreelineError).code).toBe(code);
        if (!isShipped && code !== "internal-error")
          expect(undocumentedBy(error as TreelineError)).toBeUndefined();
      });
    }

    for (const sample of rightOnes(samples)) {
      it(`does not come from ${sample.name}`, async () => {
        await runProgram(folder, sample.name, programOf(sample.code));
      });
    }
  },
);

it("a world in which all indexes are used refuses more entities until one is destroyed", () => {
  const world = createWorld();
  const [first] = spawnMany(world, 3);
  // As after 16,777,215 spawns, which take some seconds and half a gigabyte; the field is internal.
  (world as unknown as { readonly entities: { length: number } }).entities.length = 2 ** 24;

  expect(() => spawn(world)).toThrow(expect.objectContaining({ code: "capacity" }));
  expect(() => spawnMany(world, 1)).toThrow(expect.objectContaining({ code: "capacity" }));
  release(world, first!);
  expect(isAlive(world, spawn(world))).toBe(true);
});

describe("the right samples of docs/errors.md", () => {
  // Against the declarations that users get, also beside the tests with checks.
  it.skipIf(isShipped)("satisfies the type checker", () => {
    const samples = sections.flatMap((section) => rightOnes(samplesOf(section)));
    const programs = new Map(samples.map(({ name, code }) => [name, programOf(code)]));
    others.forEach((code, place) => {
      programs.set(`introduction-${place + 1}`, programOf(code));
    });

    expect(typeErrors(folder, programs)).toBe("");
  });
});
