// The error whose message the page shows (`ReadError`).

/** What is wrong with files, in words for the page. */
export class ReadError extends Error {
  override readonly name = "ReadError";
}
