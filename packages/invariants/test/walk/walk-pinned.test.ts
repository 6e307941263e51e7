import { describe, expect, it } from "vitest";
import type { Step } from "../../src/step/step.ts";
import { allStoredIn, STORAGES } from "../../src/step/storages.ts";
import type { NaiveTerm } from "../../src/twin/rules.ts";
import { replay } from "../../src/walk/walk.ts";

/** Walks that found a bug in the past, reduced to the steps that matter, with the bug. */
const PINNED: readonly (readonly [reason: string, steps: readonly Step[]])[] = [
  [
    "an entity that was spawned in an iteration had the tags in bits of the entity in the first row without components",
    [
      { verb: "spawn", spawned: [1], terms: [{ what: "Lit" }] },
      {
        verb: "iterate",
        method: "defer",
        isThrowing: false,
        steps: [{ verb: "spawn", spawned: [2], terms: [] }],
      },
    ],
  ],
  [
    "an entity that was spawned in an iteration had the family of the one that had its index before the last ones were given back",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [] },
      { verb: "spawn", spawned: [3], terms: [under(1)] },
      { verb: "spawn", spawned: [4], terms: [under(1)] },
      { verb: "destroy", entity: 1 },
      { verb: "pack" },
      {
        verb: "record",
        buffer: 0,
        steps: [
          { verb: "spawn", spawned: [5], terms: [] },
          { verb: "spawn", spawned: [6], terms: [] },
        ],
      },
    ],
  ],
  [
    "an entity that was given twice in a list to attach was destroyed twice, since the parent was destroyed before the command",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "record", buffer: 0, steps: [{ verb: "spawn", spawned: [19], terms: [] }] },
      {
        verb: "iterate",
        method: "record",
        isThrowing: false,
        steps: [{ verb: "attachMany", parent: 19, list: [1, 1], storage: "ChildOf" }],
      },
    ],
  ],
  [
    "in a list of additions, an entity got the other sides of symmetric pairs after its own pairs, not in the order of the list",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [] },
      { verb: "addMany", list: [1, 2], terms: [{ what: "Knows", target: 2 }] },
      { verb: "spawn", spawned: [3], terms: [] },
      { verb: "spawn", spawned: [4], terms: [] },
      {
        verb: "addMany",
        list: [3, 4],
        terms: [
          { what: "Knows", target: 4 },
          { what: "Knows", target: 3 },
        ],
      },
    ],
  ],
  [
    "a list of moves closed a cycle across relations that DisabledTree follows, by a move that an earlier one of it made wrong",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [{ what: "StowedIn", target: 1 }] },
      { verb: "spawn", spawned: [3], terms: [] },
      { verb: "spawn", spawned: [4], terms: [under(1)] },
      { verb: "spawn", spawned: [5], terms: [under(3)] },
      { verb: "reparentMany", list: [3, 1], parents: [2, 3] },
    ],
  ],
  [
    "a list of moves was refused for a cycle across relations that DisabledTree follows, which an earlier move of it had opened",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [under(1)] },
      { verb: "spawn", spawned: [3], terms: [{ what: "StowedIn", target: 2 }] },
      { verb: "spawn", spawned: [4], terms: [] },
      { verb: "spawn", spawned: [5], terms: [under(3)] },
      { verb: "reparentMany", list: [2, 1], parents: [4, 3] },
    ],
  ],
  [
    "a list of moves was refused for a cycle of a component entity, which an earlier move of it had opened",
    [
      { verb: "entityOf", what: "Watches", spawned: 1 },
      { verb: "spawn", spawned: [2], terms: [under(1)] },
      { verb: "spawn", spawned: [3], terms: [] },
      { verb: "reparentMany", list: [2, 1], parents: [3, 2] },
    ],
  ],
  [
    "of a list that got a symmetric pair with one of it, that one had it with an earlier one instead of itself",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [] },
      { verb: "addMany", list: [1, 2], terms: [{ what: "MarriedTo", target: 2 }] },
    ],
  ],
  [
    "of a deferred list of moves, one stayed where it was whose parent went with the parent of an earlier one",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [] },
      { verb: "spawn", spawned: [3], terms: [] },
      {
        verb: "iterate",
        method: "defer",
        isThrowing: false,
        steps: [
          { verb: "destroy", entity: 1 },
          { verb: "reparentMany", list: [3, 2], parents: [2, 1] },
        ],
      },
    ],
  ],
  [
    "a recorded destroy took an entity of a buffer that was appended after it, before it was spawned",
    [
      { verb: "record", buffer: 0, steps: [{ verb: "spawn", spawned: [1], terms: [] }] },
      {
        verb: "record",
        buffer: 1,
        steps: [
          { verb: "destroy", entity: 1 },
          { verb: "applyCommands", buffer: 0 },
        ],
      },
      { verb: "applyCommands", buffer: 1 },
    ],
  ],
  [
    "a deferred destroy took an entity of a buffer that was applied after it, before it was spawned",
    [
      { verb: "spawn", spawned: [6], terms: [] },
      { verb: "record", buffer: 2, steps: [{ verb: "spawn", spawned: [7], terms: [] }] },
      {
        verb: "iterate",
        method: "eachBatch",
        isThrowing: false,
        steps: [
          { verb: "destroy", entity: 7 },
          { verb: "applyCommands", buffer: 2 },
        ],
      },
    ],
  ],
  [
    "a spawn was pending for ever after its command buffer was discarded inside its own recording",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      {
        verb: "record",
        buffer: 0,
        steps: [
          { verb: "spawn", spawned: [2], terms: [{ what: "ChildOf", target: 1 }] },
          { verb: "discardCommands", buffer: 0 },
        ],
      },
      { verb: "applyCommands", buffer: 0 },
    ],
  ],
  [
    "a slice that a pack had made 15 rows long had no room to grow to 16",
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
    "an entity field could be cleared only by destroying its entity",
    [
      { verb: "spawn", spawned: [1], terms: [{ what: "Aim", value: { at: undefined, power: 1 } }] },
      { verb: "set", entity: 1, term: { what: "Aim", value: { at: 1 } } },
      { verb: "set", entity: 1, term: { what: "Aim", value: { at: undefined } } },
      { verb: "add", entity: 1, terms: [{ what: "Damage", target: 1, value: { by: 1 } }] },
      { verb: "set", entity: 1, term: { what: "Damage", target: 1, value: { by: undefined } } },
    ],
  ],
  [
    "an entity that lost a pair because its target was destroyed was not reported to observers",
    [
      { verb: "spawn", spawned: [1], terms: [{ what: "Aim" }] },
      { verb: "spawn", spawned: [2], terms: [{ what: "Damage", target: 1, value: { amount: 1 } }] },
      { verb: "spawn", spawned: [3], terms: [{ what: "MemberOf", target: 1 }, under(2)] },
      { verb: "destroy", entity: 1 },
    ],
  ],
  [
    "a pair between two entities that were destroyed together was not reported to observers",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [under(1)] },
      { verb: "add", entity: 1, terms: [{ what: "MemberOf", target: 2 }] },
      { verb: "destroy", entity: 1 },
    ],
  ],
  [
    "a refused spawnMany reported spawned entities to observers, and removed a partner",
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
    "a child by Parent was destroyed with the target of a relation that only loses its pairs",
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
    "a clone of an entity with a pair to itself had no such pair",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "add", entity: 1, terms: [{ what: "Knows", target: 1 }] },
      { verb: "clone", entity: 1, isDeep: false, terms: [], spawned: 2 },
    ],
  ],
  [
    "a child by Parent of a component entity outlived it",
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
    "a parent was destroyed before its child, which another relation had reached later",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [{ what: "Owns", target: 1 }] },
      { verb: "spawn", spawned: [3], terms: [{ what: "Lit" }, byValue(2)] },
      { verb: "add", entity: 1, terms: [under(3)] },
      { verb: "destroy", entity: 3 },
    ],
  ],
  [
    "the internal tag of a component entity was reported to observers",
    [{ verb: "entityOf", what: "Frozen", spawned: 1 }],
  ],
  [
    "removeAll turned children into roots in the order of tables",
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
    "a name that an entity had was not set again after a deferred clear",
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
    "release counted the released component entity itself among the entities that have its definition",
    [
      { verb: "entityOf", what: "Rents", spawned: 1 },
      { verb: "spawn", spawned: [2], terms: [] },
      { verb: "add", entity: 1, terms: [{ what: "Rents", target: 2 }] },
      { verb: "release", entity: 1 },
    ],
  ],
  [
    "the partner that a clone got from terms lost it to the copy of a child, which was bound to the original",
    [
      { verb: "spawnMany", spawned: [1, 2], terms: [] },
      { verb: "spawn", spawned: [3], terms: [under(1), { what: "MarriedTo", target: 1 }] },
      { verb: "clone", entity: 1, isDeep: true, terms: [{ what: "MarriedTo", target: 2 }], spawned: 100 },
      { verb: "clone", entity: 1, isDeep: true, terms: [{ what: "MarriedTo", target: 3 }], spawned: 200 },
    ],
  ],
  [
    "a wildcard was refused before the destroyed target of an earlier term",
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
    "a copy that got its row from terms was ordered after the copies below it",
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
    "the twin added the terms of the topmost copy after the copies below had added pairs that point at it",
    [
      { verb: "spawnMany", spawned: [1, 2], terms: [] },
      { verb: "add", entity: 1, terms: [{ what: "Knows", target: 2 }, under(2)] },
      { verb: "clone", entity: 2, isDeep: true, terms: [{ what: "Knows", target: 2 }], spawned: 100 },
    ],
  ],
  [
    "an original below got a symmetric pair with the copy of its ancestor before its row was copied",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [under(1)] },
      { verb: "clone", entity: 1, isDeep: true, terms: [{ what: "Knows", target: 2 }], spawned: 100 },
    ],
  ],
  [
    "deferred commands of observers destroyed tables while rows were still reserved in them",
    [
      { verb: "spawn", spawned: [6], terms: [] },
      { verb: "spawnMany", spawned: [34, 35], terms: [under(6)] },
      { verb: "spawn", spawned: [36], terms: [under(6), { what: "Position", value: { x: 0, y: 30000000 } }] },
      { verb: "spawn", spawned: [40], terms: [{ what: "MarriedTo", target: 36 }] },
      { verb: "clear", entity: 36 },
    ],
  ],
  [
    "a copy with OrderedChildren in its terms expected an ordered list of its original, which had none",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawnMany", spawned: [2, 3], terms: [under(1)] },
      { verb: "spawn", spawned: [4], terms: [under(1), { what: "Lit" }] },
      { verb: "clone", entity: 1, isDeep: true, terms: [{ what: "OrderedChildren" }], spawned: 100 },
    ],
  ],
  [
    "children by Parent whose order had changed became roots in the order of spawning",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawnMany", spawned: [2, 3, 4], terms: [byValue(1)] },
      { verb: "replaceChildren", parent: 1, list: [4, 2, 3] },
      { verb: "removeAll", what: "Parent", target: 1 },
    ],
  ],
  [
    "copies below were not reported if a child by Parent is in the same table as the root that is cloned",
    [
      { verb: "spawn", spawned: [1], terms: [] },
      { verb: "spawn", spawned: [2], terms: [byValue(1)] },
      { verb: "spawn", spawned: [3], terms: [byValue(2)] },
      { verb: "clone", entity: 2, isDeep: true, terms: [], spawned: 100 },
    ],
  ],
  [
    "in a world without other queries, a destroyed entity could not be removed from entities that have it as a tag",
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

const MEMORIES = ["plain", "wasm"] as const;
const OBSERVERS = ["observed", "unobserved", "reacting"] as const;
const ALL = MEMORIES.flatMap((memory) =>
  OBSERVERS.flatMap((observers) => STORAGES.map((storage) => ({ memory, observers, storage }))),
);
/** Observers meet each storage, on one memory or the other, and on both in a long run. Shipped bundles get five of these. */
const EACH = process.env.TREELINE_BUILD === "shipped" ? 4 : 2;
const TAKEN = ALL.filter((_, at) => Number(process.env.TREELINE_WALKS ?? 0) >= 1 || at % EACH === 0);

describe("steps that broke an invariant in the past", () => {
  it.each(PINNED)("keep every invariant: %s", (_, steps) => {
    for (const { storage, ...options } of TAKEN)
      expect(replay(steps, { ...options, storages: allStoredIn(storage) })).toEqual({ holds: true });
  });
});
