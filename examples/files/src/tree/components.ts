// The components of the tree: `File`, `Size`, `Kind`.
import { component, f64, tag } from "treeline";

/** A regular file. */
export const File = tag("File");

/** The size of a file, if it is known. */
export const Size = component("Size", { bytes: f64 });

/** The kind of an entity that is neither a file nor a directory: `link`, `MeshInstance3D`, `revolute`. */
export const Kind = component<string>("Kind");
