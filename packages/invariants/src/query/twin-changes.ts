/**
 * What has happened to whom since somebody looked: the plain record behind `changed`, `added` and `removed`. Every
 * happening is kept with its turn; nothing is folded together.
 */

import type { Twin } from "../twin/rules.ts";
import type { NaiveEntity, NaiveWorld } from "../twin/world.ts";
import { has, isAlive } from "../twin/world.ts";
import type { Above, ChangeKind, QueryContext, QueryDescription } from "./twin.ts";
import { entityFor } from "./twin.ts";
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

/** What a question knows of its last look; nothing before the first. */
export interface LastRead {
  readonly turn: number;
  /** Key of a way -> twin -> who was the nearest with it. */
  readonly sources: ReadonlyMap<string, ReadonlyMap<Twin, Twin | undefined>>;
}

export function createChangeLog(): ChangeLog {
  return { all: [], turn: 0 };
}

/** A value was written, the same one too: by a verb, through a row view, in declared columns. */
export function noteWritten(changeLog: ChangeLog, twin: Twin, what: string): void {
  note(changeLog, "changed", twin, what);
}

/** What somebody has got or lost since `before` was emptied. That a value is another one is told by who wrote it. */
export function noteDifferences(changeLog: ChangeLog, { before, living }: NaiveWorld): void {
  for (const [twin, former] of before) {
    const now = living.get(twin);
    if (now === undefined) continue; // the dead answer nothing
    const previous = definitionsOf(former);
    const current = definitionsOf(now);
    for (const what of current) if (!previous.has(what)) note(changeLog, "added", twin, what);
    for (const what of previous) if (!current.has(what)) note(changeLog, "removed", twin, what);
  }
}

/** Looks: from now on what happened before is no news. */
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
 * What has happened since a look. The first look sees everything that is there, and what was lost since it was asked.
 *
 * @param began the turn when it was asked.
 */
export function changesSince(
  { all, turn: now }: ChangeLog,
  naive: NaiveWorld,
  last: LastRead | undefined,
  began: number = now,
): Pick<QueryContext, "hasChanged" | "hasChangedAbove"> {
  const hasChanged = (kind: ChangeKind, twin: Twin, what: string): boolean => {
    if (!isAlive(naive, twin) || has(naive, twin, what) === (kind === "removed")) return false;
    if (last === undefined && kind !== "removed") return true;
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
    if (last.sources.get(keyOf(of))?.get(twin) !== source) return source !== undefined;
    return source !== undefined && hasChanged("changed", source, of.what);
  };
  return { hasChanged, hasChangedAbove };
}

function note(changeLog: ChangeLog, kind: ChangeKind, twin: Twin, what: string): void {
  changeLog.all.push({ kind, twin, what, turn: ++changeLog.turn });
}

/** Tags and components. */
function definitionsOf(record: NaiveEntity | undefined): Set<string> {
  if (record === undefined) return new Set();
  return new Set([...record.tags, ...record.schemas.keys(), ...record.objects.keys()]);
}
