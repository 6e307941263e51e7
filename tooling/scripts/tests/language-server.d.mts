export interface Question {
  /** What of `textDocument/` is asked, such as `hover`. */
  readonly ask: string;
  /** 0-based. */
  readonly line: number;
  /** 0-based. */
  readonly character: number;
}

export function answersOfEditor(
  folder: string,
  text: string,
  questions: readonly Question[],
): Promise<unknown[]>;
