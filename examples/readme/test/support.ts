// Reads documents: paths, files below a folder (`filesBelow`), fenced blocks (`blocksOf`), prose (`proseOf`).
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Folders without documents of this repository. */
const PASSED_OVER = ["node_modules", "dist", ".git"];

/** One fenced block of a document. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** It uses what only pages have: the comment "on a page" is above it. */
  readonly isForPages: boolean;
}

/** A path below the repository. */
export function at(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}

/** The packages, as folders. */
export const PACKAGES: readonly string[] = readdirSync(at("packages"))
  .map((name) => `packages/${name}`)
  .filter((folder) => existsSync(at(`${folder}/src`)))
  .sort();

export function readDocument(path: string): string {
  return readFileSync(at(path), "utf8").replaceAll("\r\n", "\n");
}

/** Every file below a folder whose name has this ending, sorted; paths as `at` accepts them. */
export function filesBelow(folder: string, ending: string): string[] {
  const paths = readdirSync(at(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return PASSED_OVER.includes(entry.name) ? [] : filesBelow(path, ending);
    return entry.name.endsWith(ending) ? [path] : [];
  });
  return paths.sort();
}

/** The fenced blocks of a document, in order. */
export function blocksOf(text: string): Block[] {
  const fences = text.matchAll(/^(<!-- on a page -->\n\n)?```([^\n]*)\n([\s\S]*?)^```$/gm);
  return [...fences].map(([, mark, language = "", inside = ""]) => ({
    language: language.trim(),
    text: inside.trimEnd(),
    isForPages: mark !== undefined,
  }));
}

/** A document without its fenced blocks. */
export function proseOf(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}
