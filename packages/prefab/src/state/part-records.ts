// The numbers by which instances are linked to parts (`PartRecords`); when what is derived is derived again.
import { type Entity, isAlive, type World } from "@treeline/core";
import {
  allArchetypes,
  archetypeViewAt,
  columnsOf,
  handleOf,
  hasDefinition,
  indexOf,
  rowAt,
  runsOf,
  worldState,
} from "@treeline/core/internal";
import { Link } from "../base/definitions.ts";

/**
 * What instances are linked to, by number, from 1. A number means one part of a prefab (or a plain entity that something is an instance of),
 * as it was published once. A part that was changed and instantiated again has several numbers, the newest of which new instances get.
 * A number is given again only if no entity is linked by it.
 */
export class PartRecords {
  /** The handle of the part; 0 for a free number. It may not be alive. */
  readonly handles: Entity[] = [0 as Entity];
  /** What instances with this number got: a `Published`. */
  readonly published: (object | undefined)[] = [undefined];
  /** The handle of a part -> its newest number. */
  readonly newest: Map<Entity, number> = new Map();
  readonly free: number[] = [];
}

/** What is derived from the records. */
interface Derived {
  edition: number;
  /** Grows with every change of what prefabs have, and of their trees: what is derived from them is derived again. */
  now: number;
  /** Number -> the index of the living part; 0 if it is gone. */
  indexes: Int32Array;
  /** Number of a definition -> `ownersOf`. */
  readonly owners: Map<number, Int32Array>;
}

const stateOf = /* @__PURE__ */ worldState((_world, { records, invariants }) => {
  const parts = new PartRecords();
  const derived: Derived = { edition: 0, now: 1, indexes: new Int32Array(0), owners: new Map() };
  records.push({
    record: parts,
    settle(isRestored) {
      if (!isRestored) {
        Object.assign(parts, { handles: [0], published: [undefined], newest: new Map(), free: [] });
      }
      derived.now++;
    },
  });
  CHECK: invariants.push((world) => [...brokenLinks(world)]);
  return { parts, derived };
});

export function recordsOf(world: World): PartRecords {
  return stateOf(world).parts;
}

/**
 * For development builds: each living part has a number that means it, each link has a number that is in use, and what is linked inherits
 * what its part has and it does not own, and nothing else.
 */
function* brokenLinks(world: World): Iterable<string> {
  const { handles, newest, free, published } = recordsOf(world);
  for (const [handle, number] of newest)
    if (handles[number] !== handle)
      yield `P1: part ${handle} has the number ${number}, which means ${handles[number]}`;
  for (const number of free)
    if (handles[number] !== 0 || published[number] !== undefined)
      yield `P1: the free number ${number} means ${handles[number]}`;
  for (const archetype of allArchetypes(world)) {
    const { inherited, number, lanes } = archetype;
    const columns = columnsOf(archetype, Link) as { readonly part: Uint32Array } | undefined;
    if (columns === undefined) {
      if (inherited.length > 0 && archetype.rows > 0)
        yield `P1: archetype ${number} inherits ${inherited[0]!.name}, but its entities are not linked`;
      continue;
    }
    const { bounds, length } = runsOf(archetype);
    for (let at = 0; at < length; at += 2)
      for (let row = bounds[at]!; row < bounds[at + 1]!; row++) {
        const why = brokenLink(world, archetype, columns.part[row]!);
        if (why !== undefined) yield `P1: the entity at index ${lanes.i32[row]} ${why}`;
      }
  }
}

/** What is wrong with a link of an entity of an archetype; `undefined` if nothing is. */
function brokenLink(
  world: World,
  archetype: ReturnType<typeof archetypeViewAt>,
  number: number,
): string | undefined {
  const part = recordsOf(world).handles[number];
  if (number === 0 || part === undefined || part === 0) return `is linked by the free number ${number}`;
  const { inherited } = archetype;
  const own = isAlive(world, part) ? archetypeViewAt(world, indexOf(part)) : undefined;
  for (const one of inherited)
    if (own === undefined || !hasDefinition(own, one))
      return `inherits ${one.name}, which its part ${part} does not have`;
  for (const one of own === undefined ? [] : [...own.definitions, ...own.inherited])
    if (one.onInstantiate === "inherit" && !hasDefinition(archetype, one))
      return `neither has nor inherits ${one.name} of its part ${part}`;
  return undefined;
}

/** The number of the entity at an index as a part; 0 if it has none. */
export function numberOf(world: World, index: number): number {
  return recordsOf(world).newest.get(handleOf(world, index)) ?? 0;
}

/** The same; it gets one if it has none. */
export function ensureNumber(world: World, index: number): number {
  return numberOf(world, index) || renewNumber(world, index);
}

/** A further number for a part, which new instances get. */
export function renewNumber(world: World, index: number): number {
  const handle = handleOf(world, index);
  const number = addNumber(world, handle, undefined);
  recordsOf(world).newest.set(handle, number);
  return number;
}

/** A further number for a part, which only those get that are linked by it. */
export function addNumber(world: World, part: Entity, published: object | undefined): number {
  const records = recordsOf(world);
  const number = records.free.pop() ?? records.handles.length;
  records.handles[number] = part;
  records.published[number] = published;
  noteEdit(world);
  return number;
}

/** For a number by which no entity is linked any more. */
export function releaseNumber(world: World, number: number): void {
  const records = recordsOf(world);
  const handle = records.handles[number]!;
  if (records.newest.get(handle) === number) records.newest.delete(handle);
  records.handles[number] = 0 as Entity;
  records.published[number] = undefined;
  records.free.push(number);
  noteEdit(world);
}

/** All numbers of a part, the newest one among them. A new list. */
export function numbersOf(world: World, part: Entity): number[] {
  return recordsOf(world).handles.flatMap((handle, number) =>
    handle === part && number > 0 ? [number] : [],
  );
}

/** The number by which the entity at an index is linked; 0 if it is not. */
export function linkAt(world: World, index: number): number {
  const columns = columnsOf(archetypeViewAt(world, index), Link) as
    | { readonly part: Uint32Array }
    | undefined;
  return columns === undefined ? 0 : columns.part[rowAt(world, index)]!;
}

/** Links an entity that is linked by another number. */
export function setLink(world: World, index: number, number: number): void {
  const columns = columnsOf(archetypeViewAt(world, index), Link) as { readonly part: Uint32Array };
  columns.part[rowAt(world, index)] = number;
}

/** Something that is derived from prefabs has changed. */
export function noteEdit(world: World): void {
  stateOf(world).derived.now++;
}

export function editionOf(world: World): number {
  return stateOf(world).derived.now;
}

function derivedOf(world: World): Derived {
  const { parts, derived } = stateOf(world);
  if (derived.edition === derived.now) return derived;
  derived.edition = derived.now;
  derived.indexes = Int32Array.from(parts.handles, (handle) =>
    isAlive(world, handle) ? indexOf(handle) : 0,
  );
  derived.owners.clear();
  return derived;
}

/** By number, the index of the living part; 0 if it is gone. Valid until the next edit. */
export function partIndexes(world: World): Int32Array {
  return derivedOf(world).indexes;
}

/** What was computed for a definition since the last edit; computed now if need be. */
export function ownersFor(
  world: World,
  id: number,
  compute: (indexes: Int32Array) => Int32Array,
): Int32Array {
  const derived = derivedOf(world);
  let known = derived.owners.get(id);
  if (known === undefined) derived.owners.set(id, (known = compute(derived.indexes)));
  return known;
}
