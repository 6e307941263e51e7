/** Copies of the naive twin. */
import { attach, attempt, dropDefinition, dropPair, insertRoot, put, putRequired, touch } from "./change.ts";
import { badTerm, brokenRule } from "./refusals.ts";
import type { Fields, FieldValue, NaiveTerm, Refusal, Twin } from "./rules.ts";
import { fieldRulesOf } from "./values.ts";
import type { NaiveWorld } from "./world.ts";
import { descendantsOf, isAlive, recordOf, resolveId } from "./world.ts";

interface CloneOrder {
  readonly entity: Twin;
  /** Includes all descendants. */
  readonly isDeep: boolean;
  /** Terms for the copy of the entity itself; they override what is copied. */
  readonly terms: readonly NaiveTerm[];
  /** The copy. Copies of descendants have the numbers after it, in pre-order. */
  readonly spawned: Twin;
}

export function clone(
  world: NaiveWorld,
  { entity, isDeep, terms, spawned }: CloneOrder,
): Refusal | undefined {
  if (!isAlive(world, entity)) return "dead-entity";
  const originals = isDeep ? [entity, ...descendantsOf(world, entity)] : [entity];
  const copies: Copies = new Map(originals.map((original, at) => [original, spawned + at]));
  return (
    badTerm(world, terms) ??
    attempt(world, brokenRule, () => {
      const pairs = new Map([...copies.keys()].map((original) => [original, pairsOf(world, original)]));
      for (const [original, copy] of copies) {
        insertRoot(world, copy);
        const { parent, storage } = recordOf(world, original);
        const isTop = original === entity;
        const given = isTop ? parentIn(terms) : undefined; // spawned there: it does not move
        const above = isTop ? (given ?? parent) : copies.get(parent!);
        if (above !== undefined) attach(world, copy, above, storage);
        copyTo(world, original, copy, copies);
        for (const pair of pairs.get(original)!) {
          if (isTop || !isBoundElsewhere(world, pair, entity, terms)) copyPair(world, copy, pair, copies);
        }
        touch(world, copy).objects.delete("Alias");
        if (isTop) addTerms(world, copy, terms);
        const { tags, schemas, objects } = touch(world, copy);
        for (const what of [...tags, ...schemas.keys(), ...objects.keys()]) putRequired(world, copy, what);
      }
      return undefined;
    })
  );
}

/** Adds the terms when the copy is spawned, before the copies below it add pairs that point at it. */
function addTerms(world: NaiveWorld, spawned: Twin, terms: readonly NaiveTerm[]): void {
  touch(world, spawned).objects.delete("Name");
  for (const term of terms) {
    dropCopied(world, spawned, term);
    put(world, spawned, term);
  }
}

function parentIn(terms: readonly NaiveTerm[]): Twin | undefined {
  const term = terms.find(({ what }) => what === "ChildOf" || what === "Parent");
  return term?.target as Twin | undefined;
}

type Copies = ReadonlyMap<Twin, Twin>;

/** Pairs and fields that point at a copied entity point at its copy instead. */
function copyTo(world: NaiveWorld, original: Twin, copy: Twin, copies: Copies): void {
  const { tags, schemas, objects } = recordOf(world, original);
  const to = touch(world, copy);
  for (const what of tags) to.tags.add(what);
  for (const [what, value] of objects) to.objects.set(what, value);
  for (const [what, fields] of schemas) to.schemas.set(what, remapped(world, what, fields, copies));
}

type NaivePair = readonly [relation: string, target: Twin, fields: Fields];

/** Read in advance, because the terms of the topmost copy may change the pairs of originals. */
function pairsOf(world: NaiveWorld, original: Twin): NaivePair[] {
  return [...recordOf(world, original).pairs].flatMap(([relation, targets]) =>
    [...targets].map(([target, fields]): NaivePair => [relation, target, fields]),
  );
}

function copyPair(
  world: NaiveWorld,
  copy: Twin,
  [relation, target, fields]: NaivePair,
  copies: Copies,
): void {
  if (isLeftOut(world, relation, target, copies)) return;
  const value = remapped(world, relation, fields, copies);
  put(world, copy, { what: relation, target: copies.get(target) ?? target, value });
}

/** Is it an exclusive symmetric pair with the topmost original, whose copy has another one from its terms? */
function isBoundElsewhere(
  world: NaiveWorld,
  [relation, target]: NaivePair,
  top: Twin,
  terms: readonly NaiveTerm[],
): boolean {
  const { symmetric, exclusive } = world.rules.relations[relation] ?? {};
  return (
    symmetric === true && exclusive === true && target === top && terms.some(({ what }) => what === relation)
  );
}

/**
 * The partner of an exclusive symmetric pair keeps its pair; a pair inside the subtree is added when its second end is spawned.
 */
function isLeftOut(world: NaiveWorld, relation: string, target: Twin, copies: Copies): boolean {
  const { symmetric, exclusive } = world.rules.relations[relation] ?? {};
  if (symmetric !== true) return false;
  const copy = copies.get(target);
  return copy === undefined ? exclusive === true : !isAlive(world, copy);
}

/** The value of a term replaces the copied one as a whole. */
function dropCopied(world: NaiveWorld, copy: Twin, term: NaiveTerm): void {
  const { what, target } = resolveId(world, term);
  if (target === undefined) dropDefinition(world, copy, what);
  else if (what !== "ChildOf" && what !== "Parent") dropPair(world, copy, what, target as Twin);
}

function remapped(world: NaiveWorld, what: string, fields: Fields, copies: Copies): Fields {
  const after: Record<string, FieldValue> = {};
  const kinds = fieldRulesOf(world.rules, what);
  for (const [field, value] of Object.entries(fields)) {
    after[field] = kinds[field] === "entity" ? (copies.get(value as Twin) ?? value) : value;
  }
  return world.rules.copied[what]?.(after) ?? after;
}
