// What users import for rollback: `snapshot`, `restore`, `snapshotRing`, `checksum`, `withTransient`, `asView`.
export { withTransient } from "./format/transient.ts";
export { checksum } from "./snapshot/checksum.ts";
export { keep, type RingOptions, rollBack, type SnapshotRing, snapshotRing } from "./snapshot/ring.ts";
export {
  bytesOf,
  observeRestored,
  restore,
  type Snapshot,
  type SnapshotOptions,
  snapshot,
} from "./snapshot/snapshot.ts";
export { asView } from "./snapshot/view.ts";
