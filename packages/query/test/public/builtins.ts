/** The public built-in definitions, and entities as tags. */
export { Any, asTag, ChildOf, Disabled, DisabledTree, OrderedChildren, Parent } from "@treeline/core";
