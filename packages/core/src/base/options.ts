// Refuses options that no function reads (`requireOptions`), in development builds.
import { shown, TreelineError, type TreelineErrorCode } from "./error.ts";

/**
 * Refuses what is no options object, and options that nothing reads, such as misspelt ones. One that is `undefined` counts as not
 * given, here and everywhere. Call it only behind the CHECK label.
 *
 * @param of what takes the options, as users write it. @param known all options that it takes.
 * @throws TreelineError with the code; `undefined` is accepted.
 */
export function requireOptions<Options>(
  of: string,
  options: Options,
  known: readonly (keyof NonNullable<Options> & string)[],
  code: TreelineErrorCode = "bad-value",
): void {
  if (options === undefined) return;
  const list = known.join(", ");
  if (typeof options !== "object" || options === null)
    throw new TreelineError(code, `${of} takes an object with ${list}, not ${shown(options)}`);
  const isGiven = (key: string): boolean => options[key as keyof typeof options] !== undefined;
  const unknown = Object.keys(options).find((key) => isGiven(key) && !known.includes(key as never));
  if (unknown === undefined) return;
  throw new TreelineError(code, `${of} does not know ${JSON.stringify(unknown)}; it takes ${list}`);
}
