/** What tests read of a world: the reading functions of the public surface, and the code with which a call is refused. */
import { TreelineError } from "../src/index.ts";

export { describe, dump, stats, verify } from "../src/debug.ts";
export {
  asTag,
  definitionAt,
  entityAt,
  get,
  has,
  isAlive,
  isDisabled,
  locate,
  parentOf,
  read,
  subjectsOf,
  targetOf,
  targetsOf,
} from "../src/index.ts";

/** Returns the code with which a call is refused; `undefined` if it is not refused. Other errors are described in words. */
export function codeOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return error instanceof TreelineError ? error.code : `not refused but broken: ${String(error)}`;
  }
  return undefined;
}
