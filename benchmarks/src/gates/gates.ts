/** The gates of a change of the storage: what is measured, and what it may cost. Plain data, which loads no contestant. */

import type { Growth } from "./subjects/frames.ts";
import type { Operation } from "./subjects/handles.ts";
import type { Means } from "./subjects/loops.ts";
import type { Way } from "./subjects/order.ts";
import type { Order } from "./subjects/stage.ts";

/** What each kind of work is told. */
export interface Works {
  readonly spawn: Nothing;
  readonly reparent: { readonly order: Order };
  readonly churn: Nothing;
  readonly renew: Nothing;
  readonly destroy: { readonly tree: "10-ary" | "star" };
  readonly chain: Nothing;
  readonly handle: {
    readonly operation: Operation;
    readonly order: Order;
    readonly beside?: string;
    readonly archetypes?: number;
  };
  readonly mix: { readonly operation: "reparent" | "tag" | "destroy"; readonly order: Order };
  readonly move: { readonly parents: number };
  readonly sum: { readonly order: "in order" | "scattered"; readonly by: Means };
  readonly tagged: Nothing;
  readonly cascade: { readonly growth: Growth };
  readonly frame: Nothing;
  readonly sink: { readonly subtree: "10-ary" | "star" };
  readonly tagAbove: Nothing;
  readonly order: { readonly way: Way };
  readonly disable: Nothing;
}

type Nothing = Readonly<Record<string, never>>;

/** How a gate is measured: after its warm-up; from frame 60 on; the first run of a process; or bytes that a world holds. */
export type Mode = "warm" | "early" | "first" | "bytes";

export interface Gate {
  readonly row: string;
  readonly storage: "ChildOf" | "Parent";
  readonly work: keyof Works;
  readonly given: Works[keyof Works];
  readonly mode: Mode;
  /** Of one run, or of one world; times and bytes are per piece. */
  readonly pieces: number;
  readonly piece: string;
  /** Runs before it is measured, at least. */
  readonly warm: number;
  /** The ratio that is allowed. */
  readonly limit?: number;
  /** The nanoseconds a piece that are allowed, where the gate is a time. */
  readonly most?: number;
  /** What this checkout is measured against instead of the other commit: koota, or itself told something else. */
  readonly against?: { readonly name: "koota" | "itself"; readonly given?: Works[keyof Works] };
}

export const ENTITIES = 100_000;
/** Loops, and frames with one, need many runs until the compiler has done all that it does. */
const WARM_LOOP = 1_000;
const WARM = 12;

type Told = Partial<Omit<Gate, "row" | "storage" | "work" | "given">>;

/** A gate: its row, pieces and work; by default it is measured warm, in both commits. */
function gate<Name extends keyof Works>(
  row: string,
  [pieces, piece]: readonly [number, string],
  work: Name,
  given: Works[Name],
  told: Told,
): Omit<Gate, "storage"> {
  return { row, work, given, mode: "warm", pieces, piece, warm: WARM, ...told };
}

const CHILDREN = [ENTITIES, "entity"] as const;
const TWICE = [2 * ENTITIES, "operation"] as const;
const IN_EIGHT = "in families of 8 archetypes";

/** Rows about parents: both storages play them. The limits are those of ChildOf. */
const OF_PARENTS: readonly Omit<Gate, "storage">[] = [
  gate("spawn below 1,000 parents, values by objects", CHILDREN, "spawn", {}, { limit: 0.65 }),
  gate("reparent, in order", CHILDREN, "reparent", { order: "in order" }, { limit: 0.3 }),
  gate("reparent, shuffled", CHILDREN, "reparent", { order: "shuffled" }, { limit: 0.45 }),
  gate(
    `reparent ${IN_EIGHT}, in order`,
    CHILDREN,
    "mix",
    { operation: "reparent", order: "in order" },
    { limit: 0.45 },
  ),
  gate(
    `reparent ${IN_EIGHT}, shuffled`,
    CHILDREN,
    "mix",
    { operation: "reparent", order: "shuffled" },
    { limit: 0.45 },
  ),
  gate(`tag ${IN_EIGHT}`, TWICE, "mix", { operation: "tag", order: "in order" }, { limit: 0.8 }),
  gate(`destroy ${IN_EIGHT}`, CHILDREN, "mix", { operation: "destroy", order: "in order" }, { limit: 1.1 }),
  gate("parent, child, both destroyed", [20_000, "cycle"], "churn", {}, { limit: 0.35 }),
  gate("new parent", [10_000, "step"], "renew", {}, { limit: 0.35 }),
  gate("destroy, 10-ary", CHILDREN, "destroy", { tree: "10-ary" }, { limit: 1 }),
  gate("destroy, star", CHILDREN, "destroy", { tree: "star" }, { limit: 2.1 }),
  gate("DisabledTree on and off above 10,000", [20_000, "row"], "disable", {}, { limit: 1.5 }),
  ...[1, 1_000, 50_000].map((parents) =>
    gate(
      `${parents === 1 ? "W1, 1 parent" : `W2, ${parents.toLocaleString("en")} parents`}`,
      CHILDREN,
      "move",
      { parents },
      { limit: 1.05, warm: WARM_LOOP },
    ),
  ),
  gate(
    "children of one parent, in order",
    CHILDREN,
    "sum",
    { order: "in order", by: "runs" },
    { limit: 0.85, warm: WARM_LOOP },
  ),
  gate(
    "children of one parent, scattered, by lists of rows",
    CHILDREN,
    "sum",
    { order: "scattered", by: "lists" },
    { limit: 2, warm: WARM_LOOP },
  ),
  gate(
    "children of one parent, scattered, run by run",
    CHILDREN,
    "sum",
    { order: "scattered", by: "runs" },
    { warm: WARM_LOOP },
  ),
  gate(
    "children of one parent, scattered, by each",
    CHILDREN,
    "sum",
    { order: "scattered", by: "each" },
    { warm: WARM_LOOP },
  ),
  gate("10 tagged of 100,000 children, bound", [2, "read"], "tagged", {}, { limit: 2, warm: WARM_LOOP }),
  gate(
    "cascade in frames, grown in order",
    CHILDREN,
    "cascade",
    { growth: "in order" },
    { limit: 1, warm: WARM_LOOP },
  ),
  gate(
    "cascade in frames, grown at random",
    CHILDREN,
    "cascade",
    { growth: "at random" },
    { limit: 1.1, warm: WARM_LOOP },
  ),
  gate(
    "cascade in frames, packed",
    CHILDREN,
    "cascade",
    { growth: "packed" },
    { limit: 0.85, warm: WARM_LOOP },
  ),
  gate("cascade in frames, star", CHILDREN, "cascade", { growth: "star" }, { limit: 1, warm: WARM_LOOP }),
  gate("frame with 1,000 reparents and cascade", [1, "frame"], "frame", {}, { limit: 0.55, warm: 60 }),
  gate(
    "subtree of 10,000 to another depth, cascade",
    [2, "move"],
    "sink",
    { subtree: "10-ary" },
    { limit: 2, warm: 60 },
  ),
  gate(
    "subtree of 10,000 below one node to another depth, cascade",
    [2, "move"],
    "sink",
    { subtree: "star" },
    { limit: 2, warm: 60 },
  ),
  gate("tag on a parent of 50,000, cascade", [2, "change"], "tagAbove", {}, { limit: 1, warm: 50 }),
  gate("moveBefore in 50,000", [100, "call"], "order", { way: "one by one" }, { most: 20_000, warm: 60 }),
  gate(
    "1,000 moveBefore in one defer, in 50,000",
    [1, "defer"],
    "order",
    { way: "in one defer" },
    { most: 2e6, warm: 60 },
  ),
  gate(
    "1,000 moveBefore in one defer, then the children read",
    [1, "defer"],
    "order",
    { way: "in one defer, then read" },
    { warm: 100 },
  ),
  gate(
    "bytes a child, 1,000 parents",
    [ENTITIES, "child"],
    "move",
    { parents: 1_000 },
    { mode: "bytes", limit: 1.1 },
  ),
  gate(
    "bytes a child, 50,000 parents",
    [ENTITIES, "child"],
    "move",
    { parents: 50_000 },
    { mode: "bytes", limit: 1 },
  ),
  gate("first chain of 1,000 in a process", [1_000, "node"], "chain", {}, { mode: "first" }),
  gate(
    "cascade grown in order, frames 60 to 120",
    CHILDREN,
    "cascade",
    { growth: "in order" },
    { mode: "early", warm: 60 },
  ),
];

const OBSERVER = { beside: "an observer" };

/** Rows about entities by their handles, which have no parents. */
const OF_HANDLES: readonly Omit<Gate, "storage">[] = [
  gate("tag in tables, in order", TWICE, "handle", { operation: "tag", order: "in order" }, { limit: 0.65 }),
  gate("tag in tables, shuffled", TWICE, "handle", { operation: "tag", order: "shuffled" }, {}),
  gate(
    "component in tables, in order",
    TWICE,
    "handle",
    { operation: "component", order: "in order" },
    { limit: 0.65 },
  ),
  gate("component in tables, shuffled", TWICE, "handle", { operation: "component", order: "shuffled" }, {}),
  gate("tag in bits, in order", TWICE, "handle", { operation: "bits", order: "in order" }, { limit: 1.3 }),
  gate("tag in bits, shuffled", TWICE, "handle", { operation: "bits", order: "shuffled" }, { limit: 1.1 }),
  gate(
    "field get, in order",
    CHILDREN,
    "handle",
    { operation: "field get", order: "in order" },
    { limit: 0.8, warm: 100 },
  ),
  gate(
    "field get, shuffled",
    CHILDREN,
    "handle",
    { operation: "field get", order: "shuffled" },
    { warm: 100 },
  ),
  gate(
    "field set, in order",
    CHILDREN,
    "handle",
    { operation: "field set", order: "in order" },
    { limit: 0.85, warm: 100 },
  ),
  gate(
    "field set, shuffled",
    CHILDREN,
    "handle",
    { operation: "field set", order: "shuffled" },
    { warm: 100 },
  ),
  ...(["field get", "field set"] as const).flatMap((operation) =>
    (["in order", "shuffled"] as const).map((order) =>
      gate(
        `${operation} over 10 archetypes, ${order}`,
        CHILDREN,
        "handle",
        { operation, order, archetypes: 10 },
        { warm: 100 },
      ),
    ),
  ),
  gate("get", CHILDREN, "handle", { operation: "get", order: "in order" }, { warm: 30 }),
  gate(
    "get, beside koota's",
    CHILDREN,
    "handle",
    { operation: "get", order: "in order" },
    { limit: 1.2, warm: 50, against: { name: "koota" } },
  ),
  gate("set", CHILDREN, "handle", { operation: "set", order: "in order" }, { warm: 50 }),
  ...(["field get", "field set", "set"] as const).flatMap((operation) => {
    const given = { operation, order: "in order" } as const;
    const row = `${operation} beside an observer of something else`;
    const told = { limit: 1.05, warm: 60 };
    return [
      gate(row, CHILDREN, "handle", { ...given, ...OBSERVER }, told),
      gate(
        `${row}, to without`,
        CHILDREN,
        "handle",
        { ...given, ...OBSERVER },
        { ...told, against: { name: "itself", given } },
      ),
    ];
  }),
];

/** The limit of each row that is about parents, where they are stored by `Parent`. */
const LIMIT_OF_PARENT = 1;

export const GATES: readonly Gate[] = [
  ...OF_PARENTS.map((one): Gate => ({ ...one, storage: "ChildOf" })),
  ...OF_HANDLES.map((one): Gate => ({ ...one, storage: "ChildOf" })),
  ...OF_PARENTS.map(
    ({ limit, most, ...one }): Gate => ({
      ...one,
      row: `Parent: ${one.row}`,
      storage: "Parent",
      ...(one.mode === "first" || one.mode === "early" ? {} : { limit: LIMIT_OF_PARENT }),
    }),
  ),
];
