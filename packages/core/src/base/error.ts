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
  | "broken-law"
  | "capacity"
  | "cycle"
  | "dead-entity"
  | "disposed"
  | "full"
  | "name-taken"
  | "refused"
  | "stale-run"
  | "still-a-target"
  | "visiting";

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
