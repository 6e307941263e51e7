/** A place in a file tree. */
export interface PathEntry {
  /** Names joined by "/", from the top; names are as they are, nothing is escaped. */
  readonly path: string;
  readonly kind: "file" | "directory" | "link" | "other";
  /** Of files, if known. */
  readonly bytes: number | undefined;
}

/** Entries of a file tree, each once, and what had to be decided for them. */
export interface Listing {
  readonly entries: readonly PathEntry[];
  readonly notes: readonly string[];
}
