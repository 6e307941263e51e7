// No imports: only then do bundlers inline these constants.

/**
 * What a change of entities of an archetype, or of a pair, needs in addition to moving a row; a verb reads the bits once. Most
 * bits are fixed per archetype; those of observers and tracking change at run time and are cached under the world's epoch.
 */
export const NEEDS_HOOKS = 1; // components with hooks
export const NEEDS_LIMITS = 2; // pairs of relations with `maxSubjects`
export const NEEDS_SYMMETRIC = 4; // pairs of symmetric relations
export const NEEDS_BUILTIN = 16; // a builtin to which core itself reacts: DisabledTree, ComponentEntity, Prefab
export const NEEDS_ADDING_ORDER = 32; // pairs of relations with many targets: their order may need to be stored
export const NEEDS_PAIR_VALUES = 64; // columns of pairs
export const NEEDS_OBSERVERS = 128; // an observer may observe something they have, or all spawns and destructions
export const NEEDS_TICKS = 256; // changes are tracked in the world
export const NEEDS_DEPTHS = 512; // pairs of a relation other than ChildOf that keeps depths
