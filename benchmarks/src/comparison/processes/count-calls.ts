// Counts the functions and calls of a library in one run, exactly (`countCalls`).
import { Session } from "node:inspector";

/** One function in the result of `Profiler.takePreciseCoverage`: its first range is all of it. */
interface Covered {
  readonly functionName: string;
  readonly ranges: readonly { readonly count: number }[];
}

/** Files of the measuring program; every other path is the library, including the shipped bundles of the packages. */
const OURS = new URL("./", import.meta.url).href;

/** How much of the library ran. */
export interface CallCount {
  /** Functions with a name. */
  readonly functions: number;
  /** Functions without a name, passed to others: `list.map(() => ...)`. */
  readonly callbacks: number;
  /** Of all of them together. */
  readonly calls: number;
}

/** Exact: the engine counts every call and does not inline meanwhile. Only calls during the run count, not calls before it. */
export function countCalls(run: () => void): CallCount {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  session.post("Profiler.takePreciseCoverage"); // resets the counts
  run();
  const count = { functions: 0, callbacks: 0, calls: 0 };
  session.post("Profiler.takePreciseCoverage", (error, covered) => {
    if (error !== null) throw error;
    for (const { url, functions } of covered.result) {
      if (url.startsWith("file:") && !url.startsWith(OURS)) addUp(functions, count);
    }
  });
  session.disconnect();
  return count;
}

function addUp(functions: readonly Covered[], count: { -readonly [Name in keyof CallCount]: number }): void {
  for (const { functionName, ranges } of functions) {
    const calls = ranges[0]!.count;
    if (calls === 0) continue;
    if (functionName === "") count.callbacks++;
    else count.functions++;
    count.calls += calls;
  }
}
