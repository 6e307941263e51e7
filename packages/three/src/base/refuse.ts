// Throws `bad-value` for what users pass.
import { TreelineError } from "@treeline/core";

/** @throws TreelineError `bad-value`. */
export function refuse(text: string): never {
  throw new TreelineError("bad-value", text);
}
