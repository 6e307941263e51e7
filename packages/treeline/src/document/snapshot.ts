/** Snapshots of whole worlds. */
export * from "@treeline/document/snapshot";
