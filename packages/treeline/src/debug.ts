/** What programs import for debugging. */
export * from "@treeline/core/debug";
