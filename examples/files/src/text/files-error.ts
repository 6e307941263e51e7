// The error for unusable input (`FilesError`), and its form at a position of a text (`brokenAt`: line number first).

/**
 * The input is not usable: a file that cannot be read, a broken scene, a wrong option or path.
 * The message is one line for the user; callers that catch the error print only the message.
 */
export class FilesError extends Error {
  override readonly name: string = "FilesError";
}

/** An error at a position of a text; its message begins with the line number. */
export function brokenAt(text: string, at: number, why: string): FilesError {
  return new FilesError(`line ${lineAt(text, at)}: ${why}`);
}

/** The line of a position in a text, from 1; line ends are `\n` or `\r\n`. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf("\n"); end !== -1 && end < at; end = text.indexOf("\n", end + 1)) line += 1;
  return line;
}
