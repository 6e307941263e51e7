/** Ends a walk: disposes of the real world, and compares what observers and hooks got with the twin. */

import * as core from "@treeline/core";
import { lookup, pathOf } from "@treeline/names";
import { destroy } from "@treeline/query";
import { queryVerbs, verbs } from "../base/entry-points.ts";
import { compareHooks } from "../compare/hooks.ts";
import { compareObservedState } from "../observe/expected-events.ts";
import { takeObserved } from "../observe/observe.ts";
import { compareOutline } from "../observe/outline.ts";
import { compareThrown } from "../observe/react.ts";
import { codeOf } from "../perform/perform.ts";
import { takeCalls } from "../step/alarm.ts";
import type { RealWorld } from "../step/real-world.ts";
import { handleOf, twinOf } from "../step/real-world.ts";
import { same } from "../step/same.ts";
import { definitionOf } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import type { Both } from "./take.ts";

/** @throws Error that says what differs. */
export function disposeBoth(both: Both): void {
  const { real, naive, observers, outline, isReacting } = both;
  const { world } = real;
  const order: Twin[] = [];
  if (observers !== undefined) {
    observers.isPlain = false;
    core.observe(world, { destroyed: true }, ({ entity }) => void order.push(twinOf(real, entity)));
  }
  const code = codeOf(() => void core.disposeWorld(world));
  if (isReacting && observers !== undefined) compareThrown(observers, code);
  else same(code, undefined, () => "disposing of the world");

  const last = [...naive.living.keys()][0] ?? 0;
  naive.before.clear();
  for (const [twin, record] of naive.living) naive.before.set(twin, record);
  naive.living.clear();
  naive.roots = [];
  if (observers !== undefined) {
    compareOrder(naive, order);
    if (outline !== undefined) compareOutline(real, naive, observers.observed, outline);
    compareObservedState(both.observedState, naive, takeObserved(real, observers));
  }
  // Hooks also get values that commands would have written.
  const isRecorded = [...naive.buffers.values()].some(({ commands }) => commands.length > 0);
  if (!isReacting && !isRecorded) compareHooks(real, naive, { verb: "pack" }, takeCalls(world));
  same(real.bytes, 0, () => "bytes that a disposed world keeps");
  compareRefusals(both, last);
  core.disposeWorld(world);
}

/** Every entity once, children before parents, and trees with component entities after all others. */
function compareOrder({ before, componentEntities }: NaiveWorld, order: readonly Twin[]): void {
  const inOrder = (twins: Iterable<Twin>): Twin[] => [...twins].sort((one, other) => one - other);
  same(inOrder(order), inOrder(before.keys()), () => "entities that are destroyed with the world");
  const rootOf = (twin: Twin): Twin => {
    const parent = before.get(twin)?.parent;
    return parent === undefined ? twin : rootOf(parent);
  };
  const modules = new Set([...componentEntities.values()].map(rootOf));
  const places = new Map(order.map((twin, at) => [twin, at]));
  const isModule = order.map((twin) => modules.has(rootOf(twin)));
  same(isModule, isModule.toSorted(), () => "trees with component entities are destroyed last");
  for (const [twin, record] of before) {
    if (record?.parent !== undefined && places.get(twin)! > places.get(record.parent)!)
      throw new Error(`e${record.parent} was destroyed before its child e${twin}`);
  }
}

function compareRefusals({ real, liveQueries }: Both, twin: Twin): void {
  const live = liveQueries.find((one) => one !== undefined);
  const calls = callsIn(real, handleOf(real, twin), live?.query ?? {});
  if (live === undefined) delete calls.each;
  for (const [name, call] of Object.entries(calls)) {
    const code = codeOf(() => void call());
    same(code, "disposed", () => `${name} in a disposed world`);
  }
}

/** Functions of all packages: each is refused. */
function callsIn(
  { world, buffers }: RealWorld,
  entity: core.Entity,
  query: object,
): Record<string, () => unknown> {
  const Position = definitionOf("Position");
  return {
    spawn: () => verbs.spawn(world),
    reserve: () => verbs.reserve(world, 1),
    add: () => verbs.add(world, entity, Position),
    remove: () => verbs.remove(world, entity, Position),
    set: () => verbs.set(world, entity, Position, {}),
    patch: () => verbs.patch(world, entity, Position, () => undefined),
    get: () => verbs.get(world, entity, Position),
    has: () => verbs.has(world, entity, Position),
    clear: () => verbs.clear(world, entity),
    clone: () => verbs.clone(world, entity, { deep: true, with: [] }),
    isAlive: () => core.isAlive(world, entity),
    release: () => core.release(world, entity),
    pack: () => core.pack(world),
    defer: () => core.defer(world, () => undefined),
    createCommands: () => core.createCommands(world),
    applyCommands: () => core.applyCommands(buffers[0]!),
    discardCommands: () => core.discardCommands(buffers[1]!),
    record: () => core.record(buffers[2]!, () => undefined),
    destroy: () => destroy(world, entity),
    roots: () => queryVerbs.roots(world),
    children: () => queryVerbs.children(world, entity),
    removeAll: () => queryVerbs.removeAll(world, Position),
    query: () => queryVerbs.query(world, Position),
    each: () => queryVerbs.each(query, () => undefined),
    lookup: () => lookup(world, "a"),
    pathOf: () => pathOf(world, entity),
  };
}
