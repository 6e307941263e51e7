/** What tests read of a world: the reading functions of core, and its checks. */
export { get, has, isAlive, parentOf } from "@treeline/core";
export { describe as describeEntity, dump, stats, verify } from "@treeline/core/debug";
