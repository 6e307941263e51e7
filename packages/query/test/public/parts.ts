/** The public functions that order, group and cut queries, and bind and free their variables. */
export { bind, group, groupBy, groupsOf, orderBy, page, shard, unbind } from "../../src/index.ts";
