// Copies what the site shows into tooling/site/dist/pages: the documents of docs/, over them the pages that only the site has, and the
// development bundles that examples import.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dirname as dirnameOf, join as joinPath, relative } from "node:path/posix";
import { withFigures } from "../home/fill.mjs";
import { filesBelow, packageFolders, readJson, readText, root } from "../lib.mjs";

const PAGES = "tooling/site/dist/pages";
const OWN = "tooling/site/pages";
/** It shows numbers of the last results. */
const HOME = `${OWN}/index.md`;
const REPOSITORY = "https://github.com/treeline-ecs/treeline/blob/main";

/** Where a file of docs/ or tooling/site/pages/ is in the pages; undefined for other files. */
function placeOf(path) {
  const inside = [OWN, "docs"].find((folder) => path.startsWith(`${folder}/`));
  return inside === undefined ? undefined : path.slice(inside.length + 1).replace(/README\.md$/, "index.md");
}

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

function writePage(path) {
  const target = join(root, PAGES, placeOf(path));
  mkdirSync(dirname(target), { recursive: true });
  if (path === HOME) writeFileSync(target, withFigures(withSiteLinks(readText(path), path)));
  else if (path.endsWith(".md")) writeFileSync(target, withSiteLinks(readText(path), path));
  else cpSync(join(root, path), target);
}

export function writePages() {
  rmSync(join(root, PAGES), { recursive: true, force: true });
  for (const path of filesBelow("docs", ".md", ".svg", ".png")) writePage(path);
  for (const path of filesBelow("docs", ".json")) {
    const target = join(root, PAGES, "public", placeOf(path)); // data to fetch, which pages link to
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(root, path), target);
  }
  for (const path of filesBelow(OWN, "")) writePage(path);
  for (const folder of packageFolders().filter((each) => !readJson(`${each}/package.json`).private)) {
    const target = join(root, PAGES, "public/treeline", folder.slice("packages/".length));
    cpSync(join(root, folder, "dist"), target, {
      recursive: true,
      filter: (path) => !/\.(?:map|ts|tsbuildinfo)$/.test(path),
    });
  }
}
