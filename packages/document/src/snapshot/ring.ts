// `snapshotRing`, `keep`, `rollBack`: which snapshots go; throws `bad-value`.
import { TreelineError, type World } from "@treeline/core";
import { requireOptions, shown } from "@treeline/core/internal";
import { bytesOf, restore, type Snapshot, snapshot } from "./snapshot.ts";

/** The last snapshots of a world, the oldest first: see `snapshotRing`. */
export interface SnapshotRing {
  readonly world: World;
  /** The most that it holds, and the most bytes that they may have. */
  readonly frames: number;
  readonly bytes: number;
  readonly snapshots: readonly Snapshot[];
}

/** A ring with a limit of bytes knows those of its snapshots: to measure one takes longer than to take it. */
interface MeasuredRing extends SnapshotRing {
  readonly snapshots: Snapshot[];
  /** By snapshot: its bytes; empty without a limit. */
  readonly sizes: number[];
  /** Their sum. */
  held: number;
}

export interface RingOptions {
  /** How many snapshots it holds at most, at least 1. */
  readonly frames: number;
  /** The most bytes that they may have together; the newest one is kept in any case. Default: no limit. */
  readonly bytes?: number | undefined;
}

/**
 * Makes a ring for the last snapshots of a world, empty at first: `keep` adds one, `rollBack` restores one.
 *
 * @cost what its snapshots hold, see `bytesOf`.
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
  const ring: MeasuredRing = { world, frames, bytes, snapshots: [], sizes: [], held: 0 };
  return ring;
}

/**
 * Takes a snapshot and adds it to a ring, in the memory of the oldest one if the ring is full. Then the oldest ones go until the
 * rest fits into the ring's bytes. Call it before each frame, so that `rollBack` counts frames.
 *
 * @cost as `snapshot`; with a limit of bytes, the new snapshot is measured as well.
 * @throws TreelineError as `snapshot`; then the ring is as before, without the oldest if it was full.
 */
export function keep(ring: SnapshotRing): void {
  const { world, frames, bytes, snapshots, sizes } = ring as MeasuredRing;
  const into = snapshots.length === frames ? dropOldest(ring as MeasuredRing) : undefined;
  const taken = snapshot(world, into === undefined ? {} : { into });
  snapshots.push(taken);
  if (bytes === Number.POSITIVE_INFINITY) return;
  const size = bytesOf(taken);
  sizes.push(size);
  (ring as MeasuredRing).held += size;
  while ((ring as MeasuredRing).held > bytes && snapshots.length > 1) dropOldest(ring as MeasuredRing);
}

function dropOldest(ring: MeasuredRing): Snapshot | undefined {
  ring.held -= ring.sizes.shift() ?? 0;
  return ring.snapshots.shift();
}

/**
 * Goes back over the last `count` calls of `keep`: restores the snapshot that the first of them took, and drops it and those that are
 * newer. With a `keep` before each frame, that is the state before the last `count` frames, and the next frame keeps it again. With 0
 * nothing changes.
 *
 * @cost as `restore`.
 * @param count a whole number from 0 to the number of snapshots in the ring.
 * @throws TreelineError `bad-value` if the ring does not hold so many; and as `restore`. Nothing has changed then.
 *
 * @example
 * rollBack(frames, 3); // to the state before the last three frames
 */
export function rollBack(ring: SnapshotRing, count: number): void {
  const { world, snapshots, sizes } = ring as MeasuredRing;
  const first = snapshots.length - count;
  if (!Number.isInteger(count) || count < 0 || first < 0)
    throw new TreelineError(
      "bad-value",
      `this ring holds ${snapshots.length} snapshots: ${shown(count)} cannot be rolled back`,
    );
  if (count === 0) return;
  restore(world, snapshots[first]!);
  snapshots.length = first;
  for (const size of sizes.splice(first)) (ring as MeasuredRing).held -= size;
}
