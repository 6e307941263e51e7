// The error for unusable input (`SceneError`): one line for the user.

/**
 * The input is not usable: a broken file, a broken node, a wrong option.
 * The message is one line for the user; callers that catch the error print only the message.
 */
export class SceneError extends Error {
  override readonly name: string = "SceneError";
}
