/** Transforms in 3D. */
export * from "@treeline/transform/3d";
