import { describe, expect, it } from "vitest";
import type { Step } from "../../src/step/step.ts";
import type { NaiveTerm } from "../../src/twin/rules.ts";
import { replay } from "../../src/walk/walk.ts";

/** Walks that found a bug once, cut down to the steps that matter, with the bug. */
const PINNED: readonly (readonly [reason: string, steps: readonly Step[]])[] = [
  [
    "a slice that a pack had made 15 rows long found no room to grow to 16",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [] },
      { verb: "spawnMany", spawned: range(3, 18), terms: [{ what: "ChildOf", target: 1 }] },
      { verb: "spawnMany", spawned: range(18, 22), terms: [{ what: "ChildOf", target: 2 }] },
      { verb: "pack" },
      { verb: "spawn", spawned: [22], terms: [{ what: "ChildOf", target: 1 }] },
    ],
  ],
  [
    "an entity field could be set to nobody only by a death",
    [
      { verb: "spawn", spawned: [1], terms: [{ what: "Aim", value: { at: undefined, power: 1 } }] },
      { verb: "set", entity: 1, term: { what: "Aim", value: { at: 1 } } },
      { verb: "set", entity: 1, term: { what: "Aim", value: { at: undefined } } },
      { verb: "add", entity: 1, terms: [{ what: "Damage", target: 1, value: { by: 1 } }] },
      { verb: "set", entity: 1, term: { what: "Damage", target: 1, value: { by: undefined } } },
    ],
  ],
  [
    "who lost a pair because its target died was not told to listeners",
    [
      { verb: "spawn", spawned: [1], terms: [{ what: "Aim" }] },
      { verb: "spawn", spawned: [2], terms: [{ what: "Damage", target: 1, value: { amount: 1 } }] },
      { verb: "spawn", spawned: [3], terms: [{ what: "MemberOf", target: 1 }, under(2)] },
      { verb: "destroy", entity: 1 },
    ],
  ],
  [
    "a pair between two who died together was not told to listeners",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [under(1)] },
      { verb: "add", entity: 1, terms: [{ what: "MemberOf", target: 2 }] },
      { verb: "destroy", entity: 1 },
    ],
  ],
  [
    "a refused spawnMany told listeners of births, and took a partner away",
    [
      { verb: "spawnMany", spawned: [1, 2], terms: [] },
      { verb: "add", entity: 1, terms: [{ what: "MarriedTo", target: 2 }] },
      {
        verb: "spawnMany",
        spawned: [3, 4],
        terms: [{ what: "MarriedTo", target: 1 }, under(2), { what: "Name", value: "a" }],
      },
    ],
  ],
  [
    "a child by Parent died with the target of a relation that only loses its pairs",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [{ what: "Rents", target: 1 }, byValue(1)] },
      { verb: "spawn", spawned: [3], terms: [] },
      { verb: "spawn", spawned: [4], terms: [{ what: "Rents", target: 3 }] },
      { verb: "spawn", spawned: [5], terms: [byValue(2)] },
      { verb: "spawn", spawned: [6], terms: [byValue(5)] },
      { verb: "spawn", spawned: [7], terms: [byValue(6)] },
      { verb: "spawn", spawned: [8], terms: [{ what: "Rents", target: 7 }, byValue(4)] },
      { verb: "destroy", entity: 5 },
    ],
  ],
  [
    "a clone of somebody tied to itself was tied to nobody",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "add", entity: 1, terms: [{ what: "Knows", target: 1 }] },
      { verb: "clone", entity: 1, isDeep: false, terms: [], spawned: 2 },
    ],
  ],
  [
    "a child by Parent of somebody who stood for a definition outlived it",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "entityOf", what: "Health", spawned: 2 },
      {
        verb: "spawn",
        spawned: [3],
        terms: [{ what: "DockedTo", target: 2 }, { what: "Health" }, byValue(1)],
      },
      { verb: "spawn", spawned: [4], terms: [byValue(2)] },
      { verb: "destroy", entity: 2 },
    ],
  ],
  [
    "a parent died before its child, which another relation had led to later",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [{ what: "Owns", target: 1 }] },
      { verb: "spawn", spawned: [3], terms: [{ what: "Lit" }, byValue(2)] },
      { verb: "add", entity: 1, terms: [under(3)] },
      { verb: "destroy", entity: 3 },
    ],
  ],
  [
    "the internal tag of an entity that stands for a definition was told to listeners",
    [{ verb: "entityOf", what: "Frozen", spawned: 1 }],
  ],
  [
    "removeAll made roots in the order of tables",
    [
      { verb: "spawnMany", spawned: [1, 2], terms: [] },
      { verb: "spawn", spawned: [3], terms: [byValue(1)] },
      { verb: "spawn", spawned: [4], terms: [under(2), { what: "Lit" }] },
      { verb: "spawn", spawned: [5], terms: [byValue(1), { what: "Lit" }] },
      { verb: "spawn", spawned: [6], terms: [under(1)] },
      { verb: "removeAll", what: "ChildOf", target: "Any" },
    ],
  ],
  [
    "a name that an entity had was not given again after a clear that waited",
    [
      { verb: "spawn", spawned: [1], terms: [{ what: "Name", value: "a" }] },
      {
        verb: "iterate",
        method: "defer",
        isThrowing: false,
        steps: [
          { verb: "clear", entity: 1 },
          { verb: "rename", entity: 1, name: "a" },
        ],
      },
    ],
  ],
  [
    "release counted the dying itself among those who have the definition it stands for",
    [
      { verb: "entityOf", what: "Rents", spawned: 1 },
      { verb: "spawn", spawned: [2], terms: [] },
      { verb: "add", entity: 1, terms: [{ what: "Rents", target: 2 }] },
      { verb: "release", entity: 1 },
    ],
  ],
  [
    "the partner that a clone was given lost it to the copy of a child, which was bound to the original",
    [
      { verb: "spawnMany", spawned: [1, 2], terms: [] },
      { verb: "spawn", spawned: [3], terms: [under(1), { what: "MarriedTo", target: 1 }] },
      { verb: "clone", entity: 1, isDeep: true, terms: [{ what: "MarriedTo", target: 2 }], spawned: 100 },
      { verb: "clone", entity: 1, isDeep: true, terms: [{ what: "MarriedTo", target: 3 }], spawned: 200 },
    ],
  ],
  [
    "a wildcard was refused before the dead target of an earlier term",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      {
        verb: "add",
        entity: 1,
        terms: [
          { what: "DockedTo", target: 2 },
          { what: "Any", target: "Any" },
        ],
      },
      {
        verb: "spawn",
        spawned: [3],
        terms: [
          { what: "Knows", target: 2 },
          { what: "Any", target: 1 },
        ],
      },
    ],
  ],
  [
    "a copy that got its row from terms was younger than the copies below it",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [under(1), { what: "Name", value: "a" }] },
      { verb: "spawn", spawned: [3], terms: [byValue(2)] },
      { verb: "clone", entity: 2, isDeep: true, terms: [], spawned: 100 },
      { verb: "clone", entity: 2, isDeep: true, terms: [{ what: "Lit" }], spawned: 200 },
      { verb: "removeAll", what: "Any", target: "Any" },
    ],
  ],
  [
    "the twin gave the topmost copy what it gets besides after the copies below had tied themselves to it",
    [
      { verb: "spawnMany", spawned: [1, 2], terms: [] },
      { verb: "add", entity: 1, terms: [{ what: "Knows", target: 2 }, under(2)] },
      { verb: "clone", entity: 2, isDeep: true, terms: [{ what: "Knows", target: 2 }], spawned: 100 },
    ],
  ],
  [
    "an original below had got a symmetric pair with the copy of its ancestor before its row was copied",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [under(1)] },
      { verb: "clone", entity: 1, isDeep: true, terms: [{ what: "Knows", target: 2 }], spawned: 100 },
    ],
  ],
  [
    "what listeners had queued destroyed tables while rows were still reserved in them",
    [
      { verb: "spawn", spawned: [6], terms: [] },
      { verb: "spawnMany", spawned: [34, 35], terms: [under(6)] },
      { verb: "spawn", spawned: [36], terms: [under(6), { what: "Position", value: { x: 0, y: 30000000 } }] },
      { verb: "spawn", spawned: [40], terms: [{ what: "MarriedTo", target: 36 }] },
      { verb: "clear", entity: 36 },
    ],
  ],
  [
    "the copy that was given OrderedChildren was to have a list like that of its original, which had none",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawnMany", spawned: [2, 3], terms: [under(1)] },
      { verb: "spawn", spawned: [4], terms: [under(1), { what: "Lit" }] },
      { verb: "clone", entity: 1, isDeep: true, terms: [{ what: "OrderedChildren" }], spawned: 100 },
    ],
  ],
  [
    "children by Parent whose order had changed became roots by age",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawnMany", spawned: [2, 3, 4], terms: [byValue(1)] },
      { verb: "replaceChildren", parent: 1, list: [4, 2, 3] },
      { verb: "removeAll", what: "Parent", target: 1 },
    ],
  ],
  [
    "copies below were told to nobody where a child by Parent is in the same table as the root that is cloned",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [byValue(1)] },
      { verb: "spawn", spawned: [3], terms: [byValue(2)] },
      { verb: "clone", entity: 2, isDeep: true, terms: [], spawned: 100 },
    ],
  ],
  [
    "in a world that had asked for nothing else, nobody could take a destroyed entity off whom it was a tag of",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawnMany", spawned: [2], terms: [{ what: "Is", target: 1 }] },
      { verb: "destroy", entity: 1 },
    ],
  ],
];

function under(target: number): NaiveTerm {
  return { what: "ChildOf", target };
}

/** A child of the same parent, in the other storage. */
function byValue(target: number): NaiveTerm {
  return { what: "Parent", target };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

describe("steps that broke an invariant once", () => {
  it.each(PINNED)("keep every invariant: %s", (_, steps) => {
    for (const memory of ["plain", "wasm"] as const) {
      for (const observers of ["observed", "unobserved", "reacting"] as const) {
        expect(replay(steps, { memory, observers })).toEqual({ holds: true });
      }
    }
  });
});
