import { beforeEach, describe, expect, it } from "vitest";
import { verify } from "../../../../src/debug.ts";
import {
  Any,
  add,
  component,
  createWorld,
  defer,
  type EmittedEvent,
  type Entity,
  emit,
  event,
  f32,
  get,
  has,
  isAlive,
  observe,
  release,
  remove,
  set,
  spawn,
  type World,
} from "../../../../src/index.ts";
import { codeOf } from "../../../code-of.ts";
import { Frozen } from "../../../definitions.ts";
import { createDice } from "../../../dice.ts";

const Hit = event<{ amount: number }>("Hit");
const Ping = event("Ping");
const Health = component("Health", { points: f32 });

let world: World;
let ship: Entity;
let told: unknown[];

beforeEach(() => {
  world = createWorld();
  ship = spawn(world, Health({ points: 10 }));
  told = [];
});

describe("emit", () => {
  it("tells who listens to the event: of whom, which event, and the value as it was given", () => {
    const value = { amount: 3 };
    observe(world, { emitted: Hit }, (heard) => told.push(heard));

    emit(world, ship, Hit, value);

    expect(told).toEqual([{ kind: "emitted", entity: ship, event: Hit, value }]);
    expect((told[0] as EmittedEvent).value).toBe(value);
  });

  it("tells of an event without value", () => {
    observe(world, { emitted: Ping }, ({ value }) => told.push(value));

    emit(world, ship, Ping);

    expect(told).toEqual([undefined]);
  });

  it("tells nobody who listens to another event of the same name", () => {
    observe(world, { emitted: event("Ping") }, () => told.push("other"));

    emit(world, ship, Ping);

    expect(told).toEqual([]);
  });

  it("tells who listens to Any of every event, and of nothing else", () => {
    observe(world, { emitted: Any }, (heard) => told.push(heard.event.name));

    emit(world, ship, Hit, { amount: 1 });
    add(world, ship, Frozen);
    emit(world, ship, Ping);

    expect(told).toEqual(["Hit", "Ping"]);
  });

  it("is not heard by who listens to Any of other kinds", () => {
    observe(world, { added: Any, removed: Any, set: Any }, () => told.push("fact"));

    emit(world, ship, Ping);

    expect(told).toEqual([]);
  });

  it("tells in the order of registration, before it returns", () => {
    observe(world, { emitted: Any }, () => told.push("first"));
    observe(world, { emitted: Ping }, () => told.push("second"));
    observe(world, { emitted: Any }, () => told.push("third"));

    emit(world, ship, Ping);

    expect(told).toEqual(["first", "second", "third"]);
  });

  it("is heard along with facts by one listener", () => {
    const stop = observe(world, { added: Frozen, emitted: Ping }, ({ kind }) => told.push(kind));

    add(world, ship, Frozen);
    emit(world, ship, Ping);
    stop();
    remove(world, ship, Frozen);
    add(world, ship, Frozen);
    emit(world, ship, Ping);

    expect(told).toEqual(["added", "emitted"]);
  });

  it("reaches the world it is told in, and no other", () => {
    const other = createWorld();
    observe(other, { emitted: Ping }, () => told.push("other world"));

    emit(world, ship, Ping);

    expect(told).toEqual([]);
  });

  it("leaves verbs on their quiet way: who listens to events alone is no listener to facts", () => {
    observe(world, { emitted: Any }, () => undefined);

    const { observed, observesAny, epoch } = world.events;
    expect({ observed, observesAny, epoch }).toEqual({
      observed: new Uint8Array(0),
      observesAny: 0,
      epoch: 0,
    });
  });
});

describe("emit inside a visit", () => {
  it("tells at once: listeners find the world as it is then", () => {
    observe(world, { emitted: Ping }, ({ entity }) => told.push(has(world, entity, Frozen)));

    defer(world, () => {
      add(world, ship, Frozen);
      emit(world, ship, Ping);
      expect(told).toEqual([false]);
    });

    expect(told).toEqual([false]);
  });

  it("is allowed in a strict world: it changes nothing", () => {
    const strict = createWorld({ strict: true });
    const one = spawn(strict);
    observe(strict, { emitted: Ping }, () => told.push("heard"));

    defer(strict, () => emit(strict, one, Ping));

    expect(told).toEqual(["heard"]);
  });

  it("tells of who was spawned there and has nothing yet", () => {
    observe(world, { emitted: Ping }, ({ entity }) =>
      told.push([isAlive(world, entity), has(world, entity, Frozen)]),
    );

    defer(world, () => emit(world, spawn(world, Frozen), Ping));

    expect(told).toEqual([[true, false]]);
  });
});

describe("listeners to events", () => {
  it("may change the world: that waits until all have been told", () => {
    observe(world, { emitted: Hit }, ({ entity }) => release(world, entity));
    observe(world, { emitted: Hit }, ({ entity }) => told.push(isAlive(world, entity)));

    emit(world, ship, Hit, { amount: 10 });

    expect(told).toEqual([true]);
    expect(isAlive(world, ship)).toBe(false);
    expect(verify(world)).toEqual([]);
  });

  it("may emit: that is told at once", () => {
    observe(world, { emitted: Hit }, ({ entity }) => {
      told.push("hit");
      emit(world, entity, Ping);
      told.push("hit is over");
    });
    observe(world, { emitted: Any }, ({ event: { name } }) => told.push(name));

    emit(world, ship, Hit, { amount: 1 });

    expect(told).toEqual(["hit", "Ping", "hit is over", "Hit"]);
  });

  it("write values at once", () => {
    observe(world, { emitted: Hit }, ({ entity, value }) => {
      set(world, entity, Health, { points: get(world, entity, Health)!.points - value.amount });
      told.push(get(world, entity, Health));
    });

    emit(world, ship, Hit, { amount: 3 });

    expect(told).toEqual([{ points: 7 }]);
  });

  it("may stop themselves, and others, at once", () => {
    const stop = observe(world, { emitted: Ping }, () => {
      told.push("first");
      stop();
      stopOther();
    });
    const stopOther = observe(world, { emitted: Ping }, () => told.push("second"));

    emit(world, ship, Ping);
    emit(world, ship, Ping);

    expect(told).toEqual(["first"]);
  });

  it("that come while an event is told hear the next one", () => {
    const stop = observe(world, { emitted: Ping }, () => {
      stop();
      observe(world, { emitted: Ping }, () => told.push("late"));
    });

    emit(world, ship, Ping);
    expect(told).toEqual([]);
    emit(world, ship, Ping);

    expect(told).toEqual(["late"]);
  });

  it("that throw stop nobody: the first error is thrown in the end", () => {
    for (const text of ["first", "second"]) {
      observe(world, { emitted: Ping }, () => {
        told.push(text);
        throw new Error(text);
      });
    }

    expect(() => emit(world, ship, Ping)).toThrow("first");
    expect(told).toEqual(["first", "second"]);
    expect(world.deferDepth).toBe(0);
  });

  it("are told nothing at first by yieldExisting, nor in the end", () => {
    observe(world, { emitted: Any }, () => told.push("told"), { yieldExisting: true })();

    expect(told).toEqual([]);
  });
});

describe("emit refuses", () => {
  it("the dead: dead-entity, and nobody is told", () => {
    observe(world, { emitted: Ping }, () => told.push("told"));
    release(world, ship);

    expect(codeOf(() => emit(world, ship, Ping))).toBe("dead-entity");
    expect(codeOf(() => emit(world, undefined as never, Ping))).toBe("dead-entity");
    expect(told).toEqual([]);
  });

  it.each([undefined, null, 5, "Ping", {}, Any, Frozen, Health])("%o as an event: bad-term", (what) => {
    expect(codeOf(() => emit(world, ship, what as never))).toBe("bad-term");
  });
});

describe("observe refuses", () => {
  it.each([null, 5, "Ping", {}, Frozen, Health, Health({ points: 1 })])(
    "%o as what is emitted: bad-term, and nobody listens then",
    (what) => {
      expect(codeOf(() => observe(world, { emitted: what as never }, () => undefined))).toBe("bad-term");
      expect(codeOf(() => observe(world, { emitted: what as never, added: Any }, () => undefined))).toBe(
        "bad-term",
      );
      expect(world.events.listeners).toEqual([]);
    },
  );

  it("a listener that is none: bad-term", () => {
    expect(codeOf(() => observe(world, { emitted: Ping }, undefined as never))).toBe("bad-term");
    expect(world.events.listeners).toEqual([]);
  });
});

describe("random listeners", () => {
  it.each([1, 2, 3])("hear what a plain list would tell them, seed %i", (seed) => {
    const dice = createDice(seed);
    const events = [Ping, event("A"), event("B")];
    const heard: string[] = [];
    const expected: string[] = [];
    const plain: { number: number; what: unknown; stop: () => void }[] = [];

    for (let step = 0; step < 400; step++) {
      const deed = plain.length < 3 ? 0 : dice.below(10);
      if (deed < 3) {
        const what = dice.pick([...events, Any]);
        const stop = observe(world, { emitted: what }, (one) => heard.push(`${step} ${one.event.name}`));
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

    expect(heard).toEqual(expected);
    expect(heard.length).toBeGreaterThan(100);
  });
});
