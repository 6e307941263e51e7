/** The public functions that replace, order and detach the children of an entity. */
export { detachChildren, replaceChildren, setChildOrder, sortChildren } from "../../src/index.ts";
