// Checks, in repositories of its own, when `check:changesets` passes and fails.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { at } from "./support.ts";

interface Script {
  readonly checkChangesets: (folder: string) => {
    readonly problems?: readonly string[];
    readonly missing?: string;
  };
}

const script = pathToFileURL(at("tooling/scripts/packages/check-changesets.mjs")).href;
const { checkChangesets } = (await import(/* @vite-ignore */ script)) as Script;

const API = "tooling/api/core.d.txt";
const TEXT = Array.from({ length: 20 }, (_, line) => `export declare const name${line}: number;\n`).join("");
let folder = "";

function git(...args: string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...who, ...args], { cwd: folder, encoding: "utf8" }).trim();
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** @returns the hash of the commit. */
function commit(message: string, files: Readonly<Record<string, string>> = {}): string {
  for (const [path, text] of Object.entries(files)) write(path, text);
  git("add", "-A");
  git("commit", "-q", "-m", message);
  return git("rev-parse", "HEAD");
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treeline-changesets-"));
  git("init", "-q");
  commit("Begin", { [API]: TEXT, "packages/treeline/package.json": `{\n  "version": "0.1.0"\n}\n` });
});
afterEach(() => rmSync(folder, { recursive: true }));

const problems = (): readonly string[] | undefined => checkChangesets(folder).problems;

describe("a change of the public interface", () => {
  it("passes with a changeset in the same commit", () => {
    commit("Add a name", {
      [API]: `${TEXT}export declare const more: number;\n`,
      ".changeset/more.md": "more",
    });

    expect(problems()).toEqual([]);
  });

  it("fails without one, and passes when a later commit brings it for that one", () => {
    const hash = commit("Add a name", { [API]: `${TEXT}export declare const more: number;\n` });
    commit("Note something else", { ".changeset/other.md": "other" });
    expect(problems()).toEqual([expect.stringMatching(/^\w+ Add a name: changes tooling\/api\//)]);

    commit(`Note a name\n\nChangeset-for: ${hash}`, { ".changeset/more.md": "more" });
    expect(problems()).toEqual([]);
  });

  it("fails for a new and for a deleted report", () => {
    commit("Add a package", { "tooling/api/sound.d.txt": "export {};\n" });
    rmSync(join(folder, API));
    commit("Remove a package");

    expect(problems()).toHaveLength(2);
  });

  it("passes as a pure move, and fails as a move with a change", () => {
    renameSync(join(folder, API), join(folder, "tooling/api/base.d.txt"));
    commit("Call core base");
    expect(problems()).toEqual([]);

    rmSync(join(folder, "tooling/api/base.d.txt"));
    commit("Call base core, with more", { [API]: `${TEXT}export declare const more: number;\n` });
    expect(problems()).toHaveLength(1);
  });

  it("is looked for in what is not committed as well", () => {
    write(API, `${TEXT}export declare const more: number;\n`);
    expect(problems()).toEqual([expect.stringMatching(/^what is not committed/)]);

    write(".changeset/more.md", "more");
    expect(problems()).toEqual([]);
  });

  it("is no problem from before the last release", () => {
    commit("Add a name", { [API]: `${TEXT}export declare const more: number;\n` });
    commit("Release", { "packages/treeline/package.json": `{\n  "version": "0.2.0"\n}\n` });

    expect(problems()).toEqual([]);
  });
});

describe("without history", () => {
  it("says that it can tell nothing", () => {
    rmSync(join(folder, ".git"), { recursive: true });

    expect(checkChangesets(folder)).toEqual({ missing: "there is no git history" });
  });

  it("says so of a shallow clone, too", () => {
    commit("Add a name", { [API]: `${TEXT}export declare const more: number;\n` });
    const clone = `${folder}-clone`;
    git("clone", "-q", "--depth", "1", pathToFileURL(folder).href, clone);

    expect(checkChangesets(clone)).toEqual({ missing: expect.stringContaining("shallow") });
    rmSync(clone, { recursive: true });
  });
});
