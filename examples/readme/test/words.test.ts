// Refuses words that the glossary replaces (`REPLACED`), and lists the files that keep their own (`ELSEWHERE`).
import { describe, expect, it } from "vitest";
import { filesBelow, readDocument } from "./support.ts";

/** Words that the glossary replaces. Sources, tests, messages and documents use the word of the field instead. */
const REPLACED = [
  /\b(?:no|some|every|any)body\b|\bwhoever\b|\bwhom\b/i, // entities are not people
  /\bvisit(?:s|ed|ing|ors?)?\b/i,
  /\bstretch(?:es)?\b/i,
  /\bshapes?\b/i,
  /\bholders?\b/i,
  /\blimbo\b|\bloose\b/i,
  /\bnewborns?\b|\bborn\b|\bbirths?\b|\bd(?:ies|ied|ying|eaths?)\b/i,
  /\bgivers?\b|\bbonds?\b|\bdesks?\b|\bpeeks?\b/i,
  /\bcontests?\b|\bby hand\b/i,
  /\bstands? for\b|\bhands? over\b|\blikewise\b|\banew\b|\bworn\b/i,
  /\bheard\b|\bloud(?:er)?\b|\blaws?\b|\btrips?\b/i,
];
const REPLACED_IN_PACKAGES = [...REPLACED, /\bspans?\b/i, /\bnews\b/i];
/** What query iterates was a scene once; elsewhere a scene is one of glTF or three.js. */
const SCENE = /\bscenes?\b/i;
const WITHOUT_SCENES = /^packages\/(?:core|query|names|document|invariants)\//;

/** The files that speak of what others made, in their words. */
const ELSEWHERE = [
  /\/licences\//,
  /^docs\/decisions\//,
  /\/words\.test\.ts$/,
  /\/line-chart\.mjs$/,
  /\/tscn[\w-]*\.ts$/,
];

const PLACES = [
  "packages",
  "examples",
  "benchmarks",
  "tooling/scripts",
  "docs",
  "README.md",
  "CONTRIBUTING.md",
];
const ENDINGS = [".ts", ".mjs", ".md"];

const paths = PLACES.flatMap((place) =>
  place.endsWith(".md") ? [place] : ENDINGS.flatMap((ending) => filesBelow(place, ending)),
).filter((path) => !ELSEWHERE.some((pattern) => pattern.test(path)));

function linesWith(patterns: readonly RegExp[], own: readonly string[]): string[] {
  return own.flatMap((path) =>
    readDocument(path)
      .split("\n")
      .flatMap((line, place) => {
        const found = patterns.map((pattern) => pattern.exec(line)?.[0]).find((word) => word !== undefined);
        return found === undefined ? [] : [`${path}:${place + 1}: ${found}`];
      }),
  );
}

describe("the words of the glossary", () => {
  it("are used in the packages, their tests and their pages", () => {
    const own = paths.filter((path) => path.startsWith("packages/"));

    expect(own.length).toBeGreaterThan(400);
    expect(linesWith(REPLACED_IN_PACKAGES, own)).toEqual([]);
    expect(
      linesWith(
        [SCENE],
        own.filter((path) => WITHOUT_SCENES.test(path)),
      ),
    ).toEqual([]);
  });

  it("are used in examples, benchmarks, scripts and documents", () => {
    const others = paths.filter((path) => !path.startsWith("packages/"));

    expect(others.length).toBeGreaterThan(150);
    expect(linesWith(REPLACED, others)).toEqual([]);
  });

  it("are used in the names of files", () => {
    const word =
      /(?:^|[/-])(?:visit|stretch|shape|holder|limbo|loose|newborn|desk|bond|span|law|trip|door|room|floor)s?(?=[/.-])/;

    expect(paths.filter((path) => word.test(path))).toEqual([]);
  });
});
