import { TreelineError } from "./error.ts";

/** For our own laws. Write it only behind the CHECK label: shipped bundles carry neither test nor text. */
export function law(holds: boolean, story: () => string): void {
  if (!holds) throw new TreelineError("broken-law", story());
}
