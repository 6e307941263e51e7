/** The context of one comparison of both worlds. */
import type { RealWorld } from "../step/real-world.ts";
import { isUsable, rules } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";

/** What is compared after a step. */
export interface Watched {
  /** What a walk uses, by name; the rest of the vocabulary is only compared in turn. */
  readonly components: readonly string[];
  readonly relations: readonly string[];
  /**
   * Which entities live, and their places in trees, are compared after every step; everything else once every this many steps.
   */
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
  /** Selects what is only sampled: absent pairs and names, destroyed entities, what is not watched. */
  readonly turn: number;
  readonly living: readonly Twin[];
}

export function isSampled({ watched, turn }: Round, number: number): boolean {
  return (number + turn) % watched.sampling === 0;
}
