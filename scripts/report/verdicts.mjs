// Who is first, and by how much. Every ratio is Treeline's time by the other one's: below 1, Treeline is faster.
import { entrantsOf, timeOf } from "./model.mjs";

/** Treeline's storages, with the figure of native Flecs that each is held against. */
export const STORAGES = [
  { key: "treeline-child-of", name: "ChildOf", native: "childOf" },
  { key: "treeline-parent", name: "Parent", native: "parent" },
];

/** All that is played or weighed. */
export const rowsOf = (host) => [...host.workloads, ...(host.weighed ?? [])];

/** Closer than this is no difference that a shared machine shows. */
const LEVEL = 1.05;

/** @returns { contestant, time } of the fastest of a kind, if any came through. */
export function fastest(host, workload, place, kind, mood = "alone") {
  const times = entrantsOf(host, workload, kind)
    .map((contestant) => ({ contestant, time: timeOf(workload, contestant, place, mood) }))
    .filter(({ time }) => time !== undefined);
  return times.sort((one, other) => one.time - other.time)[0];
}

/** Against the fastest library. */
function standing(host, workload, { key, place, mood }) {
  const time = timeOf(workload, key, place, mood);
  const best = fastest(host, workload, place, "library", mood);
  if (time === undefined) return undefined;
  const ratio = best && time / best.time;
  if (ratio === undefined || ratio < 1 / LEVEL) return { place: "first", ratio };
  return { place: ratio <= LEVEL ? "level" : "not first", ratio };
}

/** One storage in one cell against everybody else; `{ failure }`, or `undefined` if it did not take part. */
export function verdictOf(host, workload, place, storage) {
  const { key } = storage;
  const time = timeOf(workload, key, place);
  if (time === undefined) {
    const outcome = workload.rows.get(key)?.[place]?.alone;
    return outcome?.kind === "failed" ? { failure: outcome.why } : undefined;
  }
  const floor = fastest(host, workload, place, "hand");
  const native = workload.cells[place].native[storage.native];
  const alone = standing(host, workload, { key, place, mood: "alone" });
  return {
    time,
    alone,
    later: standing(host, workload, { key, place, mood: "seasoned" }) ?? alone,
    toFloor: floor && time / floor.time,
    toNative: native && time / native,
  };
}

const PLACES = ["first", "level", "not first"];

/** Number of a place; where it differs between alone and after other cells, of the worse one. */
function worseOf({ failure, alone, later }) {
  if (failure !== undefined) return PLACES.length - 1;
  return Math.max(PLACES.indexOf(alone.place), PLACES.indexOf(later.place));
}

/** @returns how often each of some storages, or the best of them, is first, level and not first among a host's cells. */
export function tally(host, storages) {
  const counts = PLACES.map(() => 0);
  for (const workload of rowsOf(host)) {
    for (const place of workload.cells.keys()) {
      const verdicts = storages
        .map((storage) => verdictOf(host, workload, place, storage))
        .filter((verdict) => verdict !== undefined);
      if (verdicts.length > 0) counts[Math.min(...verdicts.map(worseOf))]++;
    }
  }
  return counts;
}
