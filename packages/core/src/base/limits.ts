// The limits: entities (`INDEX_BITS`), generations, index reuse (`FREE_BEFORE_REUSE`), kept buffers and tables, journal (`JOURNAL_LIMIT`).

/** Bits of an entity index: limits how many entities are alive at once. */
const INDEX_BITS = 24;
/** Handle = generation * INDEX_SPAN + index. */
export const INDEX_SPAN: number = 2 ** INDEX_BITS;
export const INDEX_MASK: number = INDEX_SPAN - 1;
/** The highest generation of a handle; an index destroyed with this generation is never reused. */
export const LAST_GENERATION: number = 2 ** 29 - 1;
export const LAST_HANDLE: number = LAST_GENERATION * INDEX_SPAN + INDEX_MASK;
/** In checked builds each world has its own block of generations, so that handles of other worlds are recognised. */
export const WORLD_BLOCKS: number = 2 ** 12;
export const GENERATIONS_PER_WORLD: number = 2 ** 16;
/** An index is reused only while more than this many are free. */
export const FREE_BEFORE_REUSE = 4096;
/** The highest order number; the attach after it renumbers all entities. */
export const LAST_ORDER: number = 2 ** 32 - 1;

/** Column capacities are multiples of this, so that every lane of every width starts on a 16-byte border. */
export const ROW_ALIGNMENT = 16;
/** An archetype that lost its last row frees its buffers if they hold more rows than this. */
export const KEPT_ROWS = 1024;
/** An archetype drops its oldest empty table when it has more than this many and more than a quarter of its tables. */
export const KEPT_EMPTY_TABLES = 64;
/** The most entries in the journal. When it is full, readers that are behind by more than half of it must start over. */
export const JOURNAL_LIMIT = 65_536;
