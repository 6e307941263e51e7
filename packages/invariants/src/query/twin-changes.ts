/**
 * The plain record behind `changed`, `added` and `removed`: what has changed since a read. Every change is kept with its turn;
 * changes are not merged.
 */

import { relationRulesOf } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import type { NaiveEntity, NaiveWorld } from "../twin/world.ts";
import { has, isAlive, isDisabled, targetsOf } from "../twin/world.ts";
import type { Above, ChangeKind, QueryContext, QueryDescription } from "./twin.ts";
import { entityFor, namesDisabled } from "./twin.ts";
import { keyOf, pathsIn } from "./twin-paths.ts";

export interface ChangeLog {
  readonly all: {
    readonly kind: ChangeKind;
    readonly twin: Twin;
    readonly what: string;
    readonly turn: number;
  }[];
  turn: number;
}

/** What a query remembers of its last read; nothing before the first. */
export interface LastRead {
  readonly turn: number;
  /** Key of a path -> twin -> its nearest source. */
  readonly sources: ReadonlyMap<string, ReadonlyMap<Twin, Twin | undefined>>;
}

/** What a query has not read of an entity, since it was disabled at the last read. */
export interface Unread {
  /** The last read when it was not disabled; undefined if there was none. */
  readonly last: LastRead | undefined;
  /** Paths along which it has got another source at a read since then, by key. */
  readonly switched: ReadonlySet<string>;
}

/** By entity that was disabled at the last read of a query. */
export type UnreadOfDisabled = ReadonlyMap<Twin, Unread>;

/** What a query that leaves out disabled entities has not read of them, after one more read. */
export function keepUnread(
  naive: NaiveWorld,
  { terms }: QueryDescription,
  former: UnreadOfDisabled,
  last: LastRead | undefined,
  now: LastRead,
): UnreadOfDisabled {
  const unread = new Map<Twin, Unread>();
  if (namesDisabled(terms)) return unread;
  for (const twin of naive.living.keys()) {
    if (!isDisabled(naive, twin)) continue;
    const known = former.get(twin) ?? { last, switched: new Set<string>() };
    const keys = [...now.sources.keys()];
    const changed = keys.filter(
      (key) => now.sources.get(key)!.get(twin) !== last?.sources.get(key)?.get(twin),
    );
    unread.set(twin, { last: known.last, switched: new Set([...known.switched, ...changed]) });
  }
  return unread;
}

export function createChangeLog(): ChangeLog {
  return { all: [], turn: 0 };
}

/** A value was written, even an equal one: by a function, through a row view, or in declared columns. */
export function noteWritten(changeLog: ChangeLog, twin: Twin, what: string): void {
  note(changeLog, "changed", twin, what);
}

/** What entities have gained or lost since `before` was cleared. The code that writes a value notes it itself. */
export function noteDifferences(changeLog: ChangeLog, { before, living }: NaiveWorld): void {
  for (const [twin, former] of before) {
    const now = living.get(twin);
    if (now === undefined) continue; // destroyed entities match nothing
    const previous = definitionsOf(former);
    const current = definitionsOf(now);
    for (const what of current) if (!previous.has(what)) note(changeLog, "added", twin, what);
    for (const what of previous) if (!current.has(what)) note(changeLog, "removed", twin, what);
    const was = targetsIn(former);
    const is = targetsIn(now);
    for (const what of new Set([...was.keys(), ...is.keys()])) {
      if (was.get(what) === is.get(what)) continue;
      if (!was.has(what)) note(changeLog, "added", twin, what);
      else if (!is.has(what)) note(changeLog, "removed", twin, what);
      note(changeLog, "changed", twin, what);
    }
  }
}

/** Reads: earlier changes are not reported again. */
export function readNow(
  changeLog: ChangeLog,
  world: Pick<QueryContext, "naive" | "indexOf">,
  { terms }: QueryDescription,
): LastRead {
  const sources = new Map<string, Map<Twin, Twin | undefined>>();
  for (const path of pathsIn(terms)) {
    const twins = [...world.naive.living.keys()];
    sources.set(keyOf(path), new Map(twins.map((twin) => [twin, entityFor(world, twin, path)])));
  }
  return { turn: changeLog.turn, sources };
}

/**
 * The changes since a read. The first read reports everything that exists, and what was lost since the query was created.
 *
 * @param began the turn when the query was created.
 */
export function changesSince(
  { all, turn: now }: ChangeLog,
  naive: NaiveWorld,
  last: LastRead | undefined,
  began: number = now,
  unread: UnreadOfDisabled = new Map(),
): Pick<QueryContext, "hasChanged" | "hasChangedAbove" | "changesOf"> {
  return {
    ...changesFor({ all, turn: now }, naive, last, last, began),
    changesOf: (twin) => {
      const own = unread.get(twin);
      return own && changesFor({ all, turn: now }, naive, own.last, last, began, own.switched);
    },
  };
}

/** @param noted the last read of all, which noted sources; `last` may be an earlier one. */
function changesFor(
  { all }: ChangeLog,
  naive: NaiveWorld,
  last: LastRead | undefined,
  noted: LastRead | undefined,
  began: number,
  switched: ReadonlySet<string> = new Set(),
): Pick<QueryContext, "hasChanged" | "hasChangedAbove"> {
  const hasChanged = (kind: ChangeKind, twin: Twin, what: string): boolean => {
    const isTarget = isTracked(what);
    const hasIt = isTarget ? targetsOf(naive, twin, what).length > 0 : has(naive, twin, what);
    if (!isAlive(naive, twin) || (hasIt === (kind === "removed") && !(isTarget && kind === "changed")))
      return false;
    if (last === undefined && kind !== "removed" && hasIt) return true;
    const since = last?.turn ?? began;
    return all.some(
      (one) =>
        one.turn > since &&
        one.twin === twin &&
        one.what === what &&
        (one.kind === kind || (kind === "changed" && one.kind === "added")),
    );
  };
  const hasChangedAbove = (twin: Twin, of: Above, source: Twin | undefined): boolean => {
    if (last === undefined) return source !== undefined;
    const key = keyOf(of);
    if (switched.has(key) || noted?.sources.get(key)?.get(twin) !== source) return source !== undefined;
    return source !== undefined && hasChanged("changed", source, of.what);
  };
  return { hasChanged, hasChangedAbove };
}

function note(changeLog: ChangeLog, kind: ChangeKind, twin: Twin, what: string): void {
  changeLog.all.push({ kind, twin, what, turn: ++changeLog.turn });
}

/** Relations of which changes of the target are noted. */
export function isTracked(what: string): boolean {
  return relationRulesOf(what)?.exclusive === true && what !== "Parent";
}

/** By exclusive relation, the target. */
function targetsIn(record: NaiveEntity | undefined): Map<string, Twin> {
  const found = new Map<string, Twin>();
  if (record === undefined) return found;
  if (record.parent !== undefined) found.set("ChildOf", record.parent);
  for (const [what, targets] of record.pairs) {
    const [target] = targets.keys();
    if (isTracked(what) && target !== undefined) found.set(what, target);
  }
  return found;
}

/** Tags and components. */
function definitionsOf(record: NaiveEntity | undefined): Set<string> {
  if (record === undefined) return new Set();
  return new Set([...record.tags, ...record.schemas.keys(), ...record.objects.keys()]);
}
