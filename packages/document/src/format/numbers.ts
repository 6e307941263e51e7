// Numbers that JSON lacks (`numberToJson`), the shortest f32 (`shortestF32`), which numbers a kind has (`fitsKind`).

/** As quotients: bundlers keep reads of properties, such as those of `Number`. */
const NUMBERS = /* @__PURE__ */ new Map<unknown, number>([
  ["NaN", 0 / 0],
  ["Infinity", 1 / 0],
  ["-Infinity", -1 / 0],
  ["-0", -0],
]);

/** A number as JSON can hold it: numbers that JSON lacks as texts. */
export function numberToJson(number: number): number | string {
  if (number === 0 ? 1 / number > 0 : number - number === 0) return number;
  return number === 0 ? "-0" : String(number);
}

/** @returns `undefined` for what is no number. */
export function numberFromJson(data: unknown): number | undefined {
  return typeof data === "number" ? data : NUMBERS.get(data);
}

const POWERS = [1, 10, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/** The number with the fewest decimal digits that is stored as this f32. */
export function shortestF32(number: number): number {
  const size = Math.abs(number);
  if ((size < 2 ** 24 && number === Math.trunc(number)) || !Number.isFinite(number)) return number;
  if (size >= 1e-3 && size < 1e6) {
    for (let digits = 1; digits < POWERS.length; digits++) {
      const power = POWERS[digits]!;
      const scaled = number * power;
      const nearest = Math.round(scaled) / power;
      if (Math.fround(nearest) === number) return nearest;
    }
  }
  for (let digits = 1; digits < 10; digits++) {
    const shorter = Number(number.toPrecision(digits));
    if (Math.fround(shorter) === number) return shorter;
  }
  return number;
}

/** Whether a number comes back the same from a field of a kind; no number does from one that is not of numbers. */
export function fitsKind(kind: string, number: number): boolean {
  switch (kind) {
    case "f64":
      return true;
    case "f32":
      return !Number.isFinite(number) || Number.isFinite(Math.fround(number));
    default: {
      const bits = Number(kind.slice(1)); // NaN for `bool`, `entity` and `value`, which nothing is below
      const least = kind[0] === "i" ? -(2 ** (bits - 1)) : 0;
      return (
        Number.isInteger(number) && !Object.is(number, -0) && number >= least && number < least + 2 ** bits
      );
    }
  }
}
