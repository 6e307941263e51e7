/**
 * What the user gave us cannot be used: a file that cannot be read, a broken scene, a wrong option or path.
 * The message is one line of plain words; whoever catches it prints it and nothing else.
 */
export class FilesError extends Error {
  override readonly name: string = "FilesError";
}

/** A complaint about one place of a text: its message begins with the line. */
export function brokenAt(text: string, at: number, why: string): FilesError {
  return new FilesError(`line ${lineAt(text, at)}: ${why}`);
}

/** The line of a place in a text, from 1; line ends are `\n` or `\r\n`. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf("\n"); end !== -1 && end < at; end = text.indexOf("\n", end + 1)) line += 1;
  return line;
}
