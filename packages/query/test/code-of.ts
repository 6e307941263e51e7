import { TreelineError } from "@treeline/core";

/** The code with which a call is refused; `undefined` if it is not. Other errors are returned as text. */
export function codeOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return error instanceof TreelineError ? error.code : `not refused but broken: ${String(error)}`;
  }
  return undefined;
}
