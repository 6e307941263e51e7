import { describe, expect, it } from "vitest";
import type { QueryMethod } from "../../src/query/compare.ts";
import type { QueryEvent } from "../../src/query/events.ts";
import type { Above, QueryTerm } from "../../src/query/twin.ts";
import { replayEvents } from "../../src/query/walk.ts";
import type { Command } from "../../src/step/step.ts";
import { allStoredIn, STORAGES } from "../../src/step/storages.ts";
import type { NaiveTerm, Twin } from "../../src/twin/rules.ts";

const $a = "$a" as const;
const upClock: Above = { kind: "up", what: "Clock", relation: "ChildOf" };
const upMatrix: Above = { kind: "up", what: "Matrix", relation: "ChildOf" };

/** Events with wrong matches in the past, and the reasons. */
const PINNED: readonly (readonly [string, readonly QueryEvent[]])[] = [
  [
    "entities that are spawned by columns had no ticks to copy where changes are tracked",
    [
      spawn(1),
      keep(4, { kind: "changed", what: "Position" }),
      read(4, "each"),
      step({
        verb: "spawnRows",
        spawned: [2, 3, 4],
        terms: [{ what: "Position" }],
        parents: { what: "ChildOf", targets: [1, 1, 1] },
        filled: { what: "Position", fields: [{ x: 1 }, { y: 2 }, {}] },
      }),
      read(4, "each"),
    ],
  ],
  [
    "an entity was reported to have lost its partner to one spawned after it in the same call, whose partner it never was",
    [
      keep(0, { kind: "removed", what: "MarriedTo" }),
      keep(1, { kind: "changed", what: "MarriedTo" }),
      keep(2, { kind: "added", what: "MarriedTo" }),
      spawn(1),
      ...[0, 1, 2].map((slot) => read(slot, "each")),
      step({
        verb: "spawnMany",
        spawned: [2, 3, 4],
        terms: [{ what: "Frozen" }, { what: "Lit" }, { what: "MarriedTo", target: 1 }],
      }),
      ...[0, 1, 2].map((slot) => read(slot, "each")),
    ],
  ],
  [
    "batches that were dropped and created again had the numbers of the former ones, so new sources were not noted",
    [
      spawn(2, { what: "Matrix", value: {} }),
      keep(4, or({ kind: "changedAbove", of: upMatrix }, { kind: "has", what: "Is", target: 2 })),
      read(4, "eachRun"),
      spawn(8, { what: "Parent", target: 2 }),
      { event: "query", description: { terms: [upMatrix] }, method: "shards" },
      read(4, "eachRun"),
    ],
  ],
  [
    "selfOrUp passed nothing from the source to an entity with a pair of the same relation and another target",
    [
      spawn(1),
      spawn(2),
      spawn(3, damage(1, 5)),
      spawn(4, { what: "Parent", target: 3 }, damage(2, 7)),
      spawn(5, { what: "ChildOf", target: 3 }, damage(2, 8)),
      queryOnce({ kind: "selfOrUp", what: "Damage", target: 1, relation: "ChildOf" }),
    ],
  ],
  [
    "values of a pair above were read at their place in the first source, though every table stores them elsewhere",
    [
      spawn(1),
      spawn(2),
      spawn(3),
      spawn(4, damage(1, 1), damage(2, 2)),
      spawn(5, damage(2, 3), damage(3, 4)),
      ...[4, 5, 4].map((parent, at) => spawn(6 + at, { what: "ChildOf", target: parent })),
      ...[5, 4, 5].map((parent, at) => spawn(9 + at, { what: "Parent", target: parent })),
      queryOnce({ kind: "up", what: "Damage", target: 2, relation: "ChildOf" }),
      queryOnce(or({ kind: "selfOrUp", what: "Damage", target: 2, relation: "ChildOf" })),
      queryOnce(
        { kind: "has", what: "ChildOf", target: $a },
        { kind: "on", source: $a, term: { kind: "has", what: "Damage", target: 2 } },
      ),
    ],
  ],
  [
    "a batch did not find the path to an ancestor with an entity as tag",
    [
      spawn(1),
      spawn(2, { what: "Is", target: 1 }),
      spawn(3, { what: "ChildOf", target: 2 }),
      {
        event: "query",
        description: { terms: [{ kind: "up", what: "Is", target: 1, relation: "ChildOf" }] },
        method: "eachBatch",
      },
    ],
  ],
  [
    "with variables and an upward term, levels came in the order in which the variables were found",
    [
      spawn(1, { what: "Clock" }),
      spawn(2, { what: "ChildOf", target: 1 }),
      spawn(3, { what: "ChildOf", target: 2 }),
      spawn(4, { what: "Likes", target: 1 }, { what: "ChildOf", target: 3 }),
      spawn(5, { what: "Likes", target: 1 }, { what: "ChildOf", target: 1 }),
      spawn(6, { what: "Likes", target: 2 }, { what: "ChildOf", target: 3 }),
      {
        event: "query",
        description: { terms: [{ kind: "has", what: "Likes", target: $a }, upClock] },
        method: "eachLevel",
      },
    ],
  ],
  [
    "a read that ended early, since a term on a given entity did not match, noted no sources",
    [
      spawn(1, { what: "Clock" }),
      keep(
        1,
        { kind: "on", source: 1, term: { kind: "has", what: "Aim" } },
        { kind: "not", term: { kind: "changedAbove", of: upClock } },
      ),
      spawn(5, { what: "Parent", target: 1 }),
      read(1, "each"),
      step({ verb: "add", entity: 1, terms: [{ what: "Aim" }] }),
      read(1, "each"),
    ],
  ],
  [
    "a read that ended early, since a term on a variable did not match, noted no sources",
    [
      spawn(1, { what: "Clock" }),
      {
        event: "keep",
        slot: 1,
        description: {
          terms: [
            { kind: "has", what: "ChildOf", target: $a },
            { kind: "on", source: $a, term: { kind: "has", what: "Aim" } },
            { kind: "not", term: { kind: "changedAbove", of: upClock } },
          ],
          bound: { $a: 1 },
        },
      },
      spawn(5, { what: "Parent", target: 1 }),
      read(1, "each"),
      step({ verb: "add", entity: 1, terms: [{ what: "Aim" }] }),
      read(1, "each"),
    ],
  ],
  [
    "an entity that lost its source and got it back was reported, if the matches were counted in between",
    [
      spawn(1, { what: "Clock" }),
      spawn(2, { what: "Parent", target: 1 }),
      spawn(3),
      keep(1, { kind: "changedAbove", of: upClock }),
      read(1, "each"),
      step({ verb: "add", entity: 2, terms: [{ what: "Parent", target: 3 }] }),
      read(1, "counts"),
      step({ verb: "add", entity: 2, terms: [{ what: "Parent", target: 1 }] }),
      read(1, "each"),
    ],
  ],
  [
    "added(tag in bits) failed at the first row of an archetype where no row has the tag",
    [
      spawn(1, { what: "Frozen" }),
      spawn(2),
      keep(5, { kind: "added", what: "Frozen" }),
      step({ verb: "add", entity: 2, terms: [{ what: "Clock" }] }),
      read(5, "each"),
    ],
  ],
];

function step(command: Command): QueryEvent {
  return { event: "step", step: command };
}

function spawn(twin: Twin, ...terms: NaiveTerm[]): QueryEvent {
  return step({ verb: "spawn", spawned: [twin], terms });
}

function keep(slot: number, ...terms: QueryTerm[]): QueryEvent {
  return { event: "keep", slot, description: { terms } };
}

function read(slot: number, method: QueryMethod): QueryEvent {
  return { event: "read", slot, method };
}

function queryOnce(...terms: QueryTerm[]): QueryEvent {
  return { event: "query", description: { terms }, method: "each" };
}

function or(...terms: QueryTerm[]): QueryTerm {
  return { kind: "or", terms };
}

function damage(target: Twin, amount: number): NaiveTerm {
  return { what: "Damage", target, value: { amount } };
}

describe("queries with wrong matches in the past", () => {
  it.each(PINNED)("match what the naive twin matches: %s", (_, events) => {
    for (const memory of ["plain", "wasm"] as const) {
      for (const storage of STORAGES) {
        expect(replayEvents(events, { memory, storages: allStoredIn(storage) })).toEqual({ holds: true });
      }
    }
  });
});
