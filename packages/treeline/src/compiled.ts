/** What code calls that the compiler has compiled: it imports only what the program depends on. */
export * from "@treeline/query/compiled";
