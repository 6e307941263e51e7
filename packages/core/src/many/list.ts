// Reads lists: each entity once (`indexesIn`), `bad-value`; marks and counts for passes; defers changes of several (`changeOrDefer`).
import { shown, TreelineError } from "../base/error.ts";
import { grownInt32 } from "../base/growing.ts";
import type { ListTerm, PlainTerm, Term } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import { deferCommand, mustDefer } from "../world/state/lock.ts";
import { requireAlive } from "../world/state/require.ts";
import { type World, worldState } from "../world/state/world.ts";

/** For passes over a list; all 0 between calls. One record per world. */
interface Marks {
  /** By entity index. */
  marks: Int32Array<ArrayBuffer>;
  /** By table. */
  counts: Int32Array<ArrayBuffer>;
}

const marksOf: (world: World) => Marks = /* @__PURE__ */ worldState((_, { packed }) => {
  const own = { marks: new Int32Array(0), counts: new Int32Array(0) };
  packed.push(() => Object.assign(own, { marks: new Int32Array(0), counts: new Int32Array(0) }));
  return own;
});

/** An array of zeros by entity index. The caller sets every number that it changes to 0 again. */
export function marksFor(world: World): Int32Array {
  const own = marksOf(world);
  own.marks = grownInt32(own.marks, world.entities.length);
  return own.marks;
}

/** An array of zeros by pair. The caller sets every number that it changes to 0 again. */
export function countsFor(world: World): Int32Array {
  const own = marksOf(world);
  own.counts = grownInt32(own.counts, world.graph.pairs.length);
  return own.counts;
}

export function isListTerm(term: unknown): term is ListTerm {
  return typeof term === "object" && term !== null && "each" in term;
}

/** The term of one entity. */
export function termAt({ each, list }: ListTerm, at: number): PlainTerm {
  const isPair = each.kind === "relation";
  const own = list?.[at]; // of what is refused as a list later
  return { definition: each, target: isPair ? own : 0, value: isPair ? undefined : own } as Term as PlainTerm;
}

/** @throws TreelineError `bad-value` unless it is a list. */
export function requireArray(verb: string, what: string, list: unknown): void {
  if (Array.isArray(list)) return;
  throw new TreelineError("bad-value", `${verb} takes a list of ${what}, not ${shown(list)}`);
}

/** @throws TreelineError `bad-value` unless both lists have the same length. */
export function requireSameLength(verb: string, list: readonly unknown[], beside: readonly unknown[]): void {
  if (list.length === beside.length) return;
  const text = `${verb} takes lists of one length, not of ${list.length} and ${beside.length}`;
  throw new TreelineError("bad-value", text);
}

/**
 * The indexes of the living entities of a list, each once, at its first place.
 *
 * @param use gets the place of each entity that counts.
 * @throws TreelineError `bad-value` if it is no list; `dead-entity` if one of it is not alive.
 */
export function indexesIn(
  world: World,
  verb: string,
  list: readonly Entity[],
  use?: (place: number) => void,
): number[] {
  requireArray(verb, "entities", list);
  for (let place = 0; place < list.length; place++)
    if (!isLiving(world.entities, list[place]!)) requireAlive(world, list[place]!);
  return distinctIn(world, list, use);
}

/** The same for a list of handles, some of which may not be alive. */
export function distinctIn(world: World, list: readonly Entity[], use?: (place: number) => void): number[] {
  const marks = marksFor(world);
  const indexes: number[] = [];
  for (let place = 0; place < list.length; place++) {
    const index = indexOf(list[place]!);
    if (marks[index] !== 0 || world.entities.handles[index] !== list[place]) continue;
    marks[index] = 1;
    indexes.push(index);
    use?.(place);
  }
  for (let at = 0; at < indexes.length; at++) marks[indexes[at]!] = 0;
  return indexes;
}

/**
 * Makes a change of several entities now; or at the end of the iteration, of those that are alive then.
 *
 * @param change gets their places among `indexes`; `undefined` means all of them.
 * @param terms what it gives them; values are plain.
 */
export function changeOrDefer(
  world: World,
  indexes: readonly number[],
  change: (isLeft?: (place: number) => boolean) => void,
  terms?: readonly PlainTerm[],
): void {
  if (world.deferDepth === 0 || !mustDefer(world)) {
    change();
    return;
  }
  const { entities } = world;
  const handles = indexes.map((index) => handleAt(entities, index));
  deferCommand(
    world,
    0,
    () => change((place) => isLiving(entities, handles[place]!)),
    handles,
    terms && [...terms],
  );
}
