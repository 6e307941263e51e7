// What the search finds, and in which order: pages for users, by their prose, by what others call it (`WORDS`), and by the lines of the
// cookbook that lead to them.
import { readText } from "../lib.mjs";
import { WORDS } from "./search-words.mjs";

/** Pages for people who change Treeline are not in the index. */
const LEFT_OUT =
  /^(?:decisions\/|(?:architecture|contributing|files|glossary|invariants|style|walkthroughs)\.md$)/;

/** What follows in a page of the reference: names of other exports, which have pages of their own. */
const LISTS_OF_NAMES = /<h2 id="(?:used-by|guides|more-of-[^"]*|see-also)"[\s\S]*$/;

/** The fields of a type: pages of the functions that take them have them, too. */
const FIELDS = /<h2 id=[\s\S]*$/;

/** The lines of the cookbook, by where they lead: "how-to/undo#deleting" -> "Undo the deletion of an entity". */
function linesOfCookbook() {
  const lines = new Map();
  for (const [, text, target, anchor = ""] of readText("docs/how-to/index.md").matchAll(
    /^- \[([^\]]+)\]\(([\w./-]+)\.md(#[\w-]+)?\)/gm,
  )) {
    const place = `${target.startsWith("../") ? target.slice(3) : `how-to/${target}`}${anchor}`;
    lines.set(place, `${lines.get(place) ?? ""} ${text}`);
  }
  return lines;
}

/** Whether a page, as a path below the pages, is not in the index. */
export const isLeftOut = (path) => LEFT_OUT.test(path);

/** The place that a document of the index is, such as "how-to/undo#deleting". The part of a page below its title is the page. */
export function placeOf(id, isFirst) {
  const [path, anchor] = id.replace(/^\//, "").split("#");
  const page = path.replace(/\.html$/, "").replace(/(^|\/)$/, "$1index");
  return isFirst || anchor === undefined ? page : `${page}#${anchor}`;
}

/** @param base where the site will be. @returns reads a field of a document for the index; the words of its place are one of them. */
function fieldsBelow(base) {
  const lines = linesOfCookbook();
  return (document, field) => {
    if (field !== "words" && field !== "lines") return document[field];
    const place = placeOf(document.id.slice(base.length - 1), document.titles.length === 0);
    return (field === "words" ? WORDS[place] : lines.get(place)) ?? "";
  };
}

/** A page as the index reads it: its prose. Programs are left out, and so is the time that their colours take. */
function render(text, env, markdown) {
  if (isLeftOut(env.relativePath)) return "";
  const { rules } = markdown.renderer;
  const { fence } = rules;
  rules.fence = () => "";
  try {
    const html = markdown.render(text, env);
    if (env.frontmatter?.search === false) return "";
    const { reference } = env.frontmatter ?? {};
    return reference === undefined ? html : html.replace(reference.isType ? FIELDS : LISTS_OF_NAMES, "");
  } finally {
    rules.fence = fence;
  }
}

// These also run in pages, by their texts: they use nothing from outside.

/** A word as people write it; undefined for those that every question has. */
function searchedTerm(term) {
  const word = term.toLowerCase();
  const isEverywhere =
    /^(?:an?|and|the|of|to|on|it|i|do|does|how|what|my|can|be|for|this|that|its|are|which|with|all)$/.test(
      word,
    );
  return isEverywhere ? undefined : word;
}

/** A word of a page: `parentOf` is found by each of its parts, too. */
function indexedTerm(term) {
  const parts = term.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
  return [...new Set([term, ...parts].map((part) => part.toLowerCase()))];
}

/** What a hit counts more than its words say: pages that answer questions come first, then what functions are. */
function boostDocument(id, term) {
  const [path, anchor = ""] = id.split("#");
  const name = path
    .slice(path.lastIndexOf("/") + 1)
    .replace(".html", "")
    .toLowerCase();
  if (name === term && (anchor === "" || anchor === term)) return 1.7; // the function itself, before those that mention it
  if (/\/how-to\/(?:index\.html)?$/.test(path)) return 0.2; // its lines are words of the pages
  if (/\/(?:how-to|concepts|guide)\/|\/hierarchies\.html/.test(path)) return 1.5;
  if (/\/errors\.html/.test(path)) return 1.8;
  if (/\/benchmarks\//.test(path)) return 0.3;
  if (/\/reference\/(?:.*\/)?$/.test(path)) return 0.3; // lists of all names
  if (/\/reference\//.test(path)) return 0.6;
  return 0.9;
}

/** @param base where the site will be, such as "/". @returns the options of VitePress' local search. */
export function searchOptions(base) {
  return {
    _render: render,
    miniSearch: {
      options: {
        fields: ["title", "titles", "text", "words", "lines"],
        extractField: fieldsBelow(base),
        processTerm: indexedTerm,
      },
      searchOptions: {
        boost: { title: 4, titles: 1, text: 1, words: 8, lines: 3 },
        processTerm: searchedTerm,
        fuzzy: 0.2,
        prefix: true,
        boostDocument,
      },
    },
  };
}
