import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { withExamples } from "./examples.ts";
import { sidebar } from "./sidebar.ts";

const REPOSITORY = "https://github.com/treeline-ecs/treeline";
/** Where the site will be, such as "/treeline/"; the root of a host without. */
const base = process.env.SITE_BASE ?? "/";

/** Every entry point of every package that runs in pages, in its development build. */
const imports: { [name: string]: string } = {};
const packages = new URL("../../../packages/", import.meta.url);
for (const folder of readdirSync(packages)) {
  const { name, exports = {} } = JSON.parse(
    readFileSync(new URL(`${folder}/package.json`, packages), "utf8"),
  );
  for (const [entry, conditions] of Object.entries<{ readonly development?: string }>(exports)) {
    const path = conditions.development?.replace("./dist/", "");
    if (path !== undefined) imports[`${name}${entry.slice(1)}`] = `${base}treeline/${folder}/${path}`;
  }
}

export default defineConfig({
  title: "Treeline",
  description: "An entity component system for trees, in TypeScript.",
  base,
  srcDir: "dist/pages",
  outDir: "dist/site",
  cacheDir: "node_modules/.vitepress",
  cleanUrls: false,
  lastUpdated: false,
  // Nothing is fetched from other hosts: the theme without fonts has only files of its own.
  head: [["script", { type: "importmap" }, JSON.stringify({ imports })]],
  markdown: { config: withExamples },
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Guide", link: "/guide/", activeMatch: "/(guide|how-to)/" },
      { text: "Concepts", link: "/concepts/", activeMatch: "/concepts/" },
      { text: "Reference", link: "/reference/", activeMatch: "/reference/" },
      { text: "Benchmarks", link: "/benchmarks/", activeMatch: "/benchmarks/" },
      { text: "Architecture", link: "/architecture" },
    ],
    sidebar,
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    outline: { level: [2, 3] },
  },
});
