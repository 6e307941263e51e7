import { describe, expect, it } from "vitest";
import * as door from "../src/index.ts";

describe("the door", () => {
  it("gives these values and no others", () => {
    expect(Object.keys(door).toSorted()).toEqual([
      "ancestors",
      "cascade",
      "children",
      "depthOf",
      "descendants",
      "destroy",
      "dispose",
      "each",
      "eachRun",
      "eachStretch",
      "maybe",
      "not",
      "query",
    ]);
  });
});
