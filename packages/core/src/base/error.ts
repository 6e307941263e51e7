// The error codes (`TreelineErrorCode`); throws `internal-error` (`invariant`) and `bad-definition`; cuts values in messages (`SHOWN`).

/** Why an operation was refused. Codes are public and stable; messages are not. */
export type TreelineErrorCode =
  | "bad-definition"
  | "bad-document"
  | "bad-kernel"
  | "bad-name"
  | "bad-order"
  | "bad-path"
  | "bad-query"
  | "bad-term"
  | "bad-value"
  | "capacity"
  | "cycle"
  | "dead-entity"
  | "disposed"
  | "full"
  | "internal-error"
  | "iterating"
  | "name-taken"
  | "recursion"
  | "refused"
  | "stale-run"
  | "stale-view"
  | "still-a-target";

/** The only error class that Treeline throws: a stable `code` for programs, and a message for people that says what to do. */
export class TreelineError extends Error {
  /** Stable; compare this, never the message. */
  readonly code: TreelineErrorCode;

  constructor(code: TreelineErrorCode, message: string) {
    super(message);
    this.name = `TreelineError [${code}]`; // so that `String(error)`, consoles and test runners show the code
    this.code = code;
  }
}

/** Checks an invariant of Treeline itself. Call it only behind the CHECK label: production bundles do not contain the call. */
export function invariant(holds: boolean, message: () => string): void {
  if (!holds) throw new TreelineError("internal-error", message());
}

/** @throws TreelineError `bad-definition`, always. */
export function refuseDefinition(message: string): never {
  throw new TreelineError("bad-definition", message);
}

const SHOWN = 40;

/** Formats a value for a message. It never calls methods of the value, which may be anything. */
export function shown(value: unknown): string {
  switch (typeof value) {
    case "string":
      return `the text ${JSON.stringify(shortened(value))}`;
    case "number":
    case "boolean":
    case "undefined":
      return String(value);
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "a list" : "an object";
    default:
      return `a ${typeof value}`;
  }
}

/** For development builds: what to pass in place of a value that is no term. @param of a query compares no values. */
export function termAdvice(what: unknown, of: "verb" | "query" = "verb"): string {
  if (what === undefined) return "check for cyclic imports";
  if (Array.isArray(what)) return "spread it: ...terms";
  if (of === "query") {
    if (typeof what === "string")
      return "pass what component or tag returned, or lookup(world, path) for an entity";
    if (typeof what !== "function") return "pass what component, tag or relation returned, without a value";
  }
  if (typeof what === "string")
    return `pass what component or tag returned, or Name(${JSON.stringify(shortened(what))}) for a name`;
  if (typeof what === "number")
    return "call a component with its value, Health({ points: 5 }); for an entity write ChildOf(entity) or asTag(entity)";
  if (typeof what === "function")
    return `define it: const Ship = component<Ship>("Ship"), and pass Ship${of === "query" ? "" : "(value)"}`;
  if (what !== null && typeof what === "object") return "call a component with it: Position({ x: 1, y: 2 })";
  return "pass what component, tag or relation returned";
}

export function shortened(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}...`;
}
