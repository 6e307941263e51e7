// `clone`: which terms a copy gets (`termsOf`), whether rows are copied as they are (`checkTable`), undo after a failure (`undoSpawns`).
import { TreelineError } from "../../base/error.ts";
import { grownInt32 } from "../../base/growing.ts";
import { requireOptions } from "../../base/options.ts";
import { CHILD_OF, ChildOf, DisabledFromAbove, isInternal } from "../../id/builtins.ts";
import type { Definition, PlainTerm, SpawnTerm, Term } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { findPair, isTarget } from "../../id/pair-index.ts";
import { handleAt, isLiving, renewOrder } from "../../records/entity-index.ts";
import { membersOf, reserveFamily } from "../../records/families.ts";
import {
  type Archetype,
  NEEDS_BUILTIN,
  NEEDS_HOOKS,
  NEEDS_OBSERVERS,
  NEEDS_SYMMETRIC,
} from "../../storage/archetype.ts";
import { copyRows } from "../../storage/copy-rows.ts";
import { appendRows, makeRoomFor } from "../../storage/rows.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { collectValues } from "../change/collect.ts";
import { isDisabling } from "../change/disabled.ts";
import { callChecks, callWritten, givenChange } from "../change/hook-calls.ts";
import { insertGroups, joinLast, undoSpawns, withManyRows } from "../change/insert.ts";
import { ensurePair } from "../change/pair.ts";
import {
  copyTerms,
  definitionOfTerm,
  isParental,
  isWhole,
  parentOfTerms,
  requireDifferent,
  targetOfTerm,
} from "../change/terms.ts";
import { hooksOf } from "../state/hooks.ts";
import {
  addPending,
  beginDeferred,
  endDeferred,
  isPending,
  mustDefer,
  spawnDeferred,
  whileChanging,
} from "../state/lock.ts";
import { needsOf } from "../state/needs-of.ts";
import { type Change, type Group, groupOf } from "../state/plans.ts";
import { requireAlive } from "../state/require.ts";
import { orderedSubjects, orderedTargetsAt, parentIndexAt, parentPairAt } from "../state/targets.ts";
import { archetypeAt, copyValue, definitionsAt, hasObservedTags, valueAt } from "../state/values.ts";
import { type World, worldState } from "../state/world.ts";
import { planOf, requireRoomForEntities, termsFor } from "./spawn.ts";

export interface CloneOptions {
  /** Clone everything below the entity too, in both storages, siblings in order. Default false. */
  readonly deep?: boolean | undefined;
  /** Terms that the clone gets in addition to, or instead of, those of the original: `[ChildOf(other), Name("Copy")]`. */
  readonly with?: readonly SpawnTerm[] | undefined;
}

/**
 * Creates an entity with the same values, tags, pairs and parent, as the last of its siblings. Fields are copied;
 * JavaScript values are shared unless their component has a `copy` hook. The clone does not get components that identify an
 * entity among its siblings, such as names, or in the world.
 *
 * A deep clone has a copy of everything below, names included, but no component that identifies in the world. Pairs and
 * `entity` fields that point inside the cloned subtree point at the copies; others keep their targets. A pair of an
 * exclusive symmetric relation with an entity outside is not copied: it would be taken from the original. What components require,
 * a clone has also where the original has lost it.
 *
 * Inside `withScope` of names the clone is a child of the scope, by ChildOf, unless `with` gives a parent.
 *
 * Inside an iteration the clone is alive at once, and reads as what the original has then; it gets what that has when the iteration ends.
 *
 * @cost as `spawn`; with `deep` for each entity below it.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-value` if `with` is not a list; and as `spawn` for the terms of `with`, and for what two
 *   entities cannot both have. Nothing has changed then.
 *
 * @example
 * const copy = clone(world, turret, { deep: true, with: [ChildOf(otherShip), Name("Turret")] });
 */
export function clone(world: World, entity: Entity, options: CloneOptions = {}): Entity {
  requireAlive(world, entity);
  CHECK: requireOptions("clone", options, ["deep", "with"]);
  const { with: added = [] } = options;
  if (!Array.isArray(added))
    throw new TreelineError("bad-value", '`with` of clone is a list: [Name("Copy")]');
  // Values are read now: a getter may itself clone, or destroy the original.
  const given = termsFor(world, added);
  collectValues(world, given, 0);
  requireDifferent(given);
  const terms = copyTerms(world, given);
  const isDeep = options.deep === true;
  requireAlive(world, entity);
  requireRoomForEntities(world, 1);
  const index = indexOf(entity);
  if (world.deferDepth === 0 || !mustDefer(world)) return cloneNow(world, index, terms, isDeep, 0);
  for (const term of given) definitionOfTerm(term).installs?.(world.slots); // their values may be dropped
  const copy = spawnDeferred(world, 1, true, given, (_, live, [pending]) => {
    if (isLiving(world.entities, entity)) cloneNow(world, index, live, isDeep, pending!);
  })[0]!;
  const own = termsOf(world, listOriginals(world, index, false), index);
  world.slots.pending!.given.set(indexOf(copy), []);
  world.slots.pending!.give(world, [copy], own.filter((one) => !isReplaced(one, terms)).concat(terms));
  return copy;
}

/**
 * What one `clone` copies. Not a class: a garbage collection that frees the last instance would free its hidden class too, and
 * with it all compiled code that depends on that.
 */
interface Originals {
  /** Entity indexes: each before those below it, siblings in order. */
  readonly indexes: number[];
  /** The ChildOf pairs with those of them as target that have children, in that order. */
  readonly childPairs: PairNumber[];
  /** By entity index: the index of the copy, or 0; kept by the world for the next clone. */
  copies: Int32Array<ArrayBuffer>;
  /** Rows below the topmost one can be copied as they are: they have no observers, and no pairs but that of the parent. */
  isByRows: boolean;
  /** The row of the topmost original can be copied, too. */
  isTopCopied: boolean;
  /** Some originals whose rows can be copied have components with hooks. */
  isHooked: boolean;
}

const keptOf = /* @__PURE__ */ worldState((_, { packed }) => {
  const kept = { copies: new Int32Array(0) };
  packed.push(() => {
    kept.copies = new Int32Array(0);
  });
  return kept;
});

/** Reserves all copies and calls `check` hooks before the first copy is made; notifies observers after the last one. */
function cloneNow(
  world: World,
  root: number,
  terms: readonly PlainTerm[],
  isDeep: boolean,
  pending: number,
): Entity {
  const found = listOriginals(world, root, isDeep);
  const { indexes, copies } = found;
  requireRoomForEntities(world, indexes.length);
  if (pending !== 0) renewOrder(world.entities, pending);
  for (const index of indexes) copies[index] = index === root && pending !== 0 ? pending : addPending(world);
  const { scope } = world;
  // Observers are called when all copies exist: they may throw, or clone.
  beginDeferred(world);
  world.scope = undefined;
  let isDone = false;
  try {
    if (found.isByRows) cloneByRows(world, found, terms);
    else cloneByTerms(world, found, terms);
    isDone = true;
    return handleAt(world.entities, copies[root]!);
  } finally {
    try {
      // A deferred copy stays pending.
      if (!isDone)
        undoSpawns(
          world,
          indexes.map((index) => copies[index]!),
          pending,
        );
    } finally {
      world.scope = scope;
      for (const index of indexes) copies[index] = 0;
      endDeferred(world, isDone);
    }
  }
}

function listOriginals(world: World, root: number, isDeep: boolean): Originals {
  const { graph, entities } = world;
  const kept = keptOf(world);
  const indexes: number[] = [];
  const childPairs: PairNumber[] = [];
  const { copies } = kept;
  const found: Originals = {
    indexes,
    childPairs,
    copies,
    isByRows: true,
    isTopCopied: false,
    isHooked: false,
  };
  checkTable(world, found, entities.table[root]!);
  found.isTopCopied = found.isByRows && !found.isHooked;
  found.isByRows = !isPending(world, root) && (archetypeAt(world, root).fixedNeeds & NEEDS_SYMMETRIC) === 0;
  // The root's table is checked again if children are in it: for the root itself, less was required.
  let table = 0;
  const stack = [root];
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    indexes.push(index);
    if (index >= found.copies.length) found.copies = kept.copies = grownInt32(found.copies, index + 1);
    if (!isDeep || !isTarget(graph.pairs, index)) continue;
    const children = orderedSubjects(world, index, ChildOf);
    if (children.length > 0) childPairs.push(findPair(graph.pairs, CHILD_OF, index));
    for (let place = children.length - 1; place >= 0; place--) {
      const child = children[place]!;
      if (table !== entities.table[child]) checkTable(world, found, (table = entities.table[child]!));
      stack.push(child);
    }
  }
  return found;
}

/** Notes in `found` whether the rows of a table can be copied as they are, and whether they have hooks. */
function checkTable(world: World, found: Originals, table: TableNumber): void {
  const { tables, archetypes } = world.graph;
  const archetype = archetypes[tables.archetype[table]!]!;
  const needs = needsOf(world, archetype);
  if (tables.pairs[table]! > 0) found.isByRows = false;
  if ((needs & (NEEDS_OBSERVERS | NEEDS_SYMMETRIC | NEEDS_BUILTIN)) !== 0) found.isByRows = false;
  if (hasObservedTags(world, archetype) || hasSparse(archetype)) found.isByRows = false;
  if (mayLack(archetype)) found.isByRows = false;
  if ((needs & NEEDS_HOOKS) === 0) return;
  found.isHooked = true;
  for (const definition of archetype.hooked) {
    const { copy, identifies } = hooksOf(definition);
    if (copy !== undefined || identifies === "world") found.isByRows = false;
  }
}

/** May entities of an archetype lack what their components require? Their copies get it. Of what is in bits, rows are not asked. */
function mayLack({ definitions, bits }: Archetype): boolean {
  for (let at = 0; at < definitions.length; at++)
    if (definitions[at]!.requires !== undefined && !isWhole(definitions)) return true;
  if (bits === undefined) return false;
  return bits.columns.some(({ definition }) => definition.requires && !isWhole([definition, ...definitions]));
}

/** Do rows of an archetype have values in sparse stores? */
function hasSparse({ bits }: Archetype): boolean {
  return bits?.columns.some(({ definition, count }) => definition.storage === "sparse" && count > 0) === true;
}

/** The handle of the copy of an entity; `undefined` if the entity is not copied. */
function copyOf({ entities }: World, { copies }: Originals, index: number): Entity | undefined {
  const copy = copies[index];
  return copy === undefined || copy === 0 ? undefined : handleAt(entities, copy);
}

function cloneByTerms(world: World, found: Originals, terms: readonly PlainTerm[]): void {
  const groups = found.indexes.map((index) => groupOfCopy(world, found, index, terms));
  insertGroups(world, groups, groups.length > 1 ? withManyRows : undefined);
}

/** @param terms the terms that the topmost copy gets. */
function groupOfCopy(world: World, found: Originals, index: number, terms: readonly PlainTerm[]): Group {
  const [root] = found.indexes;
  const top = copyOf(world, found, root!)!;
  const own = termsOf(world, found, index);
  const all =
    index === root
      ? [...own.filter((one) => !isReplaced(one, terms)), ...terms]
      : own.filter((one) => !isPairWithTop(one, top) || !isReplaced(one, terms));
  return groupOf(planOf(world, all), all, [found.copies[index]!]);
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

/** Is it an exclusive symmetric pair with the topmost copy? That can have no other pair of the relation. */
function isPairWithTop(own: PlainTerm, top: Entity): boolean {
  const { symmetric, exclusive } = definitionOfTerm(own);
  return symmetric && exclusive && targetOfTerm(own) === top;
}

/** The terms with which the copy of an original is spawned. */
function termsOf(world: World, found: Originals, index: number): PlainTerm[] {
  const { entities } = world;
  const isRoot = index === found.indexes[0];
  const { order } = entities;
  const terms: PlainTerm[] = [];
  for (const definition of new Set(definitionsAt(world, index))) {
    const { identifies } = hooksOf(definition);
    const isOwn = identifies === "world" || (isRoot && identifies === "siblings");
    // A clone of an entity of an instance was made from the same part, and inherits from that.
    const isKept = definition.standsFor !== undefined || world.slots.templates?.cloned.includes(definition);
    if ((isInternal(definition) && !isKept) || isOwn) continue;
    if (definition.kind !== "relation") {
      terms.push({ definition, target: 0, value: copiedValue(world, found, index, definition, 0) } as Term);
      continue;
    }
    for (const own of orderedTargetsAt(world, index, definition)) {
      const target = indexOf(own);
      const copy = copyOf(world, found, target);
      if (definition.symmetric && target !== index) {
        // A pair between two copies is added with the later of them; a pair of the original stays its own.
        const isAddedLater = copy !== undefined && order[indexOf(copy)]! > order[found.copies[index]!]!;
        if (isAddedLater || (copy === undefined && definition.exclusive)) continue;
      }
      const value = copiedValue(world, found, index, definition, own);
      terms.push({ definition, target: copy ?? own, value } as Term as PlainTerm);
    }
  }
  return terms;
}

/** A copy of a value, in which entities of the cloned subtree are replaced by their copies. */
function copiedValue(
  world: World,
  found: Originals,
  index: number,
  definition: Definition,
  target: number,
): unknown {
  if (definition.holds === "nothing") return undefined;
  const value = copyValue(world, valueAt(world, index, definition, target)!);
  const { copy } = hooksOf(definition);
  const copied = copy === undefined ? value : copy(value);
  if (definition.holds !== "fields") return copied;
  const fields = copied as { [name: string]: unknown };
  for (const [name, { kind }] of definition.fields) {
    if (kind !== "entity" || fields[name] === undefined) continue;
    fields[name] = copyOf(world, found, indexOf(fields[name] as Entity)) ?? fields[name];
  }
  return fields;
}

const CHANGES_OTHERS: number = NEEDS_HOOKS | NEEDS_OBSERVERS | NEEDS_SYMMETRIC;

/** Copies rows as they are: `check` hooks are called for the copies below before anything is copied, others when all exist. */
function cloneByRows(world: World, found: Originals, terms: readonly PlainTerm[]): void {
  const calls = found.isHooked ? checkCopies(world, found) : [];
  const top = found.indexes[0]!;
  if (terms.length === 0 && found.isTopCopied) {
    const pair = parentPairAt(world, top);
    makeRoomFor(world.graph, archetypeAt(world, top), 1);
    reserveFamily(world.graph.families, world.entities, pair, 1);
    copyInto(world, found, world.entities.row[top]!, 1, world.entities.table[top]!, pair);
    joinCopy(world, pair, found.copies[top]!);
    copyRowsBelow(world, found);
  } else insertTop(world, found, terms);
  if (calls.length > 0) notifyCopies(world, found, calls);
}

/** The topmost copy is spawned, and the rows of all others are copied. */
function insertTop(world: World, found: Originals, terms: readonly PlainTerm[]): void {
  const root = groupOfCopy(world, found, found.indexes[0]!, terms);
  const parent = parentOfTerms(terms);
  const isBelowItself = parent !== undefined && copyOf(world, found, indexOf(parent)) !== undefined;
  // The topmost copy is inserted last if its parent or a symmetric pair may be with a copy below it, or if hooks or observers
  // are called for it: their calls cannot be undone.
  const isLast = isBelowItself || (needsOf(world, root.plan.archetype) & CHANGES_OTHERS) !== 0;
  const withRowsBelow: typeof withManyRows = (_, groups, commit) =>
    withManyRows(world, groups, (effects) => {
      copyRowsBelow(world, found);
      commit(effects);
    });
  const copy = root.indexes[0]!;
  const age = world.entities.order[copy]!;
  insertGroups(world, [root], isLast ? withRowsBelow : undefined);
  // It is older than the copies below it, unless all entities have been renumbered meanwhile.
  if (age < world.entities.order[copy]!) world.entities.order[copy] = age;
  if (!isLast) copyRowsBelow(world, found);
}

function notifyCopies(
  world: World,
  { indexes, copies }: Originals,
  calls: readonly (readonly Change[])[],
): void {
  whileChanging(world, () => {
    for (let at = 0; at < calls.length; at++)
      if (calls[at]!.length > 0) callWritten(world, copies[indexes[at + 1]!]!, calls[at]!);
  });
}

/** @returns the changes that hooks have accepted for the copies below the topmost one, in the order of their originals. */
function checkCopies(world: World, found: Originals): (readonly Change[])[] {
  const checked = found.indexes.slice(1).map((index) => {
    const parent = copyOf(world, found, parentIndexAt(world, index));
    return archetypeAt(world, index).hooked.map((definition) =>
      givenChange(undefined, definition, copiedValue(world, found, index, definition, 0), undefined, parent),
    );
  });
  callChecks(world, checked.flat());
  return checked;
}

/**
 * Copies all originals below the topmost one: whole rows, without terms and values. The copies are pending.
 * @throws what a failed allocation throws: the caller undoes what was copied.
 */
function copyRowsBelow(world: World, found: Originals): void {
  const { graph, entities } = world;
  const { tables, pairs, archetypes } = graph;
  const { table: tableOf, row: rowOf } = entities;
  const { copies } = found;
  for (const original of found.childPairs) {
    const parent = pairs.target[original]!;
    const pair = ensurePair(world, ChildOf, copies[parent]!);
    const children = membersOf(graph.families, original);
    reserveFamily(graph.families, entities, pair, children.length);
    for (let at = 0; at < children.length; ) {
      const index = children[at++]!;
      const table = tableOf[index]!;
      const row = rowOf[index]!;
      let count = 1;
      // Siblings whose rows are adjacent are copied at once.
      for (
        ;
        at < children.length && tableOf[children[at]!] === table && rowOf[children[at]!] === row + count;
        at++
      )
        count++;
      makeRoomFor(graph, archetypes[tables.archetype[table]!]!, count);
      copyInto(world, found, row, count, table, pair);
    }
    for (let at = 0; at < children.length; at++) joinCopy(world, pair, copies[children[at]!]!);
  }
}

/** Puts a copy that has a row at the end of a family. */
function joinCopy(world: World, pair: PairNumber, copy: number): void {
  joinLast(world, archetypeAt(world, copy), world.entities.table[copy]!, pair, copy);
}

/** Appends copies of adjacent rows of a table, for which there is room. @param pair that of their parent. */
function copyInto(
  world: World,
  found: Originals,
  from: number,
  count: number,
  table: TableNumber,
  pair: PairNumber,
): void {
  const { tables, archetypes } = world.graph;
  const { copies } = found;
  const archetype = archetypes[tables.archetype[table]!]!;
  const first = appendRows(world.graph, archetype, count);
  const { lanes } = archetype;
  const { i32 } = lanes;
  copyRows(lanes, from, lanes, first, count);
  archetype.bits?.copy(from, first, count);
  if (isDisabling(world, pair))
    world.slots.setBits!(archetype, DisabledFromAbove, first, first + count, true);
  else archetype.bits?.set(DisabledFromAbove, first, first + count, false);
  const { table: tableOf, row: rowOf } = world.entities;
  for (let row = first; row < first + count; row++) {
    const index = copies[i32[row]!]!;
    i32[row] = index;
    tableOf[index] = table;
    rowOf[index] = row;
  }
  // A field that points at an original points at its copy from now on; one that points at an entity not alive points at none.
  for (const lane of lanes.plan.entities) {
    const start = lane * lanes.stride + first;
    for (let at = start; at < start + count; at++) {
      const target = lanes.f64[at]!;
      if (target === 0) continue;
      lanes.f64[at] = isLiving(world.entities, target)
        ? (copyOf(world, found, indexOf(target)) ?? target)
        : 0;
    }
  }
  lanes.tracks?.markSpawned(first, first + count);
}
