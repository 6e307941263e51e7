import { expect, it } from "vitest";
import * as door from "../src/kernels.ts";

it("the door of kernels gives these values and no others", () => {
  expect(Object.keys(door).toSorted()).toEqual(["batchKernel", "canCompile", "runKernel"]);
});
