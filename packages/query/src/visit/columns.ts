import { type Definition, type Term, TreelineError, type World } from "@treeline/core";
import {
  type Column,
  columnOf,
  definitionOf,
  findPair,
  indexOf,
  isLiving,
  pairColumn,
  type Shape,
} from "@treeline/core/internal";
import { boundTo, type Query } from "../query/state/query-state.ts";
import type { Scene } from "../query/state/scene.ts";
import type { Gift } from "../term/plan.ts";
import { isVariable } from "../term/variable.ts";

/**
 * The column of a component, or of a pair with data, in a shape. For a pair, `row` says in which table: pairs of one
 * relation stand in the order of the table's type. @param scene that tells what variables stand for.
 *
 * @throws TreelineError `bad-query` if there is none.
 */
export function columnFor(
  query: Query,
  scene: Scene | undefined,
  shape: Shape,
  what: unknown,
  row: number,
): Column {
  const definition = definitionOf(what as Definition | Term);
  const column =
    definition.kind === "relation"
      ? columnOfPair(query.world, shape, definition, targetIn(query, scene, what as Term), row)
      : columnOf(shape, definition);
  if (column === undefined) {
    throw new TreelineError(
      "bad-query",
      `these rows have no values of ${definition.name}; make it a term of the query, or use columnsIf after maybe`,
    );
  }
  return column;
}

export function columnOfPair(
  world: World,
  shape: Shape,
  relation: Definition,
  target: number,
  row: number,
): Column | undefined {
  if (!isLiving(world.entities, target)) return undefined;
  const pair = findPair(world.graph.pairs, relation.id, indexOf(target));
  const table = world.entities.table[shape.lanes.i32[row]!]!;
  return pair === 0 ? undefined : pairColumn(world, shape, table, pair);
}

/** The handle of a pair's target; of a variable, what it stands for. */
function targetIn(query: Query, scene: Scene | undefined, { target }: Term): number {
  if (!isVariable(target)) return target;
  return scene === undefined ? boundTo(query, target) : scene.targetOf(target);
}

/**
 * Values of pairs lie in other columns in every table, so only a pair that the query asks for can be read by runs.
 *
 * @throws TreelineError `bad-query` otherwise.
 */
export function requireAskedPair({ plan }: Query, what: unknown): void {
  const wanted = what as Definition | Term;
  const definition = definitionOf(wanted);
  if (definition.kind !== "relation") return;
  const target = typeof wanted === "function" ? 0 : (wanted as Term).target;
  for (let at = 0; at < plan.gifts.length; at++) if (isGiven(plan.gifts[at]!, definition, target)) return;
  throw new TreelineError(
    "bad-query",
    `name ${definition.name}(target) as a term of the query to read its values`,
  );
}

function isGiven(gift: Gift, definition: Definition, target: number): boolean {
  if (gift.from === "first")
    return gift.of.some((one) => one !== undefined && isGiven(one, definition, target));
  return gift.from === "own" && gift.definition === definition && gift.target === target;
}
