// Copies prefabs row by row where that is enough (`copyRows`); plans that for each edition.
import type { Definition, Entity, Relation, SpawnTerm, World } from "@treeline/core";
import { handleOf, indexOf, Parent, planCopies, spawnCopies, worldState } from "@treeline/core/internal";
import { BareIsA, Link } from "../base/definitions.ts";
import { publish, publishedOf } from "../publish/published.ts";
import { editionOf, numberOf } from "../state/part-records.ts";
import { partTerms } from "./part-terms.ts";
import { storageOf } from "./storage-of.ts";

/** How a prefab is copied row by row, for one edition of the prefabs. */
interface Kept {
  readonly edition: number;
  readonly numbers: readonly number[];
  /** What the root of an instance gets from the prefab, and the pair with it. */
  readonly root: readonly SpawnTerm[];
  /** `undefined` if it is copied by terms. */
  readonly plan: ReturnType<typeof planCopies>;
}

/** By index of the prefab, and by storage of parents: the default, ChildOf, Parent. */
const keptOf = /* @__PURE__ */ worldState((): Map<number, Kept>[] => [new Map(), new Map(), new Map()]);

/** The root of a prefab and all parts below it, parents before children. */
export function partsBelow(world: World, root: number): number[] {
  return [root, ...[...publish(world, root).tree!.keys()].map(indexOf)];
}

/**
 * Makes instances row by row, where nothing needs a stage for each entity.
 *
 * @param prefab its index. @param given terms of the root; their values are plain.
 * @returns the roots; `undefined`, with nothing changed, if something needs more.
 */
export function copyRows(
  world: World,
  prefab: number,
  count: number,
  given: readonly SpawnTerm[],
  storage: Relation | undefined,
): Entity[] | undefined {
  publish(world, prefab);
  const { plan, numbers, root } = planFor(world, prefab, storage);
  if (plan === undefined) return undefined;
  const replaced = given.map(definitionIn);
  const terms =
    given.length === 0 ? root : [...root.filter((one) => !replaced.includes(definitionIn(one))), ...given];
  return spawnCopies(world, plan, Link, numbers, terms as Parameters<typeof spawnCopies>[4], count);
}

function definitionIn(term: SpawnTerm): unknown {
  return typeof term === "function" ? term : (term as unknown as { readonly definition: unknown }).definition;
}

function planFor(world: World, prefab: number, storage: Relation | undefined): Kept {
  const kept = keptOf(world)[storage === undefined ? 0 : storage.id === Parent.id ? 2 : 1]!;
  const edition = editionOf(world);
  const known = kept.get(prefab);
  if (known?.edition === edition) return known;
  const made = makePlan(world, partsBelow(world, prefab), storage, edition);
  kept.set(prefab, made);
  return made;
}

function makePlan(
  world: World,
  parts: readonly number[],
  storage: Relation | undefined,
  edition: number,
): Kept {
  const places = new Map(parts.map((part, place) => [handleOf(world, part), place]));
  const { tree } = publishedOf(world, numberOf(world, parts[0]!))!;
  const numbers = parts.map((part) => numberOf(world, part));
  const originals: Parameters<typeof planCopies>[1][number][] = [];
  for (const [place, index] of parts.entries()) {
    const terms = partTerms(world, index, place === 0, undefined);
    const definitions = terms.map(definitionIn);
    const parent = place === 0 ? -1 : places.get(tree!.get(handleOf(world, index))!)!;
    const isValueParent = place > 0 && storageOf(world, index, storage).id === Parent.id;
    originals.push({ index, definitions: definitions as Definition[], parent, isValueParent });
  }
  const root = [...originals[0]!.definitions, BareIsA(handleOf(world, parts[0]!))] as readonly SpawnTerm[];
  return { edition, numbers, root, plan: planCopies(world, originals, Link) };
}
