import { describe, expect, it } from "vitest";
import type { Step } from "../src/step.ts";
import { replay } from "../src/walk.ts";

/** Walks that found a bug once, cut down to the steps that matter, with the bug. */
const PINNED: readonly (readonly [reason: string, steps: readonly Step[]])[] = [
  [
    "a slice that a pack had made 15 rows long found no room to grow to 16",
    [
      { verb: "spawn", born: [1], terms: [] },
      { verb: "spawn", born: [2], terms: [] },
      { verb: "spawnMany", born: range(3, 18), terms: [{ what: "ChildOf", target: 1 }] },
      { verb: "spawnMany", born: range(18, 22), terms: [{ what: "ChildOf", target: 2 }] },
      { verb: "pack" },
      { verb: "spawn", born: [22], terms: [{ what: "ChildOf", target: 1 }] },
    ],
  ],
  [
    "an entity field could be set to nobody only by a death",
    [
      { verb: "spawn", born: [1], terms: [{ what: "Aim", value: { at: undefined, power: 1 } }] },
      { verb: "set", entity: 1, term: { what: "Aim", value: { at: 1 } } },
      { verb: "set", entity: 1, term: { what: "Aim", value: { at: undefined } } },
      { verb: "add", entity: 1, terms: [{ what: "Damage", target: 1, value: { by: 1 } }] },
      { verb: "set", entity: 1, term: { what: "Damage", target: 1, value: { by: undefined } } },
    ],
  ],
];

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

describe("steps that broke a law once", () => {
  it.each(PINNED)("stay lawful: %s", (_, steps) => {
    for (const memory of ["plain", "wasm"] as const) {
      expect(replay(steps, { memory })).toEqual({ lawful: true });
    }
  });
});
