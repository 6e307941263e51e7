import { ChildOf, Parent } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { seeds } from "../random/dice.ts";
import { createSiblingModel } from "./sibling-model.ts";
import { takeStep } from "./sibling-steps.ts";

describe.each([
  ["ChildOf", [ChildOf]],
  ["Parent", [Parent]],
  ["both storages", [ChildOf, Parent]],
] as const)("random siblings of %s", (_, storages) => {
  it.each([...seeds(1, 2, 2), ...seeds(2, 2, 2)])("are in the order of plain lists, seed %i", (seed) => {
    const model = createSiblingModel(seed, storages, seed % 2 === 0);
    const wrong: string[] = [];

    for (let step = 0; step < 150 && wrong.length === 0; step++) {
      wrong.push(...takeStep(model, 40).map((text) => `step ${step}, ${text}`));
    }

    expect(wrong).toEqual([]);
  });
});
