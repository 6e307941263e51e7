// The terms of a copy of a part (`partTerms`): own values, inherited ones, pairs inside the instance.
import {
  type Component,
  type Entity,
  has,
  type Relation,
  type SpawnTerm,
  targetOf,
  type World,
} from "@treeline/core";
import { handleOf, Is, inheritedOf } from "@treeline/core/internal";
import { BareIsA, Link } from "../base/definitions.ts";
import { copied, type Fact, givenFacts, type InInstance, pointedValue, termOf } from "../publish/facts.ts";
import { publishedOf } from "../publish/published.ts";
import { ownCopiesAt } from "../state/own-copies.ts";
import { numberOf } from "../state/part-records.ts";
import { prefabRootOf } from "./contained.ts";
import { toInstance } from "./to-instance.ts";

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
  const target: InInstance = (one, isInherited) => {
    const meant = isInherited === true ? toInstance(world, entity)(one, true) : one;
    return meant && (inInstance?.(meant) ?? meant);
  };
  for (const fact of facts) {
    const { definition, value, target: outer } = fact;
    if (outer !== 0) {
      const other = target(outer)!;
      const { exclusive } = definition;
      if (inInstance !== undefined && isOfPrefab(world, entity, fact, other)) continue;
      // It points to a part, and to what the instance has of that.
      const isTwice =
        other !== outer && facts.some((one) => one.target === other && one.definition === definition);
      if (isTwice) continue;
      const term = termOf(definition, pointedValue(definition, value, target), other);
      if (exclusive && taker !== undefined && targetOf(world, taker, definition as Relation) !== undefined)
        continue;
      if (exclusive || definition === Is || !isTaken(termOf(definition, undefined, other))) terms.push(term);
    } else if (!isTaken(definition)) {
      if (definition.onInstantiate === "inherit" && !own.includes(definition))
        terms.push(termOf(inheritedOf(definition)));
      else if (inInstance === undefined) terms.push(termOf(definition));
      else terms.push(termOf(definition, pointedValue(definition, copied(definition, value), target)));
    }
  }
  const base = isRoot ? undefined : targetOf(world, entity, BareIsA);
  if (base !== undefined) terms.push(BareIsA(base));
  return terms;
}

/**
 * Would a pair change the prefab if an entity of an instance had it? As symmetric ones do whose target is in no instance: an exclusive one would be taken from the
 * part, and a target in the prefab would get its other side.
 *
 * @param fact of a part. @param root an entity of its prefab. @param target what the pair would have as target in the instance.
 */
export function isOfPrefab(world: World, root: Entity, fact: Fact, target: Entity): boolean {
  const { symmetric, exclusive } = fact.definition;
  if (!symmetric || target !== fact.target) return false;
  const outermost = prefabRootOf(world, root);
  return exclusive || (outermost !== undefined && prefabRootOf(world, target) === outermost);
}
