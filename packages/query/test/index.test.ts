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
      "destroyWhere",
      "detachChildren",
      "dispose",
      "each",
      "eachRun",
      "eachStretch",
      "insertAt",
      "maybe",
      "monitor",
      "moveAfter",
      "moveBefore",
      "not",
      "observeAbove",
      "query",
      "removeAll",
      "replaceChildren",
      "setChildOrder",
      "sortChildren",
    ]);
  });
});
