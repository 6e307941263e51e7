/** Trees as documents, in every format. */
export * from "@treeline/document";
