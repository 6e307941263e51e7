/**
 * What has happened to whom since somebody looked: the plain record behind `changed`, `added` and `removed`. Every
 * happening is kept with its turn; nothing is folded together.
 */

import type { Twin } from "../twin/rules.ts";
import type { SlowEntity, SlowWorld } from "../twin/world.ts";
import { has, isAlive } from "../twin/world.ts";
import type { Above, Asking, Happening, Question } from "./twin.ts";
import { entityFor } from "./twin.ts";
import { keyOf, pathsIn } from "./twin-paths.ts";

export interface Happenings {
  readonly all: {
    readonly kind: Happening;
    readonly twin: Twin;
    readonly what: string;
    readonly turn: number;
  }[];
  turn: number;
}

/** What a question knows of its last look; nothing before the first. */
export interface LastLook {
  readonly turn: number;
  /** Key of a way -> twin -> who was the nearest with it. */
  readonly holders: ReadonlyMap<string, ReadonlyMap<Twin, Twin | undefined>>;
}

export function createHappenings(): Happenings {
  return { all: [], turn: 0 };
}

/** A value was written, the same one too: by a verb, through a row view, in declared columns. */
export function noteWritten(happenings: Happenings, twin: Twin, what: string): void {
  note(happenings, "changed", twin, what);
}

/** What somebody has got or lost since `before` was emptied. That a value is another one is told by who wrote it. */
export function noteDifferences(happenings: Happenings, { before, living }: SlowWorld): void {
  for (const [twin, former] of before) {
    const now = living.get(twin);
    if (now === undefined) continue; // the dead answer nothing
    const had = countOfUnit(former);
    const held = countOfUnit(now);
    for (const what of held) if (!had.has(what)) note(happenings, "added", twin, what);
    for (const what of had) if (!held.has(what)) note(happenings, "removed", twin, what);
  }
}

/** Looks: from now on what happened before is no news. */
export function lookNow(
  happenings: Happenings,
  world: Pick<Asking, "slow" | "indexOf">,
  { terms }: Question,
): LastLook {
  const holders = new Map<string, Map<Twin, Twin | undefined>>();
  for (const way of pathsIn(terms)) {
    const twins = [...world.slow.living.keys()];
    holders.set(keyOf(way), new Map(twins.map((twin) => [twin, entityFor(world, twin, way)])));
  }
  return { turn: happenings.turn, holders };
}

/**
 * What has happened since a look. The first look sees everything that is there, and what was lost since it was asked.
 *
 * @param began the turn when it was asked.
 */
export function happenedSince(
  { all, turn: now }: Happenings,
  slow: SlowWorld,
  last: LastLook | undefined,
  began: number = now,
): Pick<Asking, "hasHappened" | "hasChangedAbove"> {
  const hasHappened = (kind: Happening, twin: Twin, what: string): boolean => {
    if (!isAlive(slow, twin) || has(slow, twin, what) === (kind === "removed")) return false;
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
  const hasChangedAbove = (twin: Twin, of: Above, holder: Twin | undefined): boolean => {
    if (last === undefined) return holder !== undefined;
    if (last.holders.get(keyOf(of))?.get(twin) !== holder) return holder !== undefined;
    return holder !== undefined && hasHappened("changed", holder, of.what);
  };
  return { hasHappened, hasChangedAbove };
}

function note(happenings: Happenings, kind: Happening, twin: Twin, what: string): void {
  happenings.all.push({ kind, twin, what, turn: ++happenings.turn });
}

/** Tags and components. */
function countOfUnit(being: SlowEntity | undefined): Set<string> {
  if (being === undefined) return new Set();
  return new Set([...being.tags, ...being.schemas.keys(), ...being.objects.keys()]);
}
