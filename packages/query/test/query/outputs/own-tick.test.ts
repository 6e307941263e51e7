import { expect, it } from "vitest";
import { ownTick } from "../../../src/query/outputs/marks.ts";

it("the tick of what an iteration writes is the one up to which it has read, unless another read came since", () => {
  expect([ownTick(8, 7), ownTick(9, 7), ownTick(8, 0)]).toEqual([7, 9, 8]);
});
