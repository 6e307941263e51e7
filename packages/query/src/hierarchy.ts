/** The tree alone, as plain functions over both storages. */
export { attach, attachNew, detach, remove, removeAll } from "./tree/attach.ts";
export { sortChildren as sort } from "./tree/siblings.ts";
export { ancestors, children, descendants } from "./tree/walk.ts";
