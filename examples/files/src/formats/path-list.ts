// How a list of paths is read (`parsePathList`): empty steps, repeated lines, and which paths are directories.
import { brokenAt } from "../text/files-error.ts";
import { counted } from "../text/text.ts";
import type { Listing, PathEntry } from "./listing.ts";

/** An empty step, "." or ".." anywhere, or a slash at the end. Few lines have one. */
const NEEDS_CARE = /(?:^|\/)\.{0,2}(?:\/|$)/;

/**
 * Reads a list of paths, one a line, with "/" between names. Empty lines, a leading "./" and the like are allowed.
 * A path that ends with a slash is a directory, and so is one that is the beginning of another path.
 *
 * @throws FilesError naming the line, if the text contains a zero byte or a path contains "..".
 */
export function parsePathList(text: string): Listing {
  const directories = new Set<string>();
  const listed = new Set<string>();
  let repeated = 0;
  let at = 0;
  for (const line of text.split("\n")) {
    const written = line.endsWith("\r") ? line.slice(0, -1) : line;
    const path = NEEDS_CARE.test(written) ? plainPath(text, at, written) : written;
    if (path.includes("\0"))
      throw brokenAt(text, at, "it contains a zero byte, so it is not a list of paths");
    at += line.length + 1;
    if (path === "") continue;
    if (listed.has(path)) repeated += 1;
    listed.add(path);
    if (written.endsWith("/")) directories.add(path);
    for (let cut = path.lastIndexOf("/"); cut !== -1; cut = path.lastIndexOf("/", cut - 1)) {
      const above = path.slice(0, cut);
      if (directories.has(above)) break;
      directories.add(above);
    }
  }

  const entries = Array.from(listed, (path): PathEntry => {
    return { path, kind: directories.has(path) ? "directory" : "file", bytes: undefined };
  });
  const notes = repeated === 0 ? [] : [`${counted(repeated, "line repeats a path", "lines repeat a path")}`];
  return { entries, notes };
}

/** The path without slashes at its ends, empty steps and "." */
function plainPath(text: string, at: number, path: string): string {
  const steps = path.split("/").filter((step) => step !== "" && step !== ".");
  if (steps.includes("..")) throw brokenAt(text, at, '".." leads out of the list; write the path itself');
  return steps.join("/");
}
