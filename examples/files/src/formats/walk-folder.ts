// What a folder contains (`walkFolder`): level by level; links are not followed, `PASSED_OVER` folders are left out.
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { counted, quoted } from "../text/text.ts";
import type { Listing, PathEntry } from "./listing.ts";
import { reasonOf } from "./reasons.ts";

/** Folders that are large and rarely of interest. */
const PASSED_OVER: ReadonlySet<string> = new Set(["node_modules", ".git"]);
const EXAMPLES = 3; // the most examples that a note names

/** Reads one folder. */
export type ReadFolder = (path: string) => Dirent[];

/**
 * Lists everything in a folder, level by level, with names in order. Symbolic links are listed and not followed. A folder that
 * cannot be read is listed, and a note says so. `node_modules` and `.git` are left out unless `all` is set.
 *
 * @param read for tests that need an unreadable folder.
 * @throws the file system's error, if the folder itself cannot be read.
 */
export function walkFolder(folder: string, all: boolean, read: ReadFolder = readFolder): Listing {
  const entries: PathEntry[] = [];
  const passedOver: string[] = [];
  const unread: string[] = [];
  const pending = [""]; // paths of folders; the list grows during the loop
  for (const above of pending) {
    for (const entry of entriesOf(above)) {
      const path = above === "" ? entry.name : `${above}/${entry.name}`;
      const kind = kindOf(entry);
      if (kind === "directory") {
        if (!all && PASSED_OVER.has(entry.name)) {
          passedOver.push(path);
          continue;
        }
        pending.push(path);
      }
      entries.push({ path, kind, bytes: kind === "file" ? bytesOf(join(folder, path)) : undefined });
    }
  }
  return { entries, notes: notesOn(entries, passedOver, unread) };

  function entriesOf(path: string): Dirent[] {
    try {
      return read(join(folder, path)).sort((one, other) => (one.name < other.name ? -1 : 1));
    } catch (error) {
      if (path === "") throw error;
      unread.push(`${quoted(path)} ${reasonOf(error)}`);
      return [];
    }
  }
}

function readFolder(path: string): Dirent[] {
  return readdirSync(path, { withFileTypes: true });
}

function kindOf(entry: Dirent): PathEntry["kind"] {
  if (entry.isSymbolicLink()) return "link";
  if (entry.isDirectory()) return "directory";
  return entry.isFile() ? "file" : "other";
}

/** `undefined` for a file that no longer exists, or that cannot be accessed. */
function bytesOf(path: string): number | undefined {
  try {
    return lstatSync(path).size;
  } catch {
    return undefined;
  }
}

function notesOn(
  entries: readonly PathEntry[],
  passedOver: readonly string[],
  unread: readonly string[],
): string[] {
  const links = entries.filter(({ kind }) => kind === "link").length;
  const notes: string[] = [];
  if (links > 0) notes.push(`${counted(links, "symbolic link")}, not followed`);
  if (passedOver.length > 0) {
    const count = counted(passedOver.length, "folder");
    notes.push(`${count} left out (--all includes them): ${examplesOf(passedOver.map(quoted))}`);
  }
  if (unread.length > 0) notes.push(`${counted(unread.length, "folder")} not read: ${examplesOf(unread)}`);
  return notes;
}

function examplesOf(texts: readonly string[]): string {
  const more = texts.length > EXAMPLES ? `, ${texts.length - EXAMPLES} more` : "";
  return `${texts.slice(0, EXAMPLES).join(", ")}${more}`;
}
