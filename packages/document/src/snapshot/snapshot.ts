// `snapshot`, `restore`, `observeRestored`, `bytesOf`: the order of all that is put back; throws `bad-value`, `bad-term`.
import { TreelineError, type World } from "@treeline/core";
import { addObservers, Life, requireOptions, SavedWorld, type UpperState } from "@treeline/core/internal";
import { nameState, settleNames } from "@treeline/names/internal";
import { queryState, settleQueries, viewWork } from "@treeline/query/internal";
import { transientWork } from "../format/transient.ts";

declare const snapshotBrand: unique symbol;

/** The whole state of a world at one moment. It is valid as long as its world is; it does not depend on later changes. */
export interface Snapshot {
  readonly [snapshotBrand]: true;
}

export interface SnapshotOptions {
  /** A snapshot of the same world, which is overwritten: its memory is used again. Default: a new one. */
  readonly into?: Snapshot | undefined;
}

function savedOf(snapshot: Snapshot | undefined, verb: string): SavedWorld {
  if (snapshot instanceof SavedWorld) return snapshot;
  throw new TreelineError("bad-value", `${verb} takes what snapshot(world) has returned`);
}

function requireOwn(world: World, saved: SavedWorld): void {
  if (saved.world === world) return;
  throw new TreelineError(
    "bad-value",
    "this snapshot is one of another world: a snapshot belongs to its world",
  );
}

/**
 * Copies the whole state of a world, so that `restore` can give it back: entities with their handles, generations and free indexes,
 * values, pairs, the order of rows and of siblings, names and aliases, ticks of changes, what queries have read, and the order in
 * which archetypes were founded. How a world is configured, observers and queries themselves are not part of it; restore under the
 * policy for names under which the snapshot was taken.
 *
 * JavaScript values are shared with the world, in fields too, unless the component has a `copy` hook (`withHooks`): what you change
 * inside of them is not rolled back.
 *
 * @cost a copy of all columns and indexes, about 100 bytes an entity; into a former snapshot hardly any allocation.
 * @throws TreelineError `iterating` inside an iteration, an observer or a hook, and while there are recorded commands; `bad-value` if
 *   `into` is a snapshot of another world, or none; `disposed`; and what a `copy` hook throws: then `into` cannot be restored any
 *   more.
 *
 * @example
 * const before = snapshot(world);
 * for (let frame = 0; frame < 60; frame++) step(world);
 * restore(world, before);
 */
export function snapshot(world: World, options: SnapshotOptions = {}): Snapshot {
  CHECK: requireOptions("snapshot", options, ["into"]);
  const { into } = options;
  const saved = into === undefined ? new SavedWorld(world) : savedOf(into, "into");
  requireOwn(world, saved);
  const queries = queryState(world);
  const names = nameState(world);
  const upper: UpperState = { parts: [...queries.parts, ...names.parts], readers: queries.readers };
  saved.capture(upper);
  return saved as unknown as Snapshot;
}

/**
 * Gives a world the state that it had at a snapshot, which stays valid: it can be restored again, and so can later ones. From then on
 * the same calls give the same world, in the same order of everything, as in a world that never went on.
 *
 * No hook is called, and no observer but those of `observeRestored`. Monitors then report the net difference. Queries made since count
 * all changes as read, but those of disabled entities, which are unread once these are enabled; those from before go on from what they
 * had read.
 *
 * Handles of entities that were spawned since are not valid any more, and entities that are spawned from now on may get these handles
 * again: drop those that you keep outside of the world. Values of components `withTransient` stay.
 *
 * @cost as `snapshot`; allocates where columns or indexes have another length than then.
 * @throws TreelineError `iterating` inside an iteration, an observer or a hook, and while there are recorded commands; `bad-value` for
 *   what is not a whole snapshot of this world; `disposed`; what the memory of the world and `copy` hooks throw. Nothing has changed
 *   then. At the end, the first error of an observer.
 *
 * @example
 * restore(world, before);
 */
export function restore(world: World, from: Snapshot): void {
  const saved = savedOf(from, "restore");
  requireOwn(world, saved);
  if (!saved.isWhole)
    throw new TreelineError("bad-value", "this snapshot is not whole: a `copy` hook threw when it was taken");
  const isRestored = (record: object): boolean => saved.has(record);
  saved.restore(() => {
    const putBack = transientWork.keep?.(world);
    const showWritten = viewWork.keep?.(world, saved.tick);
    return () => {
      putBack?.();
      settleQueries(world, isRestored);
      settleNames(world, isRestored);
      showWritten?.();
    };
  });
}

/**
 * How many bytes a snapshot holds. JavaScript values count as eight bytes each.
 *
 * @throws TreelineError `bad-value` for what is no snapshot.
 */
export function bytesOf(snapshot: Snapshot): number {
  return savedOf(snapshot, "bytesOf").bytes;
}

/**
 * Calls an observer after each `restore` of a world, before monitors report what differs: to drop what belongs to a future that has
 * been given up. What it changes is deferred until all observers have been called.
 *
 * @cost constant.
 * @returns a function that stops the observer.
 * @throws TreelineError `bad-term` if there is no observer.
 *
 * @example
 * const stop = observeRestored(world, () => selection.clear());
 */
export function observeRestored(world: World, observer: () => void): () => void {
  if (typeof observer !== "function")
    throw new TreelineError("bad-term", "observeRestored takes a world and an observer");
  return addObservers(world, [
    { kind: "restored", definition: Life, target: 0, call: () => observer(), isStopped: false },
  ]);
}
