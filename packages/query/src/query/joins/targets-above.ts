// Which targets the ancestors of an entity have, for variables inside `up` (`targetsAbove`).
import type { Definition, World } from "@treeline/core";
import { pairCursor, slotsOf, tableAt } from "@treeline/core/internal";
import { includesParents } from "../../match/pairs.ts";

/**
 * The targets of a relation that the ancestors of an entity have, along another relation.
 *
 * @cost all ancestors, with their pairs. Installed by `up`.
 * @param isSelf the entity itself counts as well.
 */
export function targetsAbove(
  world: World,
  index: number,
  what: { readonly definition: Definition; readonly above: Definition | undefined; readonly isSelf: boolean },
): Set<number> {
  const { definition, above, isSelf } = what;
  const found = new Set<number>();
  const met = new Set([index]); // values added to a set during its iteration are iterated as well
  for (const at of met) {
    eachTargetAt(world, at, above!, (target) => met.add(target));
    if (at === index && !isSelf) continue;
    eachTargetAt(world, at, definition, (target) => found.add(target));
    if (definition.reflexive) found.add(at);
  }
  return found;
}

function eachTargetAt(
  world: World,
  index: number,
  relation: Definition,
  call: (target: number) => void,
): void {
  const pairs = pairCursor(world);
  const table = tableAt(world, index);
  const parent = includesParents(relation) ? pairs.parentAt(index, relation) : 0;
  let pair = pairs.inTable(table, 0);
  for (let place = 1; pair !== 0; pair = pairs.inTable(table, place++))
    if (pairs.relation(pair) === relation.id) call(pairs.target(pair));
  if (parent !== 0) call(pairs.target(parent));
  for (const target of slotsOf(world).sparsePairs?.targetsAt(world, index, relation) ?? []) call(target);
}
