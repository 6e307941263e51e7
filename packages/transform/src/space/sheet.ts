// The columns of an archetype with world transforms (`sheetOf`); the mark of rows to compute (`PENDING`).
import type { Numbers } from "@treeline/core";
import { type ArchetypeView, columnsOf, hasDefinition, trackOf } from "@treeline/core/internal";
import type { Sheet, SpaceState } from "./space.ts";

/** The tick of a row that an update has found to change, and has not computed yet. Later than all others. */
export const PENDING: number = Number.POSITIVE_INFINITY;

/** Numbers of a row in the list of those that are PENDING: archetype and row, and once they are sorted depth and parent pair. */
export const MARK = 4;

/** What is known of an archetype with world transforms; renewed when its columns are. */
export function sheetOf({ sheets, space }: SpaceState, archetype: ArchetypeView): Sheet {
  const { number, lanes } = archetype;
  sheets[number] ??= { archetype, version: -1 } as Sheet;
  const sheet = sheets[number];
  if (sheet.version !== lanes.version) {
    const kind = space.locals.find(({ component }) => hasDefinition(archetype, component));
    sheet.version = lanes.version;
    sheet.place = kind?.place;
    const columns = kind && (columnsOf(archetype, kind.component) as never);
    sheet.local = (kind?.remember === undefined ? columns : kind.remember(columns!)) as never;
    sheet.matrices = (columnsOf(archetype, space.world) as { readonly matrix: Numbers }).matrix;
  }
  return sheet;
}

/** The same with the ticks, which a restore replaces: for the first look of an update. */
export function freshSheetOf(state: SpaceState, archetype: ArchetypeView): Sheet {
  const sheet = sheetOf(state, archetype);
  sheet.track = trackOf(archetype, state.space.world, "changed")!;
  sheet.unread = undefined;
  return sheet;
}
