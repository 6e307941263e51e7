// Which clock is used: CPU time of the process if it is fine enough, else wall time (`clock`).

/** A clock in milliseconds. */
export interface Clock {
  readonly name: string;
  readonly now: () => number;
}

export const wallClock: Clock = { name: "wall time", now: () => performance.now() };

/** Time that the process has run, in all its threads: waiting for a busy machine does not count, collecting garbage does. */
const cpuClock: Clock = {
  name: "CPU time of the process",
  now: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
  },
};

/** Counted in readings, so that a busy machine does not change the result. */
const READINGS = 100_000;
const STEPS = 20;

/** Whether the clock is fine enough: systems that count in ticks return the same time for milliseconds. */
function isFine({ now }: Clock): boolean {
  const first = now();
  let last = first;
  for (let reading = 0, steps = 0; reading < READINGS && steps < STEPS; reading++) {
    const time = now();
    if (time > last) steps++;
    last = time;
  }
  return last > first && last - first < STEPS * 0.1;
}

/** For samples of a tenth of a millisecond and more. Pages in a browser have only wall time. */
export const clock: Clock = typeof process === "object" && isFine(cpuClock) ? cpuClock : wallClock;
