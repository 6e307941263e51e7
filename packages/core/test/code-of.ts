import { TreelineError } from "../src/index.ts";

/** Returns the code with which a call is refused; `undefined` if it is not refused. Other errors are described in words. */
export function codeOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return error instanceof TreelineError ? error.code : `not refused but broken: ${String(error)}`;
  }
  return undefined;
}
