// Statistics of a row: by how much the versions differ, and whether that may be chance.
import { tool } from "../tools.mjs";

/** The probability, in a whole comparison, that a row that does not differ is called different. */
const ERROR_RATE = 0.05;

/** More blocks add less and less information. */
const ENOUGH_BLOCKS = 20;

/**
 * n blocks that agree have p = 2 / 2^n, so there must be enough for the test to call one of all rows different, and
 * `spare` more, so that this many may disagree.
 */
export function blocksFor(rows, spare, affordable) {
  const needed = Math.max(8, Math.ceil(Math.log2((2 * rows) / ERROR_RATE)) + spare);
  return Math.max(needed, Math.min(ENOUGH_BLOCKS, affordable));
}

/** @returns `{ judge }`, or `{ missing }` with the reason. */
export async function loadJudge() {
  const names = ["stats-wilcoxon", "stats-padjust", "stats-base-dists-signrank-quantile"];
  const tools = [];
  for (const name of names) tools.push(await tool(`@stdlib/${name}`));
  const missing = tools.find((one) => one.missing !== undefined)?.missing;
  if (missing !== undefined) return { missing };
  const [wilcoxon, adjust, quantile] = tools.map(({ module }) => module);
  return { judge: (rows) => judge(rows, { wilcoxon, adjust, quantile }) };
}

/**
 * The signed-rank test, because some processes are outliers; with Holm's correction for all rows together. A difference counts if
 * it passes, and is larger than that of old against old by the same method: larger than the measured one, and than the possible
 * one, which is half the width of its interval.
 *
 * @param rows [{ effects, noises }], natural logarithms by block.
 * @returns for each its ratio, both intervals as ratios, p as adjusted, and the verdict; and whether old against old
 *   would have passed the test, which is a false alarm.
 */
function judge(rows, { wilcoxon, adjust, quantile }) {
  if (rows.length === 0) return [];
  // A coarse clock yields equal numbers everywhere, for which the test is undefined. Where the rank sums of both sides are
  // equal, it doubles more than a half.
  const chanceOf = (logs) => (logs.every((log) => log === 0) ? 1 : Math.min(1, wilcoxon(logs).pValue));
  const chances = adjust(
    rows.map(({ effects }) => chanceOf(effects)),
    "holm",
  );
  const controls = adjust(
    rows.map(({ noises }) => chanceOf(noises)),
    "holm",
  );
  return rows.map(({ effects, noises }, at) => {
    const effect = centreOf(effects, quantile);
    const noise = centreOf(noises, quantile);
    const spread = Math.max(Math.abs(noise.middle), (noise.high - noise.low) / 2);
    const isReal = chances[at] < ERROR_RATE && Math.abs(effect.middle) > spread;
    return {
      ratio: Math.exp(effect.middle),
      interval: [Math.exp(effect.low), Math.exp(effect.high)],
      control: [Math.exp(noise.low), Math.exp(noise.high)],
      chance: chances[at],
      verdict: isReal ? (effect.middle < 0 ? "faster" : "slower") : "noise",
      isFalseAlarm: controls[at] < ERROR_RATE,
    };
  });
}

/** Hodges and Lehmann's: the median of the means of all pairs, and the interval of 95 % that goes with the test. */
function centreOf(logs, quantile) {
  const means = logs.flatMap((one, at) => logs.slice(at).map((other) => (one + other) / 2));
  means.sort((one, other) => one - other);
  const middle = (means[(means.length - 1) >> 1] + means[means.length >> 1]) / 2;
  const outside = Math.max(quantile(0.025, logs.length), 1);
  return { middle, low: means[outside - 1], high: means[means.length - outside] };
}
