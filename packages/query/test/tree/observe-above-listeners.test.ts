import {
  Any,
  add,
  ChildOf,
  createWorld,
  type Entity,
  has,
  observe,
  Parent,
  release,
  remove,
  spawn,
  spawnMany,
  tag,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import { children, destroy, observeAbove } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Likes } from "../definitions.ts";
import { born, hear, names, news, setStage, Team, textOf, told, world } from "./hearing-above.ts";

const Lit = tag("Lit");

beforeEach(setStage);

describe("listeners", () => {
  let ship: Entity;
  let deck: Entity;

  beforeEach(() => {
    ship = born("ship");
    deck = born("deck", ChildOf(ship));
    born("seat", ChildOf(deck));
  });

  it("to a tag hear of it", () => {
    observeAbove(world, Lit, (event) => told.push(textOf(event)));

    add(world, ship, Lit);
    remove(world, ship, Lit);

    expect(news()).toEqual(["+deck of ship", "+seat of ship", "-deck of ship", "-seat of ship"]);
  });

  it("are called in order of registration, each for every event", () => {
    observeAbove(world, Team, ({ entity }) => told.push(`first ${names.get(entity)}`));
    observeAbove(world, Team, ({ entity }) => told.push(`second ${names.get(entity)}`));

    add(world, ship, Team);

    expect(news()).toEqual(["first deck", "second deck", "first seat", "second seat"]);
  });

  it("may change the world: that waits until all have been told, and is told in turn", () => {
    observeAbove(world, Team, ({ kind, entity }) => {
      if (kind === "added" && entity === deck) add(world, entity, Team);
    });
    hear();

    add(world, ship, Team);

    expect(news()).toEqual(["+deck of ship", "+seat of ship", "-seat of ship", "+seat of deck"]);
  });

  it("may destroy whom they are told of", () => {
    observeAbove(world, Team, ({ kind, entity }) => {
      if (kind === "added") destroy(world, entity);
    });
    hear();

    add(world, ship, Team);

    expect(news()).toEqual(["+deck of ship", "+seat of ship", "-seat of ship", "-deck of ship"]);
    expect(children(world, ship)).toEqual([]);
    expect(verify(world)).toEqual([]);
  });

  it("may stop themselves and others at once", () => {
    const stop = observeAbove(world, Team, ({ entity }) => {
      told.push(`first ${names.get(entity)}`);
      stop();
      stopOther();
    });
    const stopOther = hear();

    add(world, ship, Team);

    expect(news()).toEqual(["first deck"]);
    expect(world.events.listeners).toEqual([]);
  });

  it("that throw stop nobody: the first error is thrown in the end", () => {
    observeAbove(world, Team, () => {
      throw new Error("no");
    });
    hear();

    expect(() => add(world, ship, Team)).toThrow("no");

    expect(news()).toEqual(["+deck of ship", "+seat of ship"]);
    expect(has(world, ship, Team)).toBe(true);
  });

  it("throw when they change a strict world", () => {
    const world = createWorld({ strict: true });
    const ship = spawn(world);
    spawn(world, ChildOf(ship));
    observeAbove(world, Team, ({ entity }) => add(world, entity, Lit));

    expect(codeOf(() => add(world, ship, Team))).toBe("iterating");
  });

  it("that have stopped cost nothing: nobody listens then", () => {
    const stops = [hear(), hear(), observeAbove(world, Lit, () => undefined)];

    for (const stop of stops) stop();
    for (const stop of stops) stop();
    add(world, ship, Team);

    expect(news()).toEqual([]);
    expect(world.events.listeners).toEqual([]);
  });

  it("that come later know what the earlier ones were told", () => {
    const stop = hear();
    add(world, ship, Team);
    news();
    hear();
    stop();

    remove(world, ship, Team);

    expect(news()).toEqual(["-deck of ship", "-seat of ship"]);
  });

  it("that begin in the midst of a change miss nothing of it", () => {
    add(world, ship, Team);
    const stop = observe(world, { removed: Team }, () => {
      stop();
      hear();
    });

    remove(world, ship, Team);
    expect(news()).toEqual(["-deck of ship", "-seat of ship"]);
    add(world, ship, Team);

    expect(news()).toEqual(["+deck of ship", "+seat of ship"]);
  });

  it("are told by a tree a hundred thousand deep", () => {
    let last = ship;
    for (let depth = 0; depth < 100_000; depth++) last = spawn(world, Parent(last));
    let count = 0;
    observeAbove(world, Team, () => count++);

    add(world, ship, Team);

    expect(count).toBe(100_002);
  });
});

describe("yieldExisting", () => {
  it("leaves no listener behind if who is told at once, or in the end, throws", () => {
    const ship = spawn(world, Team);
    spawn(world, ChildOf(ship));
    let isQuiet = false;
    const shout = (): void => {
      if (!isQuiet) throw new Error("no");
    };

    expect(() => observeAbove(world, Team, shout, { yieldExisting: true })).toThrow("no");
    isQuiet = true;
    const stop = observeAbove(world, Team, shout, { yieldExisting: true });
    isQuiet = false;
    expect(stop).toThrow("no");

    expect(() => spawn(world, ChildOf(ship))).not.toThrow();
  });

  it("tells of everybody who has a holder now, and in the end of everybody who has one then; once", () => {
    const ship = born("ship", Team);
    const deck = born("deck", ChildOf(ship), Team);
    born("seat", Parent(deck));
    const cargo = born("cargo", Parent(ship));

    const stop = hear({ yieldExisting: true });
    expect(news()).toEqual(["+deck of ship", "+cargo of ship", "+seat of deck"]);
    release(world, cargo);
    expect(news()).toEqual(["-cargo of ship"]);
    stop();
    stop();
    spawnMany(world, 2, ChildOf(ship));

    expect(news()).toEqual(["-deck of ship", "-seat of deck"]);
  });

  it("tells it to the one who asks", () => {
    const ship = born("ship", Team);
    born("deck", ChildOf(ship));
    hear();

    observeAbove(world, Team, (event) => told.push(`late ${textOf(event)}`), { yieldExisting: true })();

    expect(news()).toEqual(["late +deck of ship", "late -deck of ship"]);
  });

  it("lets listeners change things: that waits until all are told", () => {
    const ship = born("ship", Team);
    const deck = born("deck", ChildOf(ship));
    born("seat", Parent(deck));
    observeAbove(
      world,
      Team,
      (event) => {
        told.push(textOf(event));
        remove(world, ship, Team);
      },
      { yieldExisting: true },
    );

    expect(news()).toEqual(["+deck of ship", "+seat of ship", "-deck of ship", "-seat of ship"]);
  });

  it("tells nothing twice in the end, whatever the listener does then", () => {
    const ship = born("ship", Team);
    born("seat", ChildOf(born("deck", ChildOf(ship))));
    const stop = observeAbove(
      world,
      Team,
      (event) => {
        told.push(textOf(event));
        if (event.kind === "added") return;
        stop();
        remove(world, ship, Team);
      },
      { yieldExisting: true },
    );
    news();

    stop();

    expect(news()).toEqual(["-deck of ship", "-seat of ship"]);
    expect(has(world, ship, Team)).toBe(false);
    expect(world.events.listeners).toEqual([]);
  });
});

describe("observeAbove refuses", () => {
  it.each<[string, () => unknown]>([
    ["a relation", () => Likes],
    ["a pair", () => Likes(spawn(world))],
    ["any", () => Any],
    ["an entity", () => spawn(world)],
    ["nothing", () => undefined],
  ])("%s: bad-term", (_, what) => {
    expect(codeOf(() => observeAbove(world, what() as never, () => undefined))).toBe("bad-term");
    expect(world.events.listeners).toEqual([]);
  });

  it("a listener that is none: bad-term", () => {
    expect(codeOf(() => observeAbove(world, Team, undefined as never))).toBe("bad-term");
    expect(world.events.listeners).toEqual([]);
  });
});
