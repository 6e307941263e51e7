import { describe, expect, it } from "vitest";
import { parseOptions } from "../src/program/options.ts";
import { complaintOf } from "./support.ts";

describe("the command line", () => {
  it("selects the bundled scenes if it is empty", () => {
    expect(parseOptions([])).toEqual({
      help: false,
      file: undefined,
      find: [],
      depth: 3,
      frames: 600,
      picture: undefined,
      scene: undefined,
    });
  });

  it("accepts a file and options in any order, with or without =", () => {
    const given = [
      "--find",
      "A::B",
      "car.glb",
      "--find=C=D",
      "--depth",
      "5",
      "--frames=0",
      "--picture",
      "car.svg",
      "--scene",
      "1",
    ];

    expect(parseOptions(given)).toEqual({
      help: false,
      file: "car.glb",
      find: ["A::B", "C=D"],
      depth: 5,
      frames: 0,
      picture: "car.svg",
      scene: 1,
    });
  });

  it("accepts what follows -- as a file", () => {
    expect(parseOptions(["--", "--odd.gltf"]).file).toBe("--odd.gltf");
  });

  it("accepts a path to find that looks like an option", () => {
    expect(parseOptions(["car.glb", "--find", "--depth"]).find).toEqual(["--depth"]);
  });

  it.each([["--help"], ["-h"]])("accepts %s", (flag) => {
    expect(parseOptions([flag]).help).toBe(true);
  });

  it.each([
    [["--dept", "3"], 'unknown option "--dept"; --help lists the options'],
    [["-x"], 'unknown option "-x"; --help lists the options'],
    [["--help=yes"], 'unknown option "--help=yes"; --help lists the options'],
    [["car.glb", "--find"], "--find needs a value"],
    [["--depth"], "--depth needs a value"],
    [["--depth", "0"], '--depth needs a whole number from 1 to 1000, not "0"'],
    [["--depth=1.5"], '--depth needs a whole number from 1 to 1000, not "1.5"'],
    [["--frames", "-1"], '--frames needs a whole number from 0 to 1000000, not "-1"'],
    [["--frames", "0x10"], '--frames needs a whole number from 0 to 1000000, not "0x10"'],
    [["--frames="], '--frames needs a whole number from 0 to 1000000, not ""'],
    [["car.glb", "--scene", "first"], '--scene needs a whole number from 0 to 1000000, not "first"'],
    [["a.gltf", "b.gltf"], 'one file at a time, not 2: "a.gltf", "b.gltf"'],
    [[""], "the file's path is empty"],
    [["--find", "A"], "--find needs a file to search in"],
    [["--scene", "0"], "--scene needs a file to load it from"],
  ])("%j is refused", (args, message) => {
    expect(complaintOf(() => parseOptions(args))).toBe(message);
  });
});
