/** Callbacks whose loops are compiled for each layout of columns. Their source is generated as text. */
export * from "@treeline/query/kernels";
