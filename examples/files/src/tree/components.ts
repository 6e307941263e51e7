import { component, f64, tag } from "@treeline/core";

/** A file: what is neither a directory nor something rarer. */
export const File = tag("File");

/** How large a file is, if that is known. */
export const Size = component("Size", { bytes: f64 });

/** What an entity is that is neither a file nor a directory: `link`, `MeshInstance3D`, `revolute`. */
export const Kind = component<string>("Kind");
