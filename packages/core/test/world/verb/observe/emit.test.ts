import { beforeEach, describe, expect, it } from "vitest";
import { add, defer, type EmittedEvent, emit, observe, release, remove, set } from "../../../../src/index.ts";
import { component, event, f32 } from "../../../defining.ts";
import { Any, Frozen } from "../../../definitions.ts";
import { createDice, seeds } from "../../../dice.ts";
import { createWorld, type Entity, spawn, type World } from "../../../fixture.ts";
import { codeOf, get, has, isAlive, verify } from "../../../reading.ts";

const Hit = event<{ amount: number }>("Hit");
const Ping = event("Ping");
const Health = component("Health", { points: f32 });

let world: World;
let ship: Entity;
let calls: unknown[];

beforeEach(() => {
  world = createWorld();
  ship = spawn(world, Health({ points: 10 }));
  calls = [];
});

describe("emit", () => {
  it("notifies observers of the event: with the entity, the event, and the given value", () => {
    const value = { amount: 3 };
    observe(world, { emitted: Hit }, (event) => calls.push(event));

    emit(world, ship, Hit, value);

    expect(calls).toEqual([{ kind: "emitted", entity: ship, event: Hit, value }]);
    expect((calls[0] as EmittedEvent).value).toBe(value);
  });

  it("reports an event without value", () => {
    observe(world, { emitted: Ping }, ({ value }) => calls.push(value));

    emit(world, ship, Ping);

    expect(calls).toEqual([undefined]);
  });

  it("does not notify observers of another event of the same name", () => {
    observe(world, { emitted: event("Ping") }, () => calls.push("other"));

    emit(world, ship, Ping);

    expect(calls).toEqual([]);
  });

  it("notifies observers of Any of every event, and of nothing else", () => {
    observe(world, { emitted: Any }, (event) => calls.push(event.event.name));

    emit(world, ship, Hit, { amount: 1 });
    add(world, ship, Frozen);
    emit(world, ship, Ping);

    expect(calls).toEqual(["Hit", "Ping"]);
  });

  it("does not notify observers of Any of other kinds", () => {
    observe(world, { added: Any, removed: Any, set: Any }, () => calls.push("fact"));

    emit(world, ship, Ping);

    expect(calls).toEqual([]);
  });

  it("notifies in the order of registration, before it returns", () => {
    observe(world, { emitted: Any }, () => calls.push("first"));
    observe(world, { emitted: Ping }, () => calls.push("second"));
    observe(world, { emitted: Any }, () => calls.push("third"));

    emit(world, ship, Ping);

    expect(calls).toEqual(["first", "second", "third"]);
  });

  it("notifies one observer of both events and changes", () => {
    const stop = observe(world, { added: Frozen, emitted: Ping }, ({ kind }) => calls.push(kind));

    add(world, ship, Frozen);
    emit(world, ship, Ping);
    stop();
    remove(world, ship, Frozen);
    add(world, ship, Frozen);
    emit(world, ship, Ping);

    expect(calls).toEqual(["added", "emitted"]);
  });

  it("notifies observers of its own world, and no other", () => {
    const other = createWorld();
    observe(other, { emitted: Ping }, () => calls.push("other world"));

    emit(world, ship, Ping);

    expect(calls).toEqual([]);
  });

  it("leaves verbs on their unobserved path: an observer of events alone is not an observer of changes", () => {
    observe(world, { emitted: Any }, () => undefined);

    const { observed, observesAny, epoch } = world.events;
    expect({ observed, observesAny, epoch }).toEqual({
      observed: new Uint8Array(0),
      observesAny: 0,
      epoch: 0,
    });
  });
});

describe("emit inside an iteration", () => {
  it("notifies at once: observers find the world as it is then", () => {
    observe(world, { emitted: Ping }, ({ entity }) => calls.push(has(world, entity, Frozen)));

    defer(world, () => {
      add(world, ship, Frozen);
      emit(world, ship, Ping);
      expect(calls).toEqual([false]);
    });

    expect(calls).toEqual([false]);
  });

  it("is allowed in a strict world: it changes nothing", () => {
    const strict = createWorld({ strict: true });
    const one = spawn(strict);
    observe(strict, { emitted: Ping }, () => calls.push("observed"));

    defer(strict, () => emit(strict, one, Ping));

    expect(calls).toEqual(["observed"]);
  });

  it("reports an entity that was spawned there and is pending", () => {
    observe(world, { emitted: Ping }, ({ entity }) =>
      calls.push([isAlive(world, entity), has(world, entity, Frozen)]),
    );

    defer(world, () => emit(world, spawn(world, Frozen), Ping));

    expect(calls).toEqual([[true, true]]);
  });
});

describe("observers of events", () => {
  it("may change the world: that is deferred until all have been called", () => {
    observe(world, { emitted: Hit }, ({ entity }) => release(world, entity));
    observe(world, { emitted: Hit }, ({ entity }) => calls.push(isAlive(world, entity)));

    emit(world, ship, Hit, { amount: 10 });

    expect(calls).toEqual([true]);
    expect(isAlive(world, ship)).toBe(false);
    expect(verify(world)).toEqual([]);
  });

  it("may emit: that is reported at once", () => {
    observe(world, { emitted: Hit }, ({ entity }) => {
      calls.push("hit");
      emit(world, entity, Ping);
      calls.push("hit is over");
    });
    observe(world, { emitted: Any }, ({ event: { name } }) => calls.push(name));

    emit(world, ship, Hit, { amount: 1 });

    expect(calls).toEqual(["hit", "Ping", "hit is over", "Hit"]);
  });

  it("write values at once", () => {
    observe(world, { emitted: Hit }, ({ entity, value }) => {
      set(world, entity, Health, { points: get(world, entity, Health)!.points - value.amount });
      calls.push(get(world, entity, Health));
    });

    emit(world, ship, Hit, { amount: 3 });

    expect(calls).toEqual([{ points: 7 }]);
  });

  it("may stop themselves, and others, at once", () => {
    const stop = observe(world, { emitted: Ping }, () => {
      calls.push("first");
      stop();
      stopOther();
    });
    const stopOther = observe(world, { emitted: Ping }, () => calls.push("second"));

    emit(world, ship, Ping);
    emit(world, ship, Ping);

    expect(calls).toEqual(["first"]);
  });

  it("that start while an event is reported are called for the next one", () => {
    const stop = observe(world, { emitted: Ping }, () => {
      stop();
      observe(world, { emitted: Ping }, () => calls.push("late"));
    });

    emit(world, ship, Ping);
    expect(calls).toEqual([]);
    emit(world, ship, Ping);

    expect(calls).toEqual(["late"]);
  });

  it("that throw stop no others: the first error is thrown in the end", () => {
    for (const text of ["first", "second"]) {
      observe(world, { emitted: Ping }, () => {
        calls.push(text);
        throw new Error(text);
      });
    }

    expect(() => emit(world, ship, Ping)).toThrow("first");
    expect(calls).toEqual(["first", "second"]);
    expect(world.deferDepth).toBe(0);
  });

  it("are not called at first by yieldExisting, nor in the end", () => {
    observe(world, { emitted: Any }, () => calls.push("told"), { yieldExisting: true })();

    expect(calls).toEqual([]);
  });
});

describe("emit refuses", () => {
  it("entities that are not alive: dead-entity, and no observer is notified", () => {
    observe(world, { emitted: Ping }, () => calls.push("told"));
    release(world, ship);

    expect(codeOf(() => emit(world, ship, Ping))).toBe("dead-entity");
    expect(codeOf(() => emit(world, undefined as never, Ping))).toBe("dead-entity");
    expect(calls).toEqual([]);
  });

  it.each([undefined, null, 5, "Ping", {}, Any, Frozen, Health])("%o as an event: bad-term", (what) => {
    expect(codeOf(() => emit(world, ship, what as never))).toBe("bad-term");
  });
});

describe("observe refuses", () => {
  it.each([null, 5, "Ping", {}, Frozen, Health, Health({ points: 1 })])(
    "%o as what is emitted: bad-term, and there is no observer then",
    (what) => {
      expect(codeOf(() => observe(world, { emitted: what as never }, () => undefined))).toBe("bad-term");
      expect(codeOf(() => observe(world, { emitted: what as never, added: Any }, () => undefined))).toBe(
        "bad-term",
      );
      expect(world.events.observers).toEqual([]);
    },
  );

  it("an observer that is not a function: bad-term", () => {
    expect(codeOf(() => observe(world, { emitted: Ping }, undefined as never))).toBe("bad-term");
    expect(world.events.observers).toEqual([]);
  });
});

describe("random observers", () => {
  it.each(seeds(1, 3))("are called as by a plain list, seed %i", (seed) => {
    const dice = createDice(seed);
    const events = [Ping, event("A"), event("B")];
    const received: string[] = [];
    const expected: string[] = [];
    const plain: { number: number; what: unknown; stop: () => void }[] = [];

    for (let step = 0; step < 400; step++) {
      const deed = plain.length < 3 ? 0 : dice.below(10);
      if (deed < 3) {
        const what = dice.pick([...events, Any]);
        const stop = observe(world, { emitted: what }, (one) => received.push(`${step} ${one.event.name}`));
        plain.push({ number: step, what, stop });
      } else if (deed < 5) plain.splice(dice.below(plain.length), 1)[0]!.stop();
      else {
        const what = dice.pick(events);
        emit(world, ship, what);
        for (const one of plain) {
          if (one.what === what || one.what === Any) expected.push(`${one.number} ${what.name}`);
        }
      }
    }

    expect(received).toEqual(expected);
    expect(received.length).toBeGreaterThan(100);
  });
});
