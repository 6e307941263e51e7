// Fills what pages of the gallery quote from examples: their source files as tabs, the functions that these use, and what programs print.
import { basename, dirname } from "node:path/posix";
import { filesBelow, readText } from "../lib.mjs";
import { allExports, isType } from "../reference/exports.mjs";

/** From tooling/site/dist/pages, where the pages are, to the repository. */
const ROOT = "@/../../../..";
/** Files of a folder come before those below it; the page's own file comes first. */
const ORDER = ["src", "src/model", "src/view", "src/worker"];

/** The files that a page consists of, in the order in which one reads them. */
function sourcesOf(folder) {
  const rankOf = (path) => ORDER.indexOf(dirname(path).slice(folder.length + 1));
  const own = filesBelow(`${folder}/src`, ".ts").sort((one, other) => rankOf(one) - rankOf(other));
  return [...own, `${folder}/index.html`];
}

/** Tabs, one for each file, which VitePress reads from the files themselves. */
function tabsOf(paths, folder) {
  const tabs = paths.map((path) => {
    const language = path.endsWith(".html") ? "html" : "ts";
    return `<<< ${ROOT}/${path}{${language}} [${path.startsWith(`${folder}/src/`) ? path.slice(folder.length + 5) : basename(path)}]`;
  });
  return ["::: code-group", ...tabs, ":::"].join("\n\n");
}

/** The functions and definitions of Treeline that files import, as links to the reference. */
function usedBy(paths) {
  const urls = new Map();
  for (const one of allExports().values())
    if (!isType(one)) for (const { specifier } of one.entries) urls.set(`${specifier} ${one.name}`, one.url);
  const found = new Map();
  for (const path of paths) {
    for (const [, names, specifier] of readText(path).matchAll(
      /^import \{([^}]*)\} from "(treeline[^"]*)"/gm,
    )) {
      for (const name of names.split(",").map((one) => one.trim().split(" as ")[0])) {
        const url = urls.get(`${specifier} ${name}`);
        if (url !== undefined) found.set(name, url);
      }
    }
  }
  const links = [...found].sort(([one], [other]) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1));
  return links.map(([name, url]) => `[\`${name}\`](${url})`).join(" ");
}

/** Lines of a text, the first of which begins with a word. */
function linesOf(path, word, count) {
  const lines = readText(path).split("\n");
  const first = lines.findIndex((line) => line.startsWith(word));
  if (first < 0) throw new Error(`no line of ${path} begins with ${word}`);
  return lines.slice(first, first + count).join("\n");
}

/**
 * Replaces `<!-- gallery: source NAME -->`, `<!-- gallery: used NAME -->` and `<!-- gallery: output PATH WORD COUNT -->`.
 *
 * @param text of a page.
 */
export function withSources(text) {
  return text.replace(/<!-- gallery: (\w+) (.*) -->/g, (whole, what, rest) => {
    const [first, word, count] = rest.split(" ");
    const folder = `examples/${first}`;
    if (what === "source") return tabsOf(sourcesOf(folder), folder);
    if (what === "used") return usedBy(filesBelow(`${folder}/src`, ".ts"));
    if (what === "output") return `\`\`\`text\n${linesOf(first, word, Number(count))}\n\`\`\``;
    throw new Error(`unknown: ${whole}`);
  });
}
