// The changelogs: `docs/changelog.md` for all packages, and `CHANGELOG.md` of each, written from the notes in `.changeset/` when versions are
// raised. Each paragraph of a note is one entry; "Added:", "Changed:" or "Fixed:" at its beginning says where it is listed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, readJson, root } from "../lib.mjs";

export const PAGE = "docs/changelog.md";
const KINDS = ["Added", "Changed", "Fixed"];
const NOTE = /^---\n([\s\S]*?)^---$\n?([\s\S]*)/m;
const ENTRY = new RegExp(`^(${KINDS.join("|")}): ([\\s\\S]+)$`);

/** @returns { packages, entries: [{ kind, text }] }: the names of packages that a note is about, and what it says. */
export function parseNote(note) {
  const [, head, body] = NOTE.exec(note.replaceAll("\r\n", "\n")) ?? [];
  if (head === undefined) throw new Error("it does not begin with the packages between two lines of ---");
  const packages = [...head.matchAll(/^"([^"]+)": \w+$/gm)].map(([, name]) => name);
  const paragraphs = body.split(/\n{2,}/).map((paragraph) => paragraph.trim());
  const entries = paragraphs.filter(Boolean).map((paragraph) => {
    const [, kind = "Changed", text = paragraph] = ENTRY.exec(paragraph) ?? [];
    return { kind, text: `${text[0].toUpperCase()}${text.slice(1)}` };
  });
  return { packages, entries };
}

/** All notes, by the names of their files. @throws Error that names a file that cannot be read as a note. */
export function readNotes(folder = root) {
  const paths = filesBelow(".changeset", ".md").filter((path) => !path.endsWith("README.md"));
  return paths.map((path) => {
    try {
      return parseNote(readFileSync(join(folder, path), "utf8"));
    } catch (error) {
      throw new Error(`${path}: ${error.message}`);
    }
  });
}

/** The section of a version, with its heading, from notes. */
export function sectionOf(title, notes) {
  const entries = notes.flatMap((note) => note.entries);
  const groups = KINDS.map((kind) => ({ kind, texts: entries.filter((entry) => entry.kind === kind) }));
  const parts = groups
    .filter(({ texts }) => texts.length > 0)
    .map(({ kind, texts }) => {
      const items = texts.map(({ text }) => `- ${text.replaceAll("\n", "\n  ")}\n`);
      return `### ${kind}\n\n${items.join("")}`;
    });
  if (parts.length === 0) parts.push("Nothing has changed; all packages are released together.\n");
  return `## ${title}\n\n${parts.join("\n")}`;
}

/** A changelog with a section more, before those that it has. */
export function withSection(text, section) {
  const first = text.search(/^## /m);
  if (first < 0) return `${text.trimEnd()}\n\n${section}`;
  return `${text.slice(0, first)}${section}\n${text.slice(first)}`;
}

/** Writes all changelogs, after versions were raised. @param notes as they were read before. */
export function writeChangelogs(packages, notes) {
  const { version } = packages[0].manifest;
  const title = `${version} (${new Date().toISOString().slice(0, 10)})`;
  const write = (path, heading, section) => {
    const target = join(root, path);
    const before = existsSync(target) ? readFileSync(target, "utf8") : `# ${heading}\n`;
    writeFileSync(target, withSection(before, section));
  };
  write(PAGE, "Changelog", sectionOf(title, notes));
  for (const { folder } of packages) {
    const { name } = readJson(`${folder}/package.json`);
    const own = notes.filter((note) => note.packages.includes(name));
    write(`${folder}/CHANGELOG.md`, name, sectionOf(title, own));
  }
}
