import {
  type Component,
  componentsOf,
  type Definition,
  type Entity,
  get,
  has,
  pairsOf,
  type SpawnTerm,
  tagsOf,
  targetOf,
  type World,
} from "@treeline/core";
import { archetypeViewAt, ChildOf, handleOf, inheritedOf, Parent } from "@treeline/core/internal";
import { BareIsA, Link } from "../base/definitions.ts";
import { isGiven } from "../publish/published.ts";
import { ownCopiesAt } from "../state/own-copies.ts";

/** What an entity of a prefab is in an instance; `undefined` for one that is not part of the prefab. */
export type InInstance = (target: Entity) => Entity | undefined;

function termOf(definition: Definition, value?: unknown, target = 0): SpawnTerm {
  return { definition, target, value } as unknown as SpawnTerm;
}

/**
 * What an instance gets of a part: values and tags of its own, what it inherits, pairs, and its link; no parent. The root gets no `IsA`, and
 * nothing that identifies it among its siblings.
 *
 * @param number of the part.
 * @param inInstance without it, terms have no values.
 * @param taker an entity that gets only what it lacks; none for a new one.
 */
export function partTerms(
  world: World,
  part: number,
  number: number,
  isRoot: boolean,
  inInstance: InInstance | undefined,
  taker?: Entity,
): SpawnTerm[] {
  const entity = handleOf(world, part);
  const terms: SpawnTerm[] = [termOf(Link, { part: number })];
  const lacks = (definition: Definition): boolean =>
    isGiven(definition, isRoot) && (taker === undefined || !has(world, taker, definition as Component));
  const own = ownCopiesAt(world, part);
  for (const definition of componentsOf(world, entity)) {
    if (!lacks(definition)) continue;
    const isCopied = definition.onInstantiate === "copy" || own.includes(definition);
    terms.push(
      isCopied
        ? termOf(definition, copyOf(world, entity, definition, inInstance))
        : termOf(inheritedOf(definition)),
    );
  }
  for (const tag of tagsOf(world, entity)) {
    if (typeof tag === "number") terms.push(inInstance?.(tag) ?? tag);
    else if (lacks(tag)) {
      const isShared = tag.onInstantiate === "inherit" && !own.includes(tag);
      terms.push(termOf(isShared ? inheritedOf(tag) : tag));
    }
  }
  for (const { standsFor } of archetypeViewAt(world, part).definitions) {
    if (standsFor === undefined || !lacks(standsFor)) continue;
    if (!own.includes(standsFor)) terms.push(termOf(inheritedOf(standsFor)));
    else if (standsFor.holds === "nothing") terms.push(termOf(standsFor));
    else terms.push(termOf(standsFor, copyOf(world, entity, standsFor as Component, inInstance)));
  }
  for (const { relation, target, value } of pairsOf(world, entity)) {
    if (relation === ChildOf || relation === Parent || relation === BareIsA) continue;
    const other = inInstance?.(target);
    // An outer target of an exclusive symmetric pair would be taken from the prefab.
    if (
      relation.onInstantiate === "skip" ||
      (relation.symmetric && relation.exclusive && other === undefined)
    )
      continue;
    const isTaken =
      taker !== undefined &&
      (relation.exclusive ? targetOf(world, taker, relation) : has(world, taker, relation(other ?? target)));
    if (!isTaken) terms.push(relation(other ?? target, value));
  }
  const base = isRoot ? undefined : targetOf(world, entity, BareIsA);
  if (base !== undefined) terms.push(BareIsA(base));
  return terms;
}

/** A copy of a value for an instance: entities of the prefab are replaced by those of the instance. */
function copyOf(
  world: World,
  entity: Entity,
  definition: Component,
  inInstance: InInstance | undefined,
): unknown {
  if (inInstance === undefined) return undefined;
  const { copy } = (definition.hooks ?? {}) as { readonly copy?: (value: unknown) => unknown };
  const value = get(world, entity, definition);
  const copied = copy === undefined ? value : copy(value);
  if (definition.holds !== "fields") return copied;
  const fields = copied as { [name: string]: unknown };
  for (const [name, { kind }] of definition.fields)
    if (kind === "entity" && fields[name] !== undefined)
      fields[name] = inInstance(fields[name] as Entity) ?? fields[name];
  return fields;
}
