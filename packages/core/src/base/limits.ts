/** Entities alive or remembered at once: an index has this many bits. */
const INDEX_BITS = 24;
/** Handle = generation * INDEX_SPAN + index. */
export const INDEX_SPAN: number = 2 ** INDEX_BITS;
export const INDEX_MASK: number = INDEX_SPAN - 1;
/** The highest generation a handle can carry; an index that died with it is retired. */
export const LAST_GENERATION: number = 2 ** 29 - 1;
export const LAST_HANDLE: number = LAST_GENERATION * INDEX_SPAN + INDEX_MASK;
/** In checked builds each world starts its generations in a block of its own, so that foreign handles are known. */
export const WORLD_BLOCKS: number = 2 ** 12;
export const GENERATIONS_PER_WORLD: number = 2 ** 16;
/** An index is reused only while more than this many are free. */
export const FREE_BEFORE_REUSE = 4096;
/** The order number after which the next attach numbers all entities anew. */
export const LAST_ORDER: number = 2 ** 32 - 1;

/** Column capacities are multiples of this, so that every lane of every width starts on a 16-byte border. */
export const ROW_ALIGNMENT = 16;
/** An archetype that lost its last row gives its buffers back when they hold more rows than this. */
export const KEPT_ROWS = 1024;
/** Slice capacities are powers of two up to 2 ** LAST_SIZE_CLASS rows. */
export const LAST_SIZE_CLASS = 25;
/** An archetype drops its oldest empty table when it has more than this many and more than a quarter of its tables. */
export const KEPT_EMPTY_TABLES = 64;
/** So many changes are listed at most. When the list is full, readers who are behind by more than half of it start anew. */
export const JOURNAL_LIMIT = 65_536;
