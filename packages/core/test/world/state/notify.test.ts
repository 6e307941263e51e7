import { describe, expect, it } from "vitest";
import { ANY } from "../../../src/id/definition.ts";
import { createWorld, type Entity, type EventKind, spawn, type WorldEvent } from "../../../src/index.ts";
import type { Listener } from "../../../src/world/state/event-list.ts";
import { beginDeferred, endDeferred } from "../../../src/world/state/lock.ts";
import { callListener, notify } from "../../../src/world/state/notify.ts";
import { addListeners } from "../../../src/world/verb/observe.ts";
import { Likes } from "../../definitions.ts";

function plant() {
  const world = createWorld();
  const [one, ship, dock] = [spawn(world), spawn(world), spawn(world)];
  const told: string[] = [];
  const hear = (name: string, kind: EventKind, target: number): Listener => ({
    kind,
    definition: Likes,
    target,
    call: () => told.push(name),
    isStopped: false,
  });
  const fact = (kind: EventKind, target: Entity): WorldEvent => ({
    kind,
    entity: one,
    definition: Likes,
    target,
    oldTarget: undefined,
    newTarget: undefined,
  });
  return { world, ship, dock, told, hear, fact };
}

describe("telling", () => {
  it("calls those who hear the kind and the target, in order of registration", () => {
    const { world, ship, dock, told, hear, fact } = plant();
    addListeners(world, [
      hear("dock", "added", dock),
      hear("any", "added", ANY),
      hear("ship", "added", ship),
      hear("removed", "removed", ANY),
    ]);

    notify(world, fact("added", ship));

    expect(told).toEqual(["any", "ship"]);
  });

  it("calls nobody who has stopped, also if that happened meanwhile", () => {
    const { world, ship, told, hear, fact } = plant();
    const second = hear("second", "added", ANY);
    const first = { ...hear("first", "added", ANY), call: () => (second.isStopped = true) };
    addListeners(world, [first, second]);

    notify(world, fact("added", ship));

    expect(told).toEqual([]);
  });

  it("is a visit for the listener, and keeps its error for the end of the outermost one", () => {
    const { world, ship, hear, fact } = plant();
    let deferDepth = 0;
    const broken = {
      ...hear("broken", "added", ANY),
      call: () => {
        deferDepth = world.deferDepth;
        throw new Error("mine");
      },
    };
    beginDeferred(world);

    callListener(world, broken, fact("added", ship));
    const kept = world.commands.errors.length;

    expect([deferDepth, kept, world.deferDepth]).toEqual([2, 1, 1]);
    expect(() => endDeferred(world, true)).toThrow("mine");
  });
});
