// Compares a prefab with a newer document of it, and brings it to that in place (`updatePrefab`): which parts stay, come, move or go.
import {
  ChildOf,
  componentsOf,
  type Definition,
  type Entity,
  Parent,
  pairsOf,
  parentOf,
  type SpawnTerm,
  TreelineError,
  tagsOf,
  type World,
} from "@treeline/core";
import { archetypeViewAt, Is, indexOf, inheritedOf, Prefab } from "@treeline/core/internal";
import {
  applyPatches,
  type Drafts,
  isTransient,
  refuseDocument,
  storedOf,
} from "@treeline/document/internal";
import { Name } from "@treeline/names";
import { children, setChildOrder } from "@treeline/query";
import { Link, OwnCopies } from "../base/definitions.ts";
import {
  gain,
  lose,
  type Merge,
  newMerge,
  place as planPlace,
  planSpawn,
  realOf,
  runMerge,
} from "../merge/merge.ts";
import { type Fact, factOf, fieldOf, isSame, sameIn } from "../publish/facts.ts";
import { childrenIn, treeOf } from "../publish/published.ts";
import { linkedPart } from "../spawn/find-part.ts";
import { ownCopiesAt } from "../state/own-copies.ts";
import { noteEdit, recordsOf, setLink } from "../state/part-records.ts";
import { PrefabKey } from "./definitions.ts";
import type { Loader } from "./load.ts";
import { Addresses, setIds } from "./part-ids.ts";

/**
 * Brings a prefab to what a newer document of it says, as one change: parts with equal addresses stay the same entities, and what is as the document says is not touched.
 *
 * @param last the highest id that was ever given in the document.
 * @throws DocumentError with the place of what is refused; what hooks and observers throw.
 */
export function updatePrefab(
  world: World,
  prefab: Entity,
  { entities, patches, ids, placeOf }: Drafts,
  loader: Loader,
  last: number,
): void {
  const known = new Map<string, Entity>();
  for (const [part, { address }] of new Addresses(world).of(prefab)) known.set(address, part);
  const own = ownIds(entities.length, ids, loader, last);
  const merge = newMerge(world, true);
  /** By place: parts that stay, and those that come, in the plan. */
  const parts: Entity[] = [];
  for (const [place, { parent, isValueParent }] of entities.entries()) {
    const from = loader.partAt(place, (one) => own.get(one)!);
    const part = place === 0 ? prefab : known.get(from?.address ?? `${own.get(place)}`);
    const storage = isValueParent ? Parent : ChildOf;
    const above = parts[parent]!;
    // An instance of another prefab is another part, with all its parts.
    if (part === undefined || (place > 0 && linkedPart(world, part) !== from?.part)) {
      parts.push(planSpawn(merge, above, storage, () => termsAt(place)));
      continue;
    }
    parts.push(part);
    const isMoved = parentOf(world, part) !== above;
    if (place > 0 && (isMoved || archetypeViewAt(world, indexOf(part)).hasValueParent !== isValueParent))
      planPlace(merge, part, above, storage);
  }
  applyPatches(patches, parts);
  for (const [place, part] of parts.entries())
    if (part > 0) planPart(world, merge, part, factsIn(termsAt(place)), place === 0);
  const kept = new Set(parts);
  for (const part of treeOf(world, indexOf(prefab)).keys()) if (!kept.has(part)) merge.gone.add(part);
  try {
    runMerge(merge, () => applyPatches(patches, realParts()));
  } catch (error) {
    const place = merge.at === undefined ? -1 : parts.indexOf(merge.at);
    if (!(error instanceof TreelineError) || place < 0) throw error;
    refuseDocument(placeOf(place), error.message, error, error.code);
  }
  const real = realParts();
  setIds(
    world,
    prefab,
    [...own].map(([place, id]) => [id, real[place]!] as const),
    last,
  );
  const tree = new Map(real.map((part, place) => [part, real[entities[place]!.parent]!] as const).slice(1));
  for (const [parent, order] of childrenIn(tree))
    if (children(world, parent).some((child, at) => child !== order[at])) setChildOrder(world, parent, order);
  noteEdit(world);

  function realParts(): Entity[] {
    return parts.map((part) => realOf(merge, part));
  }

  function termsAt(place: number): readonly SpawnTerm[] {
    const { terms, complete, parent } = entities[place]!;
    // The last one is a gap for the parent.
    return complete?.(parts) ?? (parent < 0 ? terms : terms.slice(0, -1));
  }
}

/** The ids of parts of the prefab's own, by place: those without one get the next numbers. */
function ownIds(
  count: number,
  ids: ReadonlyMap<number, number>,
  loader: Loader,
  last: number,
): Map<number, number> {
  const given = new Map<number, number>();
  let highest = last;
  for (const [id, place] of ids) {
    if (loader.isBelowInstance(place)) continue;
    given.set(place, id);
    highest = Math.max(highest, id);
  }
  const found = new Map<number, number>();
  for (let place = 0; place < count; place++)
    if (!loader.isBelowInstance(place)) found.set(place, given.get(place) ?? ++highest);
  return found;
}

/** Plans to give a part what a document says, and nothing else; but a prefab keeps its name where the document has none. */
function planPart(world: World, merge: Merge, part: Entity, wanted: readonly Fact[], isRoot: boolean): void {
  const link = wanted.find(({ definition }) => definition === Link);
  const { part: number } = (link?.value ?? { part: 0 }) as { readonly part: number };
  const isSame = number === 0 || recordsOf(world).handles[number] === linkedPart(world, part);
  if (isSame && number !== 0) setLink(world, indexOf(part), number);
  // With another base it loses what it inherits.
  const present = factsAt(world, part).filter(
    ({ definition }) => isSame || definition.standsFor === undefined,
  );
  const has = (facts: readonly Fact[], definition: Definition): boolean =>
    facts.some((one) => one.definition === definition);
  // What is required comes without being in the document.
  const required = wanted.map(({ definition }) => definition);
  for (const one of required) one.requires?.(required);
  for (const one of present) {
    const { standsFor } = one.definition;
    if (one.target === 0 && ((isRoot && one.definition === Name) || required.includes(one.definition)))
      continue;
    // A value of its own takes the place of an inherited one.
    if (sameIn(wanted, one) === undefined && (standsFor === undefined || !has(wanted, standsFor)))
      lose(merge, part, one);
  }
  for (const one of wanted) {
    const before = sameIn(present, one);
    const isKept = one === link ? isSame : before !== undefined && isEqual(before, one);
    if (!isKept) gain(merge, part, one);
  }
}

/** What a part has that its document decides. */
function factsAt(world: World, part: Entity): Fact[] {
  const facts: Fact[] = [];
  for (const definition of componentsOf(world, part))
    if (definition !== PrefabKey && !isTransient(definition)) facts.push(factOf(world, part, definition));
  for (const one of tagsOf(world, part)) {
    if ("target" in one) facts.push({ definition: Is, target: one.target, value: undefined });
    else if (one !== Prefab) facts.push(factOf(world, part, one));
  }
  for (const { relation, target, value } of pairsOf(world, part))
    if (relation !== ChildOf && relation !== Parent) facts.push({ definition: relation, target, value });
  for (const { standsFor } of archetypeViewAt(world, indexOf(part)).definitions)
    if (standsFor !== undefined) facts.push(plainFact(inheritedOf(standsFor)));
  const own = ownCopiesAt(world, indexOf(part));
  if (own.length > 0) facts.push(plainFact(OwnCopies, own));
  return facts;
}

function plainFact(definition: Definition, value?: unknown): Fact {
  return { definition, target: 0 as Entity, value };
}

/** With whole values, as they will be read. */
function factsIn(terms: readonly SpawnTerm[]): Fact[] {
  return terms.map((term) => {
    const { definition, target, value } =
      typeof term === "object" ? (term as unknown as Fact) : plainFact(term as unknown as Definition);
    return { definition, target, value: completed(definition, value) };
  });
}

function completed({ holds, fields }: Definition, given: unknown): unknown {
  if (holds !== "fields") return given ?? fields[0]?.[1].initial;
  const whole: { [name: string]: unknown } = {};
  for (const [name, { kind, initial }] of fields) whole[name] = kind === "entity" ? undefined : initial;
  for (const [name, { kind, isList }] of fields) {
    const one = (given as { readonly [name: string]: unknown } | undefined)?.[name] ?? whole[name];
    whole[name] = kind === "f32" && !isList ? Math.fround(one as number) : one;
  }
  return whole;
}

/** Does a value that is read say what one of a document does? */
function isEqual({ definition, value }: Fact, wanted: Fact): boolean {
  const { write } = storedOf(definition).codec ?? {};
  if (write !== undefined) return isSame(write(value), write(wanted.value));
  return definition.fields.every(([name, { kind, isList }]) => {
    const [own, other] = [fieldOf(value, name), fieldOf(wanted.value, name)];
    if (!isList) return isSame(own, other);
    const round = (numbers: unknown): number[] =>
      Array.from(numbers as ArrayLike<number>, kind === "f32" ? Math.fround : Number);
    return isSame(round(own), round(other));
  });
}
