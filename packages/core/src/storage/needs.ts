// No imports: bundlers put numbers of such files in place of their names.

/**
 * What a change of entities of an archetype, or of a pair, needs besides moving a row; a verb asks for the bits once. The first
 * ones are fixed with the archetype; the others come and go with observers and tracking, and are kept under the world's epoch.
 */
export const NEEDS_HOOKS = 1; // components with hooks
export const NEEDS_LIMITS = 2; // pairs of relations that take a limited number of sources
export const NEEDS_SYMMETRIC = 4; // pairs of symmetric relations
export const NEEDS_VALUE_PARENT = 8; // parents stored by value: links, and the pair's number beside them
export const NEEDS_BUILTIN = 16; // a builtin to which core itself reacts: OrderedChildren, DisabledTree, Stands
export const NEEDS_ADDING_ORDER = 32; // pairs of relations with many targets: their order may have to be kept
export const NEEDS_PAIR_VALUES = 64; // columns of pairs
export const NEEDS_OBSERVERS = 128; // an observer may want to hear of something they have, or of lives
export const NEEDS_TICKS = 256; // changes are tracked in the world
export const NEEDS_DEPTHS = 512; // pairs of a relation besides ChildOf that keeps depths
