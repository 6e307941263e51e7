export { lookup } from "./lookup.ts";
export { Name, rename } from "./name.ts";
export { escapeName } from "./path.ts";
export { pathOf } from "./path-of.ts";
