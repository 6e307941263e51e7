import { describe, expect, it } from "vitest";
import { SourceNotes } from "../../../src/query/lists/watch.ts";

function fitted(): SourceNotes {
  const notes = new SourceNotes();
  notes.fit(10);
  return notes;
}

describe("notes of sources", () => {
  it("record whether the entity had the same source in the round before", () => {
    const notes = fitted();

    const results = [
      notes.note(3, 1003, 1001, 1), // the first time
      notes.note(3, 1003, 1001, 2), // the same
      notes.note(3, 1003, 1002, 3), // another source
      notes.note(3, 2003, 1002, 4), // another entity at the index
      notes.note(3, 2003, 1002, 6), // it had none in round 5
      notes.note(3, 2003, 1002, 7),
    ];

    expect(results).toEqual([true, false, true, true, true, false]);
  });

  it("can be read without marking, by `count`, which finds something else than is noted", () => {
    const notes = fitted();
    notes.note(3, 1003, 1001, 1);
    notes.switched[3] = 5;

    expect([notes.switchedAt(3, 1003, 1001, 1), notes.switchedAt(3, 1003, 1002, 1)]).toEqual([
      5,
      Number.POSITIVE_INFINITY,
    ]);
    expect([notes.switchedAt(3, 1003, 1001, 2), notes.switchedAt(99, 1099, 1001, 1)]).toEqual([
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
    ]);
  });

  it("are kept when they grow", () => {
    const notes = fitted();
    notes.note(9, 1009, 1001, 1);
    notes.switched[9] = 5;

    notes.fit(100_000);
    notes.note(99_999, 1, 2, 1);

    expect([notes.note(9, 1009, 1001, 2), notes.switched[9], notes.switched.length >= 100_000]).toEqual([
      false,
      5,
      true,
    ]);
  });
});
