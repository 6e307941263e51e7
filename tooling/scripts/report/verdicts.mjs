// Which contestant is first, and by how much. Every ratio is Treeline's time divided by the other's: below 1, Treeline is faster.
import { entrantsOf, timeOf } from "./model.mjs";

/** Treeline's storages of parents, with the figure of native Flecs that each is compared with. */
export const STORAGES = [
  { key: "treeline-child-of", name: "ChildOf", native: "childOf" },
  { key: "treeline-parent", name: "Parent", native: "parent" },
];

/** Its storages of components, which play other workloads. */
export const COMPONENT_STORAGES = [
  { key: "treeline-sparse", name: "sparse or bits" },
  { key: "treeline-table", name: "in tables" },
];

/**
 * Their handles have no generation: one of a destroyed entity changes the entity that has its number, or its object, now. bitECS is
 * the same unless a program asks for versions, but is what programs choose.
 */
const UNCHECKED = ["piecs", "wolf-ecs", "elics"];

/** What Treeline is compared with, apart from each other: the libraries of a group, and the times theirs that it aims at. */
export const GROUPS = {
  alternative: { isIn: (key) => !UNCHECKED.includes(key), limit: 1 },
  unchecked: { isIn: (key) => UNCHECKED.includes(key), limit: 2 },
};

/** Differences below this are noise on a shared machine. */
const LEVEL = 1.05;

/** @returns { contestant, time } of the fastest of a kind, or of those libraries that are in a group, if any was measured. */
export function fastest(host, workload, place, kind, { mode = "isolated", group } = {}) {
  const times = entrantsOf(host, workload, kind)
    .filter((contestant) => group === undefined || group.isIn(contestant))
    .map((contestant) => ({ contestant, time: timeOf(workload, contestant, place, mode) }))
    .filter(({ time }) => time !== undefined);
  return times.sort((one, other) => one.time - other.time)[0];
}

/** Against the fastest library of a group. */
function rankOf(host, workload, { key, place, mode, group }) {
  const time = timeOf(workload, key, place, mode);
  const best = fastest(host, workload, place, "library", { mode, group });
  if (time === undefined) return undefined;
  const ratio = best && time / best.time;
  if (ratio === undefined || ratio < 1 / LEVEL) return { place: "first", ratio };
  return { place: ratio <= LEVEL ? "level" : "not first", ratio };
}

/** One storage in one cell against the libraries of a group, and all others; `{ failure }`, or `undefined` if it did not take part. */
export function verdictOf(host, workload, place, storage, group) {
  const { key } = storage;
  const time = timeOf(workload, key, place);
  if (time === undefined) {
    const outcome = workload.rows.get(key)?.[place]?.isolated;
    return outcome?.kind === "failed" ? { failure: outcome.why } : undefined;
  }
  const handWritten = fastest(host, workload, place, "hand");
  const native = storage.native && workload.cells[place].native[storage.native];
  const isolated = rankOf(host, workload, { key, place, mode: "isolated", group });
  return {
    time,
    isolated,
    warmedUp: rankOf(host, workload, { key, place, mode: "warmedUp", group }) ?? isolated,
    toHandWritten: handWritten && time / handWritten.time,
    toNative: native && time / native,
  };
}
