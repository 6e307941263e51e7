/** Internal API: what other packages of Treeline may use of queries in addition to the public API. It may change in any release. */

export { installInherited } from "./query/outputs/inherited.ts";
export { queryState, settleQueries } from "./snapshot/query-state.ts";
export { viewQuery, viewWork } from "./snapshot/view-query.ts";
