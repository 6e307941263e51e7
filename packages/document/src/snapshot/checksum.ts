// `checksum`: when it may be called, and what does not count.
import type { World } from "@treeline/core";
import { checksumOf } from "@treeline/core/internal";
import { nameHashes } from "@treeline/names/internal";
import { isTransient } from "../format/transient.ts";

/**
 * A number from 0 to 2^32 - 1 for the whole state of a world, with handles and the order of rows and siblings: for peers in lockstep, who
 * make the same calls, refused ones included, and compare it now and then. Worlds of equal state have equal checksums; two that differ have equal ones by
 * chance, once in four billion.
 *
 * -0 counts as 0, and all NaN as one. Of JavaScript values only text, numbers and truth values count, of others only that there are
 * some. Names count as they are in the name index, not as written directly into their column. Transient components, sources of
 * randomness outside the world, observers and queries do not count.
 *
 * @cost all rows, each time; nothing is kept.
 * @throws TreelineError `iterating` inside an iteration, an observer or a hook, and while there are recorded commands.
 *
 * @example
 * if (frame % 60 === 0) send({ frame, checksum: checksum(world) });
 */
export function checksum(world: World): number {
  return checksumOf(world, isTransient, nameHashes(world));
}
