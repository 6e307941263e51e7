// `observeRoots`: what else must be observed to learn who is a root (`OTHERS`).
import { ChildOf, Life } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import { type EventKind, type Observer, Root } from "../state/event-list.ts";
import { defer } from "../state/lock.ts";
import { callObserver } from "../state/notify.ts";
import { rootHandles } from "../state/targets.ts";
import type { World } from "../state/world.ts";
import { addObservers, begin, type ObserveOptions, observersFor } from "./observe.ts";

/** The list of roots has changed. */
export interface RootEvent {
  readonly kind: "added" | "removed";
  readonly entity: Entity;
}

/**
 * Calls an observer when the list of roots changes, the entities without a parent: `added` for one that was spawned without a
 * parent or has lost its parent; `removed` for one that is about to get a parent or to be destroyed, and with `{ after: true }`
 * when that has been done. Component entities are roots as well. With `yieldExisting`, roots come in their order.
 *
 * @cost all spawns and destructions go entity by entity. A child that gets another parent costs what it does without observers.
 * @returns a function that stops the observer.
 * @throws TreelineError `bad-term` if there is no observer; and as `observe`.
 *
 * @example
 * const stop = observeRoots(world, () => outline.render(roots(world)), { after: true });
 */
export function observeRoots(
  world: World,
  observer: (event: RootEvent) => void,
  options: ObserveOptions = {},
): () => void {
  const call = ({ kind, entity }: RootEvent): void => observer({ kind, entity });
  const mine = observersFor(world, { spawned: true, destroyed: true }, observer, options).map(
    (one): Observer => ({ ...one, definition: Root, call }),
  );
  const others = OTHERS.map(([kind, definition]): Observer => {
    return { kind, definition, target: 0, call: () => undefined, isStopped: false };
  });
  return begin(world, mine, () => addObservers(world, [...mine, ...others]), reportRoots, options);
}

/**
 * Changes after which other entities are roots: they are listed only if there is an observer of them. No verb sets a value of
 * ChildOf, so moves between parents stay unobserved.
 */
const OTHERS: readonly (readonly [EventKind, Definition])[] = [
  ["removed", Life],
  ["set", ChildOf],
];

function reportRoots(world: World, observers: readonly Observer[]): void {
  const roots = rootHandles(world);
  defer(world, () => {
    for (const observer of observers) {
      const { kind } = observer;
      for (const entity of roots) if (!observer.isStopped) callObserver(world, observer, { kind, entity });
    }
  });
}
