import { isAlive, TreelineError, type World } from "@treeline/core";
import { type Archetype, columnsOf, indexOf, pairsOf, questionOf, tableAt } from "@treeline/core/internal";
import { isVariable } from "../../term/operators.ts";
import type { Gift, Question } from "../../term/plan.ts";
import type { Query } from "../state/query-state.ts";
import type { Scene } from "../state/scene.ts";

/**
 * The columns of a component, or of a pair with data, of an archetype; undefined if there are none. For a pair, `row` says in
 * which table: pairs of one relation stand in the order of the table's type.
 */
export function columnsIn(
  scene: Scene,
  { definition, target }: Question,
  shape: Archetype,
  row: number,
): unknown {
  const { world } = scene;
  if (definition.kind !== "relation") return columnsOf(shape, definition);
  const handle = isVariable(target) ? scene.targetOf(target) : target;
  if (!isAlive(world, handle as never)) return undefined;
  const pairs = pairsOf(world);
  const pair = pairs.find(definition, indexOf(handle));
  return pair === 0 ? undefined : pairs.columns(tableAt(world, shape.lanes.i32[row]!), pair);
}

/** The same of what users name. @throws TreelineError `bad-query` if there are none, `bad-term`. */
export function columnsFor(scene: Scene, shape: Archetype, what: unknown, row: number): unknown {
  const question = questionFor(scene.world, what);
  const columns = columnsIn(scene, question, shape, row);
  if (columns === undefined) {
    throw new TreelineError(
      "bad-query",
      `these rows have no values of ${question.definition.name}; make it a term of the query, or use columnsIf after maybe`,
    );
  }
  return columns;
}

/** What users name, of which no pair is made if there is none. @throws TreelineError `bad-term`. */
function questionFor(world: World, what: unknown): Question {
  const named = (typeof what === "function" ? { definition: what, target: 0 } : what) as
    | Question
    | undefined
    | null;
  return named?.definition?.kind === undefined ? questionOf(world, what as never) : named;
}

/**
 * Values of pairs lie in other columns in every table, so only a pair that the query asks for can be read by runs.
 *
 * @throws TreelineError `bad-query` otherwise.
 */
export function requireAskedPair({ world, plan }: Query, what: unknown): void {
  const question = questionFor(world, what);
  if (question.definition.kind !== "relation" || plan.gifts.some((gift) => isGiven(gift, question))) return;
  throw new TreelineError(
    "bad-query",
    `name ${question.definition.name}(target) as a term of the query to read its values`,
  );
}

function isGiven(gift: Gift, question: Question): boolean {
  if (gift.kind === "first") return gift.of.some((one) => one !== undefined && isGiven(one, question));
  return gift.kind === "has" && gift.definition === question.definition && gift.target === question.target;
}
