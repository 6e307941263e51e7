// Which reader a path gets (`loadTree`): by folder, .tscn, .urdf, else list of paths; unpacks gzip; limit `MOST_BYTES`.
import { readFileSync, statSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { FilesError } from "../text/files-error.ts";
import { sizeText, visible } from "../text/text.ts";
import { type FileTree, growListing, growNodes } from "../tree/grow.ts";
import { parsePathList } from "./path-list.ts";
import { reasonOf } from "./reasons.ts";
import { parseTscn } from "./tscn.ts";
import { parseUrdf } from "./urdf.ts";
import { walkFolder } from "./walk-folder.ts";

/** A JavaScript string cannot be much longer than this. */
const MOST_BYTES = 500_000_000;

/**
 * Builds a tree from what is at the path: a folder, a Godot scene (.tscn), a robot (.urdf), or otherwise a list of paths,
 * compressed or not.
 *
 * @param all whether to include a folder's `node_modules` and `.git`.
 * @throws FilesError if it cannot be read or is broken; the message begins with the path.
 */
export function loadTree(path: string, all: boolean): FileTree {
  try {
    const found = statSync(path);
    if (found.isDirectory()) return growListing(walkFolder(path, all));
    if (found.size > MOST_BYTES) throw new FilesError(`it is larger than ${sizeText(MOST_BYTES)}`);
    const text = textOf(readFileSync(path));
    if (/\.tscn$/i.test(path)) return growNodes(parseTscn(text));
    if (/\.urdf$/i.test(path)) return growNodes(parseUrdf(text));
    return growListing(parsePathList(text));
  } catch (error) {
    if (error instanceof FilesError) throw new FilesError(`${visible(path)}: ${error.message}`);
    if (error instanceof Error && "syscall" in error) {
      throw new FilesError(`${visible(path)}: ${reasonOf(error)}`);
    }
    throw error;
  }
}

function textOf(bytes: Uint8Array): string {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isCompressed ? unpacked(bytes) : bytes;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(plain);
  } catch {
    throw new FilesError("the text is not UTF-8");
  }
}

function unpacked(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    throw new FilesError(`it begins like a .gz file but cannot be unpacked (${(error as Error).message})`);
  }
}
