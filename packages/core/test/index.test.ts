import { describe, expect, it } from "vitest";
import * as debug from "../src/debug.ts";
import * as core from "../src/index.ts";

describe("the public entry point", () => {
  it("has every verb and definition, and nothing by accident", () => {
    expect(Object.keys(core).toSorted()).toEqual([
      "Any",
      "ChildOf",
      "Disabled",
      "DisabledTree",
      "OrderedChildren",
      "Parent",
      "TreelineError",
      "add",
      "applyCommands",
      "array",
      "bool",
      "clear",
      "clone",
      "component",
      "componentsOf",
      "createCommands",
      "createWorld",
      "defer",
      "definitionAt",
      "definitionNamed",
      "definitions",
      "discardCommands",
      "emit",
      "entity",
      "entityAt",
      "entityOf",
      "event",
      "f32",
      "f64",
      "field",
      "get",
      "has",
      "i16",
      "i32",
      "i8",
      "isAlive",
      "isDisabled",
      "locate",
      "markChanged",
      "observe",
      "observeChildren",
      "observeEntity",
      "observeRoots",
      "pack",
      "pairsOf",
      "parentOf",
      "patch",
      "plainMemory",
      "read",
      "record",
      "relation",
      "release",
      "remove",
      "reserve",
      "set",
      "spawn",
      "spawnMany",
      "subjectsOf",
      "tag",
      "tagsOf",
      "targetOf",
      "targetsOf",
      "u16",
      "u32",
      "u8",
      "webAssemblyMemory",
      "withHooks",
      "withPolicy",
    ]);
  });
});

describe("the debug entry point", () => {
  it("has the functions that read a whole world", () => {
    expect(Object.keys(debug).toSorted()).toEqual(["describe", "dump", "onWarning", "stats", "verify"]);
  });
});
