import { defineConfig } from "vitepress";
import { codeTheme } from "./code-theme.ts";
import { withExamples } from "./examples.ts";
import { importMap } from "./import-map.ts";
import { nav } from "./nav.ts";
import { search } from "./search.ts";
import { sidebar } from "./sidebar.ts";

const REPOSITORY = "https://github.com/treeline-ecs/treeline";
/** Where the site will be, such as "/treeline/"; the root of a host without. */
const base = process.env.SITE_BASE ?? "/";

export default defineConfig({
  title: "Treeline",
  description: "An entity component system for trees, in TypeScript.",
  base,
  srcDir: "dist/pages",
  outDir: "dist/site",
  cacheDir: "node_modules/.vitepress",
  cleanUrls: false,
  lastUpdated: false,
  metaChunk: true, // the list of all pages is a file, not a part of each page
  // Nothing is fetched from other hosts: the theme without fonts has only files of its own.
  head: [
    ["link", { rel: "icon", href: `${base}logo.svg`, type: "image/svg+xml" }],
    ["script", { type: "importmap" }, JSON.stringify({ imports: importMap(base) })],
  ],
  markdown: { config: withExamples, theme: codeTheme },
  themeConfig: {
    logo: { src: "/logo.svg", alt: "" },
    search,
    nav,
    sidebar,
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    footer: { message: `<a href="${base}contributing.html">Contributing</a>` },
    outline: { level: [2, 3] },
  },
});
