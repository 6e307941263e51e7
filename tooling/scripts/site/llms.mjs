// Writes /llms.txt and /llms-full.txt, for programs that read the documentation as text: a list of all pages for users, with a line for each,
// and their whole text. Pages for people who change Treeline, and the results of benchmarks, are not in it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { join as joinPath } from "node:path/posix";
import { filesBelow, root } from "../lib.mjs";
import { PAGES } from "./pages.mjs";
import { isLeftOut } from "./search.mjs";

/** Where the site is, without a slash at its end; links begin with a slash where its host is not known. */
const HOME = `${process.env.SITE_URL ?? ""}${process.env.SITE_BASE ?? "/"}`.replace(/\/$/, "");
const SUMMARY =
  "An entity component system (ECS) for TypeScript, made for trees: scenes, prefabs, user interfaces, inventories, file systems. Programs import from the package `treeline`.";

/** Sections in their order, with the pages that they have. */
const SECTIONS = [
  ["Guide", /^guide\//],
  ["Concepts", /^(?:concepts\/|hierarchies\.md|errors\.md)/],
  ["Cookbook", /^how-to\//],
  ["Coming from another library", /^coming-from\//],
  ["Reference", /^reference\//],
  ["Releases", /^changelog\.md$/],
];
/** Has other pages in place of text, or is one. */
const WITHOUT_TEXT = /^(?:index|playground)\.md$|^(?:gallery|benchmarks)\//;

const pages = () =>
  filesBelow(PAGES, ".md")
    .map((path) => path.slice(PAGES.length + 1))
    .filter((path) => !isLeftOut(path) && !WITHOUT_TEXT.test(path));

/** The address of a page of the site. */
const addressOf = (path) => `${HOME}/${path.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ".html")}`;

const titleOf = (text) => (/^# (.*)$/m.exec(text)?.[1] ?? "").replaceAll("`", "").replaceAll("\\", "");

/** Without what is between lines of three backticks. */
const proseOf = (text) => text.replace(/^```[\s\S]*?^```$/gm, "");

/** What a page is about: the description that it has, or its first sentence. */
function summaryOf(text) {
  const described = /^description: "?(.*?)"?$/m.exec(/^---\n[\s\S]*?\n---\n/.exec(text)?.[0] ?? "")?.[1];
  if (described) return described;
  const paragraph = proseOf(withoutHead(text))
    .split(/\n\n+/)
    .map((one) => one.trim())
    .find((one) => one !== "" && !/^[#<|\-*:]/.test(one));
  const plain = (paragraph ?? "").replaceAll(/\[([^\]]*)\]\([^)]*\)|\*\*/g, "$1").replaceAll(/\s+/g, " ");
  return /^.*?[.?!](?= |$)/.exec(plain)?.[0] ?? plain.replace(/:$/, ".");
}

const withoutHead = (text) => text.replace(/^---\n[\s\S]*?\n---\n/, "");

/** Parts of a page of the reference that list other pages only. */
const ONLY_LINKS = /^## (?:Guides|Used by|More of .*)\n[\s\S]*?(?=^## |(?![\s\S]))/gm;

/** A page as plain Markdown: links are addresses, and pictures and elements of the site's own are left out, but not what is in these. */
function plain(path, text) {
  const kept = path.startsWith("reference/") ? withoutHead(text).replace(ONLY_LINKS, "") : withoutHead(text);
  const parts = kept.split(/(^```[\s\S]*?^```$)/m);
  return parts
    .map((part) => {
      if (part.startsWith("```")) return part.replace(/^```ts .*$/m, "```ts");
      return part
        .replaceAll(/<!--[\s\S]*?-->|!\[[^\]]*\]\([^)]*\)|\[[^\]]*\]\([^)]*#code=[^)]*\)/g, "") // nor programs as links
        .replaceAll(/<\/?[a-z][^>]*>/gi, "")
        .replaceAll(/(\]\()([^)\s]+)/g, (_, start, link) => `${start}${absolute(path, link) ?? link}`);
    })
    .join("")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** Where a link of a page leads; undefined if it leaves the site. */
function absolute(path, link) {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [file, hash] = link.split("#");
  const anchor = hash === undefined ? "" : `#${hash}`;
  if (file === "") return `${addressOf(path)}${anchor}`;
  const inside = file.startsWith("/") ? file.slice(1) : joinPath(dirname(path), file);
  const page = [inside, `${inside}.md`, joinPath(inside, "index.md"), inside.replace(/\.html$/, ".md")].find(
    (one) => one.endsWith(".md") && existsSync(join(root, PAGES, one)),
  );
  return page === undefined ? `${HOME}/${inside}${anchor}` : `${addressOf(page)}${anchor}`;
}

/** @param folder the built site. @returns `{ problems, sizes }`: a line for each link that leads nowhere, and bytes by name. */
export function writeLlms(folder) {
  const all = pages().map((path) => ({ path, text: readFileSync(join(root, PAGES, path), "utf8") }));
  const sections = SECTIONS.map(([title, pattern]) => ({
    title,
    own: all
      .filter(({ path }) => pattern.test(path))
      .sort(
        (one, other) => Number(other.path.endsWith("/index.md")) - Number(one.path.endsWith("/index.md")),
      ),
  }));
  const list = sections.map(
    ({ title, own }) =>
      `## ${title}\n\n${own.map(({ path, text }) => `- [${titleOf(text)}](${addressOf(path)}): ${summaryOf(text)}`).join("\n")}`,
  );
  const head = `# Treeline\n\n> ${SUMMARY}\n`;
  const short = `${head}\nThe whole text of these pages is in [llms-full.txt](${HOME}/llms-full.txt).\n\n${list.join("\n\n")}\n`;
  const whole = sections.flatMap(({ own }) =>
    own.map(({ path, text }) => `<!-- ${addressOf(path)} -->\n\n${plain(path, text)}`),
  );
  const files = { "llms.txt": short, "llms-full.txt": `${head}\n${whole.join("\n\n---\n\n")}\n` };
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

  const listed = sections.flatMap(({ own }) => own);
  const problems = all
    .filter((page) => !listed.includes(page))
    .map(({ path }) => `no section of llms.txt has ${path}`);
  for (const { path, text } of listed) {
    if (titleOf(text) === "" || summaryOf(text) === "")
      problems.push(`${path} has no title, or nothing to say what it is about`);
  }
  return {
    problems,
    sizes: Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.byteLength(text)])),
  };
}

/** @param folder the built site. @returns a line for each link of the texts to a page or a part that the site does not have. */
export function brokenLinksOfTexts(folder) {
  const anchors = new Map();
  const anchorsOf = (file) => {
    if (!anchors.has(file)) {
      const ids = [...readFileSync(join(folder, file), "utf8").matchAll(/\sid="([^"]+)"/g)].map(
        ([, id]) => id,
      );
      anchors.set(file, new Set(ids));
    }
    return anchors.get(file);
  };
  const problems = ["llms.txt", "llms-full.txt"].flatMap((name) => {
    const text = proseOf(readFileSync(join(folder, name), "utf8"));
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
    return links.flatMap((link) => {
      if (!link.startsWith(`${HOME}/`)) return /^https:/.test(link) ? [] : [`${name} has the link ${link}`];
      const [path, hash] = decodeURI(link.slice(HOME.length + 1)).split("#");
      const file = path === "" || path.endsWith("/") ? `${path}index.html` : path;
      if (!existsSync(join(folder, file))) return [`${name} links to ${link}, which is not there`];
      return hash && file.endsWith(".html") && !anchorsOf(file).has(hash)
        ? [`${name} links to ${link}, which has no such place`]
        : [];
    });
  });
  return [...new Set(problems)];
}
