// Checks the import map against all examples, the written pages, and the table of the search (`WORDS`).
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { at, blocksOf, filesBelow, proseOf, readDocument } from "../support.ts";

function script<Module>(name: string): Promise<Module> {
  return import(/* @vite-ignore */ pathToFileURL(at(`tooling/scripts/${name}`)).href);
}

const { importsOf } = await script<{ importsOf: (text: string) => string[] }>("lib.mjs");
const { importMap } = await script<{ importMap: (base: string) => Record<string, string> }>(
  "site/modules.mjs",
);
const { writePages } = await script<{ writePages: (folder: string) => boolean }>("site/pages.mjs");
const { WORDS } = await script<{ WORDS: Record<string, string> }>("site/search-words.mjs");
const { allExports } = await script<{ allExports: () => Map<string, { readonly url: string }> }>(
  "reference/exports.mjs",
);

/** Beside those of the site, which a test of the served site writes at the same time. */
const PAGES = "examples/readme/dist/site-pages";
afterAll(() => rmSync(at(PAGES), { recursive: true, force: true }));

/** The folders whose `ts` blocks run in the pages, as `RUNNABLE` of the site has them. */
const RUNNABLE = ["guide", "how-to", "coming-from", "concepts"];

/** Without those of types alone, which the page removes. */
const withoutTypes = (program: string): string => program.replace(/^import type [^;]*;/gm, "");

// The packages must have been built, as `npm test` has done.
describe.skipIf(!existsSync(at("packages/treeline/dist/index.dev.js")))("the site", () => {
  it("offers every module that an example imports", () => {
    const examples = RUNNABLE.flatMap((folder) => filesBelow(`docs/${folder}`, ".md")).flatMap((path) =>
      blocksOf(readDocument(path))
        .filter(({ language }) => language === "ts")
        .flatMap(({ text }) => importsOf(withoutTypes(text)).map((name) => ({ path, name }))),
    );
    const offered = importMap("/");

    expect(examples.length).toBeGreaterThan(150);
    expect(examples.some(({ name }) => name === "three")).toBe(true);
    expect(examples.filter(({ name }) => offered[name] === undefined)).toEqual([]);
    expect(Object.keys(offered).filter((name) => name.includes("compiler"))).toEqual([]);
  });

  it("has every document, with links to pages that it has", () => {
    expect(writePages(PAGES)).toBe(true);

    const pages = filesBelow(PAGES, ".md");
    expect(pages.length).toBeGreaterThan(filesBelow("docs", ".md").length);
    const broken = pages.flatMap((path) =>
      [...proseOf(readDocument(path)).matchAll(/\]\((\.{1,2}\/[^)\s#]+\.md)/g)]
        .map(([, link]) => ({ path, link: link! }))
        .filter(({ link }) => !existsSync(at(join(dirname(path), link)))),
    );
    expect(broken).toEqual([]);
  });

  it("writes nothing when nothing has changed", () => {
    writePages(PAGES);
    rmSync(at(`${PAGES}/errors.md`));

    expect(writePages(PAGES)).toBe(true);
    expect(writePages(PAGES)).toBe(false);
  });

  it("expects answers of the search, and knows words, of pages that it has", () => {
    const queries: { words: string; answers: string[] }[] = [
      ...JSON.parse(readDocument("tooling/site/tasks.json")),
      ...JSON.parse(readDocument("tooling/site/queries.json")),
    ];
    const places = [...queries.flatMap(({ answers }) => answers), ...Object.keys(WORDS)];

    expect(queries.length).toBeGreaterThan(60);
    const pages = new Set(filesBelow("docs", ".md").map((path) => path.slice("docs/".length, -".md".length)));
    for (const { url } of allExports().values()) pages.add(url.slice(1));
    expect(places.filter((place) => !pages.has(place.split("#")[0]!))).toEqual([]);
  });
});
