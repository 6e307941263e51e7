/** The public functions that move an entity to a place among siblings. */
export { insertAt, moveAfter, moveBefore } from "../../src/index.ts";
