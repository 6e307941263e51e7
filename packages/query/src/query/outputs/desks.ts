import type { Definition, World } from "@treeline/core";
import { worldState } from "@treeline/core/internal";
import { views as ofVisits } from "../lists/start-track.ts";
import { createRowView, RowPointer, type RowView } from "./row-view.ts";

/**
 * What one visit at a time works with. Visits inside visits take the next desk, so nearly all take the first: a visitor
 * then meets the same view of a component in every query, which keeps it quick.
 */
export interface Desk {
  /** 0-based. */
  readonly number: number;
  isTaken: boolean;
  /** The row of the entity itself; all views of its own components share it. */
  readonly own: RowPointer;
  /** By definition and whose row: one for each term of a query that needs one like it. */
  readonly views: Map<string, RowView[]>;
}

const desksOf: (world: World) => Desk[] = /* @__PURE__ */ worldState(() => []);

/** The caller gives it back with `isTaken = false`. */
export function takeDesk(world: World): Desk {
  const desks = desksOf(world);
  let number = 0;
  while (number < desks.length && desks[number]!.isTaken) number++;
  if (number === desks.length) {
    desks.push({ number, isTaken: false, own: new RowPointer(), views: new Map() });
    ofVisits.turnMarks = turnMarks;
  }
  const desk = desks[number]!;
  desk.isTaken = true;
  return desk;
}

/** Somebody begins or ceases to ask for changes while visits run: their views mark what they write, or do no longer. */
function turnMarks(world: World): void {
  for (const { isTaken, views } of desksOf(world)) {
    if (!isTaken) continue;
    for (const list of views.values()) for (const { marks } of list) marks.turn();
  }
}

/**
 * @param isOwn shows the entity's own row; otherwise it has a pointer of its own, and cannot be written.
 * @param place 0 for the first such view of a query, 1 for the second, ...
 */
export function viewAt(
  world: World,
  desk: Desk,
  definition: Definition,
  isOwn: boolean,
  place: number,
): RowView {
  const key = `${definition.id} ${isOwn}`;
  let views = desk.views.get(key);
  if (views === undefined) {
    views = [];
    desk.views.set(key, views);
  }
  while (views.length <= place) {
    views.push(createRowView(world, definition, isOwn ? desk.own : new RowPointer(), isOwn));
  }
  return views[place]!;
}
