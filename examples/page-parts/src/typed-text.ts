// Which row typed letters mean (`placeOfTyped`), and when a new word begins (`PAUSE`).

/** After a pause of this long the next letter begins a new word. */
const PAUSE = 700; // milliseconds

/** What one types quickly, letter by letter, in a list that has no field for it. */
export class TypedText {
  private text = "";
  private last = Number.NEGATIVE_INFINITY;

  /** @param time of the event, in milliseconds. @returns all that was typed without a pause. */
  add(letter: string, time: number): string {
    this.text = time - this.last > PAUSE ? letter : this.text + letter;
    this.last = time;
    return this.text;
  }
}

/**
 * The first place, from one on and round to it again, whose text begins with what was typed. One letter moves on: a longer text stays if it
 * fits.
 *
 * @returns -1 if there is none.
 */
export function placeOfTyped(
  count: number,
  textAt: (place: number) => string,
  from: number,
  typed: string,
): number {
  const start = typed.length === 1 ? from + 1 : Math.max(from, 0);
  for (let step = 0; step < count; step++) {
    const place = (start + step) % count;
    if (textAt(place).toLowerCase().startsWith(typed.toLowerCase())) return place;
  }
  return -1;
}
