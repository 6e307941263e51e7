import type { Entity, Pair, Relation, SpawnTerm, World } from "@treeline/core";
import {
  add,
  clone,
  defer,
  has,
  isAlive,
  pack,
  parentOf,
  release,
  remove,
  spawn,
  spawnMany,
  targetsOf,
} from "@treeline/core";
import { indexOf, parseTerm } from "@treeline/core/internal";
import { descendants, destroy, removeAll } from "../../src/index.ts";
import { sourceArchetypeOf } from "../../src/query/batches/chunks.ts";
import type { ParsedTerm, Traversal } from "../../src/term/plan.ts";
import { codeOf } from "../code-of.ts";
import { currentBatches } from "../current-batches.ts";
import { Any, asTag, ChildOf, OrderedChildren, Parent } from "../public/builtins.ts";
import { component, createWorld, relation, tag } from "../public/define.ts";
import { f64 } from "../public/fields.ts";
import { createDice, type Dice } from "./dice.ts";

export const Size = component("Size", { of: f64 });
export const Place = component("Place", { of: f64 });
export const Tired = tag("Tired");
export const Likes = relation("Likes");
/** Followed, one target; sources live on. */
export const Docked = relation("Docked", { traversable: true });
/** Followed, one target; subjects are destroyed with it; reflexive. */
export const Within = relation("Within", { traversable: true, reflexive: true, onTargetDestroy: "delete" });
/** Followed, many targets. */
export const Needs = relation("Needs", { traversable: true, exclusive: false });
/** The same, and subjects are destroyed with any of their targets. */
export const Made = relation("Made", { traversable: true, exclusive: false, onTargetDestroy: "delete" });

export const FOLLOWED = [ChildOf, Docked, Within, Needs, Made] as const;
const OPTIONAL = [Size, Place, Tired] as const;

/** A random world with several trees over the same entities. */
export interface PathWorld {
  readonly world: World;
  readonly dice: Dice;
  /** No more are spawned then. */
  readonly most: number;
  /** Chance that a parent is stored as a value. */
  readonly byValue: number;
  living: Entity[];
}

export function createPathWorld(seed: number, most: number, byValue = 0.5): PathWorld {
  return { world: createWorld(), dice: createDice(seed), most, byValue, living: [] };
}

/** A traversal of what users would write. */
export function along(world: World, relation: Relation, what: Parameters<typeof parseTerm>[1]): Traversal {
  const { definition, target } = parseTerm(world, what);
  return { relation, what: { definition, target }, self: false };
}

/** The newest ones more often than others, so that branches get long. */
function anyEntity({ dice, living }: PathWorld): Entity {
  return dice.chance(0.3) ? living.at(-1)! : dice.pick(living);
}

function below({ dice, byValue }: PathWorld, parent: Entity): SpawnTerm {
  return dice.chance(byValue) ? Parent(parent) : ChildOf(parent);
}

function bear(own: PathWorld): void {
  const { world, dice, living } = own;
  const terms: SpawnTerm[] = OPTIONAL.filter(() => dice.chance(0.3));
  if (living.length > 0) {
    if (dice.chance(0.7)) terms.push(below(own, anyEntity(own)));
    for (const one of [Docked, Within, Needs, Made, Likes])
      if (dice.chance(0.3)) terms.push(one(anyEntity(own)));
    if (dice.chance(0.2)) terms.push(asTag(anyEntity(own)));
  }
  living.push(...(dice.chance(0.3) ? spawnMany(world, dice.below(5), ...terms) : [spawn(world, ...terms)]));
}

/** Inside one `defer` an entity is spawned, gets subjects and another parent. */
function spawnDeferred(own: PathWorld): void {
  const { world, dice } = own;
  const [one, other] = [anyEntity(own), anyEntity(own)];
  const spawned: Entity[] = [];
  codeOf(() =>
    defer(world, () => {
      const ship = spawn(world, Size, below(own, one));
      const seat = spawn(world, Place, below(own, ship), Docked(ship), Needs(ship), Needs(other));
      spawned.push(ship, seat);
      add(world, other, dice.pick([Docked, Within, Needs])(ship));
      add(world, ship, below(own, other));
    }),
  );
  own.living.push(...spawned);
}

function copy(own: PathWorld): void {
  const { world, dice, living, most } = own;
  const one = anyEntity(own);
  if (living.length + descendants(world, one).length > most) return;
  codeOf(() => {
    const root = clone(world, one, { deep: dice.chance(0.8) });
    living.push(root, ...descendants(world, root));
  });
}

function follow(own: PathWorld, entity: Entity): void {
  const { world, dice } = own;
  const relation = dice.pick(FOLLOWED);
  const target = anyEntity(own);
  if (dice.chance(0.25)) {
    if (relation === Needs || relation === Made) {
      const targets = targetsOf(world, entity, relation);
      if (targets.length > 0) remove(world, entity, relation(dice.pick(targets)));
    } else remove(world, entity, relation(Any));
  } else if (relation === ChildOf) codeOf(() => add(world, entity, below(own, target)));
  else codeOf(() => add(world, entity, relation(target)));
}

/** Parent and child change places; what was above both stays above both. */
function swap(own: PathWorld, child: Entity): void {
  const { world } = own;
  const parent = parentOf(world, child);
  if (parent === undefined) return;
  const above = parentOf(world, parent);
  if (above === undefined) remove(world, child, ChildOf(Any));
  else add(world, child, below(own, above));
  add(world, parent, below(own, child));
}

function changeType(own: PathWorld, entity: Entity): void {
  const { world, dice } = own;
  if (dice.chance(0.3)) {
    const target = anyEntity(own);
    const what = dice.chance(0.4) ? asTag(target) : Likes(target);
    if (has(world, entity, what)) remove(world, entity, what);
    else codeOf(() => add(world, entity, what));
    return;
  }
  const what = dice.chance(0.1) ? OrderedChildren : dice.pick(OPTIONAL);
  if (has(world, entity, what)) remove(world, entity, what);
  else add(world, entity, what);
}

function sweep(own: PathWorld, entity: Entity): void {
  const { world, dice } = own;
  if (dice.chance(0.5)) pack(world);
  else if (dice.chance(0.6)) removeAll(world, dice.pick([ChildOf, Docked, Within, Needs])(entity));
  else if (dice.chance(0.3)) removeAll(world, dice.pick([Size, Place, Tired, Docked(Any), Any(entity)]));
}

/** One random change of any kind. */
export function stepPaths(own: PathWorld): void {
  const { world, dice, most } = own;
  const isFull = own.living.length >= most;
  if (own.living.length === 0 || (!isFull && dice.chance(0.3))) bear(own);
  else if (!isFull && dice.chance(0.05)) spawnDeferred(own);
  else if (!isFull && dice.chance(0.06)) copy(own);
  else if (dice.chance(0.08)) {
    if (dice.chance(0.3)) codeOf(() => release(world, anyEntity(own)));
    else destroy(world, anyEntity(own));
  } else if (dice.chance(0.03)) sweep(own, anyEntity(own));
  else if (dice.chance(0.1)) swap(own, anyEntity(own));
  else if (dice.chance(0.5)) follow(own, anyEntity(own));
  else changeType(own, anyEntity(own));
  own.living = own.living.filter((one) => isAlive(world, one));
}

function targetsByIndex(world: World, entity: Entity, relation: Relation): Entity[] {
  return targetsOf(world, entity, relation).sort((one, other) => indexOf(one) - indexOf(other));
}

function hasWhat(world: World, entity: Entity, what: ParsedTerm): boolean {
  return has(world, entity, what as unknown as Pair);
}

/** The nearest above: of several targets, everything above the first before the second. */
export function naiveSource(world: World, entity: Entity, { relation, what }: Traversal): Entity | undefined {
  const passed = new Set<Entity>();
  const search = (from: Entity): Entity | undefined => {
    for (const target of targetsByIndex(world, from, relation as Relation)) {
      if (passed.has(target)) continue;
      passed.add(target);
      const found = hasWhat(world, target, what) ? target : search(target);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(entity);
}

/** The longest path up. */
export function naiveDepth(world: World, entity: Entity, relation: Relation): number {
  const known = new Map<Entity, number>();
  const search = (from: Entity): number => {
    let depth = known.get(from);
    if (depth !== undefined) return depth;
    depth = 0;
    for (const target of targetsOf(world, from, relation)) depth = Math.max(depth, search(target) + 1);
    known.set(from, depth);
    return depth;
  };
  return search(entity);
}

/** [entity, depth, index of the source by traversal or 0] by position, in the order of chunks. */
export function filedRows(world: World, traversals: readonly Traversal[]): [number, number, number[]][] {
  const { archetypes } = world.graph;
  const { chunks, rows, sourceRows } = currentBatches(world, traversals).rowLists;
  const found: [number, number, number[]][] = [];
  for (const chunk of chunks.order.subarray(0, chunks.alive)) {
    const start = chunks.start[chunk]!;
    const { i32 } = archetypes[chunks.archetype[chunk]!]!.lanes;
    for (let at = start; at < start + chunks.rows[chunk]!; at++) {
      const sources = traversals.map((_, place) => {
        const archetype = sourceArchetypeOf(chunks, chunk, place);
        return archetype < 0 ? 0 : archetypes[archetype]!.lanes.i32[sourceRows[place]![at]!]!;
      });
      found.push([i32[rows[at]!]!, chunks.depth[chunk]!, sources]);
    }
  }
  return found;
}

/** Where batches differ from a check of every entity, one by one. */
export function wrongPaths(own: PathWorld, traversals: readonly Traversal[]): string[] {
  const { world, living } = own;
  const wrong: string[] = [];
  const missing = new Map<number, Entity>();
  for (const one of living) {
    const isSource = traversals.some(
      ({ relation }) => targetsOf(world, one, relation as Relation).length > 0,
    );
    if (isSource) missing.set(indexOf(one), one);
  }
  let last = 0;
  for (const [index, depth, sources] of filedRows(world, traversals)) {
    const entity = missing.get(index);
    if (entity === undefined) {
      wrong.push(`e${index} comes twice, or should not come`);
      continue;
    }
    missing.delete(index);
    if (depth < last) wrong.push(`depth ${depth} after ${last}`);
    last = depth;
    const right = naiveDepth(world, entity, traversals[0]!.relation as Relation);
    if (depth !== right) wrong.push(`e${index} comes at depth ${depth} instead of ${right}`);
    traversals.forEach((traversal, place) => {
      const source = naiveSource(world, entity, traversal);
      if (sources[place] !== (source === undefined ? 0 : indexOf(source)))
        wrong.push(`e${index} gets e${sources[place]} at ${place} instead of ${source && indexOf(source)}`);
    });
  }
  for (const index of missing.keys()) wrong.push(`e${index} does not come`);
  return wrong;
}

/** Lists of traversals of all kinds. Those with targets name entities that live now. */
export function manyLists(own: PathWorld): Traversal[][] {
  const { world } = own;
  const someEntity = (): Entity => anyEntity(own);
  const path = (relation: Relation, what: Parameters<typeof parseTerm>[1]): Traversal =>
    along(world, relation, what);
  return [
    [path(ChildOf, Size)],
    [path(Docked, Place)],
    [path(Needs, Tired)],
    [path(ChildOf, Size), path(ChildOf, Place), path(ChildOf, Tired)],
    [path(ChildOf, Size), path(Docked, Place), path(Needs, Tired)],
    [path(Docked, Place), path(ChildOf, Size)],
    [path(Within, Tired), path(Docked, Tired)],
    [path(Docked, Likes(someEntity())), path(Within, Within(someEntity()))],
    [path(Within, Within(someEntity())), path(ChildOf, Any(someEntity()))],
    [
      path(ChildOf, ChildOf(someEntity())),
      path(ChildOf, Parent(someEntity())),
      path(ChildOf, asTag(someEntity())),
    ],
    [
      path(ChildOf, Likes(Any)),
      path(Docked, Any(Any)),
      path(Within, ChildOf(Any)),
      path(ChildOf, Parent(Any)),
    ],
    [path(Made, Made(Any)), path(Needs, asTag(someEntity())), path(ChildOf, Needs(someEntity()))],
    [path(Needs, Size), path(Made, Any(someEntity()))],
  ];
}
