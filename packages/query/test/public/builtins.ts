/** The public built-in definitions. */
export { Any, ChildOf, Disabled, DisabledTree, OrderedChildren, Parent } from "@treeline/core";
