// Entities as tags (`asTag`); terms of deferred commands: copies of values, and which are valid (`copyTerms`, `liveTerms`).
import { TreelineError } from "../../base/error.ts";
import { ChildOf, Parent } from "../../id/builtins.ts";
import {
  ANY,
  Any,
  addRequired,
  type Definition,
  defineRelation,
  type EntityTag,
  Is,
  type PlainTerm,
  type Term,
} from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { isLiving } from "../../records/entity-index.ts";
import { collectedObject } from "./collected-values.ts";
import type { World, WorldState } from "./world.ts";

export function definitionOfTerm(term: PlainTerm): Definition {
  return typeof term === "function" ? (term as Definition) : (term as Term).definition;
}

export function valueOfTerm(term: PlainTerm): unknown {
  return typeof term === "function" ? undefined : (term as Term).value;
}

export function targetOfTerm(term: PlainTerm): number {
  return typeof term === "function" ? 0 : (term as Term).target;
}

/** Is all among some definitions that they require, be it inherited? */
export function isWhole(definitions: readonly Definition[]): boolean {
  const there = definitions.map((definition) => definition.standsFor ?? definition);
  return addRequired([...there]).length === there.length;
}

/**
 * The same terms with plain copies of their values, after `collectValues`: so deferred values, and values that hooks and
 * observers see first, are written as they were checked.
 */
export function copyTerms(world: World, terms: readonly PlainTerm[]): readonly PlainTerm[] {
  const { collected } = world;
  let field = collected.fields;
  let number = collected.count;
  return terms.map((term, at) => {
    const end = collected.ends[collected.terms + at]!;
    const definition = definitionOfTerm(term);
    if (valueOfTerm(term) === undefined || definition.holds !== "fields") return term;
    const value = collectedObject(collected, definition, field, end, number);
    for (; field < end; field++) number += definition.fields[collected.places[field]!]![1].length;
    return { definition, target: targetOfTerm(term), value } as Term as PlainTerm;
  });
}

/**
 * The terms of a deferred command that are still valid: a pair whose target was destroyed in the meantime is left out.
 *
 * @returns `undefined` if such a pair is of a relation that deletes its subjects: then they are destroyed as well.
 */
export function liveTerms(world: World, terms: readonly PlainTerm[]): readonly PlainTerm[] | undefined {
  const isDestroyed = (term: PlainTerm): boolean =>
    definitionOfTerm(term).kind === "relation" && !isLiving(world.entities, targetOfTerm(term));
  const destroyed = terms.filter(isDestroyed);
  if (destroyed.length === 0) return terms;
  const deletes = destroyed.some((term) => definitionOfTerm(term).onTargetDestroy === "delete");
  return deletes && !world.dropsOrphans ? undefined : terms.filter((term) => !isDestroyed(term));
}

/** The definition of the terms that `asTag` returns. No table has it in its type. */
const EntityAsTag: Definition = /* @__PURE__ */ withMeaning(/* @__PURE__ */ defineRelation("asTag", {}));

function withMeaning(definition: Definition): Definition {
  definition.meaning = meaningOf;
  return definition;
}

/** The definition whose component entity it is, or else itself, alive or not. */
function meaningOf(world: object, entity: number): Term {
  const { entities, definitionsByEntity } = world as World;
  const definition = isLiving(entities, entity) ? definitionsByEntity.get(indexOf(entity)) : undefined;
  if (definition === undefined) return { definition: Is, target: entity, value: undefined };
  return { definition, target: definition.kind === "relation" ? ANY : 0, value: undefined };
}

/**
 * An entity as a tag: a term for `spawn`, `add`, `remove`, `has`, queries and all other functions that take terms. It makes no child
 * of the entity: that is `ChildOf(entity)`. Any entity can be a tag; when it is destroyed, the entities that have it lose it.
 * `tagsOf` returns such terms, and `target` is the entity.
 *
 * A handle alone is no term. Of a component entity it means its definition, for a relation, in patterns, any pair of it.
 *
 * @throws TreelineError `bad-term` for a definition.
 *
 * @example
 * spawn(world, Position, asTag(quest));
 * const involved = query(world, Position, asTag(quest));
 */
export function asTag(entity: Entity): EntityTag {
  if (typeof entity === "function")
    throw new TreelineError("bad-term", `asTag takes an entity; pass ${(entity as Definition).name} itself`);
  return (EntityAsTag as unknown as (entity: Entity) => EntityTag)(entity);
}

// ---- what pending entities were given --------------------------------------------------------------------------------

/** Does a term give a definition, or a pair of it with a target? ChildOf covers both storages of parents. */
function gives(term: PlainTerm, definition: Definition, target: number): boolean {
  const own = definitionOfTerm(term);
  if (own.kind !== "relation") return own === definition;
  const isOf =
    own === definition || (own === Parent && definition === ChildOf) || (definition === Any && own !== Is);
  return isOf && (target === ANY || targetOfTerm(term) === target);
}

/** `termsOf` of the slot `pending`. */
export function termsOfPending(
  { slots, entities }: WorldState,
  index: number,
  definition: Definition,
  target: number = ANY,
): readonly PlainTerm[] | undefined {
  const found = slots
    .pending!.given.get(index)
    ?.filter(
      (term) =>
        gives(term, definition, target) &&
        (targetOfTerm(term) === 0 || isLiving(entities, targetOfTerm(term))),
    );
  return found?.length ? found : undefined;
}

/** `give` of the slot `pending`. */
export function givePending(
  world: World,
  entities: readonly Entity[],
  added: readonly PlainTerm[],
  lost?: { readonly definition: Definition; readonly target: number },
): void {
  const { given } = world.slots.pending!;
  for (const index of entities.map(indexOf)) {
    let terms = given.get(index)?.filter((one) => !lost || !gives(one, lost.definition, lost.target));
    if (terms === undefined) continue;
    for (const term of added) {
      const definition = definitionOfTerm(term);
      const replaced = definition === Parent ? ChildOf : definition;
      if (definition.exclusive)
        terms = terms.filter(
          (one) =>
            !gives(one, replaced, ANY) ||
            (definitionOfTerm(one) === definition && targetOfTerm(one) === targetOfTerm(term)),
        );
      terms.push(term);
      for (const one of addRequired([definition]))
        if (!terms.some((own) => gives(own, one, ANY))) terms.push(one as PlainTerm);
    }
    given.set(index, terms);
    world.slots.prefabs?.given(world, index, added);
  }
}
