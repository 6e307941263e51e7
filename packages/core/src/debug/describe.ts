// Texts for entities, definitions, pairs and whole worlds (`describe`, `dump`); shows `ENTITIES_SHOWN` entities of a type.
import { ChildOf } from "../id/builtins.ts";
import type {
  AnyPair,
  Component,
  Definition,
  EntityTag,
  Pair,
  Relation,
  Tag,
  Term,
} from "../id/definition.ts";
import { ANY, Any } from "../id/definition.ts";
import { type Entity, generationOf, indexOf } from "../id/entity.ts";
import { isLiving } from "../records/entity-index.ts";
import { hasDefinition } from "../storage/archetype.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { textAt, textOf } from "../world/state/require.ts";
import { depthAt, sortedPairs } from "../world/state/targets.ts";
import { bitTagsAt, withBitTags } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { relationOf } from "./relation-of.ts";
import { type EntitiesOfType, parentInType, typesOf } from "./types.ts";

/** A pair as text: `(ChildOf, Ship)`. */
export function pairText(world: World, pair: PairNumber): string {
  const { graph } = world;
  const { relation, target } = graph.pairs;
  return `(${relationOf(graph, relation[pair]!).name}, ${textAt(world, target[pair]!)})`;
}

/**
 * A type as text: pairs first, then components and tags.
 * @param parent the pair of its parent; 0 if it has none, or if no entity has the type.
 * @param index one of its entities, whose order of targets and tags stored as bits to show.
 */
export function typeText(world: World, table: TableNumber, parent: PairNumber, index = 0): string {
  const { graph, orders, slots } = world;
  const { relation } = graph.pairs;
  const archetype = graph.archetypes[graph.tables.archetype[table]!]!;
  const pairs = sortedPairs(world, table, orders.get(index));
  if (parent !== 0) pairs.push(parent);
  if (index !== 0) slots.sparsePairs?.pairsAt(graph, index, 0, pairs);
  pairs.sort((one, other) => relation[one]! - relation[other]!);
  const words = pairs.map((pair) => pairText(world, pair));
  if (parent === 0 && hasDefinition(archetype, ChildOf)) words.unshift(`(${ChildOf.name}, ${Any.name})`);
  const tags = index === 0 ? [] : bitTagsAt(world, index);
  for (const { kind, name } of withBitTags(archetype, tags)) {
    if (kind !== "relation") words.push(name);
  }
  return `[${words.join(", ")}]`;
}

/** The number of a type: that of its table, and for children the index of their parent, as in `t9:7`. */
function numberText({ graph }: World, table: TableNumber, parent: PairNumber): string {
  return parent === 0 ? `t${table}` : `t${table}:${graph.pairs.target[parent]!}`;
}

/**
 * A short text for people: for an entity `Ship::Cockpit (#41, generation 2) in t9:7 [...], row 0, depth 1`, where #7 is the ship and
 * the rows are those of all entities that differ by their targets only; for a definition its name and kind, and what it requires, for a pair `(ChildOf, Ship)`. The form is stable, the wording is not.
 *
 * @cost the types of the entity.
 */
export function describe(
  world: World,
  what: Entity | Component | Tag | Relation | Pair<unknown, unknown, unknown> | AnyPair | EntityTag,
): string {
  if (typeof what === "number") return describeEntity(world, what);
  if (typeof what === "function") return describeDefinition(what as Definition);
  const { definition, target } = what as Term;
  if (definition.kind !== "relation") return `${definition.name} (${definition.kind}, with a value)`;
  if (target === ANY) return `(${definition.name}, Any)`;
  const living = isLiving(world.entities, target);
  return `(${definition.name}, ${living ? textOf(world, target as Entity) : `dead #${indexOf(target)}`})`;
}

/** With what it requires itself. */
function describeDefinition({ name, kind, requires }: Definition): string {
  const required: Definition[] = [];
  requires?.(required);
  const names = required.map((one) => one.name).join(", ");
  return `${name} (${kind}${names === "" ? "" : `, requires ${names}`})`;
}

function describeEntity(world: World, entity: Entity): string {
  const index = indexOf(entity);
  if (!isLiving(world.entities, entity)) return `dead #${index}, generation ${generationOf(entity)}`;
  const table = world.entities.table[index]!;
  const depth = depthAt(world, index);
  const parent = parentInType(world, index);
  const type = `${numberText(world, table, parent)} ${typeText(world, table, parent, index)}`;
  return `${textOf(world, entity)} (#${index}, generation ${generationOf(entity)}) in ${type}, row ${world.entities.row[index]!}, depth ${depth}`;
}

const ENTITIES_SHOWN = 8;

/**
 * The whole world as text: for each type a line with its number, the type, rows, first entities and depth. Children of different
 * parents have different types, unless `Parent` stores the parent. Behind the colon of a number is the index of the parent; before it
 * is the same number for all types that differ by the parent only. Numbers stay the same while there are entities of the type.
 *
 *   t4    [Position, Name]                     2 rows   Ship, Buoy
 *   t9:7  [(ChildOf, Ship), Position, Name]    1 row    Cockpit          depth 1
 *
 * Lines are in the order of archetypes, then of their numbers. Children are in sibling order, other entities in the order of their
 * rows. A line without rows is a table that is kept empty, for children of any parent.
 *
 * @cost the entities.
 */
export function dump(world: World): string {
  const lines: string[][] = [];
  for (const archetype of world.graph.archetypes) {
    for (const type of typesOf(world, archetype)) lines.push(lineOf(world, type));
  }
  const widths = [0, 1, 2, 3].map((part) =>
    lines.reduce((most, line) => Math.max(most, line[part]!.length), 0),
  );
  const padded = lines.map((line) => line.map((text, part) => text.padEnd(widths[part]!)));
  return padded.map((line) => line.join("  ").trimEnd()).join("\n");
}

function lineOf(world: World, { table, parent, indexes }: EntitiesOfType): string[] {
  const count = indexes.length;
  const shown = indexes.slice(0, ENTITIES_SHOWN);
  const names = shown.map((index) => textAt(world, index));
  if (count > ENTITIES_SHOWN) names.push("...");
  const depth = count === 0 ? 0 : depthAt(world, shown.at(-1)!);
  return [
    numberText(world, table, parent),
    typeText(world, table, parent),
    `${count} ${count === 1 ? "row" : "rows"}`,
    names.join(", "),
    depth > 0 ? `depth ${depth}` : "",
  ];
}
