// Which contestants there are, with name and kind (`FIELD`); the checksums of the first one are the reference.
import type { Subjects } from "../workloads/subject.ts";

/** A contestant. */
export interface Contestant {
  readonly name: string;
  /** `hand`: written for the one workload, without a library. */
  readonly kind: "ours" | "hand" | "library";
  /** Without relations: parents and children are in a hand-written list. */
  readonly isHandKept?: true;
  readonly load: () => Promise<{ readonly subjects: Subjects }>;
}

/** The first one defines the sums. Loaded one at a time, so that no library is in another one's process. */
export const FIELD: Readonly<Record<string, Contestant>> = {
  arrays: {
    name: "hand-written, flat arrays",
    kind: "hand",
    load: () => import("./hand-written/arrays.ts"),
  },
  sorted: {
    name: "hand-written, sorted by level",
    kind: "hand",
    load: () => import("./hand-written/sorted.ts"),
  },
  tables: {
    name: "hand-written, arrays for each parent",
    kind: "hand",
    load: () => import("./hand-written/tables.ts"),
  },
  maps: {
    name: "hand-written, a map of names for each parent",
    kind: "hand",
    load: () => import("./hand-written/maps-names.ts"),
  },
  "treeline-child-of": {
    name: "Treeline, ChildOf",
    kind: "ours",
    load: () => import("./treeline/child-of.ts"),
  },
  "treeline-parent": {
    name: "Treeline, Parent",
    kind: "ours",
    load: () => import("./treeline/parent.ts"),
  },
  "treeline-each": {
    name: "Treeline, each",
    kind: "ours",
    load: () => import("./treeline/each-written.ts"),
  },
  "treeline-compiled": {
    name: "Treeline, each, compiled",
    kind: "ours",
    load: () => import("./treeline/each-compiled.ts"),
  },
  "treeline-sparse": {
    name: "Treeline, sparse or bits",
    kind: "ours",
    load: () => import("./treeline/sparse.ts"),
  },
  "treeline-table": {
    name: "Treeline, in tables",
    kind: "ours",
    load: () => import("./treeline/table.ts"),
  },
  piecs: {
    name: "piecs 0.4.0",
    kind: "library",
    isHandKept: true,
    load: () => import("./piecs/subjects.ts"),
  },
  "wolf-ecs": {
    name: "wolf-ecs 2.1.3",
    kind: "library",
    isHandKept: true,
    load: () => import("./wolf-ecs/subjects.ts"),
  },
  "bitecs-list": {
    name: "bitECS 0.4.0",
    kind: "library",
    isHandKept: true,
    load: () => import("./bitecs/list.ts"),
  },
  bitecs: {
    name: "bitECS 0.4.0, relations",
    kind: "library",
    load: () => import("./bitecs/relations.ts"),
  },
  koota: { name: "koota 0.6.6", kind: "library", load: () => import("./koota/subjects.ts") },
  three: { name: "three.js 0.187.0", kind: "library", load: () => import("./three/subjects.ts") },
  miniplex: {
    name: "miniplex 2.0.0",
    kind: "library",
    isHandKept: true,
    load: () => import("./miniplex/subjects.ts"),
  },
  elics: {
    name: "elics 3.4.2",
    kind: "library",
    isHandKept: true,
    load: () => import("./elics/subjects.ts"),
  },
  javelin: {
    name: "Javelin 0.21.2",
    kind: "library",
    isHandKept: true,
    load: () => import("./javelin/subjects.ts"),
  },
  oecs: {
    name: "oecs 0.3.1",
    kind: "library",
    isHandKept: true,
    load: () => import("./oecs/subjects.ts"),
  },
  becsy: { name: "becsy 0.16.0", kind: "library", load: () => import("./becsy/subjects.ts") },
};
