import type { Component, Tag } from "@treeline/core";
import { readers } from "../../term/draft.ts";
import { type Wrapped, wrap } from "../../term/operators.ts";
import { changesReader } from "../../term/read-changes.ts";
import { bringChanges } from "./bring.ts";

/**
 * Only entities whose value was written since this query last looked: by `set`, `patch`, row views, runs with declared
 * writes, `markChanged`, and by getting it. `changed(up(C))` and `changed(cascade(C))` tell of the value of the nearest
 * ancestor, and of another ancestor being the nearest. Components without values are refused by `query` with `bad-query`.
 *
 * Such a query is nobody else's: the same question gives a new one, to be disposed. Its visits look; `first`, `count` and
 * `isEmpty` do not. The first look sees everything. What the visit itself writes through its row views and declared writes
 * is not news to it, unless a query for changes was visited inside it: what is written after that is.
 *
 * Cost: eight bytes a row of every shape with the component, once somebody asks; a visit passes over what is old by shapes
 * and by blocks of 64 rows. 1 % of all rows, scattered, takes a tenth to a third of a visit of all. Of ancestors: 36 bytes for each
 * entity index of the world and each query, and room to grow; after structural changes, a pass over all who are below
 * somebody.
 */
export function changed(
  what: Component | Wrapped<"up" | "selfOrUp" | "cascade">,
): Wrapped<"changed", undefined> {
  bringChanges();
  readers.changed = changesReader;
  return wrap("changed", [what]);
}

/** Only entities that got it since this query last looked, and have it. Cost, and who disposes: as `changed`. */
export function added(what: Component | Tag): Wrapped<"added", undefined> {
  bringChanges();
  readers.added = changesReader;
  return wrap("added", [what]);
}

/**
 * Only living entities that lost it since this query last looked, and have it not. Deaths are told by `monitor`.
 *
 * Cost: as `changed`; eight bytes a row of the shapes into which those came who lost it.
 */
export function removed(what: Component | Tag): Wrapped<"removed", undefined> {
  bringChanges();
  readers.removed = changesReader;
  return wrap("removed", [what]);
}
