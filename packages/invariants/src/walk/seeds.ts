/** The seeds of the tests, in groups: both kinds of memory, and worlds of several sizes. */
import type { WalkOptions } from "./walk.ts";

const STEPS = 110;
const CAPS = [8, 16, 40] as const;
const GROUP = 10;

/** One line of a test report. */
interface SeedGroup {
  readonly from: number;
  readonly to: number;
  readonly walks: readonly WalkOptions[];
}

/** The walks of seeds 1 to `seeds`: the even ones on plain memory, the odd ones on WebAssembly memory. */
export function seedGroups(seeds: number, memory: "plain" | "wasm"): SeedGroup[] {
  const walks: WalkOptions[] = [];
  for (let seed = memory === "plain" ? 2 : 1; seed <= seeds; seed += 2) {
    walks.push({ seed, steps: STEPS, memory, cap: CAPS[seed % CAPS.length]! });
  }
  const groups: SeedGroup[] = [];
  for (let at = 0; at < walks.length; at += GROUP) {
    const group = walks.slice(at, at + GROUP);
    groups.push({ from: group[0]!.seed, to: group.at(-1)!.seed, walks: group });
  }
  return groups;
}
