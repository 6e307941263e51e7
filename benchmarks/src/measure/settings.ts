// What `--quick` makes smaller (`isQuick`, `fullOrQuick`).

/** `--quick` measures less of everything: enough to see whether something is broken, but not to be quoted. */
export const isQuick: boolean = process.argv.includes("--quick");

/** Returns the first value, or the second under `--quick`. */
export function fullOrQuick(full: number, quick: number): number {
  return isQuick ? quick : full;
}
