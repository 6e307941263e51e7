/** Copies of the naive twin. */
import { attach, attempt, bear, dropDefinition, dropPair, put, touch } from "./slow-change.ts";
import { badTerm, brokenRule } from "./slow-refusals.ts";
import type { Fields, FieldValue, Refusal, SlowTerm, Twin } from "./slow-rules.ts";
import { fieldRulesOf } from "./slow-values.ts";
import type { SlowWorld } from "./slow-world.ts";
import { beingOf, descendantsOf, isAlive, meantBy } from "./slow-world.ts";

export interface CloneOrder {
  readonly entity: Twin;
  /** With everything below it. */
  readonly isDeep: boolean;
  /** Given to the copy of the entity itself; they win over what is copied. */
  readonly terms: readonly SlowTerm[];
  /** The copy. Copies of those below have the numbers after it, in the order of a walk from the top. */
  readonly born: Twin;
}

export function clone(world: SlowWorld, { entity, isDeep, terms, born }: CloneOrder): Refusal | undefined {
  if (!isAlive(world, entity)) return "dead-entity";
  const originals = isDeep ? [entity, ...descendantsOf(world, entity)] : [entity];
  const copies: Copies = new Map(originals.map((original, at) => [original, born + at]));
  return (
    badTerm(world, terms) ??
    attempt(world, brokenRule, () => {
      for (const [original, copy] of copies) {
        bear(world, copy);
        const { parent, storage } = beingOf(world, original);
        const isTop = original === entity;
        const given = isTop ? parentIn(terms) : undefined; // born there: nobody moves
        const above = isTop ? (given ?? parent) : copies.get(parent!);
        if (above !== undefined) attach(world, copy, above, storage);
        copyTo(world, original, copy, copies);
      }
      touch(world, born).objects.delete("Name");
      for (const copy of copies.values()) touch(world, copy).objects.delete("Alias");
      for (const term of terms) {
        forgetCopied(world, born, term);
        put(world, born, term);
      }
      return undefined;
    })
  );
}

function parentIn(terms: readonly SlowTerm[]): Twin | undefined {
  const term = terms.find(({ what }) => what === "ChildOf" || what === "Parent");
  return term?.target as Twin | undefined;
}

type Copies = ReadonlyMap<Twin, Twin>;

/** Pairs and fields that point at somebody who is copied too point at the copy instead. */
function copyTo(world: SlowWorld, original: Twin, copy: Twin, copies: Copies): void {
  const { tags, schemas, objects, pairs } = beingOf(world, original);
  const to = touch(world, copy);
  for (const what of tags) to.tags.add(what);
  for (const [what, value] of objects) to.objects.set(what, value);
  for (const [what, fields] of schemas) to.schemas.set(what, turned(world, what, fields, copies));
  for (const [relation, targets] of [...pairs]) {
    for (const [target, fields] of [...targets]) {
      if (isLeftOut(world, relation, target, copies)) continue;
      const value = turned(world, relation, fields, copies);
      put(world, copy, { what: relation, target: copies.get(target) ?? target, value });
    }
  }
}

/** The other half of an exclusive bond is not taken away; a bond inside is tied when its second end is born. */
function isLeftOut(world: SlowWorld, relation: string, target: Twin, copies: Copies): boolean {
  const { symmetric, exclusive } = world.rules.relations[relation] ?? {};
  if (symmetric !== true) return false;
  const copy = copies.get(target);
  return copy === undefined ? exclusive === true : !isAlive(world, copy);
}

/** What is given anew is not mixed with what was copied. */
function forgetCopied(world: SlowWorld, copy: Twin, term: SlowTerm): void {
  const { what, target } = meantBy(world, term);
  if (target === undefined) dropDefinition(world, copy, what);
  else if (what !== "ChildOf" && what !== "Parent") dropPair(world, copy, what, target as Twin);
}

function turned(world: SlowWorld, what: string, fields: Fields, copies: Copies): Fields {
  const after: Record<string, FieldValue> = {};
  const kinds = fieldRulesOf(world.rules, what);
  for (const [field, value] of Object.entries(fields)) {
    after[field] = kinds[field] === "entity" ? (copies.get(value as Twin) ?? value) : value;
  }
  return world.rules.copied[what]?.(after) ?? after;
}
