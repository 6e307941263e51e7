import {
  type Component,
  type Entity,
  has,
  type Relation,
  type SpawnTerm,
  targetOf,
  type World,
} from "@treeline/core";
import { archetypeViewAt, handleOf, Is, inheritedOf } from "@treeline/core/internal";
import { BareIsA, Link } from "../base/definitions.ts";
import { givenFacts, type InInstance, isGiven, pointedValue, termOf } from "../publish/facts.ts";
import { publishedOf } from "../publish/published.ts";
import { ownCopiesAt } from "../state/own-copies.ts";
import { numberOf } from "../state/part-records.ts";

/**
 * What an instance gets of a part that has a number: values and tags of its own, what it inherits, pairs, and its link; no parent. The root gets no `IsA`, and
 * nothing that identifies it among its siblings.
 *
 * @param inInstance what an entity of the prefab is in the instance; `undefined` for others. Without it, terms have no values, and the part is as it was published.
 * @param taker an entity that gets only what it lacks; none for a new one.
 */
export function partTerms(
  world: World,
  part: number,
  isRoot: boolean,
  inInstance: InInstance | undefined,
  taker?: Entity,
): SpawnTerm[] {
  const entity = handleOf(world, part);
  const own = ownCopiesAt(world, part);
  const number = numberOf(world, part);
  // Without values, a plan is made of what has just been published.
  const facts =
    inInstance === undefined ? publishedOf(world, number)!.facts : givenFacts(world, entity, isRoot);
  const terms: SpawnTerm[] = [termOf(Link, { part: number })];
  const isTaken = (what: unknown): boolean => taker !== undefined && has(world, taker, what as Component);
  const target = (one: Entity): Entity => inInstance?.(one) ?? one;
  for (const { definition, value, target: outer } of facts) {
    if (outer !== 0) {
      const other = inInstance?.(outer);
      const { exclusive } = definition;
      // An outer target of an exclusive symmetric pair would be taken from the prefab.
      if (definition.symmetric && exclusive && other === undefined) continue;
      const term = termOf(definition, value, other ?? outer);
      if (exclusive && taker !== undefined && targetOf(world, taker, definition as Relation) !== undefined)
        continue;
      if (exclusive || definition === Is || !isTaken(term)) terms.push(term);
    } else if (!isTaken(definition)) {
      if (definition.onInstantiate === "inherit" && !own.includes(definition))
        terms.push(termOf(inheritedOf(definition)));
      else if (inInstance === undefined) terms.push(termOf(definition));
      else {
        const { copy } = (definition.hooks ?? {}) as { readonly copy?: (value: unknown) => unknown };
        terms.push(
          termOf(definition, pointedValue(definition, copy === undefined ? value : copy(value), target)),
        );
      }
    }
  }
  for (const { standsFor } of archetypeViewAt(world, part).definitions)
    if (
      standsFor !== undefined &&
      isGiven(standsFor, isRoot) &&
      !own.includes(standsFor) &&
      !isTaken(standsFor)
    )
      terms.push(termOf(inheritedOf(standsFor)));
  const base = isRoot ? undefined : targetOf(world, entity, BareIsA);
  if (base !== undefined) terms.push(BareIsA(base));
  return terms;
}
