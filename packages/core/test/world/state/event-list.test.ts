import { describe, expect, it } from "vitest";
import { ANY, Is } from "../../../src/id/definition.ts";
import { Any, type EventKind } from "../../../src/index.ts";
import {
  Events,
  enroll,
  type Listener,
  listenersOf,
  OBSERVES,
  observedOf,
} from "../../../src/world/state/event-list.ts";
import { Frozen, Likes, Lit } from "../../definitions.ts";

function listener(definition: Listener["definition"], target = 0, kind: EventKind = "added"): Listener {
  return { kind, definition, target, call: () => undefined, isStopped: false };
}

describe("a list of observers", () => {
  it("is empty at first: there is no observer", () => {
    const events = new Events();

    expect([listenersOf(events, Frozen), observedOf(events, Frozen)]).toEqual([[], 0]);
    expect(events.byDefinition.size).toBe(0);
  });

  it("accepts many observers at once", () => {
    const events = new Events();

    enroll(
      events,
      Array.from({ length: 150_000 }, () => listener(Lit)),
    );

    expect(observedOf(events, Lit)).toBe(OBSERVES.added);
  });

  it("returns the observers that may match a definition, in order of registration", () => {
    const events = new Events();
    const all = [
      listener(Frozen),
      listener(Any),
      listener(Lit),
      listener(Likes, ANY),
      listener(Any, ANY),
      listener(Any, 7),
      listener(Is, 7),
    ];

    enroll(events, all);

    expect(listenersOf(events, Frozen)).toEqual([all[0], all[1]]);
    expect(listenersOf(events, Lit)).toEqual([all[1], all[2]]);
    expect(listenersOf(events, Likes)).toEqual([all[1], all[3], all[4], all[5]]);
    expect(listenersOf(events, Is)).toEqual([all[6]]);
  });

  it("depends on the kind too", () => {
    const events = new Events();
    enroll(events, [listener(Frozen, 0, "removed")]);

    expect([
      observedOf(events, Frozen) & OBSERVES.removed,
      observedOf(events, Frozen) & OBSERVES.added,
      observedOf(events, Lit) & OBSERVES.set,
    ]).toEqual([OBSERVES.removed, 0, 0]);
  });

  it("loses those that stop, at once and no others", () => {
    const events = new Events();
    const [first, second] = [listener(Frozen), listener(Frozen)];
    const leave = enroll(events, [first]);
    enroll(events, [second]);
    const before = listenersOf(events, Frozen);

    leave();

    expect([before, listenersOf(events, Frozen)]).toEqual([[first, second], [second]]);
    expect([first.isStopped, second.isStopped]).toEqual([true, false]);
  });

  it("is never changed but replaced, so that calls can go on while observers start and stop", () => {
    const events = new Events();
    const leave = enroll(events, [listener(Frozen)]);
    const calls = listenersOf(events, Frozen);

    leave();
    enroll(events, [listener(Frozen)]);

    expect(calls.length).toBe(1);
  });
});
