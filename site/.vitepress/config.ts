import { defineConfig } from "vitepress";
import { withExamples } from "./examples.ts";
import { sidebar } from "./sidebar.ts";

const REPOSITORY = "https://github.com/treeline-ecs/treeline";
/** Where the site will be, such as "/treeline/"; the root of a host without. */
const base = process.env.SITE_BASE ?? "/";

const modules = {
  "@treeline/core": "core/index.dev.js",
  "@treeline/core/internal": "core/internal.dev.js",
  "@treeline/core/debug": "core/debug.dev.js",
  "@treeline/query": "query/index.dev.js",
  "@treeline/query/hierarchy": "query/hierarchy.dev.js",
  "@treeline/query/kernels": "query/kernels.dev.js",
  "@treeline/names": "names/index.dev.js",
  "@treeline/document": "document/index.dev.js",
  "@treeline/document/json": "document/json.dev.js",
  "@treeline/document/snapshot": "document/snapshot.dev.js",
  "@treeline/transform/2d": "transform/2d.dev.js",
  "@treeline/transform/3d": "transform/3d.dev.js",
  "@treeline/query/internal": "query/internal.dev.js",
  "@treeline/names/internal": "names/internal.dev.js",
};
const imports = Object.fromEntries(
  Object.entries(modules).map(([name, path]) => [name, `${base}treeline/${path}`]),
);

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
