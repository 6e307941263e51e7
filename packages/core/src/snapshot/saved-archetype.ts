// What of an archetype is state (`SavedArchetype`); archetypes created since (`makeBlank`).
import type { Definition } from "../id/definition.ts";
import { type Archetype, NEEDS_HOOKS } from "../storage/archetype.ts";
import type { BitColumn, Bits } from "../storage/bits.ts";
import { replaceLanes } from "../storage/lanes.ts";
import { TableList } from "../storage/table.ts";
import type { Tracking } from "../storage/tracks.ts";
import type { World } from "../world/state/world.ts";
import { Saved } from "./saved.ts";
import { SavedColumns, SavedTracks } from "./saved-columns.ts";

const PROPERTIES = ["founded", "place", "rows", "moves", "plainTable"] as const;

/** One archetype as it was. */
export class SavedArchetype {
  readonly archetype: Archetype;
  private readonly columns: SavedColumns;
  private readonly tracks = new SavedTracks();
  private readonly records: readonly Saved[];
  private bits: Bits | undefined;
  private bitColumns: readonly Saved[] = [];
  private hooked: readonly Definition[] = [];
  private fixedNeeds = 0;

  constructor(world: World, archetype: Archetype) {
    this.archetype = archetype;
    this.columns = new SavedColumns(world, archetype);
    this.records = [
      new Saved(archetype, PROPERTIES),
      new Saved(archetype.filled),
      new Saved(archetype.empty),
    ];
  }

  capture(): void {
    const { archetype, records, columns, tracks } = this;
    for (const one of records) one.capture();
    columns.capture(archetype.rows);
    tracks.capture(archetype);
    const former = this.bitColumns;
    this.bits = archetype.bits;
    this.bitColumns = (archetype.bits?.columns ?? []).map((column, at) => {
      const known = former[at];
      return known?.record === (column as object) ? known : new Saved(column, ["words", "count"]);
    });
    for (const one of this.bitColumns) one.capture();
    this.hooked = archetype.hooked;
    this.fixedNeeds = archetype.fixedNeeds;
  }

  private get all(): readonly Saved[] {
    return [...this.records, ...this.bitColumns];
  }

  /** Allocates what `restore` needs. @throws what the memory throws. */
  prepare(): void {
    this.columns.prepare();
    for (const one of this.all) one.prepare();
  }

  abandon(): void {
    this.columns.abandon();
  }

  restore(tracking: Tracking): void {
    const { archetype, bits, bitColumns } = this;
    const { tracks } = archetype.lanes;
    this.columns.restore(archetype.rows);
    for (const one of this.all) one.restore();
    archetype.bits = bits;
    if (bits !== undefined) {
      bits.columns.length = 0;
      bits.columnToTurn(undefined); // the one that it has turned last may be gone
      bits.cuts.clear(); // columns that have gone, and come again, count their versions from the beginning
      for (const { record } of bitColumns) {
        const column = record as unknown as BitColumn;
        column.version++;
        bits.columns.push(column);
      }
    }
    if (archetype.hooked !== this.hooked || archetype.fixedNeeds !== this.fixedNeeds) {
      archetype.hooked = this.hooked;
      archetype.fixedNeeds = this.fixedNeeds;
      archetype.needsEpoch = -1;
    }
    this.tracks.restore(tracking, archetype, tracks);
  }

  get bytes(): number {
    return this.all.reduce((sum, { bytes }) => sum + bytes, this.columns.bytes + this.tracks.bytes);
  }
}

/** An archetype that was created since: it stays, for the same type may come again, but has never had a row. */
export function makeBlank(archetype: Archetype): void {
  const { lanes, filled, empty, definitions } = archetype;
  lanes.tracks = undefined;
  replaceLanes(lanes, 0);
  Object.assign(filled, new TableList());
  Object.assign(empty, new TableList());
  const hooked = definitions.filter(({ hooks }) => hooks !== undefined);
  const fixedNeeds = hooked.length > 0 ? archetype.fixedNeeds : archetype.fixedNeeds & ~NEEDS_HOOKS;
  Object.assign(archetype, {
    rows: 0,
    moves: 0,
    plainTable: 0,
    founded: false,
    place: -1,
    bits: undefined,
    hooked,
    fixedNeeds,
    needsEpoch: -1,
  });
}
