/** What somebody has, as facts that can be told: to foresee what listeners should hear. */
import type { SlowId, Twin } from "../twin/rules.ts";
import type { SlowEntity, SlowWorld } from "../twin/world.ts";

/** An entity has something. Parents are told as pairs of ChildOf, whatever their storage. */
export interface Fact {
  readonly entity: Twin;
  readonly what: string;
  readonly target: Twin | undefined;
}

export function factKey({ entity, what, target }: Fact): string {
  return target === undefined ? `e${entity} ${what}` : `e${entity} (${what}, e${target})`;
}

/** All but entities used as tags, which only those hear who listen to that one. */
export function factsOf(entity: Twin, being: SlowEntity | undefined): Fact[] {
  if (being === undefined) return [];
  const { tags, schemas, objects, pairs, parent } = being;
  const found: Fact[] = [];
  for (const what of [...tags, ...schemas.keys(), ...objects.keys()])
    found.push({ entity, what, target: undefined });
  for (const [what, targets] of pairs) {
    for (const target of targets.keys()) if (what !== "Is") found.push({ entity, what, target });
  }
  if (parent !== undefined) found.push({ entity, what: "ChildOf", target: parent });
  return found;
}

interface Differences {
  /** By their keys. */
  readonly removed: ReadonlyMap<string, Fact>;
  readonly added: ReadonlyMap<string, Fact>;
}

/** What has become different since `before` was emptied. */
export function differencesOf({ before, living }: SlowWorld): Differences {
  const removed = new Map<string, Fact>();
  const added = new Map<string, Fact>();
  for (const [entity, former] of before) {
    for (const fact of factsOf(entity, former)) removed.set(factKey(fact), fact);
    for (const fact of factsOf(entity, living.get(entity))) {
      if (!removed.delete(factKey(fact))) added.set(factKey(fact), fact);
    }
  }
  return { removed, added };
}

/** Does who listens to the id hear of the fact? `Any` without target hears everything. */
export function isAbout({ what, target }: SlowId, fact: Fact): boolean {
  if (target === undefined) return what === "Any" || what === fact.what;
  if (fact.target === undefined || (target !== "Any" && target !== fact.target)) return false;
  return what === "Any" || what === fact.what;
}
