import type { Holdings } from "./weigh-holdings.ts";

/** Who can be weighed, by the keys of the field. Loaded one at a time, like the contestants. */
export const WEIGHED: Readonly<Record<string, () => Promise<{ readonly holdings: Holdings }>>> = {
  arrays: () => import("./contestants/arrays-grow.ts"),
  tables: () => import("./contestants/tables-grow.ts"),
  maps: () => import("./contestants/maps-grow.ts"),
  "treeline-child-of": () => import("./contestants/treeline-child-of-grow.ts"),
  "treeline-parent": () => import("./contestants/treeline-parent-grow.ts"),
  piecs: () => import("./contestants/piecs-grow.ts"),
  "wolf-ecs": () => import("./contestants/wolf-ecs-grow.ts"),
  "bitecs-list": () => import("./contestants/bitecs-list-grow.ts"),
  bitecs: () => import("./contestants/bitecs-grow.ts"),
  koota: () => import("./contestants/koota-grow.ts"),
  three: () => import("./contestants/three-grow.ts"),
  miniplex: () => import("./contestants/miniplex-grow.ts"),
  elics: () => import("./contestants/elics-grow.ts"),
  javelin: () => import("./contestants/javelin-grow.ts"),
  becsy: () => import("./contestants/becsy-grow.ts"),
};

/** Those of them that find entities by name. */
export const NAMED: readonly string[] = ["maps", "treeline-child-of", "treeline-parent"];
