/** `--quick` measures less of everything: good enough to see whether something broke, not to quote. */
export const isQuick: boolean = process.argv.includes("--quick");

/** Takes the first value, or the second under `--quick`. */
export function fullOrQuick(full: number, quick: number): number {
  return isQuick ? quick : full;
}
