import { add, type Entity, has, observe, release, remove, spawn, spawnMany } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import { children, destroy, observeAbove } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Likes } from "../definitions.ts";
import { Any, ChildOf, Parent } from "../public/builtins.ts";
import { createWorld, tag } from "../public/define.ts";
import { hasObservers } from "../world-state.ts";
import {
  names,
  observeTeam,
  reported,
  setObservedWorld,
  spawnNamed,
  Team,
  takeReports,
  textOf,
  world,
} from "./observed-world.ts";

const Lit = tag("Lit");

beforeEach(setObservedWorld);

describe("observers", () => {
  let ship: Entity;
  let deck: Entity;

  beforeEach(() => {
    ship = spawnNamed("ship");
    deck = spawnNamed("deck", ChildOf(ship));
    spawnNamed("seat", ChildOf(deck));
  });

  it("of a tag are notified of it", () => {
    observeAbove(world, Lit, (event) => reported.push(textOf(event)));

    add(world, ship, Lit);
    remove(world, ship, Lit);

    expect(takeReports()).toEqual(["+deck of ship", "+seat of ship", "-deck of ship", "-seat of ship"]);
  });

  it("are called in order of registration, each for every event", () => {
    observeAbove(world, Team, ({ entity }) => reported.push(`first ${names.get(entity)}`));
    observeAbove(world, Team, ({ entity }) => reported.push(`second ${names.get(entity)}`));

    add(world, ship, Team);

    expect(takeReports()).toEqual(["first deck", "second deck", "first seat", "second seat"]);
  });

  it("may change the world: that is deferred until all are notified, and is reported in turn", () => {
    observeAbove(world, Team, ({ kind, entity }) => {
      if (kind === "added" && entity === deck) add(world, entity, Team);
    });
    observeTeam();

    add(world, ship, Team);

    expect(takeReports()).toEqual(["+deck of ship", "+seat of ship", "-seat of ship", "+seat of deck"]);
  });

  it("may destroy the entity that they are called with", () => {
    observeAbove(world, Team, ({ kind, entity }) => {
      if (kind === "added") destroy(world, entity);
    });
    observeTeam();

    add(world, ship, Team);

    expect(takeReports()).toEqual(["+deck of ship", "+seat of ship", "-seat of ship", "-deck of ship"]);
    expect(children(world, ship)).toEqual([]);
    expect(verify(world)).toEqual([]);
  });

  it("may stop themselves and others at once", () => {
    const stop = observeAbove(world, Team, ({ entity }) => {
      reported.push(`first ${names.get(entity)}`);
      stop();
      stopOther();
    });
    const stopOther = observeTeam();

    add(world, ship, Team);

    expect(takeReports()).toEqual(["first deck"]);
    expect(hasObservers(world)).toBe(false);
  });

  it("that throw do not stop others: the first error is thrown at the end", () => {
    observeAbove(world, Team, () => {
      throw new Error("no");
    });
    observeTeam();

    expect(() => add(world, ship, Team)).toThrow("no");

    expect(takeReports()).toEqual(["+deck of ship", "+seat of ship"]);
    expect(has(world, ship, Team)).toBe(true);
  });

  it("throw when they change a strict world", () => {
    const world = createWorld({ strict: true });
    const ship = spawn(world);
    spawn(world, ChildOf(ship));
    observeAbove(world, Team, ({ entity }) => add(world, entity, Lit));

    expect(codeOf(() => add(world, ship, Team))).toBe("iterating");
  });

  it("that have stopped cost nothing: there is no observer then", () => {
    const stops = [observeTeam(), observeTeam(), observeAbove(world, Lit, () => undefined)];

    for (const stop of stops) stop();
    for (const stop of stops) stop();
    add(world, ship, Team);

    expect(takeReports()).toEqual([]);
    expect(hasObservers(world)).toBe(false);
  });

  it("that come later know what the earlier ones were notified of", () => {
    const stop = observeTeam();
    add(world, ship, Team);
    takeReports();
    observeTeam();
    stop();

    remove(world, ship, Team);

    expect(takeReports()).toEqual(["-deck of ship", "-seat of ship"]);
  });

  it("that begin in the middle of a change miss nothing of it", () => {
    add(world, ship, Team);
    const stop = observe(world, { removed: Team }, () => {
      stop();
      observeTeam();
    });

    remove(world, ship, Team);
    expect(takeReports()).toEqual(["-deck of ship", "-seat of ship"]);
    add(world, ship, Team);

    expect(takeReports()).toEqual(["+deck of ship", "+seat of ship"]);
  });

  it("are notified by a tree twenty thousand deep", () => {
    let last = ship;
    for (let depth = 0; depth < 20_000; depth++) last = spawn(world, Parent(last));
    let count = 0;
    observeAbove(world, Team, () => count++);

    add(world, ship, Team);

    expect(count).toBe(20_002);
  });
});

describe("yieldExisting", () => {
  it("leaves no observer behind if its callback throws at once, or at the end", () => {
    const ship = spawn(world, Team);
    spawn(world, ChildOf(ship));
    let isSilent = false;
    const shout = (): void => {
      if (!isSilent) throw new Error("no");
    };

    expect(() => observeAbove(world, Team, shout, { yieldExisting: true })).toThrow("no");
    isSilent = true;
    const stop = observeAbove(world, Team, shout, { yieldExisting: true });
    isSilent = false;
    expect(stop).toThrow("no");

    expect(() => spawn(world, ChildOf(ship))).not.toThrow();
  });

  it("reports all entities that have a source now, and at the end all that have one then; once", () => {
    const ship = spawnNamed("ship", Team);
    const deck = spawnNamed("deck", ChildOf(ship), Team);
    spawnNamed("seat", Parent(deck));
    const cargo = spawnNamed("cargo", Parent(ship));

    const stop = observeTeam({ yieldExisting: true });
    expect(takeReports()).toEqual(["+deck of ship", "+cargo of ship", "+seat of deck"]);
    release(world, cargo);
    expect(takeReports()).toEqual(["-cargo of ship"]);
    stop();
    stop();
    spawnMany(world, 2, ChildOf(ship));

    expect(takeReports()).toEqual(["-deck of ship", "-seat of deck"]);
  });

  it("reports them only to the new observer", () => {
    const ship = spawnNamed("ship", Team);
    spawnNamed("deck", ChildOf(ship));
    observeTeam();

    observeAbove(world, Team, (event) => reported.push(`late ${textOf(event)}`), { yieldExisting: true })();

    expect(takeReports()).toEqual(["late +deck of ship", "late -deck of ship"]);
  });

  it("lets callbacks change the world: that is deferred until all are notified", () => {
    const ship = spawnNamed("ship", Team);
    const deck = spawnNamed("deck", ChildOf(ship));
    spawnNamed("seat", Parent(deck));
    observeAbove(
      world,
      Team,
      (event) => {
        reported.push(textOf(event));
        remove(world, ship, Team);
      },
      { yieldExisting: true },
    );

    expect(takeReports()).toEqual(["+deck of ship", "+seat of ship", "-deck of ship", "-seat of ship"]);
  });

  it("reports nothing twice at the end, whatever the callback does then", () => {
    const ship = spawnNamed("ship", Team);
    spawnNamed("seat", ChildOf(spawnNamed("deck", ChildOf(ship))));
    const stop = observeAbove(
      world,
      Team,
      (event) => {
        reported.push(textOf(event));
        if (event.kind === "added") return;
        stop();
        remove(world, ship, Team);
      },
      { yieldExisting: true },
    );
    takeReports();

    stop();

    expect(takeReports()).toEqual(["-deck of ship", "-seat of ship"]);
    expect(has(world, ship, Team)).toBe(false);
    expect(hasObservers(world)).toBe(false);
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
    expect(hasObservers(world)).toBe(false);
  });

  it("a callback that is not a function: bad-term", () => {
    expect(codeOf(() => observeAbove(world, Team, undefined as never))).toBe("bad-term");
    expect(hasObservers(world)).toBe(false);
  });
});
