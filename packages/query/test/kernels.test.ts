import { expect, it } from "vitest";
import * as entryPoint from "../src/kernels.ts";

it("the kernels entry point exports these values and no others", () => {
  expect(Object.keys(entryPoint).toSorted()).toEqual(["batchKernel", "canCompile", "runKernel"]);
});
