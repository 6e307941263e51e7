// Copies what the site shows into tooling/site/dist/pages: the documents of docs/, over them the pages that only
// the site has.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dirname as dirnameOf, join as joinPath, relative } from "node:path/posix";
import { withFigures } from "../home/fill.mjs";
import { filesBelow, readText, root } from "../lib.mjs";
import { withFiles } from "./files.mjs";
import { withSources } from "./gallery.mjs";

export const PAGES = "tooling/site/dist/pages";
export const OWN = "tooling/site/pages";
/** It shows numbers of the last results. */
const HOME = `${OWN}/index.md`;
/** It lists the source files. */
const FILES = `${OWN}/files.md`;
/** Folders of the pages that others write. */
const MADE = ["reference/", "public/modules/", "public/demos/", "public/llms"];
const REPOSITORY = "https://github.com/treeline-ecs/treeline/blob/main";

/** Where a file of docs/ or tooling/site/pages/ is in the pages; undefined for other files. */
function placeOf(path) {
  const inside = [OWN, "docs"].find((folder) => path.startsWith(`${folder}/`));
  return inside === undefined ? undefined : path.slice(inside.length + 1).replace(/README\.md$/, "index.md");
}

/** Which file of the pages it becomes; data that pages link to is fetched as it is. */
const fileOf = (path) => (/^docs\/.*\.json$/.test(path) ? `public/${placeOf(path)}` : placeOf(path));

/** Links between pages lead to their places on the site; links to other files of the repository lead there. */
function withSiteLinks(text, path) {
  const withPictures = text.replace(/\b(src|srcset)="([\w-]+\.svg)"/g, '$1="./$2"'); // else a bundler takes it for a package
  return withPictures.replace(
    /(\]\(|^\[[^\]]+\]: )(\.\.?\/[^)\s]*|[\w-]+\/[^)\s]*|README\.md)/gm,
    (whole, start, target) => {
      const [file, hash] = target.split("#");
      const anchor = hash === undefined ? "" : `#${hash}`;
      const meant = joinPath(dirnameOf(path), file);
      const place = placeOf(meant);
      if (place !== undefined) {
        const link = relative(dirnameOf(placeOf(path)), place);
        return `${start}./${link}${file.endsWith("/") && !link.endsWith("/") ? "/" : ""}${anchor}`;
      }
      return existsSync(join(root, meant)) ? `${start}${REPOSITORY}/${meant}${anchor}` : whole;
    },
  );
}

/** The bytes of a page or picture of the site. */
function textOf(path) {
  if (!path.endsWith(".md")) return readFileSync(join(root, path));
  const page = withSources(withSiteLinks(readText(path), path));
  if (path === FILES) return Buffer.from(withFiles(page));
  return Buffer.from(path === HOME ? withFigures(page) : page);
}

/** @returns whether the page was not there. */
function writePage(path, pages) {
  const target = join(root, pages, fileOf(path));
  const text = textOf(path);
  const isThere = existsSync(target);
  if (isThere && readFileSync(target).equals(text)) return false;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  return !isThere;
}

/**
 * Brings the pages up to date with docs/ and tooling/site/pages/: writes what has changed, and removes what is gone.
 *
 * @param pages their folder, as a path below the repository.
 * @returns whether pages have come or gone.
 */
export function writePages(pages = PAGES) {
  const paths = [...filesBelow("docs", ".md", ".svg", ".png", ".json"), ...filesBelow(OWN, "")];
  const files = new Map(paths.map((path) => [fileOf(path), path])); // the site's own pages are last, and replace those of docs/
  const gone = filesBelow(pages, "")
    .map((path) => path.slice(pages.length + 1))
    .filter((place) => !files.has(place) && !MADE.some((folder) => place.startsWith(folder)));
  for (const place of gone) rmSync(join(root, pages, place));
  const written = [...files.values()].map((path) => writePage(path, pages));
  return gone.length > 0 || written.includes(true);
}
