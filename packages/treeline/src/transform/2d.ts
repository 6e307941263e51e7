/** Transforms in 2D. */
export * from "@treeline/transform/2d";
