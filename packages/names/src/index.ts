// What users of names import; its names are a promise.
export type { Collisions, PathOptions } from "./state/world-names.ts";
export { escapePattern, type Pattern } from "./text/pattern.ts";
export { escapeName } from "./text/step.ts";
export { Alias } from "./verb/alias.ts";
export { configureNames, type NameOptions } from "./verb/configure-names.ts";
export { type EnsureOptions, ensurePath } from "./verb/ensure-path.ts";
export { findAll } from "./verb/find-all.ts";
export { findLabelled, Label, labelOf } from "./verb/label.ts";
export { childNamed, type LookupOptions, lookup, type Path } from "./verb/lookup.ts";
export { Name, nameMany, rename } from "./verb/name.ts";
export { type PathHandle, path, pathOf } from "./verb/path.ts";
export { place } from "./verb/place.ts";
export { withoutScope, withScope } from "./verb/scope.ts";
