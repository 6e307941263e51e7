/** What of a relation is needed for each of its pairs without looking at the definition. */
export const PAIR_ACYCLIC = 1;
export const PAIR_DELETES = 2;
export const PAIR_REFUSES = 4;
export const PAIR_HAS_DATA = 8;
export const PAIR_EXCLUSIVE = 16;
