/** What is at hand while both worlds are compared. */
import type { RealWorld } from "../step/real-world.ts";
import { isUsable, rules } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";

/** What is looked at after a step. */
export interface Watched {
  /** What a walk uses, by name; the rest of the vocabulary is only looked at in turn. */
  readonly components: readonly string[];
  readonly relations: readonly string[];
  /** Who lives, and where, is looked at after every step; all the rest, each of it, after every so many steps. */
  readonly sampling: number;
}

export const EVERYTHING: Watched = {
  components: [...Object.keys(rules.schemas), ...rules.objects],
  relations: Object.keys(rules.relations).filter(isUsable),
  sampling: 1,
};

export interface Round {
  readonly real: RealWorld;
  readonly naive: NaiveWorld;
  readonly watched: Watched;
  /** Chooses what is only sampled: absent pairs and names, the dead, what is not watched. */
  readonly turn: number;
  readonly living: readonly Twin[];
}

export function isSampled({ watched, turn }: Round, number: number): boolean {
  return (number + turn) % watched.sampling === 0;
}
