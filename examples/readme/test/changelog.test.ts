// Checks how notes become changelogs, and that all notes can be read.
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { at } from "./support.ts";

interface Note {
  readonly packages: readonly string[];
  readonly entries: readonly { readonly kind: string; readonly text: string }[];
}

interface Script {
  readonly parseNote: (text: string) => Note;
  readonly readNotes: () => readonly Note[];
  readonly sectionOf: (title: string, notes: readonly Note[]) => string;
  readonly withSection: (text: string, section: string) => string;
}

const script = pathToFileURL(at("tooling/scripts/packages/changelog.mjs")).href;
const { parseNote, readNotes, sectionOf, withSection } = (await import(/* @vite-ignore */ script)) as Script;

const NOTE = `---
"@treeline/core": minor
"treeline": patch
---

Fixed: \`spawn\` no longer
spawns twice.

Added: nothing else.
`;

describe("a note for the changelogs", () => {
  it("has an entry for each paragraph", () => {
    expect(parseNote(NOTE)).toEqual({
      packages: ["@treeline/core", "treeline"],
      entries: [
        { kind: "Fixed", text: "`spawn` no longer\nspawns twice." },
        { kind: "Added", text: "Nothing else." },
      ],
    });
  });

  it("may be about no package, and say nothing", () => {
    expect(parseNote("---\n---\n")).toEqual({ packages: [], entries: [] });
  });

  it("lists what is of no kind as changed", () => {
    expect(parseNote(NOTE.replace("Added: nothing", "Nothing")).entries[1]).toEqual({
      kind: "Changed",
      text: "Nothing else.",
    });
  });

  it("begins with the packages that it is about", () => {
    expect(() => parseNote("Fixed: all.")).toThrow("does not begin with the packages");
  });

  it("can be read in all files of this repository", () => {
    expect(() => readNotes()).not.toThrow();
  });
});

describe("a changelog", () => {
  it("has the entries of all notes by kind, the latest version first", () => {
    const first = withSection("# Changelog\n\nAll of it.\n", sectionOf("0.1.0", [parseNote(NOTE)]));
    const second = withSection(first, sectionOf("0.2.0", []));

    expect(second).toBe(`# Changelog

All of it.

## 0.2.0

Nothing has changed; all packages are released together.

## 0.1.0

### Added

- Nothing else.

### Fixed

- \`spawn\` no longer
  spawns twice.
`);
  });
});
