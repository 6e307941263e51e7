/** Trees as JSON. */
export * from "@treeline/document/json";
