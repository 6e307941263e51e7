/** What a document may be at most; more is refused before it is made. */
export interface DocumentLimits {
  /** Characters of the text, or bytes of a binary document. Default 2 ** 28. */
  readonly bytes?: number;
  /** Bytes of what `decompress` returns. Default 2 ** 28. */
  readonly inflated?: number;
  /** Entities. Default 1,000,000. */
  readonly entities?: number;
  /** Levels of the tree. Default 250,000. */
  readonly depth?: number;
  /** Characters of one text: a name, or a text in a value. Default 1,000,000. */
  readonly text?: number;
}

export const DEFAULT_LIMITS: Required<DocumentLimits> = {
  bytes: 2 ** 28,
  inflated: 2 ** 28,
  entities: 1_000_000,
  depth: 250_000,
  text: 1_000_000,
};

/** Levels of lists and objects within one value: these are read and written by recursion. */
export const VALUE_DEPTH = 500;
