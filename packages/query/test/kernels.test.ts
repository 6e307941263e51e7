import { expect, it } from "vitest";
import * as door from "../src/kernels.ts";

it("the kernels entry point exports these values and no others", () => {
  expect(Object.keys(door).toSorted()).toEqual(["batchKernel", "canCompile", "runKernel"]);
});
