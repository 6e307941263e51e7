import { describe, expect, it } from "vitest";
import type { Command, Step } from "../../src/step/step.ts";
import type { NaiveTerm, NameRules, Twin } from "../../src/twin/rules.ts";
import { replay } from "../../src/walk/walk.ts";

type Collisions = NameRules["collisions"];

/** Walks about names that found a bug in the past, reduced to the steps that matter, with the bug. */
const PINNED: readonly (readonly [
  reason: string,
  policies: readonly Collisions[],
  steps: readonly Step[],
])[] = [
  [
    "an entity got another name at the roots before it lost its name, as both had been destroyed",
    ["error", "suffix"],
    [
      { verb: "configure", along: ["MemberOf"] },
      spawn(1, alias("a")),
      { verb: "entityOf", what: "Name", spawned: 2 },
      spawn(3, under(2)),
      spawn(4, named("a"), { what: "MemberOf", target: 3 }),
      { verb: "destroy", entity: 2 },
    ],
  ],
  [
    "the twin, not the packages, let those arrive last at the roots that had a parent",
    ["suffix", "allow"],
    [
      { verb: "configure", along: ["MemberOf"] },
      spawn(1),
      spawn(2, under(1), named("a")),
      spawn(3, { what: "MemberOf", target: 1 }, named("a (2)")),
      { verb: "rename", entity: 3, name: "a" },
      { verb: "removeAll", what: "Any", target: "Any" },
    ],
  ],
  [
    "several entities of a list got the same alias",
    ["error", "suffix", "allow"],
    [spawn(1), spawn(2), { verb: "addMany", list: [1, 2], terms: [alias("a")] }],
  ],
  [
    "place gave a builtin a parent that it spawned among the roots",
    ["error"],
    [
      { verb: "entityOf", what: "Parent", spawned: 1 },
      { verb: "place", entity: 1, path: "a::b", spawned: [2] },
    ],
  ],
  [
    "the twin, not the packages, placed a contained entity below children of itself",
    ["error"],
    [
      { verb: "configure", along: ["MemberOf"] },
      spawn(1),
      spawn(2, { what: "MemberOf", target: 1 }),
      spawn(3, { what: "MemberOf", target: 2 }),
      { verb: "place", entity: 2, path: "a::b", from: 3, spawned: [4] },
    ],
  ],
  [
    "a root could get the alias of an entity that moved at the same time as its name",
    ["error", "suffix"],
    [
      spawn(1),
      spawn(2, under(1), named("x"), alias("a")),
      spawn(3, under(1), named("a")),
      { verb: "detachChildren", parent: 1 },
    ],
  ],
  [
    "the twin, not the packages, matched half of a character in a name",
    ["error"],
    [
      spawn(1, named("🚀")),
      {
        verb: "within",
        parent: undefined,
        isThrowing: false,
        steps: [{ verb: "findAll", pattern: "\ud83d?" }],
      },
    ],
  ],
  [
    "a root that left its place concealed that its name was an alias too",
    ["suffix"],
    [
      spawn(1),
      spawn(2, named("a"), alias("a")),
      spawn(3, under(1), named("a")),
      { verb: "replaceChildren", parent: 1, list: [2] },
    ],
  ],
  [
    "the empty path from an entity was refused when it was to be kept",
    ["error"],
    [spawn(1), { verb: "keepPath", slot: 0, path: "", from: 1 }],
  ],
  [
    "a pattern did not find an alias if its entity shared its own name",
    ["allow"],
    [
      spawn(1),
      spawn(2, under(1), named("b"), alias("a")),
      spawn(3, under(1), named("b")),
      { verb: "findAll", pattern: "a" },
      { verb: "findAll", pattern: "a::**" },
    ],
  ],
  [
    "nothing was created after #0, which means the roots",
    ["error"],
    [
      { verb: "ensurePath", path: "#0::a::b", spawned: [1, 2] },
      { verb: "lookup", path: "#0::a::b" },
      { verb: "findAll", pattern: "#0::a::*" },
    ],
  ],
  [
    "a path whose steps are all deferred to the end of an iteration led to the roots",
    ["error", "suffix", "allow"],
    [
      spawn(1),
      {
        verb: "iterate",
        method: "defer",
        isThrowing: false,
        steps: [
          { verb: "ensurePath", path: "a::b", spawned: [2, 3] },
          { verb: "ensurePath", path: "a::b", spawned: [4, 5] },
          { verb: "ensurePath", path: ["b", "c"], from: 3, spawned: [6, 7] },
        ],
      },
      { verb: "lookup", path: "a::b::c" },
    ],
  ],
];

function spawn(spawned: Twin, ...terms: readonly NaiveTerm[]): Command {
  return { verb: "spawn", spawned: [spawned], terms };
}

function under(target: Twin): NaiveTerm {
  return { what: "ChildOf", target };
}

function named(value: string): NaiveTerm {
  return { what: "Name", value };
}

function alias(value: string): NaiveTerm {
  return { what: "Alias", value };
}

describe("steps about names that broke an invariant in the past", () => {
  it.each(PINNED)("keep every invariant: %s", (_, policies, steps) => {
    for (const collisions of policies) {
      for (const memory of ["plain", "wasm"] as const) {
        expect(replay(steps, { memory, names: { collisions }, isNaming: true })).toEqual({ holds: true });
      }
    }
  });
});
