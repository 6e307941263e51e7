// What browsers and pages that link here show of the site: icons, colours of the window, and the picture of a preview.
import type { HeadConfig, SiteConfig, TransformContext } from "vitepress";

/** Where the site is published, such as "https://example.org": previews need a whole address of their picture. */
const HOST = process.env.SITE_URL ?? "";

export const iconsOf = (base: string): HeadConfig[] => [
  ["link", { rel: "icon", href: `${base}logo.svg`, type: "image/svg+xml" }],
  ["link", { rel: "apple-touch-icon", href: `${base}icon.png` }],
  ["meta", { name: "theme-color", content: "#fcfbf7", media: "(prefers-color-scheme: light)" }],
  ["meta", { name: "theme-color", content: "#101613", media: "(prefers-color-scheme: dark)" }],
];

/** The preview of one page. */
export function previewOf(
  site: SiteConfig["site"],
  { title, description, page }: TransformContext,
): HeadConfig[] {
  const address = `${HOST}${site.base}`;
  return Object.entries({
    "og:type": "website",
    "og:site_name": site.title,
    "og:title": title,
    "og:description": description,
    "og:url": `${address}${page.replace(/(?:^|(?<=\/))index\.md$/, "").replace(/\.md$/, ".html")}`,
    "og:image": `${address}social.png`,
    "og:image:alt": "A line of trees below a bare mountain. Treeline: an ECS for trees, in TypeScript.",
    "twitter:card": "summary_large_image",
  }).map(([property, content]) => ["meta", { property, content }]);
}
