import type { Component, Tag } from "@treeline/core";
import { clockOf, type Track } from "@treeline/core/internal";
import { tellChanged, tellChangedAbove, tellers } from "../../match/tests.ts";
import { isWrapped, type Wrapped } from "../../term/operators.ts";
import { namedIn, placeOf, questionIn, type Reader, readerOf, refuse, wrap } from "../../term/read.ts";
import { track } from "../lists/notes.ts";
import { filterNews } from "../rows/filter.ts";
import type { Query } from "../state/query-state.ts";
import { engine } from "../state/scene.ts";

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
 * and by blocks of 64 rows. 1 % of all rows, scattered, takes a tenth to a third of a visit of all. Of ancestors: 32 bytes for each
 * entity index of the world and each query, and room to grow; after structural changes, a pass over all who are below
 * somebody.
 */
export function changed(
  what: Component | Wrapped<"up" | "selfOrUp" | "cascade">,
): Wrapped<"changed", undefined> {
  bringChanges();
  return wrap("changed", changesReader, [what]);
}

/** Only entities that got it since this query last looked, and have it. Cost, and who disposes: as `changed`. */
export function added(what: Component | Tag): Wrapped<"added", undefined> {
  bringChanges();
  return wrap("added", changesReader, [what]);
}

/**
 * Only living entities that lost it since this query last looked, and have it not. Deaths are told by `monitor`.
 *
 * Cost: as `changed`; eight bytes a row of the shapes into which those came who lost it.
 */
export function removed(what: Component | Tag): Wrapped<"removed", undefined> {
  bringChanges();
  return wrap("removed", changesReader, [what]);
}

/** From now on changes can be asked for. */
function bringChanges(): void {
  tellers.changed = tellChanged;
  tellers.changedAbove = tellChangedAbove;
  engine.filterNews = filterNews;
  engine.watch = watch;
  engine.beginLook = beginLook;
  engine.endLook = endLook;
}

const changesReader: Reader = {
  test(draft, { operator, of }) {
    const what = of[0]!;
    const inner = isWrapped(what) && readerOf(what).way !== undefined ? what : undefined;
    const question = inner === undefined ? namedIn(draft, what) : questionIn(draft, inner.of[0]);
    const { definition } = question;
    const isOfValues = operator === "changed";
    if (definition.kind === "relation" || (isOfValues && definition.holds === "nothing"))
      refuse(
        `${operator}(${definition.name}) needs a component${isOfValues ? " that has values" : " or tag"}`,
      );
    draft.isWatching = true;
    if (inner === undefined) return { kind: "changed", definition, track: operator as Track["kind"] };
    if (!isOfValues) refuse(`${operator} is about entities themselves; use changed(up(...))`);
    const above = readerOf(inner).way!(draft, inner);
    return { kind: "changed above", ...above, note: placeOf(draft.watched, above, ["way", "self"]) };
  },
};

/** From now on the world keeps ticks for what the query asks for, or not any more. */
export function watch(query: Query, isAsked: boolean): void {
  const { world, plan } = query;
  for (const leaf of plan.leaves) {
    if (leaf.kind === "changed") track(world, leaf.definition, leaf.track, isAsked);
    else if (leaf.kind === "changed above") track(world, leaf.definition, "changed", isAsked);
  }
}

/**
 * A visit begins to look: what is written from now on is news to the next one, but for what the visit itself writes. A part
 * of a query sees what is new, but only visits of the whole look: else one part would take the news from the others.
 *
 * @returns the tick of what the visit itself writes; 0 if the query does not look.
 */
export function beginLook(query: Query): number {
  const { world, plan, part } = query;
  if (!plan.isWatching || part !== undefined) return 0;
  query.watch.isLooking = true;
  return clockOf(world).now;
}

/** The visit has gathered what it visits: what is written from now on has a later tick. */
export function endLook(query: Query, tick: number): void {
  query.watch.isLooking = false;
  query.looked = tick;
  clockOf(query.world).now++;
}
