import { ChildOf, Parent } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { createFamilies } from "./families.ts";
import { takeStep } from "./family-deeds.ts";

describe.each([
  ["ChildOf", [ChildOf]],
  ["Parent", [Parent]],
  ["both storages", [ChildOf, Parent]],
] as const)("random families of %s", (_, storages) => {
  it.each([1, 2, 3, 4])("stand as plain lists would, seed %i", (seed) => {
    const families = createFamilies(seed, storages, seed % 2 === 0);
    const wrong: string[] = [];

    for (let step = 0; step < 300 && wrong.length === 0; step++) {
      wrong.push(...takeStep(families, 40).map((text) => `step ${step}, ${text}`));
    }

    expect(wrong).toEqual([]);
  });
});
