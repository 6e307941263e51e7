/** Names with a number behind them, for those whose name is taken. */

/** " (7)" at the end of a name; of the number no more digits than a name may count on with. */
const NUMBERED = /^(.+) \(([1-9]\d{0,8})\)$/su;

/**
 * The name itself if it is free, or with a number behind it: `Crate (2)`. A name that has a number already counts on
 * from there. Free numbers are found by doubling and halving, two questions for each doubling, so that the thousandth
 * crate asks about twenty; where some in between are free, it is one of those or the next one.
 *
 * @param isTaken is asked for whole names.
 */
export function freeName(name: string, isTaken: (candidate: string) => boolean): string {
  if (!isTaken(name)) return name;
  const [, base, digits] = NUMBERED.exec(name) ?? [name, name, "1"];
  const first = Number(digits) + 1;
  const candidate = (number: number): string => `${base} (${number})`;
  if (!isTaken(candidate(first))) return candidate(first);

  let taken = first;
  let free = first + 1;
  for (let stride = 2; isTaken(candidate(free)); stride *= 2) {
    taken = free;
    free = first + stride;
  }
  while (free - taken > 1) {
    const middle = taken + Math.floor((free - taken) / 2);
    if (isTaken(candidate(middle))) taken = middle;
    else free = middle;
  }
  return candidate(free);
}
