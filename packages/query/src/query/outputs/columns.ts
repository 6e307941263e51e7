import { type Definition, isAlive, type Term, TreelineError, type World } from "@treeline/core";
import { type Archetype, columnsOf, indexOf, pairsOf, questionOf, tableAt } from "@treeline/core/internal";
import type { Gift } from "../../term/plan.ts";
import { isVariable } from "../../term/variable.ts";
import type { Query } from "../state/query-state.ts";
import type { Scene } from "../state/scene.ts";

/**
 * The columns of a component, or of a pair with data, of an archetype. For a pair, `row` says in which table: pairs of one
 * relation stand in the order of the table's type.
 *
 * @throws TreelineError `bad-query` if there are none.
 */
export function columnsFor(scene: Scene, archetype: Archetype, what: unknown, row: number): unknown {
  const { query } = scene;
  const definition = definitionOf(query, what);
  const columns =
    definition.kind === "relation"
      ? columnsOfPair(query.world, archetype, definition, targetIn(scene, what as Term), row)
      : columnsOf(archetype, definition);
  if (columns === undefined) {
    throw new TreelineError(
      "bad-query",
      `these rows have no values of ${definition.name}; make it a term of the query, or use columnsIf after maybe`,
    );
  }
  return columns;
}

/** The definition of what users name. @throws TreelineError `bad-term`. */
function definitionOf(query: Query, what: unknown): Definition {
  const definition = (typeof what === "function" ? what : (what as Term | undefined | null)?.definition) as
    | Definition
    | undefined;
  return definition?.kind === undefined ? questionOf(query.world, what as never).definition : definition;
}

export function columnsOfPair(
  world: World,
  archetype: Archetype,
  relation: Definition,
  target: number,
  row: number,
): unknown {
  if (!isAlive(world, target as never)) return undefined;
  const pairs = pairsOf(world);
  const pair = pairs.find(relation, indexOf(target));
  return pair === 0 ? undefined : pairs.columns(tableAt(world, archetype.lanes.i32[row]!), pair);
}

/** The handle of a pair's target; of a variable, what it stands for. */
function targetIn(scene: Scene, { target }: Term): number {
  return isVariable(target) ? scene.targetOf(target) : target;
}

/**
 * Values of pairs lie in other columns in every table, so only a pair that the query asks for can be read by runs.
 *
 * @throws TreelineError `bad-query` otherwise.
 */
export function requireAskedPair(query: Query, what: unknown): void {
  const { plan } = query;
  const definition = definitionOf(query, what);
  if (definition.kind !== "relation") return;
  const target = typeof what === "function" ? 0 : (what as Term).target;
  for (let at = 0; at < plan.gifts.length; at++) if (isGiven(plan.gifts[at]!, definition, target)) return;
  throw new TreelineError(
    "bad-query",
    `name ${definition.name}(target) as a term of the query to read its values`,
  );
}

function isGiven(gift: Gift, definition: Definition, target: number): boolean {
  if (gift.kind === "first")
    return gift.of.some((one) => one !== undefined && isGiven(one, definition, target));
  return gift.kind === "has" && gift.definition === definition && gift.target === target;
}
