// Copies what the site shows into tooling/site/dist/pages: the documents of docs/, and the development bundles that examples import.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { join as joinPath } from "node:path/posix";
import { filesBelow, packageFolders, readJson, readText, root } from "../lib.mjs";

const PAGES = "tooling/site/dist/pages";
const REPOSITORY = "https://github.com/treeline-ecs/treeline/blob/main";

/** Links that leave docs/ lead to the repository; the front page of the repository is that of the site. */
function withSiteLinks(text, path) {
  const withPictures = text.replace(/\b(src|srcset)="([\w-]+\.svg)"/g, '$1="./$2"'); // else a bundler takes it for a package
  return withPictures.replace(
    /(\]\(|^\[[^\]]+\]: )(\.\.?\/[^)\s]*|[\w-]+\/[^)\s]*|README\.md)/gm,
    (whole, start, target) => {
      const [file, hash] = target.split("#");
      const place = joinPath(dirname(path), file);
      if (place.startsWith("docs/")) return whole.replace(/README\.md(?=#|$)/, "index.md");
      if (!existsSync(join(root, place))) return whole;
      return `${start}${REPOSITORY}/${place}${hash === undefined ? "" : `#${hash}`}`;
    },
  );
}

export function writePages() {
  rmSync(join(root, PAGES), { recursive: true, force: true });
  for (const path of filesBelow("docs", ".md")) {
    const target = join(root, PAGES, path.slice("docs/".length).replace(/README\.md$/, "index.md"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, withSiteLinks(readText(path), path));
  }
  cpSync(join(root, "tooling/site/home.md"), join(root, PAGES, "index.md"));
  for (const path of filesBelow("docs", ".svg", ".png")) {
    cpSync(join(root, path), join(root, PAGES, path.slice("docs/".length)));
  }
  for (const folder of packageFolders().filter((each) => !readJson(`${each}/package.json`).private)) {
    const target = join(root, PAGES, "public/treeline", folder.slice("packages/".length));
    cpSync(join(root, folder, "dist"), target, {
      recursive: true,
      filter: (path) => !/\.(?:map|ts|tsbuildinfo)$/.test(path),
    });
  }
}
