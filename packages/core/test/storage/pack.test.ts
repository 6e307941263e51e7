import { describe, expect, it } from "vitest";
import { bits, type Memory, tag } from "../../src/index.ts";
import { Archetype } from "../../src/storage/archetype.ts";
import { setBits } from "../../src/storage/bits.ts";
import { kindOfEntry, numberOfEntry, ROW_FILLED } from "../../src/storage/journal.ts";
import { appendRow, packRows, Rows, seat, takeRow } from "../../src/storage/rows.ts";
import { BLOCK_BITS, CHANGED, markRow, type Track, Tracks } from "../../src/storage/tracks.ts";
import { createDice, type Dice } from "../dice.ts";
import { JournalCursor } from "../journal.ts";
import { Everything, readRow, rowText, Thing, writeRow } from "./everything.ts";
import { counting, memories } from "./memory/memories.ts";
import { refusing } from "./memory/refused-memory.ts";

const Marked = tag("Marked", { storage: bits });

interface Setup {
  readonly rows: Rows;
  readonly archetype: Archetype;
  readonly track: Track;
}

/** Rows of entities 1 to `count`, with values of every kind; every third has a tag in bits, and the tick of each is its index. */
function setupOf(memory: Memory, count: number): Setup {
  const archetype = new Archetype(0, [Everything, Thing], memory);
  const rows = new Rows({ row: new Int32Array(count + 1), length: count + 1 });
  const tracking = { clock: { now: count + 1 }, found: undefined, tracked: [], disabledEdition: 0 };
  const tracks = new Tracks(tracking, archetype);
  archetype.lanes.tracks = tracks;
  tracks.start({ definition: Everything, kind: CHANGED, users: 1, at: 0, lost: true });
  const track = tracks.list[0]!;
  for (let index = 1; index <= count; index++) {
    const row = appendRow(rows, archetype, index);
    rows.entities.row[index] = row;
    writeRow(archetype.lanes, row, index);
    markRow(track, row, index);
    if (index % 3 === 0) setBits(archetype, Marked, row, row + 1, true);
  }
  return { rows, archetype, track };
}

/** The entities of which anything is not where their rows are. */
function wrongIn({ rows, archetype, track }: Setup): string[] {
  const { lanes } = archetype;
  const wrong: string[] = [];
  for (let row = 0; row < archetype.rows; row++) {
    const index = lanes.i32[row]!;
    if (rows.entities.row[index] !== row) wrong.push(`e${index} is at row ${row}`);
    if (readRow(lanes, row) !== rowText(lanes, index)) wrong.push(`a value of e${index}`);
    const has = archetype.bits?.has(Marked, row) ?? false;
    if (has !== (index % 3 === 0)) wrong.push(`the tag of e${index}`);
    if (track.rows[row] !== index) wrong.push(`the tick of e${index}`);
    if (track.blocks[row >> BLOCK_BITS]! < index || track.last < index) wrong.push(`the block of e${index}`);
  }
  const marked = Math.floor(archetype.rows / 3);
  if ((archetype.bits?.count(Marked) ?? 0) !== marked) wrong.push("the number of tags");
  return wrong;
}

function indexesIn({ archetype: { lanes, rows } }: Setup): number[] {
  return [...lanes.i32.subarray(0, rows)];
}

function shuffled(dice: Dice, count: number): Int32Array {
  const from = Int32Array.from({ length: count }, (_, row) => row);
  for (let row = count - 1; row > 0; row--) {
    const other = dice.below(row + 1);
    [from[row], from[other]] = [from[other]!, from[row]!];
  }
  return from;
}

describe.each(memories)("packing an archetype on %s memory", (_, create) => {
  it.each([1, 2, 40, 700])("puts %i rows into any order, with all that they have", (count) => {
    const setup = setupOf(create(), count);
    const from = shuffled(createDice(count), count);

    packRows(setup.rows, setup.archetype, from);

    expect(indexesIn(setup)).toEqual([...from].map((row) => row + 1));
    expect(wrongIn(setup)).toEqual([]);
  });

  it("leaves room for an eighth more rows", () => {
    const setup = setupOf(create(), 1000);
    const reserved = setup.archetype.lanes.capacity;

    packRows(setup.rows, setup.archetype, shuffled(createDice(1), 1000));

    expect(reserved).toBeGreaterThan(1136);
    expect(setup.archetype.lanes.capacity).toBe(1136);
  });

  it("copies nothing if the rows are in order and the columns no longer than that", () => {
    const memory = counting(create());
    const setup = setupOf(memory, 100);
    const from = Int32Array.from({ length: 100 }, (__, row) => row);
    packRows(setup.rows, setup.archetype, from);
    const { allocations } = memory;

    packRows(setup.rows, setup.archetype, from);

    expect(memory.allocations).toBe(allocations);
    expect(wrongIn(setup)).toEqual([]);
  });

  it("frees all buffers of an archetype without rows", () => {
    const memory = counting(create());
    const setup = setupOf(memory, 10);
    for (let row = 9; row >= 0; row--) takeRow(setup.rows, setup.archetype, row);

    packRows(setup.rows, setup.archetype, new Int32Array(0));

    expect([memory.bytes, setup.archetype.lanes.capacity, setup.archetype.bits]).toEqual([0, 0, undefined]);
  });

  it("changes nothing if memory is refused", () => {
    const memory = refusing(create());
    const setup = setupOf(memory, 100);
    const before = indexesIn(setup);
    memory.refuse(2, true);

    expect(() => packRows(setup.rows, setup.archetype, shuffled(createDice(2), 100))).toThrow(
      "no more blocks",
    );

    expect(indexesIn(setup)).toEqual(before);
    expect(wrongIn(setup)).toEqual([]);
  });

  it("exchanges two rows, with all that they have, any number of times", () => {
    const setup = setupOf(create(), 200);
    const dice = createDice(3);

    for (let times = 0; times < 500; times++) {
      const [index, row] = [1 + dice.below(200), dice.below(200)];
      seat(setup.rows, setup.archetype, index, row);
      expect(setup.archetype.lanes.i32[row]).toBe(index);
    }

    expect(wrongIn(setup)).toEqual([]);
  });

  it("tells readers of the journal of both rows, and of none if the row stays", () => {
    const setup = setupOf(create(), 5);
    const { journal } = setup.rows;
    const cursor = new JournalCursor(journal);
    cursor.catchUp();

    seat(setup.rows, setup.archetype, 2, 1);
    expect(journal.length).toBe(0);
    seat(setup.rows, setup.archetype, 2, 4);

    const entries = [...journal.entries.subarray(0, journal.length)];
    expect(entries.map((entry) => [kindOfEntry(entry), numberOfEntry(entry)])).toEqual([
      [ROW_FILLED, 2],
      [ROW_FILLED, 5],
    ]);
  });
});
