import { TreelineError } from "@treeline/core";

/** A `TreelineError` with the code `bad-document`. */
export interface DocumentError extends TreelineError {
  readonly code: "bad-document";
  /** Where in the document, such as `entities[0].components.Position.x`; or, while a document is made, which entity. */
  readonly place: string;
}

const MOST = 200;

/** @throws DocumentError always. */
export function refuseDocument(place: string, message: string, cause?: unknown): never {
  const shown = place.length <= MOST ? place : `...${place.slice(-MOST)}`;
  const error = new TreelineError("bad-document", place === "" ? message : `${shown}: ${message}`);
  throw Object.assign(error, { place }, cause === undefined ? undefined : { cause });
}
