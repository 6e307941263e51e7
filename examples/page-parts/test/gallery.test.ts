import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** A path of the repository. */
const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const readDocument = (path: string): string => readFileSync(at(path), "utf8");
const sourcesOf = (name: string): string[] =>
  readdirSync(at(`examples/${name}/src`), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `examples/${name}/src/${path.replaceAll("\\", "/")}`);

const PAGES = "tooling/site/pages/gallery";
const { withSources } = (await import(
  /* @vite-ignore */ new URL("../../../tooling/scripts/site/gallery.mjs", import.meta.url).href
)) as { readonly withSources: (text: string) => string };

const programs = readdirSync(at("examples")).filter((name) => existsSync(at(`examples/${name}/src/main.ts`)));
const demos = programs.filter((name) => existsSync(at(`examples/${name}/index.html`)));

describe("the gallery", () => {
  it("has a card for each example that is a program", () => {
    const page = readDocument(`${PAGES}/index.md`);
    const linked = [...page.matchAll(/link="(?:\/gallery\/|[^"]*\/examples\/)([\w-]+)[^"]*"/g)].map(
      ([, name]) => name,
    );

    expect(linked.sort()).toEqual(programs);
  });

  it.each(demos)("has a page for %s, with all its sources and what they import", (name) => {
    const page = withSources(readDocument(`${PAGES}/${name}.md`));
    const tabs = [...page.matchAll(/^<<< @\/\.\.\/\.\.\/\.\.\/\.\.\/(\S+)\{(?:ts|html)\} \[\S+\]$/gm)].map(
      ([, path]) => path,
    );

    expect(tabs[0]).toBe(`examples/${name}/src/main.ts`);
    expect([...tabs].sort()).toEqual([`examples/${name}/index.html`, ...sourcesOf(name)].sort());
    expect(page).toContain("[`pathOf`](/reference/pathOf)");
    expect(existsSync(at(`examples/${name}/picture.webp`))).toBe(true);
  });

  it("quotes what programs print, and refuses a line that is gone", () => {
    const page = withSources(readDocument(`${PAGES}/index.md`));

    expect(page).toContain("replayed     with the edit: checksum");
    expect(page).not.toContain("<!--");
    expect(() => withSources("<!-- gallery: output README.md nowhere 2 -->")).toThrow(
      "no line of README.md begins with nowhere",
    );
  });
});
