/** The public terms about ancestors and other entities. */
export { cascade, on, selfOrUp, singleton, up, variable } from "../../src/index.ts";
