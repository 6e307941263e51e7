/** Transforms in 3D, in 64 bits. */
export * from "@treeline/transform/3d-f64";
