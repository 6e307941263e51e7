// No imports: bundlers put numbers of such files in place of their names.

/**
 * What a change of entities of an archetype, or of a pair, needs besides moving a row; a verb asks for the bits once. The first
 * ones are fixed with the archetype; the others come and go with observers and tracking, and are kept under the world's epoch.
 */
/** Has components with hooks. */
export const NEEDS_HOOKS = 1;
/** Has pairs of relations that take a limited number of sources. */
export const NEEDS_LIMITS = 2;
/** Has pairs of symmetric relations. */
export const NEEDS_SYMMETRIC = 4;
/** Stores parents by value: links, and the pair's number beside them. */
export const NEEDS_VALUE_PARENT = 8;
/** Has one of the builtins to which core itself reacts: OrderedChildren, DisabledTree, Stands. */
export const NEEDS_BUILTIN = 16;
/** Has pairs of relations with many targets: the order of adding may have to be kept. */
export const NEEDS_ADDING_ORDER = 32;
/** Has columns of pairs. */
export const NEEDS_PAIR_VALUES = 64;
/** An observer may want to hear of something that its entities have, or of lives. */
export const NEEDS_OBSERVERS = 128;
/** Changes are tracked in the world. */
export const NEEDS_TICKS = 256;
/** Has pairs of a relation besides ChildOf that keeps depths. */
export const NEEDS_DEPTHS = 512;
