import { shown, TreelineError } from "../../base/error.ts";
import { Parent } from "../../id/builtins.ts";
import { ANY, Any, type Component, type Definition, type Pair, type Term } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { isLiving } from "../../records/entity-index.ts";
import { loosePairOf } from "../../records/sibling-links.ts";
import { type Column, viewColumn } from "../../storage/lanes.ts";
import { columnOf, hasDefinition, type Shape } from "../../storage/shape.ts";
import { hasBitAt } from "./bit-tags.ts";
import { requireAlive, requireHandle } from "./require.ts";
import { type Asked, askedPairsAt, definitionOf, hasTarget, isWildcard, questionOf } from "./terms.ts";
import { columnAt, copyValue, readField, shapeAt } from "./values.ts";
import type { Location, World } from "./world.ts";

/** What carries a value of type `Row`: a component, or a pair with data. */
export type Valued<Row, Columns = unknown, Init = unknown> =
  | Component<Row, Columns, Init>
  | Pair<Row, Columns, Init>;

/**
 * The target that users name along with a component or a pair with data, or 0.
 *
 * @throws TreelineError `bad-term` for a relation without target, and for wildcards; `dead-entity` for a target that has
 *   not the form of a handle.
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

/** The column of what carries a value, mostly that of a component, of which an archetype has one. */
function columnOfValue(world: World, index: number, shape: Shape, what: unknown): Column | undefined {
  if (typeof what === "function" && (what as unknown as Definition).kind === "component")
    return columnOf(shape, what as unknown as Definition);
  return columnAt(world, index, definitionOf(what as Term), targetIn(world, what as Term));
}

function refuseWildcard({ name }: Definition): never {
  throw new TreelineError("bad-term", `a value belongs to one pair: ${name}(entity)`);
}

/**
 * Does the entity have the component, tag or pair? `ChildOf(Any)` asks for a parent, `Any(ship)` for any pair that
 * points at ship, `Any(Any)` for any pair at all, an entity for that entity as a tag. ChildOf covers both storages of
 * parents, Parent only its own. Of a reflexive relation everybody has the pair with themselves.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` for what is none of these. A dead target is
 *   no error: nobody has it.
 */
export function has(world: World, entity: Entity, what: Asked): boolean {
  requireAlive(world, entity);
  const question = questionOf(world, what);
  const { definition, target } = question;
  const index = indexOf(entity);
  const shape = shapeAt(world, index);
  if (definition.kind !== "relation") {
    return definition.storage === "bits"
      ? hasBitAt(world, index, definition)
      : hasDefinition(shape, definition);
  }
  if (isWildcard(question)) return askedPairsAt(world, index, question).length > 0;
  if (!isLiving(world.entities, target)) return false;
  if (definition.reflexive && target === entity) return true;
  if (definition !== Parent) return hasTarget(world, index, definition, target);
  const loose = loosePairOf(world.graph.links, index);
  return loose !== 0 && world.graph.pairs.target[loose] === indexOf(target);
}

/**
 * A fresh copy of a value: `{ x, y }` of a component or pair with fields, the value itself of others.
 *
 * @returns `undefined` if the entity does not have it.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` for what carries no value of one entity, such as
 *   a relation without its target.
 */
export function get<Row>(world: World, entity: Entity, what: Valued<Row>): Row | undefined {
  requireAlive(world, entity);
  const index = indexOf(entity);
  const { graph, entities } = world;
  const table = entities.table[index]!;
  const shape = graph.shapes[graph.tables.shape[table]!]!;
  const column = columnOfValue(world, index, shape, what);
  if (column === undefined) return undefined;
  return copyValue(world, shape.lanes, column, graph.tables.first[table]! + entities.row[index]!) as Row;
}

/**
 * Reads the fields of a value into an object of yours, without allocation. Lists are copied element by element into
 * the list that is there, or are given as a copy if there is none.
 *
 * @returns false, and `into` as it was, if the entity does not have it.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-value` for a component without fields; `bad-term` for
 *   what carries no value.
 */
export function read<Row extends object>(
  world: World,
  entity: Entity,
  what: Valued<Row>,
  into: Row,
): boolean {
  requireAlive(world, entity);
  const definition = definitionOf(what as unknown as Term);
  if (definition.holds !== "fields") {
    throw new TreelineError("bad-value", `${definition.name} has no fields to read; use get`);
  }
  if (typeof into !== "object" || into === null) {
    throw new TreelineError("bad-value", `read takes an object to read into, not ${shown(into)}`);
  }
  const index = indexOf(entity);
  const { graph, entities } = world;
  const table = entities.table[index]!;
  const shape = graph.shapes[graph.tables.shape[table]!]!;
  const column = columnOfValue(world, index, shape, what);
  if (column === undefined) return false;
  const { lanes } = shape;
  const row = graph.tables.first[table]! + entities.row[index]!;
  const values = into as { [name: string]: unknown };
  const { fields } = column;
  for (let place = 0; place < fields.length; place++) {
    const field = fields[place]!;
    if (field.isList) values[field.name] = readField(world, lanes, field, row, values[field.name]);
    else if (field.kind === "f32") values[field.name] = lanes.f32[field.lane * lanes.stride + row];
    else values[field.name] = readField(world, lanes, field, row);
  }
  return true;
}

/**
 * Where the value of a component of one entity lies: the columns as `run.columns` gives them, and the absolute row.
 * No allocation: the answer is one object per world, good until the next `locate` and the next structural change. What is
 * written there nobody learns of, until `markChanged` tells.
 *
 * @returns `undefined` if the entity does not have it.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` for what carries no value of one entity, such as
 *   a relation without its target.
 */
export function locate<Columns>(
  world: World,
  entity: Entity,
  what: Valued<unknown, Columns>,
): Location<Columns> | undefined {
  requireAlive(world, entity);
  const index = indexOf(entity);
  const { entities, located } = world;
  const { tables, shapes } = world.graph;
  const table = entities.table[index]!;
  const number = tables.shape[table]!;
  const location = world.location as Location<Columns>;
  if (located.shape !== number || located.what !== what || located.version !== located.lanes!.version) {
    const shape = shapes[number]!;
    const column = columnOfValue(world, index, shape, what);
    if (column === undefined) return undefined;
    location.columns = viewColumn(shape, column) as Columns;
    located.shape = column.definition.kind === "relation" ? -1 : number; // those of pairs may lie elsewhere
    located.version = shape.lanes.version;
    located.lanes = shape.lanes;
    located.what = what;
  }
  location.row = tables.first[table]! + entities.row[index]!;
  return location;
}
