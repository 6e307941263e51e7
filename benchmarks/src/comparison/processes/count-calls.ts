import { Session } from "node:inspector";

/** What `Profiler.takePreciseCoverage` tells of one function: its first range is all of it. */
interface Covered {
  readonly functionName: string;
  readonly ranges: readonly { readonly count: number }[];
}

/** Files of the program that measures; whatever else has a path is the library, the packages' shipped bundles among them. */
const OURS = new URL("./", import.meta.url).href;

/** What ran of the library. */
export interface CallCount {
  /** Functions with a name. */
  readonly functions: number;
  /** Functions without one, given to others: `list.map(() => ...)`. */
  readonly callbacks: number;
  /** Of all of them together. */
  readonly calls: number;
}

/**
 * Exact: the engine counts every call and inlines nothing meanwhile. Only what is called while it runs counts, not what was
 * called before.
 */
export function countCalls(run: () => void): CallCount {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  session.post("Profiler.takePreciseCoverage"); // forgets what was called before
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
