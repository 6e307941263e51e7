import { describe, expect, it } from "vitest";
import { createWorld, type Entity, type EventKind, spawn, type WorldEvent } from "../../../src/index.ts";
import type { Observer } from "../../../src/world/state/event-list.ts";
import { notify } from "../../../src/world/state/notify.ts";
import { Likes } from "../../definitions.ts";
import { ANY, addObservers, beginDeferred, callObserver, endDeferred } from "../../internal.ts";

function plant() {
  const world = createWorld();
  const [one, ship, dock] = [spawn(world), spawn(world), spawn(world)];
  const calls: string[] = [];
  const record = (name: string, kind: EventKind, target: number): Observer => ({
    kind,
    definition: Likes,
    target,
    call: () => calls.push(name),
    isStopped: false,
  });
  const event = (kind: EventKind, target: Entity): WorldEvent => ({
    kind,
    entity: one,
    definition: Likes,
    target,
    oldTarget: undefined,
    newTarget: undefined,
  });
  return { world, ship, dock, calls, record, event };
}

describe("notifying", () => {
  it("calls observers of the kind and the target, in order of registration", () => {
    const { world, ship, dock, calls, record, event } = plant();
    addObservers(world, [
      record("dock", "added", dock),
      record("any", "added", ANY),
      record("ship", "added", ship),
      record("removed", "removed", ANY),
    ]);

    notify(world, event("added", ship));

    expect(calls).toEqual(["any", "ship"]);
  });

  it("does not call stopped observers, also if they stopped meanwhile", () => {
    const { world, ship, calls, record, event } = plant();
    const second = record("second", "added", ANY);
    const first = { ...record("first", "added", ANY), call: () => (second.isStopped = true) };
    addObservers(world, [first, second]);

    notify(world, event("added", ship));

    expect(calls).toEqual([]);
  });

  it("is an iteration for the observer, and keeps its error for the end of the outermost one", () => {
    const { world, ship, record, event } = plant();
    let deferDepth = 0;
    const broken = {
      ...record("broken", "added", ANY),
      call: () => {
        deferDepth = world.deferDepth;
        throw new Error("mine");
      },
    };
    beginDeferred(world);

    callObserver(world, broken, event("added", ship));
    const kept = world.commands.errors.length;

    expect([deferDepth, kept, world.deferDepth]).toEqual([2, 1, 1]);
    expect(() => endDeferred(world, true)).toThrow("mine");
  });
});
