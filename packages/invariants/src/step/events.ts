/** What entities have, in the form of change events, to predict what observers receive. */
import type { NaiveId, Twin } from "../twin/rules.ts";
import type { NaiveEntity, NaiveWorld } from "../twin/world.ts";

/** An entity has something. Parents are pairs of ChildOf, whatever their storage. */
export interface Change {
  readonly entity: Twin;
  readonly what: string;
  readonly target: Twin | undefined;
}

export function changeKey({ entity, what, target }: Change): string {
  return target === undefined ? `e${entity} ${what}` : `e${entity} (${what}, e${target})`;
}

/** Everything but entities used as tags: only observers of such an entity receive these. */
export function changesOf(entity: Twin, record: NaiveEntity | undefined): Change[] {
  if (record === undefined) return [];
  const { tags, schemas, objects, pairs, parent } = record;
  const found: Change[] = [];
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
  readonly removed: ReadonlyMap<string, Change>;
  readonly added: ReadonlyMap<string, Change>;
}

/** The differences since `before` was cleared. */
export function differencesOf({ before, living }: NaiveWorld): Differences {
  const removed = new Map<string, Change>();
  const added = new Map<string, Change>();
  for (const [entity, former] of before) {
    for (const change of changesOf(entity, former)) removed.set(changeKey(change), change);
    for (const change of changesOf(entity, living.get(entity))) {
      if (!removed.delete(changeKey(change))) added.set(changeKey(change), change);
    }
  }
  return { removed, added };
}

/** Does an observer of the id receive the change? `Any` without a target receives everything. */
export function isAbout({ what, target }: NaiveId, change: Change): boolean {
  if (target === undefined) return what === "Any" || what === change.what;
  if (change.target === undefined || (target !== "Any" && target !== change.target)) return false;
  return what === "Any" || what === change.what;
}
