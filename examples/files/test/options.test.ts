import { describe, expect, it } from "vitest";
import { parseOptions } from "../src/program/options.ts";
import { complaintOf } from "./support.ts";

describe("the command line", () => {
  it("may be empty", () => {
    expect(parseOptions([])).toEqual({
      help: false,
      source: undefined,
      commands: [],
      depth: undefined,
      limit: 20,
      all: false,
    });
  });

  it("accepts a source, options in both forms, and commands in order", () => {
    const { commands, ...others } = parseOptions([
      "src",
      "--below=a",
      "--find",
      "b",
      "--depth=0",
      "--limit",
      "0",
      "--glob",
      "**=c",
      "--find=",
      "--all",
    ]);

    expect(others).toEqual({ help: false, source: "src", depth: 0, limit: 0, all: true });
    expect(commands).toEqual([
      { kind: "below", text: "a" },
      { kind: "find", text: "b" },
      { kind: "glob", text: "**=c" },
      { kind: "find", text: "" },
    ]);
  });

  it("accepts what follows two dashes as a source", () => {
    expect(parseOptions(["--all", "--", "--odd"]).source).toBe("--odd");
    expect(parseOptions(["-"]).source).toBe("-");
  });

  it.each(["--help", "-h"])("accepts %s", (arg) => {
    expect(parseOptions([arg]).help).toBe(true);
  });

  it.each([
    [["--fast"], 'unknown option "--fast"; --help lists the options'],
    [["--all=1"], 'unknown option "--all=1"; --help lists the options'],
    [["--find"], "--find needs a value"],
    [["--depth", "-1"], '--depth needs a whole number from 0 to 1000, not "-1"'],
    [["--depth="], '--depth needs a whole number from 0 to 1000, not ""'],
    [["--limit", "1e3"], '--limit needs a whole number from 0 to 1000000000, not "1e3"'],
    [["a", "b"], 'one source at a time, not 2: "a", "b"'],
    [[""], "the source's path is empty"],
  ])("is refused in one line: %j", (args, message) => {
    expect(complaintOf(() => parseOptions(args))).toBe(message);
  });
});
