/**
 * What the user gave us cannot be used: a broken file, a broken node, a wrong option.
 * The message is one line of plain words; whoever catches it prints it and nothing else.
 */
export class SceneError extends Error {
  override readonly name: string = "SceneError";
}
