// Writes the reference into tooling/site/dist/pages/reference: a page for each export, an index for each entry point.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readText, root } from "../lib.mjs";
import { throwsOf } from "../reference/comments.mjs";
import { allExports, entryPoints, membersOf } from "../reference/exports.mjs";
import { guidesOf } from "../reference/guides.mjs";
import { codesThrownBy, indexOf, indexUrl, pageOf, slug, topicsIn } from "../reference/pages.mjs";
import { signaturesOf } from "../reference/signatures.mjs";
import { versionsOfExports } from "../reference/since.mjs";

const PAGES = "tooling/site/dist/pages/reference";

/** The first sentence of a code's section in docs/errors.md, for functions that name the code alone. */
function meanings() {
  const sections = readText("docs/errors.md").split(/^## /m).slice(1);
  return new Map(
    sections.map((text) => {
      const [code, , first] = text.split("\n", 3);
      return [code, /^.*?\.(?= |$)/.exec(first)?.[0] ?? first];
    }),
  );
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${text}\n`);
}

/** Writes all pages, from the declarations of the last build: in about a second, so nothing is cached. */
export function writeReference() {
  const folder = join(root, PAGES);
  rmSync(folder, { recursive: true, force: true });
  const all = [...allExports().values()];
  const entries = entryPoints().filter((entry) => topicsIn(entry).length > 0);
  const signatures = signaturesOf(all);
  const guides = guidesOf();
  const codes = meanings();
  const sinceOf = versionsOfExports();
  for (const one of all) {
    const more = {
      signature: signatures.get(one),
      since: sinceOf(one),
      whenOf: (code) => codes.get(code) ?? "",
      guides: guides.get(one) ?? [],
    };
    write(join(folder, `${one.file}.md`), pageOf(one, more));
  }
  for (const entry of entries) write(join(folder, entry.place, "index.md"), indexOf(entry, entries));
  write(
    join(folder, "reference.json"),
    JSON.stringify({ sidebar: sidebarOf(entries), exports: addresses(all), throwers: throwersIn(all) }),
  );
}

/** For the sidebar: entry points, collapsed, with their topics. */
const sidebarOf = (entries) =>
  entries.map((entry) => ({
    text: entry.specifier,
    link: indexUrl(entry),
    collapsed: entry.place !== "",
    items: topicsIn(entry).map((topic) => ({ text: topic, link: `${indexUrl(entry)}#${slug(topic)}` })),
  }));

/** For the page of errors: code -> [[name, address, entry point if several have the name]] of the functions that throw it, by name. */
function throwersIn(all) {
  const isShared = (one) => all.some((other) => other !== one && other.name === one.name);
  const result = {};
  for (const one of all.toSorted((a, b) => a.name.localeCompare(b.name, "en"))) {
    const inMembers = membersOf(one).flatMap(({ comment }) =>
      throwsOf(comment).codes.map(({ code }) => code),
    );
    for (const code of new Set([...codesThrownBy(one).keys(), ...inMembers]))
      (result[code] ??= []).push([one.name, one.url, isShared(one) ? one.entries[0].place : ""]);
  }
  return result;
}

/** For links from code: name -> [[specifier, address]]. */
function addresses(all) {
  const result = {};
  for (const { name, entries, url } of all) {
    for (const { specifier } of entries) {
      result[name] ??= [];
      result[name].push([specifier, url]);
    }
  }
  return result;
}
