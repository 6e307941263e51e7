// Title of the site, and where it will be (`SITE_BASE`).
import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { importMap } from "../../scripts/site/modules.mjs";
import { codeTheme, highlightWhole } from "./code-theme.ts";
import { withExamples } from "./examples.ts";
import { iconsOf, previewOf } from "./head.ts";
import { nav } from "./nav.ts";
import { withPictures } from "./pictures.ts";
import { withReference } from "./reference.ts";
import { searchAt } from "./search.ts";
import { sidebar } from "./sidebar.ts";
import { widenSides, withSides } from "./sides.ts";
import { withTables } from "./tables.ts";

/** By its name, VitePress would fetch the icon from another host while it serves. */
const GITHUB = readFileSync(new URL("./github.svg", import.meta.url), "utf8");
const REPOSITORY = "https://github.com/treeline-ecs/treeline";
/** What pages import when they are used. */
const LOADED_LATE = [
  "@codemirror/autocomplete",
  "@codemirror/commands",
  "@codemirror/lang-javascript",
  "@codemirror/language",
  "@codemirror/state",
  "@codemirror/view",
  "@lezer/highlight",
  "es-module-lexer/minimal",
  "sucrase",
];
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
  router: { prefetchLinks: false }, // a page that is shown does not load those that it links to
  metaChunk: true, // the list of all pages is a file, not a part of each page
  // Nothing is fetched from other hosts: the theme without fonts has only files of its own.
  head: iconsOf(base),
  vite: {
    define: { IMPORT_MAP: JSON.stringify(JSON.stringify({ imports: importMap(base) })) },
    // Found late, it would load the page again.
    optimizeDeps: { include: LOADED_LATE },
  },
  markdown: {
    theme: codeTheme,
    shikiSetup: highlightWhole,
    config(markdown) {
      withExamples(markdown);
      withPictures(markdown);
      withTables(markdown);
      withSides(markdown);
      withReference(markdown, base);
    },
  },
  transformPageData: widenSides,
  transformHead: (context) => previewOf(context.siteConfig.site, context),
  themeConfig: {
    logo: { src: "/logo.svg", alt: "" },
    search: searchAt(base),
    nav,
    sidebar,
    socialLinks: [{ icon: { svg: GITHUB }, link: REPOSITORY, ariaLabel: "Treeline on GitHub" }],
    footer: {
      message: [
        `<a href="${base}contributing.html">Contributing</a>`,
        `<a href="${REPOSITORY}">Source</a>`,
        `<a href="${REPOSITORY}/blob/main/LICENSE">MIT licence</a>`,
      ].join(" · "),
    },
    outline: { level: [2, 3] },
  },
});
