// What a document may be at most (`limitsFrom`), and levels of values (`VALUE_DEPTH`).

/** What a document may be at most; more is refused before it is made. */
export interface DocumentLimits {
  /** Characters of the text, or bytes of a binary document. Default 2 ** 28. */
  readonly bytes?: number | undefined;
  /** Bytes of what `decompress` returns. Default 2 ** 28. */
  readonly inflated?: number | undefined;
  /** Entities. Default 1,000,000. */
  readonly entities?: number | undefined;
  /** Levels of the tree. Default 250,000. */
  readonly depth?: number | undefined;
  /** Characters of one text: a name, or a text in a value. Default 1,000,000. */
  readonly text?: number | undefined;
}

/** All of them. */
export type Limits = { readonly [Name in keyof DocumentLimits]-?: number };

/** Those that are given, and the defaults of the others. */
export function limitsFrom(given: DocumentLimits = {}): Limits {
  const { bytes = 268_435_456, inflated = 268_435_456, entities = 1_000_000 } = given;
  const { depth = 250_000, text = 1_000_000 } = given;
  return { bytes, inflated, entities, depth, text };
}

/** Levels of lists and objects within one value: these are read and written by recursion. */
export const VALUE_DEPTH = 500;
