// The navigation: entries appear when their page exists.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DefaultTheme } from "vitepress";

const pages = fileURLToPath(new URL("../dist/pages", import.meta.url));

const ENTRIES: readonly DefaultTheme.NavItemWithLink[] = [
  { text: "Guide", link: "/guide/", activeMatch: "^/(guide|concepts|coming-from)/" },
  { text: "Cookbook", link: "/how-to/", activeMatch: "^/how-to/" },
  { text: "Gallery", link: "/gallery/", activeMatch: "^/gallery/" },
  { text: "Playground", link: "/playground", activeMatch: "^/playground" },
  { text: "Reference", link: "/reference/", activeMatch: "^/(reference/|hierarchies|errors)" },
  { text: "Benchmarks", link: "/benchmarks/", activeMatch: "^/benchmarks/" },
];

/** The reference is written after the others, or while they are already shown. */
const isThere = (link: string): boolean =>
  link === "/reference/" || existsSync(`${pages}${link.endsWith("/") ? `${link}index` : link}.md`);

export const nav: DefaultTheme.NavItem[] = ENTRIES.filter(({ link }) => isThere(link));
