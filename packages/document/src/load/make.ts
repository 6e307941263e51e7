// Entities from drafts (`makeEntities`): parents, scope, and the terms that roots get instead of theirs (`replaces`).
import { ChildOf, type Entity, Parent, type SpawnTerm, TreelineError, type World } from "@treeline/core";
import { requireAlive, scopeOf, spawnTogether } from "@treeline/core/internal";
import { refuseDocument } from "../format/error.ts";
import { applyPatches, type Drafts } from "./draft.ts";

/** Where a document is put, and what its roots get. */
export interface MakeOptions {
  /** The parent of the roots, by `ChildOf`. Default: they become roots of the world, or children of the present scope. */
  readonly parent?: Entity | undefined;
  /** Terms that the roots get in addition to, or instead of, their own: `[Parent(ship), Name("Copy")]`. */
  readonly with?: readonly SpawnTerm[] | undefined;
  /** Gets the entities that have an id in the document. */
  readonly ids?: Map<number, Entity> | undefined;
  /** What has made drafts of instances, whose terms may name hidden definitions. */
  readonly prefabs?: unknown | undefined;
}

/** The parent that the options give to the roots. */
export function parentIn(world: World, { parent, with: extra = [] }: MakeOptions): Entity | undefined {
  const own = extra.find(isParental) as Parts | undefined;
  return own === undefined ? (parent ?? scopeOf(world)) : (own.target as Entity);
}

/** Makes all entities of drafts, or none. @returns the roots. @throws DocumentError with the codes of `spawnTogether`. */
export function makeEntities(world: World, drafts: Drafts, options: MakeOptions): Entity[] {
  const { entities, patches, ids } = drafts;
  const extra = options.with ?? [];
  const parent = options.parent ?? scopeOf(world);
  if (parent !== undefined) requireAlive(world, parent);
  const hasParent = extra.some(isParental);
  /** The pair of the last child, and the place of its parent: most siblings are next to one another. */
  let pair: ReturnType<typeof ChildOf> | ReturnType<typeof Parent> | undefined;
  let last = -1;
  const termsOf = (place: number, spawned: readonly Entity[]): readonly SpawnTerm[] => {
    if (place === 0) applyPatches(patches, spawned);
    const { parent: above, isValueParent, terms: written, complete } = entities[place]!;
    const terms = complete === undefined ? written : complete(spawned);
    if (above >= 0) {
      if (complete !== undefined) terms.push(undefined as never);
      const relation = isValueParent ? Parent : ChildOf;
      if (above !== last || pair?.definition !== relation) pair = relation(spawned[above]!);
      last = above;
      terms[terms.length - 1] = pair;
      return terms;
    }
    const own =
      extra.length === 0 ? terms : terms.filter((term) => !extra.some((one) => replaces(one, term)));
    const added = parent === undefined || hasParent ? extra : [...extra, ChildOf(parent)];
    return added.length === 0 ? own : [...own, ...added];
  };
  const errorAt = (error: unknown, place: number | undefined): unknown => {
    if (!(error instanceof TreelineError)) return error;
    const where = place === undefined ? "entities" : drafts.placeOf(place);
    return refuseDocument(where, error.message, error, error.code);
  };
  const spawned = spawnTogether(world, entities.length, termsOf, errorAt, options.prefabs !== undefined);
  for (const [id, place] of ids) options.ids?.set(id, spawned[place]!);
  return spawned.filter((_, place) => entities[place]!.parent === -1);
}

type Parts = { readonly definition?: SpawnTerm; readonly target?: number; readonly kind?: string };

/** Is it a pair with a parent? */
function isParental(term: SpawnTerm): boolean {
  const definition = (term as Parts)?.definition as unknown;
  return definition === ChildOf || definition === Parent;
}

/** Does a given term take the place of one that the document gives? */
function replaces(given: SpawnTerm, own: SpawnTerm): boolean {
  const definitionOf = (term: SpawnTerm | undefined | null): unknown =>
    typeof term === "function" ? term : (term as Parts | undefined | null)?.definition;
  const definition = definitionOf(given) as { readonly kind?: string; readonly exclusive?: boolean };
  if (definition !== definitionOf(own)) return false;
  return (
    definition.kind !== "relation" ||
    definition.exclusive === true ||
    (given as Parts).target === (own as Parts).target
  );
}
