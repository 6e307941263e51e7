import { describe, expect, it } from "vitest";
import { allStoredIn, drawStorages, STORAGES } from "../../src/step/storages.ts";
import { stepsOf } from "../../src/walk/walk.ts";

describe("the storages of a walk", () => {
  it("are all drawn within a few seeds", () => {
    const drawn = new Set([1, 2, 3, 4, 5, 6].flatMap((seed) => Object.values(drawStorages(seed))));

    expect([...drawn].sort()).toEqual([...STORAGES].sort());
  });

  it("do not change its steps", () => {
    const [first, ...others] = STORAGES.map((storage) =>
      stepsOf({ seed: 6, steps: 60, storages: allStoredIn(storage) }),
    );

    for (const other of others) expect(other).toEqual(first);
  });
});
