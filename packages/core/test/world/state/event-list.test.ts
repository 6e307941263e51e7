import { describe, expect, it } from "vitest";
import { Any, type EventKind } from "../../../src/index.ts";
import {
  Events,
  enroll,
  OBSERVES,
  type Observer,
  observedOf,
  observersOf,
} from "../../../src/world/state/event-list.ts";
import { Frozen, Likes, Lit } from "../../definitions.ts";
import { ANY, Is } from "../../internal.ts";

function observer(definition: Observer["definition"], target = 0, kind: EventKind = "added"): Observer {
  return { kind, definition, target, call: () => undefined, isStopped: false };
}

describe("a list of observers", () => {
  it("is empty at first: there is no observer", () => {
    const events = new Events();

    expect([observersOf(events, Frozen), observedOf(events, Frozen)]).toEqual([[], 0]);
    expect(events.byDefinition.size).toBe(0);
  });

  it("accepts many observers at once", () => {
    const events = new Events();

    enroll(
      events,
      Array.from({ length: 150_000 }, () => observer(Lit)),
    );

    expect(observedOf(events, Lit)).toBe(OBSERVES.added);
  });

  it("returns the observers that may match a definition, in order of registration", () => {
    const events = new Events();
    const all = [
      observer(Frozen),
      observer(Any),
      observer(Lit),
      observer(Likes, ANY),
      observer(Any, ANY),
      observer(Any, 7),
      observer(Is, 7),
    ];

    enroll(events, all);

    expect(observersOf(events, Frozen)).toEqual([all[0], all[1]]);
    expect(observersOf(events, Lit)).toEqual([all[1], all[2]]);
    expect(observersOf(events, Likes)).toEqual([all[1], all[3], all[4], all[5]]);
    expect(observersOf(events, Is)).toEqual([all[6]]);
  });

  it("depends on the kind too", () => {
    const events = new Events();
    enroll(events, [observer(Frozen, 0, "removed")]);

    expect([
      observedOf(events, Frozen) & OBSERVES.removed,
      observedOf(events, Frozen) & OBSERVES.added,
      observedOf(events, Lit) & OBSERVES.set,
    ]).toEqual([OBSERVES.removed, 0, 0]);
  });

  it("loses those that stop, at once and no others", () => {
    const events = new Events();
    const [first, second] = [observer(Frozen), observer(Frozen)];
    const leave = enroll(events, [first]);
    enroll(events, [second]);
    const before = observersOf(events, Frozen);

    leave();

    expect([before, observersOf(events, Frozen)]).toEqual([[first, second], [second]]);
    expect([first.isStopped, second.isStopped]).toEqual([true, false]);
  });

  it("is never changed but replaced, so that calls can go on while observers start and stop", () => {
    const events = new Events();
    const leave = enroll(events, [observer(Frozen)]);
    const calls = observersOf(events, Frozen);

    leave();
    enroll(events, [observer(Frozen)]);

    expect(calls.length).toBe(1);
  });
});
