import { isInternal } from "../../id/builtins.ts";
import type { Definition, Term } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { handleAt, isLiving, renewOrder } from "../../records/entity-index.ts";
import { NEEDS_HOOKS, NEEDS_OBSERVERS, NEEDS_SYMMETRIC } from "../../storage/shape.ts";
import {
  definitionOfTerm,
  isParental,
  type PlainTerm,
  parentOfTerms,
  plainTerms,
  type SpawnTerm,
  targetOfTerm,
} from "../change/destination.ts";
import { askHooks, givenChange, tellWritten } from "../change/hook-calls.ts";
import { insertGroups } from "../change/insert.ts";
import { withManyRows } from "../change/reservation.ts";
import { insideScope } from "../change/scope.ts";
import { checkTerms, keptTerms } from "../change/spawn-plan.ts";
import { bitTagsAt, withBitTags } from "../state/bit-tags.ts";
import { hooksOf } from "../state/hooks.ts";
import { enterLimbo } from "../state/limbo.ts";
import { enterVisit, leaveVisit, mustQueue } from "../state/lock.ts";
import { needsOf } from "../state/needs-of.ts";
import type { Change, Group } from "../state/plans.ts";
import { requireAlive } from "../state/require.ts";
import { orderedPairsAt, parentAt } from "../state/targets.ts";
import { columnAt, copyValue, rowAt, shapeAt } from "../state/values.ts";
import type { World } from "../state/world.ts";
import {
  copyOf,
  copyRowsBelow,
  copyTop,
  listOriginals,
  type Originals,
  placeOf,
  takeBack,
} from "./clone-rows.ts";
import { bearLater, planOf, requireRoomForEntities } from "./spawn.ts";

export interface CloneOptions {
  /** With everything below it, in both storages, siblings in order. Default false. */
  readonly deep?: boolean;
  /** What the clone gets besides, or instead: `[ChildOf(other), Name("Copy")]`. */
  readonly with?: readonly SpawnTerm[];
}

/**
 * Makes another entity with the same values, tags, pairs and parent, as the last of its siblings. Fields are copied,
 * JavaScript values are shared unless their component has a `copy` hook. What identifies an entity among its siblings,
 * as names do, or in the world, the clone does not get.
 *
 * A deep clone has a copy of everything below, names included, but nothing that identifies in the world; pairs and
 * `entity` fields that point at something inside point at its copy, others where they did. A pair of an exclusive
 * symmetric relation with somebody outside is not copied: it would be taken from the original.
 *
 * Inside `withScope` of names the clone is a child of the scope, by ChildOf, unless `with` gives a parent.
 *
 * Inside a visit the clone is alive at once, and gets what the original has when the visit ends.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; and as `spawn` for what `with` gives and for what
 *   cannot be had twice. Nothing has changed then.
 *
 * @example
 * const copy = clone(world, turret, { deep: true, with: [ChildOf(otherShip), Name("Turret")] });
 */
export function clone(world: World, entity: Entity, options: CloneOptions = {}): Entity {
  requireAlive(world, entity);
  const added = options.with ?? [];
  const given = plainTerms(
    world,
    world.scope === undefined ? added : world.slots.termsInScope!(world, added),
  );
  // Values are read now: a getter may clone as well, or destroy what is copied here.
  checkTerms(given);
  planOf(world, given); // refuses what cannot be had together
  const terms = keptTerms(world, given);
  const isDeep = options.deep === true;
  requireAlive(world, entity);
  requireRoomForEntities(world, 1);
  if (world.visits !== 0 && mustQueue(world)) {
    const pending = enterLimbo(world);
    bearLater(world, [pending], 0, terms, (live) => {
      if (isLiving(world.entities, entity)) cloneNow(world, indexOf(entity), live, isDeep, pending);
    });
    return handleAt(world.entities, pending);
  }
  return cloneNow(world, indexOf(entity), terms, isDeep, 0);
}

/** All copies are reserved, and hooks asked for them, before the first one is there; nobody is told before the last one is. */
function cloneNow(
  world: World,
  root: number,
  terms: readonly PlainTerm[],
  isDeep: boolean,
  pending: number,
): Entity {
  const found = listOriginals(world, root, isDeep);
  requireRoomForEntities(world, found.length);
  if (pending !== 0) renewOrder(world.entities, pending);
  for (let place = 0; place < found.length; place++) {
    found.copies[place] = place === 0 && pending !== 0 ? pending : enterLimbo(world);
  }
  const handle = handleAt(world.entities, found.copies[0]!);
  enterVisit(world); // whoever throws or clones when told does so once all are there
  let isDone = false;
  try {
    insideScope(world, undefined, () => copyAll(world, found, terms));
    isDone = true;
  } finally {
    if (!isDone) takeBack(world, found, pending);
    leaveVisit(world, isDone);
  }
  return handle;
}

/** Rows are copied as they are where that says everything; else each copy is spawned with what its original has. */
function copyAll(world: World, found: Originals, terms: readonly PlainTerm[]): void {
  if (!found.isByRows) cloneByTerms(world, found, terms);
  else if (found.isHooked) cloneRowsAsked(world, found, terms);
  else cloneRows(world, found, terms);
}

const CHANGES_OTHERS: number = NEEDS_HOOKS | NEEDS_OBSERVERS | NEEDS_SYMMETRIC;

function cloneRows(world: World, found: Originals, terms: readonly PlainTerm[]): void {
  if (terms.length === 0 && found.isTopCopied) {
    copyTop(world, found);
    copyRowsBelow(world, found);
    return;
  }
  const root = groupOfRoot(world, found, terms);
  const parent = parentOfTerms(terms);
  const isBelowItself = parent !== undefined && copyOf(found, indexOf(parent)) !== 0;
  if (isBelowItself || (needsOf(world, root.plan.shape) & CHANGES_OTHERS) !== 0) {
    // The topmost copy is none of its own originals, a symmetric pair may be with one of them, and what somebody is told of
    // cannot be taken back.
    const before = (): void => copyRowsBelow(world, found);
    insertGroups(world, [root], { withRows: withManyRows, before, isAged: true });
  } else {
    insertGroups(world, [root], { isAged: true });
    copyRowsBelow(world, found);
  }
}

function groupOfRoot(world: World, found: Originals, terms: readonly PlainTerm[]): Group {
  const own = termsOf(world, found, 0);
  return groupOf(world, [...own.filter((one) => !isReplaced(one, terms)), ...terms], found.copies[0]!);
}

function groupOf(world: World, terms: readonly PlainTerm[], index: number): Group {
  return { plan: planOf(world, terms), terms, indexes: [index] };
}

/** The same where hooks are asked for the copies below before anything is copied, and told when all are there. */
function cloneRowsAsked(world: World, found: Originals, terms: readonly PlainTerm[]): void {
  const calls: (readonly [copy: number, calls: readonly Change[]])[] = [];
  for (let place = 1; place < found.length; place++) {
    const original = found.indexes[place]!;
    const { hooked } = shapeAt(world, original);
    if (hooked.length === 0) continue;
    const asked = hooked.map((definition) =>
      givenChange(definition, copiedValue(world, found, original, definition, 0), undefined),
    );
    const above = copyOf(found, indexOf(parentAt(world, original)!));
    askHooks(world, undefined, asked, handleAt(world.entities, above));
    calls.push([found.copies[place]!, asked]);
  }
  cloneRows(world, found, terms);
  world.changes++;
  try {
    for (const [copy, asked] of calls) tellWritten(world, copy, asked);
  } finally {
    world.changes--;
  }
}

/** Each copy is spawned with what its original has. */
function cloneByTerms(world: World, found: Originals, terms: readonly PlainTerm[]): void {
  const groups = [groupOfRoot(world, found, terms)];
  const top = handleAt(world.entities, found.copies[0]!);
  for (let place = 1; place < found.length; place++) {
    const own = termsOf(world, found, place).filter((one) => !isBondReplaced(one, top, terms));
    groups.push(groupOf(world, own, found.copies[place]!));
  }
  insertGroups(world, groups, groups.length > 1 ? { withRows: withManyRows } : undefined);
}

function isReplaced(own: PlainTerm, terms: readonly PlainTerm[]): boolean {
  const definition = definitionOfTerm(own);
  return terms.some((term) => {
    const other = definitionOfTerm(term);
    if (isParental(definition)) return isParental(other);
    if (other !== definition) return false;
    return definition.kind !== "relation" || definition.exclusive || targetOfTerm(own) === targetOfTerm(term);
  });
}

/** Would it tie the clone's root by an exclusive bond, although what is given ties that one elsewhere? */
function isBondReplaced(own: PlainTerm, root: Entity, terms: readonly PlainTerm[]): boolean {
  const definition = definitionOfTerm(own);
  if (!definition.symmetric || !definition.exclusive || targetOfTerm(own) !== root) return false;
  return terms.some((term) => definitionOfTerm(term) === definition);
}

/** What the copy of the original at a place is spawned with. */
function termsOf(world: World, found: Originals, place: number): PlainTerm[] {
  const { entities } = world;
  const index = found.indexes[place]!;
  const terms: PlainTerm[] = [];
  for (const definition of new Set(withBitTags(shapeAt(world, index), bitTagsAt(world, index)))) {
    if (isInternal(definition) || isOwn(definition, place === 0)) continue;
    const targets = definition.kind === "relation" ? targetsAt(world, index, definition) : [0];
    for (const target of targets) {
      if (definition.symmetric && target !== index) {
        // Of a pair inside, whoever is born last ties it; nothing is taken from the original.
        const other = placeOf(found, target);
        if (other >= 0 ? other > place : definition.exclusive) continue;
      }
      const copy = target === 0 ? 0 : handleAt(entities, copyOf(found, target) || target);
      const own = target === 0 ? 0 : handleAt(entities, target);
      const value = copiedValue(world, found, index, definition, own);
      terms.push({ definition, target: copy, value } as Term as PlainTerm);
    }
  }
  return terms;
}

/** Is its value for the original alone? */
function isOwn(definition: Definition, isRoot: boolean): boolean {
  const { identifies } = hooksOf(definition);
  return identifies === "world" || (isRoot && identifies === "siblings");
}

function targetsAt(world: World, index: number, relation: Definition): number[] {
  return orderedPairsAt(world, index, relation).map((pair) => world.graph.pairs.target[pair]!);
}

/** A copy of a value, in which what points inside points at copies. */
function copiedValue(
  world: World,
  found: Originals,
  index: number,
  definition: Definition,
  target: number,
): unknown {
  if (definition.holds === "nothing") return undefined;
  const column = columnAt(world, index, definition, target)!;
  const value = copyValue(world, shapeAt(world, index).lanes, column, rowAt(world, index));
  const { copy } = hooksOf(definition);
  const copied = copy === undefined ? value : copy(value);
  if (definition.holds !== "fields") return copied;
  const fields = copied as { [name: string]: unknown };
  for (const [name, { kind }] of definition.fields) {
    if (kind !== "entity") continue;
    const clone = copyOf(found, indexOf((fields[name] as Entity | undefined) ?? (0 as Entity)));
    if (clone !== 0) fields[name] = handleAt(world.entities, clone);
  }
  return fields;
}
