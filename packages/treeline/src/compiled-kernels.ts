/** What code calls that the compiler has compiled to kernels. Their source is generated as text. */
export * from "@treeline/query/compiled-kernels";
