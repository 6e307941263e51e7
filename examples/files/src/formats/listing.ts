// What readers of file trees return: paths with kinds and sizes (`PathEntry`, `Listing`).

/** An entry of a file tree. */
export interface PathEntry {
  /** Names joined by "/", from the top; nothing is escaped. */
  readonly path: string;
  readonly kind: "file" | "directory" | "link" | "other";
  /** Of files, if known. */
  readonly bytes: number | undefined;
}

/** Entries of a file tree, each once, with notes about what the reader decided. */
export interface Listing {
  readonly entries: readonly PathEntry[];
  readonly notes: readonly string[];
}
