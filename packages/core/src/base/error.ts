/** Why an operation was refused. Codes are public and stable; wording is not. */
export type TreelineErrorCode =
  | "bad-definition"
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
  | "refused"
  | "stale-run"
  | "still-a-target";

/** The one error this project throws: a stable `code` for programs, a message that says what to do for people. */
export class TreelineError extends Error {
  /** Stable; compare this, never the message. */
  readonly code: TreelineErrorCode;

  constructor(code: TreelineErrorCode, message: string) {
    super(`${code}: ${message}`);
    this.name = "TreelineError";
    this.code = code;
  }
}

/** For our own invariants. Write it only behind the CHECK label: shipped bundles carry neither test nor text. */
export function invariant(holds: boolean, story: () => string): void {
  if (!holds) throw new TreelineError("internal-error", story());
}

export function refuseDefinition(message: string): never {
  throw new TreelineError("bad-definition", message);
}

const SHOWN = 40;

/** A value as messages show it. Never calls into it: it may be anything. */
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

export function shortened(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}...`;
}
