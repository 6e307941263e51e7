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
import { ANY } from "../id/definition.ts";
import { type Entity, generationOf, indexOf } from "../id/entity.ts";
import { isLiving } from "../records/entity-index.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { textAt, textOf } from "../world/state/require.ts";
import { depthAt, sortedPairs } from "../world/state/targets.ts";
import { bitTagsAt, withBitTags } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { relationOf } from "./relation-of.ts";

/** A pair as text: `(ChildOf, Ship)`. */
export function pairText(world: World, pair: PairNumber): string {
  const { graph } = world;
  const { relation, target } = graph.pairs;
  return `(${relationOf(graph, relation[pair]!).name}, ${textAt(world, target[pair]!)})`;
}

/**
 * A table's type as text: pairs first, then components and tags.
 * @param index one of its entities, whose order of targets and tags stored as bits to show.
 */
export function typeText(world: World, table: TableNumber, index = 0): string {
  const { graph, orders, slots } = world;
  const { relation } = graph.pairs;
  const pairs = sortedPairs(world, table, orders.get(index));
  if (index !== 0) slots.sparsePairs?.pairsAt(graph, index, 0, pairs);
  pairs.sort((one, other) => relation[one]! - relation[other]!);
  const words = pairs.map((pair) => pairText(world, pair));
  const tags = index === 0 ? [] : bitTagsAt(world, index);
  for (const { kind, name } of withBitTags(graph.archetypes[graph.tables.archetype[table]!]!, tags)) {
    if (kind !== "relation") words.push(name);
  }
  return `[${words.join(", ")}]`;
}

/**
 * A short text for people: for an entity `Ship::Cockpit (#41, generation 2) in t9, depth 1`, for a definition its name
 * and kind, and what it requires, for a pair `(ChildOf, Ship)`. The form is stable, the wording is not.
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
  const place = `t${table} ${typeText(world, table, index)}, row ${world.entities.row[index]!}`;
  return `${textOf(world, entity)} (#${index}, generation ${generationOf(entity)}) in ${place}, depth ${depth}`;
}

const ENTITIES_SHOWN = 8;

/**
 * The whole world as text: for each table a line with its type, rows and first entities.
 *
 *   t4  [Position, Name]                     2 rows   Ship, Buoy
 *   t9  [(ChildOf, Ship), Position, Name]    1 row    Cockpit          depth 1
 *
 * @cost the tables.
 */
export function dump(world: World): string {
  const { graph } = world;
  const lines: string[][] = [];
  for (const { filled, empty } of graph.archetypes) {
    for (const start of [filled.first, empty.first]) {
      for (let table = start; table !== 0; table = graph.tables.next[table]!)
        lines.push(lineOf(world, table));
    }
  }
  const widths = [0, 1, 2, 3].map((part) =>
    lines.reduce((most, line) => Math.max(most, line[part]!.length), 0),
  );
  const padded = lines.map((line) => line.map((text, part) => text.padEnd(widths[part]!)));
  return padded.map((line) => line.join("  ").trimEnd()).join("\n");
}

function lineOf(world: World, table: TableNumber): string[] {
  const { graph } = world;
  const count = graph.tables.count[table]!;
  const { i32 } = graph.archetypes[graph.tables.archetype[table]!]!.lanes;
  const first = graph.tables.first[table]!;
  const indexes = [...i32.subarray(first, first + Math.min(count, ENTITIES_SHOWN))];
  const names = indexes.map((index) => textAt(world, index));
  if (count > ENTITIES_SHOWN) names.push("...");
  const depth = count === 0 ? 0 : depthAt(world, indexes.at(-1)!);
  return [
    `t${table}`,
    typeText(world, table),
    `${count} ${count === 1 ? "row" : "rows"}`,
    names.join(", "),
    depth > 0 ? `depth ${depth}` : "",
  ];
}
