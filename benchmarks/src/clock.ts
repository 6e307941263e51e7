/** A clock in milliseconds. */
export interface Clock {
  readonly name: string;
  readonly now: () => number;
}

export const wallClock: Clock = { name: "wall time", now: () => performance.now() };

/** Time the process has run, in all its threads: waiting for a busy machine does not count, collecting garbage does. */
const cpuClock: Clock = {
  name: "CPU time of the process",
  now: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
  },
};

/** Systems that count by their ticks show the same time for milliseconds on end. */
function isFine({ now }: Clock): boolean {
  const until = performance.now() + 20;
  const seen = new Set<number>();
  while (performance.now() < until) seen.add(now());
  return seen.size > 200;
}

/** For samples of a tenth of a millisecond and more. */
export const clock: Clock = isFine(cpuClock) ? cpuClock : wallClock;
