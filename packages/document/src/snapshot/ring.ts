import { TreelineError, type World } from "@treeline/core";
import { requireOptions, shown } from "@treeline/core/internal";
import { bytesOf, restore, type Snapshot, snapshot } from "./snapshot.ts";

/** The last snapshots of a world, the oldest first. */
export interface SnapshotRing {
  readonly world: World;
  /** The most that it holds, and the most bytes that they may have. */
  readonly frames: number;
  readonly bytes: number;
  readonly snapshots: readonly Snapshot[];
}

export interface RingOptions {
  /** How many snapshots it holds at most, at least 1. */
  readonly frames: number;
  /** The most bytes that they may have together; the newest one is kept in any case. Default: no limit. */
  readonly bytes?: number;
}

/**
 * Makes a ring for the last snapshots of a world, empty at first: `keep` adds one, `rollBack` restores one.
 *
 * Cost: what its snapshots hold, see `bytesOf`.
 *
 * @throws TreelineError `bad-value` unless `frames` is a whole number of at least 1, and `bytes` is above 0.
 *
 * @example
 * const frames = snapshotRing(world, { frames: 60, bytes: 64_000_000 });
 */
export function snapshotRing(world: World, options: RingOptions): SnapshotRing {
  CHECK: requireOptions("snapshotRing", options, ["frames", "bytes"]);
  const { frames, bytes = Number.POSITIVE_INFINITY } = options;
  if (!Number.isInteger(frames) || frames < 1)
    throw new TreelineError("bad-value", `a ring has 1 or more frames, not ${shown(frames)}`);
  if (!(bytes > 0)) throw new TreelineError("bad-value", `a ring has more than 0 bytes, not ${shown(bytes)}`);
  return { world, frames, bytes, snapshots: [] };
}

/**
 * Takes a snapshot and adds it to a ring, in the memory of the oldest one if the ring is full. Then the oldest ones go until the
 * rest fits into the ring's bytes.
 *
 * @throws TreelineError as `snapshot`; then the ring is as before, without the oldest if it was full.
 */
export function keep(ring: SnapshotRing): void {
  const { world, frames, bytes } = ring;
  const snapshots = ring.snapshots as Snapshot[];
  const into = snapshots.length === frames ? snapshots.shift() : undefined;
  snapshots.push(snapshot(world, into === undefined ? {} : { into }));
  if (bytes === Number.POSITIVE_INFINITY) return; // to measure them takes longer than the snapshot
  let sum = 0;
  let first = snapshots.length;
  while (first > 0 && (sum += bytesOf(snapshots[first - 1]!)) <= bytes) first--;
  snapshots.splice(0, Math.min(first, snapshots.length - 1));
}

/**
 * Restores a snapshot of a ring, and drops those that are newer: `rollBack(ring, 0)` goes back to the last one, `rollBack(ring, 8)` to
 * the one eight before it.
 *
 * @throws TreelineError `bad-value` if the ring does not hold it; and as `restore`. Nothing has changed then.
 */
export function rollBack(ring: SnapshotRing, count: number): void {
  const snapshots = ring.snapshots as Snapshot[];
  const chosen = snapshots[snapshots.length - 1 - count];
  if (chosen === undefined)
    throw new TreelineError(
      "bad-value",
      `this ring holds ${snapshots.length} snapshots: ${shown(count)} cannot be rolled back`,
    );
  restore(ring.world, chosen);
  snapshots.length -= count;
}
