// Which pages of the documentation show an export, and in which section first.
import { existsSync } from "node:fs";
import { filesBelow, readJson, readText, root } from "../lib.mjs";
import { exportNamed } from "./exports.mjs";
import { declarationOf } from "./modules.mjs";

const FOLDERS = ["docs/guide", "docs/concepts", "docs/how-to", "docs/coming-from"];
const MOST = 5;

/** @returns record -> [{ title, section, url }], pages that use it most first. */
export function guidesOf() {
  const found = new Map();
  for (const path of [...FOLDERS.flatMap((folder) => filesBelow(folder, ".md")), "docs/hierarchies.md"]) {
    for (const use of usesIn(path)) found.set(use.one, [...(found.get(use.one) ?? []), use]);
  }
  for (const [one, uses] of found) {
    const rank = (use) => use.count * (use.url.startsWith("/coming-from") ? 0.3 : 1);
    found.set(one, uses.sort((a, b) => rank(b) - rank(a)).slice(0, MOST));
  }
  return found;
}

/** The exports that the examples of a page import: [{ one, title, section, url, count }]. */
export function usesIn(path) {
  const text = readText(path);
  const url = `/${path.slice("docs/".length, -3)}`.replace(/\/(?:README|index)$/, "/");
  const title = plain(/^# (.*)$/m.exec(text)?.[1] ?? path);
  const imported = new Map();
  const blocks = [...text.matchAll(/^```ts\b.*\n([\s\S]*?)^```/gm)].map((match) => ({
    at: match.index,
    code: match[1],
  }));
  for (const { code } of blocks) {
    for (const [, names, specifier] of code.matchAll(/^import \{([^}]*)\} from "([^"]+)";/gm)) {
      for (const name of names.split(",").map((each) =>
        each
          .trim()
          .replace(/^type /, "")
          .split(" as "),
      )) {
        const one = name[0] && importedFrom(specifier, name[0]);
        if (one !== undefined && one !== "") imported.set(name.at(-1), one);
      }
    }
  }
  return [...imported].flatMap(([name, one]) => {
    const used = new RegExp(`(?<![\\w$."'/-])${name.replace("$", "\\$")}(?![\\w$])`, "g");
    const counts = blocks.map(({ at, code }) => {
      const own = code.replace(/^import [^;]*;/gm, "").replace(/\/\/.*$/gm, "");
      return { at, count: own.match(used)?.length ?? 0 };
    });
    const count = counts.reduce((sum, each) => sum + each.count, 0);
    if (count === 0) return [];
    const first = counts.find((each) => each.count > 0);
    const heading = text
      .slice(0, first.at)
      .match(/^## .*$/gm)
      ?.at(-1)
      ?.slice(3);
    return [
      {
        one,
        title,
        section: heading && plain(heading),
        url: heading ? `${url}#${anchor(plain(heading))}` : url,
        count,
      },
    ];
  });
}

function importedFrom(specifier, name) {
  const [, head, entry = ""] = /^(treeline|@treeline\/[\w-]+)(\/.*)?$/.exec(specifier) ?? [];
  if (head === undefined) return undefined;
  const folder = `packages/${head.replace("@treeline/", "")}`;
  if (!existsSync(`${root}/${folder}/package.json`)) return undefined;
  const target = readJson(`${folder}/package.json`).exports[`.${entry}`];
  if (target?.types === undefined) return undefined;
  const path = `${folder}/${target.types.slice(2)}`;
  return declarationOf(path, name) && exportNamed(path, name);
}

const plain = (heading) => heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`\\*]/g, "");

/** The id that VitePress gives a heading. */
const anchor = (heading) =>
  heading
    .normalize("NFKD")
    .replace(/[\u0300-\u036F]/g, "")
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, "-")
    .replace(/-{2,}/g, "-")
    .replace(/^-+|-+$/g, "")
    .replace(/^(\d)/, "_$1")
    .toLowerCase();
