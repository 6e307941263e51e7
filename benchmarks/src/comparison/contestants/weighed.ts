// The contestants whose memory can be measured (`WEIGHED`), and those of them that find entities by name (`NAMED`).
import type { Holdings } from "../memory/holdings.ts";

/** Contestants whose memory can be measured, by the keys of the field. Loaded one at a time, like the contestants. */
export const WEIGHED: Readonly<Record<string, () => Promise<{ readonly holdings: Holdings }>>> = {
  arrays: () => import("./hand-written/arrays-holdings.ts"),
  tables: () => import("./hand-written/tables-holdings.ts"),
  maps: () => import("./hand-written/maps-holdings.ts"),
  "treeline-child-of": () => import("./treeline/holdings/child-of.ts"),
  "treeline-parent": () => import("./treeline/holdings/parent.ts"),
  "treeline-sparse": () => import("./treeline/holdings/sparse.ts"),
  "treeline-table": () => import("./treeline/holdings/table.ts"),
  piecs: () => import("./piecs/holdings.ts"),
  "wolf-ecs": () => import("./wolf-ecs/holdings.ts"),
  "bitecs-list": () => import("./bitecs/list-holdings.ts"),
  bitecs: () => import("./bitecs/relations-holdings.ts"),
  koota: () => import("./koota/holdings.ts"),
  three: () => import("./three/holdings.ts"),
  miniplex: () => import("./miniplex/holdings.ts"),
  elics: () => import("./elics/holdings.ts"),
  javelin: () => import("./javelin/holdings.ts"),
  oecs: () => import("./oecs/holdings.ts"),
  becsy: () => import("./becsy/holdings.ts"),
};

/** Those of them that find entities by name. */
export const NAMED: readonly string[] = ["maps", "treeline-child-of", "treeline-parent"];
