/** What of a relation is needed for each of its pairs without looking at the definition. */
/** Its record hangs in the tree of records and has a depth. */
export const PAIR_HANGS = 1;
export const PAIR_DELETES = 2;
export const PAIR_REFUSES = 4;
export const PAIR_HAS_DATA = 8;
export const PAIR_EXCLUSIVE = 16;
/** Wildcards do not see it: an entity used as a tag. */
export const PAIR_HIDDEN = 32;
/** Its sources stand in a list: kept by `sibling-links.ts`. */
export const PAIR_LISTED = 64;
/**
 * Of a ChildOf pair, and not told by the relation: its target has `DisabledTree` or lies below one, so that all its sources are
 * disabled.
 */
export const PAIR_DISABLES = 128;
