/** The public functions that make worlds and definitions. Tests import public functions by theme, which keeps import lists short. */
export {
  component,
  createWorld,
  plainMemory,
  relation,
  tag,
  withDisabledTree,
  withHooks,
  withPolicy,
} from "@treeline/core";
