/** The builtins of core, and its functions to define components, tags and relations with. */
export {
  Any,
  ChildOf,
  component,
  Disabled,
  DisabledTree,
  f32,
  OrderedChildren,
  Parent,
  relation,
  tag,
} from "@treeline/core";
