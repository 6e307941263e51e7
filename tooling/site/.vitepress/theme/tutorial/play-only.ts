// That one game of the tutorial plays at a time (`playOnly`).

/** One game of a page plays at a time. */
let stopCurrent: (() => void) | undefined;

/** Ends the game that plays, and notes how to end the next one. */
export function playOnly(stop: () => void): void {
  stopPlaying();
  stopCurrent = stop;
}

export function stopPlaying(): void {
  stopCurrent?.();
  stopCurrent = undefined;
}
