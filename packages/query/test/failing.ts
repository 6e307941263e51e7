/** A function that throws a RangeError while `fails` is set. */
export interface Failing<Arguments extends unknown[], Result> {
  (...given: Arguments): Result;
  fails: boolean;
}

export function failing<Arguments extends unknown[], Result>(
  act: (...given: Arguments) => Result,
): Failing<Arguments, Result> {
  const made = ((...given: Arguments) => {
    if (made.fails) throw new RangeError("no");
    return act(...given);
  }) as Failing<Arguments, Result>;
  made.fails = false;
  return made;
}
