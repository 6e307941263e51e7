import { TreelineError } from "../base/error.ts";
import {
  Any,
  type AnyPair,
  type Component,
  type Definition,
  type Pair,
  type Tag,
  type Term,
} from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { findPair } from "../id/pair-book.ts";
import { isLiving } from "../records/entity-index.ts";
import { viewColumn } from "../storage/column-views.ts";
import { hasDefinition } from "../storage/shape.ts";
import { add } from "./add.ts";
import { askHooks, tellWritten } from "./hooks.ts";
import { requireAlive } from "./require.ts";
import { parentAt, tableHasPair } from "./targets.ts";
import {
  checkValue,
  columnAt,
  copyValue,
  definitionOf,
  readField,
  rowAt,
  shapeAt,
  wholeValue,
  writeValue,
} from "./values.ts";
import type { Location, World } from "./world.ts";

/** What carries a value of type `Row`: a component, or a pair with data. */
export type Valued<Row, Columns = unknown, Init = unknown> =
  | Component<Row, Columns, Init>
  | Pair<Row, Columns, Init>;

function targetIn(what: Definition | Term): number {
  return typeof what === "function" ? 0 : (what as Term).target;
}

/**
 * Does the entity have the component, tag or pair? `ChildOf(Any)` asks for a pair with any target.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive. A dead target is no error: nobody has it.
 */
export function has(
  world: World,
  entity: Entity,
  what: Component | Tag | Pair<unknown, unknown, unknown> | AnyPair,
): boolean {
  requireAlive(world, entity);
  const definition = definitionOf(what);
  const index = indexOf(entity);
  const shape = shapeAt(world, index);
  if (definition.kind !== "relation") {
    return shape.columnById.has(definition.id) || hasDefinition(shape, definition);
  }
  const target = targetIn(what);
  if (target === Any) return hasDefinition(shape, definition);
  if (!isLiving(world.entities, target)) return false;
  const pair = findPair(world.graph.pairs, definition.id, indexOf(target));
  return pair !== 0 && tableHasPair(world, world.entities.table[index]!, pair);
}

/**
 * A fresh copy of a value: `{ x, y }` of a component or pair with fields, the value itself of others.
 *
 * @returns `undefined` if the entity does not have it.
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function get<Row>(world: World, entity: Entity, what: Valued<Row>): Row | undefined {
  requireAlive(world, entity);
  const index = indexOf(entity);
  const column = columnAt(world, index, definitionOf(what as Term), targetIn(what as Term));
  if (column === undefined) return undefined;
  return copyValue(world, shapeAt(world, index).lanes, column, rowAt(world, index)) as Row;
}

/**
 * Reads the fields of a value into an object of yours, without allocation. Lists are copied element by element into
 * the list that is there, or are given as a copy if there is none.
 *
 * @returns false, and `into` as it was, if the entity does not have it.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-value` for a component without fields.
 */
export function read<Row extends object>(
  world: World,
  entity: Entity,
  what: Valued<Row>,
  into: Row,
): boolean {
  requireAlive(world, entity);
  const index = indexOf(entity);
  const definition = definitionOf(what as Term);
  if (definition.holds !== "fields") {
    throw new TreelineError("bad-value", `${definition.name} has no fields to read; use get`);
  }
  const column = columnAt(world, index, definition, targetIn(what as Term));
  if (column === undefined) return false;
  const { lanes } = shapeAt(world, index);
  const row = rowAt(world, index);
  const fields = into as { [name: string]: unknown };
  for (const field of column.fields) {
    fields[field.name] = readField(world, lanes, field, row, field.isList ? fields[field.name] : undefined);
  }
  return true;
}

/**
 * Writes a value; adds the component or pair if the entity does not have it. Only the given fields are written:
 * others stay as they are, or take their defaults if it was added. A write alone is no structural change.
 *
 * @throws TreelineError `dead-entity` if the entity or the pair's target is not alive; `bad-value` for a value that
 *   does not fit; as `add` if it has to be added; and what a `check` hook throws.
 */
export function set<Init>(
  world: World,
  entity: Entity,
  what: Valued<unknown, unknown, Init>,
  value: NoInfer<Init>,
): void {
  requireAlive(world, entity);
  const definition = definitionOf(what as Term);
  if (definition.holds === "nothing") {
    throw new TreelineError("bad-value", `${definition.name} carries no values; use add`);
  }
  const target = targetIn(what as Term);
  if (definition.kind === "relation") requireAlive(world, target as Entity);
  const index = indexOf(entity);
  const column = columnAt(world, index, definition, target);
  if (column === undefined) {
    add(world, entity, { definition, target, value } as Term);
    return;
  }
  checkValue(definition, value);
  if (definition.hooks === undefined) {
    writeValue(shapeAt(world, index).lanes, column, rowAt(world, index), value);
    return;
  }
  const changes = [{ definition, value: wholeValue(world, index, definition, value) }];
  askHooks(world, entity, changes, parentAt(world, index));
  writeValue(shapeAt(world, index).lanes, column, rowAt(world, index), value);
  tellWritten(world, index, changes);
}

/**
 * Where the value of a component of one entity lies: the columns as `run.columns` gives them, and the absolute row.
 * No allocation: the answer is one object per world, good until the next `locate` and the next structural change.
 *
 * @returns `undefined` if the entity does not have it.
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function locate<Columns>(
  world: World,
  entity: Entity,
  what: Valued<unknown, Columns>,
): Location<Columns> | undefined {
  requireAlive(world, entity);
  const index = indexOf(entity);
  const column = columnAt(world, index, definitionOf(what as Term), targetIn(what as Term));
  if (column === undefined) return undefined;
  const location = world.location as Location<Columns>;
  location.columns = viewColumn(shapeAt(world, index), column) as Columns;
  location.row = rowAt(world, index);
  return location;
}
