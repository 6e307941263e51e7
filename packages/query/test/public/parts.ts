/** The public functions that order, group and cut queries, and bind their variables. */
export { bind, group, groupBy, groupsOf, orderBy, page, shard } from "../../src/index.ts";
