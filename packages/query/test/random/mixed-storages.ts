import type { Entity, SpawnTerm, World } from "@treeline/core";
import {
  add,
  clear,
  clone,
  defer,
  has,
  isAlive,
  isDisabled,
  pack,
  parentOf,
  release,
  remove,
  set,
  spawn,
  spawnMany,
} from "@treeline/core";
import { descendants, destroy, type Query, type QueryTerm, query, removeAll } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Any, ChildOf, Disabled, DisabledTree, OrderedChildren, Parent } from "../public/builtins.ts";
import { createWorld } from "../public/define.ts";
import { cascade } from "../public/terms.ts";
import { checkBatches } from "./batch-positions.ts";
import { sourceAbove } from "./cascades.ts";
import { createDice, type Dice } from "./dice.ts";
import { Frozen, Harms, Likes, Local, Mark, Placed } from "./twin.ts";

/** Random trees with parents in both storages. Every entity has a Mark, and values contain the number of their entity. */
export interface Mixed {
  readonly world: World;
  readonly dice: Dice;
  readonly habits: MixedHabits;
  living: Entity[];
}

export interface MixedHabits {
  /** No more are spawned then. */
  readonly most: number;
  /** Chance that a parent is stored as a value. */
  readonly byValue: number;
  /** Chance of each optional component. */
  readonly has: number;
}

export function createMixed(seed: number, habits: Partial<MixedHabits> = {}): Mixed {
  return {
    world: createWorld(),
    dice: createDice(seed),
    habits: { most: 120, byValue: 0.5, has: 0.4, ...habits },
    living: [],
  };
}

function sign({ world }: Mixed, entity: Entity): void {
  for (const what of [Mark, Local, Placed])
    if (has(world, entity, what)) set(world, entity, what, { of: entity });
}

/** The newest ones more often than others, so that trees get deep. */
function anyEntity({ dice, living }: Mixed): Entity {
  return dice.chance(0.3) ? living.at(-1)! : dice.pick(living);
}

function below({ dice, habits }: Mixed, parent: Entity): SpawnTerm {
  return dice.chance(habits.byValue) ? Parent(parent) : ChildOf(parent);
}

function optional({ dice, habits }: Mixed): SpawnTerm[] {
  return [Local, Placed, Frozen].filter(() => dice.chance(habits.has));
}

function bear(mixed: Mixed): void {
  const { world, dice, living } = mixed;
  const terms: SpawnTerm[] = [Mark, ...optional(mixed)];
  if (living.length > 0 && dice.chance(0.85)) terms.push(below(mixed, anyEntity(mixed)));
  const spawned = dice.chance(0.3) ? spawnMany(world, dice.below(9), ...terms) : [spawn(world, ...terms)];
  for (const one of spawned) sign(mixed, one);
  living.push(...spawned);
}

/** Inside one `defer` a branch is spawned and attached elsewhere. */
function spawnDeferred(mixed: Mixed): void {
  const { world, dice } = mixed;
  const [one, other] = [anyEntity(mixed), anyEntity(mixed)];
  const spawned = defer(world, () => {
    const ship = spawn(world, Mark, ...optional(mixed), below(mixed, one));
    const seat = spawn(world, Mark, ...optional(mixed), below(mixed, ship));
    const crew = spawnMany(world, dice.below(3), Mark, below(mixed, seat));
    add(world, ship, below(mixed, other));
    return [ship, seat, ...crew];
  });
  for (const entity of spawned) sign(mixed, entity);
  mixed.living.push(...spawned);
}

function copy(mixed: Mixed): void {
  const { world, dice, living, habits } = mixed;
  const one = anyEntity(mixed);
  if (living.length + descendants(world, one).length > habits.most) return;
  const root = clone(world, one, { deep: dice.chance(0.7) });
  for (const spawned of [root, ...descendants(world, root)]) {
    sign(mixed, spawned);
    living.push(spawned);
  }
}

function reparent(mixed: Mixed, entity: Entity): void {
  const { world, dice } = mixed;
  const parent = parentOf(world, entity);
  if (dice.chance(0.15)) remove(world, entity, dice.chance(0.5) ? ChildOf(Any) : Parent(Any));
  else if (parent !== undefined && dice.chance(0.25)) add(world, entity, below(mixed, parent));
  else codeOf(() => add(world, entity, below(mixed, anyEntity(mixed))));
}

function changeType(mixed: Mixed, entity: Entity): void {
  const { world, dice, habits } = mixed;
  if (dice.chance(0.03)) {
    clear(world, entity);
    add(world, entity, Mark);
  }
  const isRare = dice.chance(0.2);
  const what = isRare
    ? dice.pick([Disabled, DisabledTree, OrderedChildren])
    : dice.pick([Local, Placed, Frozen]);
  if (has(world, entity, what)) remove(world, entity, what);
  else if (isRare || dice.chance(habits.has * 2)) add(world, entity, what);
  sign(mixed, entity);
}

function link({ world, dice, living }: Mixed, entity: Entity): void {
  const target = dice.pick(living);
  if (dice.chance(0.3)) remove(world, entity, dice.pick([Likes, Harms])(Any));
  else if (dice.chance(0.5)) add(world, entity, Likes(target));
  else add(world, entity, Harms(target, { by: entity, to: target }));
}

function kill(mixed: Mixed, entity: Entity): void {
  const { world, dice, living } = mixed;
  const many = descendants(world, entity).length;
  if (many > 5 && many > living.length / 3) return;
  if (dice.chance(0.3)) codeOf(() => release(world, entity));
  else destroy(world, entity);
}

/** Something for many at once. */
function sweep({ world, dice }: Mixed, entity: Entity): void {
  if (dice.chance(0.4)) pack(world);
  else if (dice.chance(0.6)) removeAll(world, dice.chance(0.5) ? ChildOf(entity) : Parent(entity));
  else if (dice.chance(0.3)) removeAll(world, dice.pick([Local, Placed, Frozen, Likes(Any)]));
}

/** One random change of any kind. */
export function stepMixed(mixed: Mixed): void {
  const { world, dice, habits } = mixed;
  const isFull = mixed.living.length >= habits.most;
  if (mixed.living.length === 0 || (!isFull && dice.chance(0.25))) bear(mixed);
  else if (!isFull && dice.chance(0.05)) spawnDeferred(mixed);
  else if (dice.chance(0.03)) copy(mixed);
  else if (dice.chance(0.06)) kill(mixed, anyEntity(mixed));
  else if (dice.chance(0.02)) sweep(mixed, anyEntity(mixed));
  else if (dice.chance(0.1)) link(mixed, anyEntity(mixed));
  else if (dice.chance(0.5)) reparent(mixed, anyEntity(mixed));
  else changeType(mixed, anyEntity(mixed));
  mixed.living = mixed.living.filter((one) => isAlive(world, one));
}

function naiveDepth(world: World, entity: Entity): number {
  let depth = 0;
  for (let at = parentOf(world, entity); at !== undefined; at = parentOf(world, at)) depth++;
  return depth;
}

/** Where `eachBatch` differs from a check of each entity that should match, one by one. */
export function wrongInBatches(
  world: World,
  expected: readonly Entity[],
  what: typeof Local | typeof Placed,
  ...terms: readonly QueryTerm[]
): string[] {
  const wrong: string[] = [];
  const missing = new Set(expected);
  checkBatches(query(world, Mark, ...terms, cascade(what)) as Query, wrong, (entity, batch, at) => {
    const source = sourceAbove(world, entity, what);
    if (!missing.delete(entity)) wrong.push(`${entity} comes twice, or should not come`);
    if (batch.depth !== naiveDepth(world, entity)) wrong.push(`${entity} comes at depth ${batch.depth}`);
    if (batch.hasParents !== (source !== undefined)) wrong.push(`hasParents of ${entity}`);
    if (!batch.hasParents) return;
    const above = batch.parentColumns(what).of[batch.parentRows[at]!];
    if (above !== source) wrong.push(`${entity} gets the value of ${above}`);
  });
  return [...wrong, ...[...missing].map((one) => `${one} does not come`)];
}

/** The same for all entities of a random world that are not disabled. */
export function wrongInMixed({ world, living }: Mixed, what: typeof Local | typeof Placed): string[] {
  return wrongInBatches(
    world,
    living.filter((one) => !isDisabled(world, one)),
    what,
  );
}
