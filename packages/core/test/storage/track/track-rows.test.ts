import { describe, expect, it } from "vitest";
import { component } from "../../../src/index.ts";
import type { TableNumber } from "../../../src/storage/table.ts";
import { BLOCK_ROWS, CHANGED, markRow, type Track, Tracks } from "../../../src/storage/tracks.ts";
import { createDice } from "../../dice.ts";
import {
  addTable,
  append,
  appendMany,
  audit,
  createLedger,
  empty,
  endTable,
  type Ledger,
  packLedger,
  Self,
  take,
} from "../ledger.ts";
import { memories } from "../memory/memories.ts";

const Note = component<number>("Note");

/** Ticks are the indexes of entities: new rows, which are the last ones of a table, get theirs. */
function markLast({ rows, members }: Ledger, track: Track, table: TableNumber, count: number): void {
  const indexes = members.get(table)!;
  const first = rows.tables.first[table]!;
  for (let row = indexes.length - count; row < indexes.length; row++) {
    track.clock.now = Math.max(track.clock.now, indexes[row]!);
    markRow(track, first + row, indexes[row]!);
  }
}

/** Rows whose tick is not that of their entity, or that their block or the last tick does not cover. */
function wrongIn({ rows, members, archetype }: Ledger, { rows: ticks, blocks, last }: Track): string[] {
  const wrong: string[] = [];
  for (const [table, indexes] of members) {
    indexes.forEach((index, row) => {
      const at = rows.tables.first[table]! + row;
      if (ticks[at] !== index) wrong.push(`e${index} has the tick ${ticks[at]}`);
      if (blocks[Math.floor(at / BLOCK_ROWS)]! < index || last < index) wrong.push(`e${index} is not known`);
    });
  }
  if (ticks.length !== archetype.lanes.capacity) wrong.push(`${ticks.length} ticks`);
  return wrong;
}

describe.each(memories)("rows of a tracked archetype on %s memory", (_, createMemory) => {
  it.each([
    [1, "few and large tables", 4, 200],
    [2, "many small tables", 60, 12],
    [3, "tables of all sizes", 25, 70],
  ])("keep their ticks wherever they move (seed %i, %s)", (seed, __, mostTables, mostRows) => {
    const dice = createDice(seed);
    const ledger = createLedger(createMemory(), [Self, Note]);
    const { archetype } = ledger;
    const tracks = new Tracks(
      { clock: { now: 1 }, found: undefined, tracked: [], disabledEdition: 0 },
      archetype,
    );
    archetype.lanes.tracks = tracks;
    tracks.start({ definition: Self, kind: CHANGED, users: 1, at: 0, lost: true });
    const [track] = tracks.list as [Track];
    for (let steps = 1; steps <= 3000; steps++) {
      const tables = [...ledger.members.keys()];
      const table =
        tables.length < mostTables && dice.chance(0.2) ? addTable(ledger) : dice.pick([...tables, 0]);
      if (table === 0) continue;
      const count = ledger.members.get(table)!.length;
      // Phases of growth and of decline, so that holes arise and are closed.
      const grows = dice.chance(Math.floor(steps / 300) % 2 === 0 ? 0.7 : 0.3);
      if (dice.chance(0.003)) packLedger(ledger, tables);
      else if (dice.chance(0.01)) endTable(ledger, table);
      else if (dice.chance(0.02)) empty(ledger, table);
      else if (grows && dice.chance(0.3)) {
        const more = 1 + dice.below(mostRows);
        appendMany(ledger, table, more);
        markLast(ledger, track, table, more);
      } else if (grows) {
        append(ledger, table);
        markLast(ledger, track, table, 1);
      } else {
        for (let times = Math.min(count, dice.below(mostRows)); times > 0; times--) {
          take(ledger, table, dice.below(ledger.members.get(table)!.length));
        }
      }
      if (steps % 5 === 0) expect([steps, wrongIn(ledger, track)]).toEqual([steps, []]);
      if (steps % 100 === 0) expect(audit(ledger)).toEqual([]);
    }
  });
});
