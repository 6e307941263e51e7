// `has`, `get`, `read`, `targetsOf`, `subjectsOf`; `locate`, which caches the columns of its last call; parses terms (`parseTerm`, throws `bad-term`).
import { shown, TreelineError } from "../../base/error.ts";
import { valuePairOf } from "../../graph/graph.ts";
import { CHILD_OF, isInternal, Parent } from "../../id/builtins.ts";
import type { AnyPair, Component, Definition, EntityTag, Pair, Tag, Term } from "../../id/definition.ts";
import { ANY, Any, isDefinition, PAIR_INTERNAL } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { type Numbers, rowReaderOf } from "../../id/field.ts";
import { findPair } from "../../id/pair-index.ts";
import type { WithoutRole, WithoutTarget, WithoutValue } from "../../id/type-texts.ts";
import type { Typed } from "../../id/typed.ts";
import { handleAt, isLiving } from "../../records/entity-index.ts";
import { type Archetype, columnOf } from "../../storage/archetype.ts";
import { handedFields } from "../../storage/handed.ts";
import { numbersOf, type ValuePlace, viewColumn } from "../../storage/lanes.ts";
import type { PairNumber } from "../../storage/table.ts";
import { BLOCK_BITS } from "../../storage/tracks.ts";
import { refuseTerm, requireAlive, requireHandle, textOf } from "./require.ts";
import {
  hasPairAt,
  orderedTargetsAt,
  pairsAt,
  pairsOfTable,
  parentAt,
  subjectHandles,
  targetIndexAt,
} from "./targets.ts";
import { archetypeAt, copyValue, hasAt, readField, rowAt, seenAt, valueAt } from "./values.ts";
import type { Location, World } from "./world.ts";

/** What `has`, queries and `remove` accept: a component or tag, a pair, a wildcard, or an entity as a tag, `asTag(entity)`. */
export type TermPattern =
  | Component
  | Tag
  | Pair<unknown, unknown, unknown>
  | AnyPair
  | EntityTag
  | WithoutTarget
  | WithoutRole;

/** A parsed term pattern: a definition, and for relations a target: a handle or ANY. */
export interface ParsedTerm {
  readonly definition: Definition;
  readonly target: number;
}

/**
 * The definition of a term of which the value does not matter: a definition itself, or the result of calling one without a value.
 * @throws TreelineError `bad-term` for anything else.
 */
export function definitionOf(world: World, what: Definition | Term): Definition {
  const definition = (
    typeof what === "function" ? what : (what as Term | undefined | null)?.definition
  ) as Definition;
  if (definition?.kind === undefined || isInternal(definition)) refuseTerm(world, what);
  if ((what as Partial<Term>).value === undefined) return definition;
  throw new TreelineError("bad-term", `pass ${definition.name} without a value`);
}

/**
 * Parses a term pattern.
 * @throws TreelineError `bad-term` for a value that is not a term pattern, a handle alone included; `dead-entity` for a target that
 *   does not have the form of a handle.
 */
export function parseTerm(world: World, what: TermPattern): ParsedTerm {
  const definition = definitionOf(world, what as Term);
  if (typeof what !== "function") {
    const parsed = what as unknown as ParsedTerm;
    if (definition.kind === "relation" && parsed.target !== ANY) requireHandle(world, parsed.target);
    return definition.meaning?.(world, parsed.target) ?? parsed;
  }
  if (definition.kind !== "relation") return { definition, target: 0 };
  const { name } = definition;
  let text = `${name} needs a target`;
  CHECK: text += `: ${name}(entity) or ${name}(Any)`;
  throw new TreelineError("bad-term", text);
}

/** The pairs of the entity at an index that match a term pattern. Returns a new list. */
export function matchingPairsAt(
  world: World,
  index: number,
  { definition, target }: ParsedTerm,
): PairNumber[] {
  const { pairs } = world.graph;
  if (target !== ANY && !isLiving(world.entities, target)) return [];
  const found = definition === Any ? allPairsAt(world, index) : pairsAt(world, index, definition, target);
  return target === ANY ? found : found.filter((pair) => pairs.target[pair] === indexOf(target));
}

/** Pairs of all relations, including the parent; entities that are used as tags are not included. */
function allPairsAt({ graph, entities, slots }: World, index: number): PairNumber[] {
  const found = [...pairsOfTable(graph, entities.table[index]!)];
  const parent = entities.family[index]!;
  if (parent !== 0) found.push(parent);
  slots.sparsePairs?.pairsAt(graph, index, 0, found);
  return found.filter((pair) => (graph.pairs.traits[pair]! & PAIR_INTERNAL) === 0);
}

/**
 * Does the entity have the component, tag or pair? `ChildOf(Any)` matches any parent, `Any(ship)` any pair whose target is ship,
 * `Any(Any)` any pair at all, `asTag(ship)` that entity as a tag. ChildOf covers both storages of parents, Parent only its own. Every
 * entity has the pair of a reflexive relation with itself.
 *
 * @cost constant; for wildcards, and for relations with many targets, the pairs of the entity.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` if `what` is none of these. A target that is not
 *   alive is not an error: the result is false.
 */
export function has(world: World, entity: Entity, what: TermPattern): boolean {
  requireAlive(world, entity);
  const parsed = parseTerm(world, what);
  const { definition, target } = parsed;
  const index = indexOf(entity);
  if (definition.kind !== "relation") return hasAt(world, index, definition);
  if (world.slots.pending?.termsOf(world, index, definition, target) !== undefined) return true;
  if (definition === Any || target === ANY) return matchingPairsAt(world, index, parsed).length > 0;
  if (!isLiving(world.entities, target)) return false;
  if (definition.reflexive && target === entity) return true;
  const { graph } = world;
  const isByValue = definition === Parent;
  const pair = findPair(graph.pairs, isByValue ? CHILD_OF : definition.id, indexOf(target));
  return pair !== 0 && (isByValue ? valuePairOf(graph, index) === pair : hasPairAt(world, index, pair));
}

/** A definition or pair with a value of type `Row`: a component, or a pair with data. */
export type Valued<Row, Columns = unknown, Init = unknown> =
  | Component<Row, Columns, Init>
  | Pair<Row, Columns, Init>
  | WithoutTarget
  | WithoutValue
  | WithoutRole;

/** The values of a component or a pair with data; of one of several, any of theirs. */
export type ValueIn<T> = T extends Typed<infer Row> ? Row : never;
/** Its columns. */
export type ColumnsIn<T> = T extends Typed<unknown, infer Columns> ? Columns : never;
/** What may be written to it. */
export type InitIn<T> = T extends Typed<unknown, unknown, infer Init> ? Init : never;

/**
 * The target given with a component or a pair with data, or 0.
 * @throws as `parseTerm`, and TreelineError `bad-term` for wildcards.
 */
export function targetIn(world: World, what: Definition | Term): number {
  if (typeof what !== "function") {
    const { definition, target } = what as Term;
    if (definition.kind !== "relation") return 0;
    if (target === ANY || definition === Any) refuseWildcard(definition);
    requireHandle(world, target);
    return target;
  }
  if ((what as Definition).kind === "relation") refuseWildcard(what as Definition);
  return 0;
}

/** Where the value that an entity has or inherits is; `undefined` if there is none. */
function placeOf(world: World, index: number, what: unknown): ValuePlace | undefined {
  return seenAt(world, index, definitionOf(world, what as Term), targetIn(world, what as Term));
}

function refuseWildcard({ name }: Definition): never {
  throw new TreelineError("bad-term", `a value belongs to one pair: ${name}(entity)`);
}

/**
 * A new copy of a value: `{ x, y }` of a component or pair with fields, the value itself of others. The copy is yours: changes
 * of it do not change the entity until you pass it to `set`; `patch` changes the value of the entity.
 *
 * @cost constant; lists are copied.
 * @returns `undefined` if the entity does not have it.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` for a term that has no value on a single entity,
 *   such as a relation without its target.
 */
export function get<T extends Valued<unknown>>(
  world: World,
  entity: Entity,
  what: T,
): ValueIn<T> | undefined {
  const definition = what as unknown as Definition;
  const reader = typeof what === "function" ? definition.reader : undefined;
  if (reader && isLiving(world.entities, entity)) {
    const index = indexOf(entity);
    const archetype = archetypeAt(world, index);
    const column = columnOf(archetype, definition);
    if (column !== undefined) {
      const { lanes } = archetype;
      const [first] = column.fields;
      const at = first!.lane * lanes.stride + rowAt(world, index);
      return reader(numbersOf(lanes, first!) as Numbers, at, lanes.stride) as ValueIn<T>;
    }
  }
  requireAlive(world, entity);
  const place = placeOf(world, indexOf(entity), what);
  if (reader === undefined && typeof what === "function") definition.reader = rowReaderOf(definition);
  return place && (copyValue(world, place) as ValueIn<T>);
}

/**
 * Reads the fields of a value into an object that you pass, without allocation. A list is copied element by element into the list
 * in the object; if there is none, the object gets a copy.
 *
 * @cost constant; lists are copied.
 * @returns false, with `into` unchanged, if the entity does not have it.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-value` for a component without fields; `bad-term` for a
 *   term that has no value.
 */
export function read<T extends Valued<object>>(
  world: World,
  entity: Entity,
  what: T,
  into: NoInfer<ValueIn<T>>,
): boolean {
  requireAlive(world, entity);
  const definition = definitionOf(world, what as unknown as Term);
  if (definition.holds !== "fields") {
    throw new TreelineError("bad-value", `${definition.name} has no fields to read; use get`);
  }
  if (typeof into !== "object" || into === null) {
    throw new TreelineError("bad-value", `read expects an object to read into, not ${shown(into)}`);
  }
  const index = indexOf(entity);
  const found = placeOf(world, index, what);
  if (found === undefined) return false;
  const { lanes, row } = found;
  const values = into as { [name: string]: unknown };
  const { fields } = found.column;
  for (let place = 0; place < fields.length; place++) {
    const field = fields[place]!;
    const { kind, name } = field;
    const value = field.isList
      ? readField(world, lanes, field, row, values[name])
      : kind === "f32"
        ? lanes.f32[field.lane * lanes.stride + row]
        : kind === "f64"
          ? lanes.f64[field.lane * lanes.stride + row]
          : readField(world, lanes, field, row);
    // A line each, as in `copyValue`: V8 makes a store fast that always sees one name.
    if (place > 2) values[name] = value;
    else if (place > 1) values[fields[2]!.name] = value;
    else if (place > 0) values[fields[1]!.name] = value;
    else values[fields[0]!.name] = value;
  }
  return true;
}

/**
 * Where the value of a component of one entity is stored: the columns as `run.columns` returns them, and the absolute row.
 * Allocates nothing: the result is one object per world, valid until the next `locate` and the next structural change.
 *
 * Queries for changes see what is written to this row of the columns, if changes of the component are read at that time: they compare it
 * before they read. After other writes, call `markChanged`. Observers of `set` are not notified.
 *
 * @cost constant.
 * @returns `undefined` if the entity does not have it, or inherits it: writing there would write the prefab.
 * @throws TreelineError `dead-entity` if the entity is not alive; `iterating` for a value of an entity that is pending until an
 *   iteration ends: it has no row yet; `bad-term` for a term that has no value on a single entity,
 *   such as a relation without its target.
 */
export function locate<T extends Valued<unknown>>(
  world: World,
  entity: Entity,
  what: T,
): Location<ColumnsIn<T>> | undefined {
  requireAlive(world, entity);
  const index = indexOf(entity);
  const { located } = world;
  const archetype = archetypeAt(world, index);
  const { lanes } = archetype;
  const location = world.location as Location<ColumnsIn<T>>;
  if (located.lanes !== lanes || located.what !== what || located.version !== lanes.version) {
    const definition = definitionOf(world, what as Term);
    const place = valueAt(world, index, definition, targetIn(world, what as Term));
    if (place === undefined) return undefined;
    if (world.slots.pending?.given.has(index)) refusePending(world, entity);
    located.epoch = -1;
    if (lanes.tracks !== undefined) watchRow(world, archetype, definition, place.row);
    location.columns = viewColumn(place, place.column) as ColumnsIn<T>;
    location.row = place.row;
    located.lanes = place.lanes === lanes && place.column.definition.kind !== "relation" ? lanes : undefined; // else they may be elsewhere
    located.version = lanes.version;
    located.what = what;
    return location;
  }
  location.row = rowAt(world, index);
  if (lanes.tracks !== undefined) watchRow(world, archetype, what as unknown as Definition, location.row);
  return location;
}

/** @throws TreelineError `iterating`, always: a pending entity has no row. */
function refusePending(world: World, entity: Entity): never {
  let text = "the entity is pending";
  CHECK: text = `${textOf(world, entity)} is pending until the iteration ends, and has no row to locate; use get and set, or locate it afterwards`;
  throw new TreelineError("iterating", text);
}

/**
 * What is written to the row will be found.
 *
 * @cost a look at each field, unless tracking or the columns have changed since the last call.
 */
function watchRow(world: World, archetype: Archetype, definition: Definition, row: number): void {
  const { located, events } = world;
  if (located.epoch !== events.epoch) {
    located.epoch = events.epoch;
    located.fields = handedFields(world, archetype, definition);
  }
  const block = row >> BLOCK_BITS;
  for (const field of located.fields) if (field.state[block] !== 0) field.handOut(block, 0);
}

/** A relation without its target, as functions that look up targets accept it. */
export type AnyKindOfRelation = Definition & { readonly kind: "relation" };

/**
 * Is this the handle of an entity that is alive in this world? Never throws.
 *
 * @cost constant.
 */
export function isAlive(world: World, entity: Entity): boolean {
  return isLiving(world.entities, entity);
}

/**
 * The handle of the entity that has an entity index now, such as `#41` in a path; `undefined` if there is none.
 *
 * @cost constant.
 */
export function entityAt(world: World, index: number): Entity | undefined {
  const { entities } = world;
  const isIndex = Number.isInteger(index) && index > 0 && index < entities.length;
  return isIndex && entities.table[index] !== 0 ? handleAt(entities, index) : undefined;
}

/** @throws TreelineError `bad-term` for a value that is not a relation, and for `Any`. */
export function requireRelation(relation: AnyKindOfRelation): void {
  if (relation?.kind === "relation" && relation !== Any) return;
  throw new TreelineError(
    "bad-term",
    `${isDefinition(relation) ? (relation as Definition).name : shown(relation)} is not a relation`,
  );
}

/**
 * The target of a relation; for a relation with many targets, the one at a place in the order in which they were added. ChildOf
 * covers both storages of parents, Parent only its own.
 *
 * @cost constant; for a relation with many targets, listing and sorting those of the entity.
 * @param place 0-based.
 * @returns `undefined` if there is none.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` if `relation` is not a relation.
 */
export function targetOf(
  world: World,
  entity: Entity,
  relation: AnyKindOfRelation,
  place = 0,
): Entity | undefined {
  requireAlive(world, entity);
  requireRelation(relation);
  const index = indexOf(entity);
  if (!relation.exclusive || place !== 0) return orderedTargetsAt(world, index, relation)[place];
  const target = targetIndexAt(world, index, relation);
  return target === 0 ? undefined : handleAt(world.entities, target);
}

/**
 * All targets of a relation, in the order in which they were added; adding a present pair again does not change the order.
 * Returns a new list.
 *
 * @cost listing and sorting the targets of the entity.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` if `relation` is not a relation.
 */
export function targetsOf(world: World, entity: Entity, relation: AnyKindOfRelation): Entity[] {
  requireAlive(world, entity);
  requireRelation(relation);
  return orderedTargetsAt(world, indexOf(entity), relation);
}

/**
 * All entities that have the relation with a target. Returns a new list: for ChildOf in sibling order, for other relations in the
 * order in which the entities were spawned or got their present parents.
 *
 * @cost proportional to the subjects, and sorting them.
 * @throws TreelineError `dead-entity` if the target is not alive; `bad-term` if `relation` is not a relation.
 */
export function subjectsOf(world: World, target: Entity, relation: AnyKindOfRelation): Entity[] {
  requireAlive(world, target);
  requireRelation(relation);
  return subjectHandles(world, indexOf(target), relation)!;
}

/**
 * The parent: the target of ChildOf.
 *
 * @cost constant.
 * @returns `undefined` for a root.
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function parentOf(world: World, entity: Entity): Entity | undefined {
  requireAlive(world, entity);
  return parentAt(world, indexOf(entity));
}
