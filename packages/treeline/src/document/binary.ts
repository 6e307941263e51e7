/** Trees as bytes. */
export * from "@treeline/document/binary";
