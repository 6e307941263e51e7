import { describe, expect, it } from "vitest";
import type { Command, Step } from "../../src/step/step.ts";
import type { NameRules, SlowTerm, Twin } from "../../src/twin/rules.ts";
import { replay } from "../../src/walk/walk.ts";

type Collisions = NameRules["collisions"];

/** Walks about names that found a bug once, cut down to the steps that matter, with the bug. */
const PINNED: readonly (readonly [
  reason: string,
  policies: readonly Collisions[],
  steps: readonly Step[],
])[] = [
  [
    "a root could be called like the alias of somebody who moved at the same time",
    ["error", "suffix"],
    [
      spawn(1),
      spawn(2, under(1), named("x"), alias("a")),
      spawn(3, under(1), named("a")),
      { verb: "detachChildren", parent: 1 },
    ],
  ],
  [
    "the twin, not the packages, found half of a character in a name",
    ["error"],
    [
      spawn(1, named("🚀")),
      { verb: "within", parent: undefined, isTorn: false, steps: [{ verb: "seekAll", pattern: "\ud83d?" }] },
    ],
  ],
  [
    "a root that left its place hid that its name was an alias too",
    ["suffix"],
    [
      spawn(1),
      spawn(2, named("a"), alias("a")),
      spawn(3, under(1), named("a")),
      { verb: "replaceChildren", parent: 1, list: [2] },
    ],
  ],
  [
    "the empty path from somebody was refused when it was to be kept",
    ["error"],
    [spawn(1), { verb: "hold", slot: 0, path: "", from: 1 }],
  ],
  [
    "a pattern did not find an alias if its holder shared its own name",
    ["allow"],
    [
      spawn(1),
      spawn(2, under(1), named("b"), alias("a")),
      spawn(3, under(1), named("b")),
      { verb: "seekAll", pattern: "a" },
      { verb: "seekAll", pattern: "a::**" },
    ],
  ],
  [
    "nothing was created behind #0, which stands for the roots",
    ["error"],
    [
      { verb: "ensurePath", path: "#0::a::b", born: [1, 2] },
      { verb: "seek", path: "#0::a::b" },
      { verb: "seekAll", pattern: "#0::a::*" },
    ],
  ],
  [
    "a path of which all steps wait for the end of a visit led to the roots",
    ["error", "suffix", "allow"],
    [
      spawn(1),
      {
        verb: "visit",
        way: "defer",
        isTorn: false,
        steps: [
          { verb: "ensurePath", path: "a::b", born: [2, 3] },
          { verb: "ensurePath", path: "a::b", born: [4, 5] },
          { verb: "ensurePath", path: ["b", "c"], from: 3, born: [6, 7] },
        ],
      },
      { verb: "seek", path: "a::b::c" },
    ],
  ],
];

function spawn(born: Twin, ...terms: readonly SlowTerm[]): Command {
  return { verb: "spawn", born: [born], terms };
}

function under(target: Twin): SlowTerm {
  return { what: "ChildOf", target };
}

function named(value: string): SlowTerm {
  return { what: "Name", value };
}

function alias(value: string): SlowTerm {
  return { what: "Alias", value };
}

describe("steps about names that broke an invariant once", () => {
  it.each(PINNED)("keep every invariant: %s", (_, policies, steps) => {
    for (const collisions of policies) {
      for (const memory of ["plain", "wasm"] as const) {
        expect(replay(steps, { memory, names: { collisions }, isNaming: true })).toEqual({ holds: true });
      }
    }
  });
});
