/** The public terms that filter the entities of a query. */
export { added, all, changed, maybe, not, or, removed } from "../../src/index.ts";
