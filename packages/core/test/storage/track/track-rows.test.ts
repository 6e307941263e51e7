import { describe, expect, it } from "vitest";
import { component } from "../../../src/index.ts";
import { resizeColumns } from "../../../src/storage/rows.ts";
import { BLOCK_ROWS, CHANGED, markRow, type Track, Tracks } from "../../../src/storage/tracks.ts";
import { createDice } from "../../dice.ts";
import {
  append,
  appendMany,
  audit,
  createLedger,
  empty,
  type Ledger,
  Self,
  take,
  takeMany,
} from "../ledger.ts";
import { memories } from "../memory/memories.ts";

const Note = component<number>("Note");

/** Ticks are the indexes of entities: new rows, which are the last ones, get theirs. */
function markLast({ members }: Ledger, track: Track, count: number): void {
  for (let row = members.length - count; row < members.length; row++) {
    track.clock.now = Math.max(track.clock.now, members[row]!);
    markRow(track, row, members[row]!);
  }
}

/** Rows whose tick is not that of their entity, or that their block or the last tick does not cover. */
function wrongIn({ members, archetype }: Ledger, { rows: ticks, blocks, last }: Track): string[] {
  const wrong: string[] = [];
  members.forEach((index, row) => {
    if (ticks[row] !== index) wrong.push(`e${index} has the tick ${ticks[row]}`);
    if (blocks[Math.floor(row / BLOCK_ROWS)]! < index || last < index) wrong.push(`e${index} is not known`);
  });
  if (ticks.length !== archetype.lanes.capacity) wrong.push(`${ticks.length} ticks`);
  return wrong;
}

describe.each(memories)("rows of a tracked archetype on %s memory", (_, createMemory) => {
  it.each([
    [1, "few at once", 12],
    [2, "some at once", 70],
    [3, "many at once", 500],
  ])("keep their ticks wherever they move (seed %i, %s)", (seed, __, most) => {
    const dice = createDice(seed);
    const ledger = createLedger(createMemory(), [Self, Note]);
    const { archetype, members } = ledger;
    const tracks = new Tracks(
      { clock: { now: 1 }, found: undefined, tracked: [], disabledEdition: 0 },
      archetype,
    );
    archetype.lanes.tracks = tracks;
    tracks.start({ definition: Self, kind: CHANGED, users: 1, at: 0, lost: true });
    const [track] = tracks.list as [Track];
    for (let steps = 1; steps <= 3000; steps++) {
      // Phases of growth and of decline.
      const grows = dice.chance(Math.floor(steps / 300) % 2 === 0 ? 0.7 : 0.3);
      if (dice.chance(0.003)) resizeColumns(archetype, Math.ceil(members.length / 16) * 16);
      else if (dice.chance(0.005)) empty(ledger);
      else if (grows && dice.chance(0.3)) {
        const more = 1 + dice.below(most);
        appendMany(ledger, more);
        markLast(ledger, track, more);
      } else if (grows) {
        append(ledger);
        markLast(ledger, track, 1);
      } else if (dice.chance(0.3)) {
        const rows = members.map((___, row) => row).filter(() => dice.chance(0.2));
        takeMany(ledger, rows.slice(0, most));
      } else {
        for (let times = Math.min(members.length, dice.below(most)); times > 0; times--)
          take(ledger, dice.below(members.length));
      }
      if (steps % 5 === 0) expect([steps, wrongIn(ledger, track)]).toEqual([steps, []]);
      if (steps % 100 === 0) expect(audit(ledger)).toEqual([]);
    }
  });
});
