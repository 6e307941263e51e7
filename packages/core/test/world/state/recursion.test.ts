import { beforeEach, describe, expect, it } from "vitest";
import { add, defer, emit, event, observe, release, remove, set, TreelineError } from "../../../src/index.ts";
import { ChildOf, Frozen, Likes, Lit, Position } from "../../definitions.ts";
import { dock, setShipAndDock, ship, spawn, world } from "../../fixture.ts";
import { get, has, verify } from "../../reading.ts";

const Ping = event("Ping");
const ignore = (): void => {};
let calls = 0;

beforeEach(() => {
  setShipAndDock();
  add(world, ship, Position({ x: 0 }));
  calls = 0;
});

function errorOf(act: () => unknown): TreelineError {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(TreelineError);
    return error as TreelineError;
  }
  throw new Error("not refused");
}

/** Changes whose observers make the next change, and so on. */
const ENDLESS: [title: string, start: () => unknown, gist: RegExp][] = [
  [
    "writes",
    () => {
      observe(world, { set: Position }, ({ entity }) => {
        calls++;
        set(world, entity, Position, { x: calls });
      });
      set(world, ship, Position, { x: 1 });
    },
    /-> set Position of .* -> set Position of /,
  ],
  [
    "writes, several in each observer",
    () => {
      observe(world, { set: Position }, ({ entity }) => {
        calls++;
        for (let at = 0; at < 5; at++) set(world, entity, Position, { x: calls });
      });
      set(world, ship, Position, { x: 1 });
    },
    /set Position/,
  ],
  [
    "custom events",
    () => {
      observe(world, { emitted: Ping }, ({ entity }) => {
        calls++;
        emit(world, entity, Ping);
      });
      emit(world, ship, Ping);
    },
    /emitted Ping of .* -> emitted Ping of /,
  ],
  [
    "structural changes",
    () => {
      observe(world, { added: Frozen, removed: Frozen }, ({ entity, kind }) => {
        calls++;
        if (kind === "added") remove(world, entity, Frozen);
        else add(world, entity, Frozen);
      });
      add(world, ship, Frozen);
    },
    /(added|removed) Frozen of .* -> (added|removed) Frozen of /,
  ],
  [
    "moves between two parents",
    () => {
      const other = spawn(world);
      observe(world, { added: ChildOf }, ({ entity, target }) => {
        calls++;
        add(world, entity, ChildOf(target === dock ? other : dock));
      });
      add(world, ship, ChildOf(dock));
    },
    /added ChildOf of /,
  ],
  [
    "spawns",
    () => {
      observe(world, { added: Lit }, () => {
        calls++;
        spawn(world, Lit);
      });
      spawn(world, Lit);
    },
    /added Lit of .* -> added Lit of /,
  ],
  [
    "changes that observers make after all others",
    () => {
      observe(
        world,
        { set: Position },
        ({ entity }) => {
          calls++;
          set(world, entity, Position, { x: calls });
        },
        { after: true },
      );
      set(world, ship, Position, { x: 1 });
    },
    /set Position of /,
  ],
];

describe("observers that change what they observe, without an end,", () => {
  it.each(ENDLESS)(
    "are stopped after 1,000 levels, or when the stack is full: %s: the error names the chain",
    (_, start, gist) => {
      const { code, message } = errorOf(start);

      expect(code).toBe("recursion");
      expect(message).toMatch(gist);
      expect(message).toMatch(/1000 levels deep/);
      expect(calls).toBeGreaterThan(300); // or the stack is full before
      expect(calls).toBeLessThan(1010);
      expect(verify(world)).toEqual([]);
    },
  );

  it.each(ENDLESS)("leave a world that can be used and is observed as before: %s", (_, start) => {
    errorOf(start);
    const seen: unknown[] = [];
    observe(world, { added: Likes }, ({ entity }) => seen.push(entity));

    add(world, ship, Likes(dock));

    expect([seen, has(world, ship, Likes(dock)), verify(world)]).toEqual([[ship], true, []]);
  });

  it("let the deferred changes that are left be made, and the entities that are left be spawned", () => {
    observe(world, { added: Lit }, () => {
      spawn(world, Lit);
      spawn(world, Position);
    });

    const { code } = errorOf(() =>
      defer(world, () => {
        spawn(world, Lit);
        add(world, dock, Frozen);
      }),
    );

    expect([code, has(world, dock, Frozen), verify(world)]).toEqual(["recursion", true, []]);
    release(world, ship);
    expect(verify(world)).toEqual([]);
  });
});

describe("observers whose changes come to an end", () => {
  it.each<[string, (levels: number) => void]>([
    [
      "writes",
      (levels) => {
        observe(world, { set: Position }, ({ entity }) => {
          if (get(world, entity, Position)!.x < levels) set(world, entity, Position, { x: ++calls });
        });
        set(world, ship, Position, { x: 0 });
      },
    ],
    [
      "spawns",
      (levels) => {
        observe(world, { added: Lit }, () => {
          if (++calls < levels) spawn(world, Lit);
        });
        spawn(world, Lit);
      },
    ],
  ])("may be 300 levels deep: %s", (_, start) => {
    start(300);

    expect(calls).toBe(300);
    expect(verify(world)).toEqual([]);
  });

  it("may be many, side by side: levels count, not changes", () => {
    observe(world, { added: Frozen }, ({ entity }) => add(world, entity, Lit));
    observe(world, { added: Lit }, ignore);
    const spawned = Array.from({ length: 3000 }, () => spawn(world));

    defer(world, () => {
      for (const one of spawned) add(world, one, Frozen);
    });

    expect(spawned.every((one) => has(world, one, Lit))).toBe(true);
  });

  it("may be many after all others", () => {
    observe(world, { added: Frozen }, ({ entity }) => add(world, entity, Lit), { after: true });
    observe(world, { added: Lit }, ignore);
    const spawned = Array.from({ length: 3000 }, () => spawn(world));

    defer(world, () => {
      for (const one of spawned) add(world, one, Frozen);
    });

    expect(spawned.every((one) => has(world, one, Lit))).toBe(true);
  });
});
