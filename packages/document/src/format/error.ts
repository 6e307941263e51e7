// `bad-document` with its place (`refuseDocument`, `DocumentError`).
import { TreelineError, type TreelineErrorCode } from "@treeline/core";

/**
 * A `TreelineError` about a document: `bad-document`, or the code with which the world refuses an entity that it describes, such as
 * `name-taken`.
 */
export interface DocumentError extends TreelineError {
  /** Where in the document, such as `entities[0].components.Position.x`; or, while a document is made, which entity. */
  readonly place: string;
}

const MOST = 200;

/** @throws DocumentError always. */
export function refuseDocument(
  place: string,
  message: string,
  cause?: unknown,
  code: TreelineErrorCode = "bad-document",
): never {
  const shown = place.length <= MOST ? place : `...${place.slice(-MOST)}`;
  const error = new TreelineError(code, place === "" ? message : `${shown}: ${message}`);
  throw Object.assign(error, { place }, cause === undefined ? undefined : { cause });
}
