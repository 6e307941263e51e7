import type { Subjects } from "./subject.ts";

/** Who takes part. */
export interface Contestant {
  readonly name: string;
  /** `hand`: written for the one workload, without a library. */
  readonly kind: "ours" | "hand" | "library";
  /** Without relations of its own: parents and children are kept in a list by hand. */
  readonly isHandKept?: true;
  readonly load: () => Promise<{ readonly subjects: Subjects }>;
}

/** The first one says what the sums are. Loaded one at a time, so that no library is in another one's process. */
export const FIELD: Readonly<Record<string, Contestant>> = {
  arrays: {
    name: "hand-written, flat arrays",
    kind: "hand",
    load: () => import("./contestants/arrays.ts"),
  },
  sorted: {
    name: "hand-written, sorted by level",
    kind: "hand",
    load: () => import("./contestants/sorted.ts"),
  },
  tables: {
    name: "hand-written, arrays for each parent",
    kind: "hand",
    load: () => import("./contestants/tables.ts"),
  },
  maps: {
    name: "hand-written, a map of names for each parent",
    kind: "hand",
    load: () => import("./contestants/maps-names.ts"),
  },
  "treeline-child-of": {
    name: "Treeline, ChildOf",
    kind: "ours",
    load: () => import("./contestants/treeline-child-of.ts"),
  },
  "treeline-parent": {
    name: "Treeline, Parent",
    kind: "ours",
    load: () => import("./contestants/treeline-parent.ts"),
  },
  piecs: {
    name: "piecs 0.4.0",
    kind: "library",
    isHandKept: true,
    load: () => import("./contestants/piecs.ts"),
  },
  "wolf-ecs": {
    name: "wolf-ecs 2.1.3",
    kind: "library",
    isHandKept: true,
    load: () => import("./contestants/wolf-ecs.ts"),
  },
  "bitecs-list": {
    name: "bitECS 0.4.0",
    kind: "library",
    isHandKept: true,
    load: () => import("./contestants/bitecs-list.ts"),
  },
  bitecs: {
    name: "bitECS 0.4.0, relations",
    kind: "library",
    load: () => import("./contestants/bitecs.ts"),
  },
  koota: { name: "koota 0.6.6", kind: "library", load: () => import("./contestants/koota.ts") },
  three: { name: "three.js 0.187.0", kind: "library", load: () => import("./contestants/three.ts") },
  miniplex: {
    name: "miniplex 2.0.0",
    kind: "library",
    isHandKept: true,
    load: () => import("./contestants/miniplex.ts"),
  },
  elics: {
    name: "elics 3.4.2",
    kind: "library",
    isHandKept: true,
    load: () => import("./contestants/elics.ts"),
  },
  javelin: {
    name: "Javelin 0.21.2",
    kind: "library",
    isHandKept: true,
    load: () => import("./contestants/javelin.ts"),
  },
  becsy: { name: "becsy 0.16.0", kind: "library", load: () => import("./contestants/becsy.ts") },
};
