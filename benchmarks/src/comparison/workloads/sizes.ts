// How many entities, parents, names and cycles the workloads have (`ENTITIES`, `SIBLING_PARENTS`, `LOOKUPS`, `CYCLES`).
import { fullOrQuick } from "../../measure/settings.ts";

/** Entities in most workloads. */
export const ENTITIES: number = fullOrQuick(100_000, 20_000);
export const SIBLING_PARENTS: number = fullOrQuick(1_000, 200);
/** Children of each parent in `siblings`. */
export const SIBLINGS = 100;
/** Parents in `reparent`. */
export const REPARENT_PARENTS = 1_000;
/** Lookups of one run of `names`; ten children below each node, and the number of levels below the root. */
export const LOOKUPS: number = fullOrQuick(20_000, 2_000);
export const BRANCHES = 10;
export const LEVELS: number = fullOrQuick(5, 4);
/** Cycles of one run of `churn`, steps of one of `renew`, instances of one of `instances`. */
export const CYCLES: number = fullOrQuick(20_000, 2_000);
export const STEPS: number = fullOrQuick(10_000, 1_000);
export const INSTANCES: number = fullOrQuick(10_000, 1_000);
/** Children that move in one run of `reparentMany`, leaves that go in one of `destroyMany`, entities that `cut` leaves out. */
export const FEW = 1_000;
export const VICTIMS: number = fullOrQuick(10_000, 1_000);
export const LEFT_OUT: number = ENTITIES / 10;
/** Parents in `nameMany`. */
export const NAME_PARENTS = 1_000;
/** Parents in `renew`, with two children each. */
export const RENEW_PARENTS: number = fullOrQuick(50_000, 5_000);
/** Children of each instance. */
export const PARTS = 10;
