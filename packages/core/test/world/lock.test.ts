import { describe, expect, it } from "vitest";
import { verify } from "../../src/debug.ts";
import {
  Any,
  add,
  ChildOf,
  clear,
  clone,
  component,
  createWorld,
  defer,
  type Entity,
  entityOf,
  f32,
  get,
  has,
  isAlive,
  locate,
  observe,
  Parent,
  pack,
  parentOf,
  read,
  relation,
  release,
  remove,
  type SpawnTerm,
  set,
  sourcesOf,
  spawn,
  spawnMany,
  tag,
  targetOf,
  targetsOf,
  type World,
  withHooks,
} from "../../src/index.ts";
import { enqueue, enterVisit, leaveVisit, mustQueue } from "../../src/world/lock.ts";
import { codeOf } from "../code-of.ts";
import { destroy } from "./destroy.ts";
import { livingTables, snapshot } from "./snapshot.ts";

const Position = component("Position", { x: f32 });
const Frozen = tag("Frozen");
const Lit = tag("Lit");
const Likes = relation("Likes");
const DockedTo = relation("DockedTo", { exclusive: true });
const Damage = relation("Damage", { fields: { amount: f32 } });
const Owns = relation("Owns", { onTargetDeath: "delete" });
const Refuser = withHooks(component<string>("Refuser"), {
  check: (_, __, value) => {
    if (value === "bad") throw new Error("refused");
  },
});

function start(strict = false): { world: World; ship: Entity; one: Entity } {
  const world = createWorld({ strict });
  const ship = spawn(world);
  return { world, ship, one: spawn(world, Position({ x: 1 }), ChildOf(ship)) };
}

type Act = (world: World, one: Entity, ship: Entity) => unknown;

const structural: [string, Act][] = [
  ["spawn", (world) => spawn(world)],
  ["spawnMany", (world) => spawnMany(world, 2, Position)],
  ["clone", (world, one) => clone(world, one)],
  ["add of a tag", (world, one) => add(world, one, Frozen)],
  ["add of a parent", (world, one, ship) => add(world, ship, ChildOf(spawn(world)), Position({ x: one }))],
  ["add of a parent as a value", (world, one, ship) => add(world, one, Parent(ship))],
  ["add of an exclusive pair", (world, one, ship) => add(world, one, DockedTo(ship))],
  ["remove", (world, one) => remove(world, one, Position)],
  ["remove of the parent", (world, one) => remove(world, one, ChildOf(Any))],
  ["set of what is not there", (world, _, ship) => set(world, ship, Position, { x: 2 })],
  ["clear", (world, one) => clear(world, one)],
  ["release", (world, one) => release(world, one)],
  ["pack", (world) => pack(world)],
  ["entityOf, first asked for", (world) => entityOf(world, Lit)],
];

describe("inside a visit of a strict world", () => {
  it.each(structural)("%s is refused as visiting, and changes nothing", (_, act) => {
    const { world, one, ship } = start(true);
    enterVisit(world);
    const before = snapshot(world);

    expect(codeOf(() => act(world, one, ship))).toBe("visiting");

    expect(snapshot(world)).toEqual(before);
    leaveVisit(world, true);
    expect(snapshot(world)).toEqual({ ...before, visits: 0 });
  });

  it("within another, changes are refused until the outermost one ends", () => {
    const { world } = start(true);
    enterVisit(world);
    enterVisit(world);
    leaveVisit(world, true);
    const inside = codeOf(() => spawn(world));

    leaveVisit(world, true);

    expect([inside, codeOf(() => spawn(world))]).toEqual(["visiting", undefined]);
  });

  it("a set of what is there is made at once", () => {
    const { world, one } = start(true);

    defer(world, () => {
      set(world, one, Position, { x: 5 });
      expect(get(world, one, Position)).toEqual({ x: 5 });
    });
  });

  it("a listener that changes something is refused, and the change it was told of is made", () => {
    const { world, one } = start(true);
    observe(world, { added: Frozen }, () => spawn(world));

    expect(codeOf(() => add(world, one, Frozen))).toBe("visiting");

    expect([has(world, one, Frozen), world.entities.alive, world.visits]).toEqual([true, 2, 0]);
  });
});

describe("inside a visit", () => {
  it.each(structural)("%s waits until it ends, and is as if called then", (_, act) => {
    const [now, later] = [start(), start()];
    act(now.world, now.one, now.ship);
    const before = livingTables(later.world);

    enterVisit(later.world);
    act(later.world, later.one, later.ship);
    const inside = livingTables(later.world);
    leaveVisit(later.world, true);

    expect(inside).toEqual(before);
    expect(livingTables(later.world)).toEqual(livingTables(now.world));
    expect([later.world.hasQueued, later.world.queue.commands, verify(later.world)]).toEqual([false, [], []]);
  });

  it("values may be read and written", () => {
    const { world, one, ship } = start();
    enterVisit(world);

    set(world, one, Position, { x: 5 });

    expect([get(world, one, Position)!.x, read(world, one, Position, { x: 0 })]).toEqual([5, true]);
    expect([has(world, one, Frozen), isAlive(world, one), parentOf(world, one)]).toEqual([false, true, ship]);
    expect([targetOf(world, one, DockedTo), locate(world, one, Position)!.columns.x.length > 0]).toEqual([
      undefined,
      true,
    ]);
    leaveVisit(world, true);
  });

  it("within another, changes wait until the outermost one ends", () => {
    const { world, one } = start();
    const seen: boolean[] = [];

    defer(world, () => {
      defer(world, () => add(world, one, Frozen));
      seen.push(has(world, one, Frozen));
    });

    expect([...seen, has(world, one, Frozen)]).toEqual([false, true]);
  });

  it("of one world, another world is changed at once", () => {
    const { world } = start();
    const other = createWorld();

    defer(world, () => {
      expect(has(other, spawn(other, Frozen), Frozen)).toBe(true);
    });
  });

  it.each<[string, string, (world: World, one: Entity, dead: Entity) => unknown]>([
    ["a dead entity", "dead-entity", (world, _, dead) => add(world, dead, Frozen)],
    ["a dead target", "dead-entity", (world, one, dead) => add(world, one, Likes(dead))],
    ["a dead parent", "dead-entity", (world, _, dead) => spawn(world, ChildOf(dead))],
    ["a dead parent of many", "dead-entity", (world, _, dead) => spawnMany(world, 2, Parent(dead))],
    ["a dead entity to be cleared", "dead-entity", (world, _, dead) => clear(world, dead)],
    ["a dead entity to be cloned", "dead-entity", (world, _, dead) => clone(world, dead)],
    [
      "a dead target of a clone",
      "dead-entity",
      (world, one, dead) => clone(world, one, { with: [Likes(dead)] }),
    ],
    ["a dead entity to lose something", "dead-entity", (world, _, dead) => remove(world, dead, Frozen)],
    ["a dead entity to be set", "dead-entity", (world, _, dead) => set(world, dead, Position, { x: 1 })],
    ["a wildcard", "bad-term", (world, one) => add(world, one, Likes(Any) as never)],
    ["a tag twice", "bad-term", (world, one) => add(world, one, Frozen, Frozen)],
    ["a tag twice at birth", "bad-term", (world) => spawn(world, Frozen, Frozen)],
    ["no term at all", "bad-term", (world, one) => add(world, one, undefined as never)],
    ["a bad value", "bad-value", (world, one) => add(world, one, Position({ x: "1" as never }))],
    ["a bad value of a set", "bad-value", (world, one) => set(world, one, Position, { x: "1" as never })],
    ["a bad number of births", "bad-value", (world) => spawnMany(world, -1)],
  ])("what cannot be right is refused at the call: %s", (_, code, act) => {
    const { world, one } = start();
    const dead = spawn(world);
    release(world, dead);
    const before = snapshot(world);

    const inside = defer(world, () => codeOf(() => act(world, one, dead)));

    expect(inside).toBe(code);
    expect(snapshot(world)).toEqual(before);
  });
});

describe("defer", () => {
  it("gives what the function returns", () => {
    const { world } = start();

    expect(defer(world, () => "done")).toBe("done");
    expect(defer(createWorld({ strict: true }), () => 5)).toBe(5);
  });

  it("makes the changes in the order of issue", () => {
    const { world, one } = start();
    const told: unknown[] = [];
    observe(world, { added: Any, removed: Any }, ({ kind, definition, entity }) => {
      told.push([kind, definition.name, entity === one]);
    });

    defer(world, () => {
      add(world, one, Frozen);
      remove(world, one, Position);
      spawn(world, Lit);
      remove(world, one, Frozen);
    });

    expect(told).toEqual([
      ["added", "Frozen", true],
      ["removed", "Position", true],
      ["added", "Lit", false],
      ["removed", "Frozen", true],
    ]);
  });

  it("makes changes that changes lead to, behind all that wait, before it ends", () => {
    const { world, one, ship } = start();
    const told: string[] = [];
    observe(world, { added: Frozen }, ({ entity }) => {
      told.push("frozen");
      add(world, entity, Lit);
    });
    observe(world, { added: Lit }, () => told.push("lit"));
    observe(world, { removed: Position }, () => told.push("no position"));

    defer(world, () => {
      add(world, one, Frozen);
      remove(world, one, Position);
    });

    expect(told).toEqual(["frozen", "no position", "lit"]);
    expect([has(world, one, Lit), has(world, ship, Lit)]).toEqual([true, false]);
  });

  it("lets a value that was given be changed by the caller afterwards", () => {
    const { world } = start();
    const scratch = { x: 0 };
    const crowd = spawnMany(world, 3);

    const born = defer(world, () =>
      crowd.map((one) => {
        scratch.x++;
        add(world, one, Position(scratch));
        set(world, one, Position, scratch);
        return [spawn(world, Position(scratch)), ...spawnMany(world, 1, Position(scratch))];
      }),
    );

    expect(crowd.map((one) => get(world, one, Position)!.x)).toEqual([1, 2, 3]);
    expect(born.map((pair) => pair.map((one) => get(world, one, Position)!.x))).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  it("keeps the order of siblings that of issue, whatever the storage", () => {
    const { world, ship, one } = start();

    const born = defer(world, () => [
      spawn(world, ChildOf(ship)),
      spawn(world, Parent(ship), Frozen),
      ...spawnMany(world, 2, ChildOf(ship), Lit),
      clone(world, one),
    ]);

    expect(sourcesOf(world, ship, ChildOf)).toEqual([one, ...born]);
  });

  it("of a removal and an addition of the same parent puts the child behind its siblings, and no more", () => {
    const { world, ship, one } = start();
    const other = spawn(world, ChildOf(ship));

    defer(world, () => {
      remove(world, one, ChildOf(ship));
      add(world, one, ChildOf(ship));
    });

    expect(sourcesOf(world, ship, ChildOf)).toEqual([other, one]);
    expect(get(world, one, Position)).toEqual({ x: 1 });
  });

  it.each([[[0, 1, 2]], [[0, 2, 1]], [[1, 0, 2]], [[1, 2, 0]], [[2, 0, 1]], [[2, 1, 0]]])(
    "of a reparent, a removal and a set ends as if they were made one by one, in the order %j",
    (order) => {
      const [now, later] = [start(), start()];
      const acts: Act[] = [
        (world, one, ship) => add(world, one, Parent(sourcesOf(world, ship, ChildOf)[1]!)),
        (world, one) => remove(world, one, Frozen),
        (world, one) => set(world, one, Position, { x: 9 }),
      ];
      for (const { world, one, ship } of [now, later]) {
        spawn(world, ChildOf(ship));
        add(world, one, Frozen);
      }

      for (const at of order) acts[at]!(now.world, now.one, now.ship);
      defer(later.world, () => {
        for (const at of order) acts[at]!(later.world, later.one, later.ship);
      });

      expect(livingTables(later.world)).toEqual(livingTables(now.world));
      expect(get(later.world, later.one, Position)).toEqual({ x: 9 });
    },
  );

  it("of two reparents ends with the last parent", () => {
    const { world, one } = start();
    const [dock, station] = [spawn(world), spawn(world)];

    defer(world, () => {
      add(world, one, ChildOf(dock));
      add(world, one, Parent(station));
    });

    expect([parentOf(world, one), has(world, one, Parent(station))]).toEqual([station, true]);
  });

  it("is done with all changes when it ends, a hundred thousand of them too", () => {
    const { world } = start();

    const born = defer(world, () => Array.from({ length: 100_000 }, (_, x) => spawn(world, Position({ x }))));

    expect(get(world, born.at(-1)!, Position)).toEqual({ x: 99_999 });
    expect(world.queue.commands).toEqual([]);
  });
});

describe("what waits for an entity that dies meanwhile", () => {
  it.each<[string, Act]>([
    ["add", (world, one) => add(world, one, Frozen)],
    ["remove", (world, one) => remove(world, one, Position)],
    ["remove of the parent", (world, one) => remove(world, one, ChildOf(Any))],
    ["a set", (world, one) => set(world, one, Position, { x: 5 })],
    ["a set of what is not there", (world, one) => set(world, one, Refuser, "good")],
    ["clear", (world, one) => clear(world, one)],
    ["release", (world, one) => release(world, one)],
    ["a pair", (world, one, ship) => add(world, one, Likes(ship))],
  ])("is dropped: %s", (_, act) => {
    const { world, one, ship } = start();

    defer(world, () => {
      release(world, one);
      act(world, one, ship);
    });

    expect([isAlive(world, one), isAlive(world, ship), verify(world)]).toEqual([false, true, []]);
  });

  it("does not hit whoever is born with the same index", () => {
    const { world } = start();
    for (const one of spawnMany(world, 5000)) release(world, one);
    const victims = spawnMany(world, 50);

    const born = defer(world, () => {
      for (const victim of victims) release(world, victim);
      const later = spawnMany(world, 900);
      for (const victim of victims) add(world, victim, Frozen);
      return later;
    });

    expect(born.some((one) => has(world, one, Frozen))).toBe(false);
  });

  it("is dropped for a clone too: it is dead then", () => {
    const { world, one } = start();

    const copy = defer(world, () => {
      release(world, one);
      return clone(world, one);
    });

    expect([isAlive(world, copy), verify(world)]).toEqual([false, []]);
  });
});

/** Issues a change while the target of its pair lives, and lets the target die before the change is made. */
function afterDeathOf(world: World, target: Entity, issue: () => Entity[]): Entity[] {
  return defer(world, () => {
    release(world, target);
    return issue();
  });
}

describe("a pair whose target dies before it is made", () => {
  const births: [string, (world: World, ...terms: SpawnTerm[]) => Entity[]][] = [
    ["spawn", (world, ...terms) => [spawn(world, ...terms)]],
    ["spawnMany", (world, ...terms) => spawnMany(world, 2, ...terms)],
    [
      "add",
      (world, ...terms) => {
        const one = spawn(world);
        add(world, one, ...terms);
        return [one];
      },
    ],
    ["clone", (world, ...terms) => [clone(world, spawn(world), { with: terms })]],
  ];

  it.each(births)("is left out, and the rest is done: %s", (_, give) => {
    const { world } = start();
    const [dead, alive] = [spawn(world), spawn(world)];

    const made = afterDeathOf(world, dead, () =>
      give(world, Frozen, Likes(dead), Likes(alive), Position({ x: 3 }), dead),
    );

    for (const one of made) {
      expect([isAlive(world, one), has(world, one, Frozen), get(world, one, Position)]).toEqual([
        true,
        true,
        { x: 3 },
      ]);
      expect(targetsOf(world, one, Likes)).toEqual([alive]);
    }
    expect(verify(world)).toEqual([]);
  });

  it.each(births)("lets the entity die if its relation deletes: %s", (_, give) => {
    for (const Relation of [ChildOf, Parent, Owns]) {
      const { world, ship } = start();
      const dead = spawn(world);
      const { alive } = world.entities;

      const made = afterDeathOf(world, dead, () => give(world, Frozen, Relation(dead)));

      expect(made.map((one) => isAlive(world, one))).toEqual(made.map(() => false));
      expect([isAlive(world, ship), verify(world)]).toEqual([true, []]);
      expect(world.entities.alive).toBeLessThanOrEqual(alive);
    }
  });

  it.each(births)("alone is left out in a world that drops dead parents: %s", (_, give) => {
    for (const Relation of [ChildOf, Parent, Owns]) {
      const world = createWorld({ deadParent: "drop" });
      const dead = spawn(world);

      const made = afterDeathOf(world, dead, () => give(world, Frozen, Relation(dead)));

      for (const one of made)
        expect([has(world, one, Frozen), has(world, one, Any(Any))]).toEqual([true, false]);
      expect(verify(world)).toEqual([]);
    }
  });

  it("lets an entity die with everything below it, when a reparent was waiting", () => {
    const { world, one, ship } = start();
    const below = spawn(world, Parent(one));
    const dead = spawn(world);

    afterDeathOf(world, dead, () => {
      add(world, one, ChildOf(dead));
      return [];
    });

    expect([one, below, ship].map((entity) => isAlive(world, entity))).toEqual([false, false, true]);
  });

  it("leaves a child where it was, in a world that drops dead parents", () => {
    const world = createWorld({ deadParent: "drop" });
    const [ship, dead] = [spawn(world), spawn(world)];
    const [typed, loose] = [spawn(world, ChildOf(ship)), spawn(world, Parent(ship))];

    afterDeathOf(world, dead, () => {
      add(world, typed, ChildOf(dead));
      add(world, loose, Parent(dead), Frozen);
      return [];
    });

    expect([parentOf(world, typed), parentOf(world, loose), has(world, loose, Frozen)]).toEqual([
      ship,
      ship,
      true,
    ]);
  });

  it("dies with its parent when the child came first: both orders end the same", () => {
    const { world } = start();
    const [first, second] = [spawn(world), spawn(world)];

    const [before, after] = defer(world, () => {
      const child = spawn(world, ChildOf(first));
      destroy(world, first);
      destroy(world, second);
      return [child, spawn(world, ChildOf(second))];
    }) as [Entity, Entity];

    expect([before, after].map((one) => isAlive(world, one))).toEqual([false, false]);
    expect(verify(world)).toEqual([]);
  });

  it("is not made when a waiting set asks for it", () => {
    const { world, one } = start();
    const dead = spawn(world);

    afterDeathOf(world, dead, () => {
      set(world, one, Damage(dead), { amount: 1 });
      return [];
    });

    expect([has(world, one, Damage(Any)), isAlive(world, one)]).toEqual([false, true]);
  });

  it("counts as dead also if its index lives again", () => {
    const { world, one } = start();
    for (const old of spawnMany(world, 5000)) release(world, old);
    const dead = spawn(world);

    defer(world, () => {
      release(world, dead);
      const born = spawnMany(world, 5000);
      add(world, one, Likes(dead));
      return born;
    });

    expect(has(world, one, Likes(Any))).toBe(false);
  });
});

describe("a refused command", () => {
  it("changes nothing, the others are made, and its error is thrown at the end", () => {
    const { world, one, ship } = start();
    const seen: string[] = [];

    const code = codeOf(() =>
      defer(world, () => {
        add(world, one, Frozen);
        add(world, ship, ChildOf(one), Lit);
        add(world, ship, Frozen);
        seen.push("all issued");
      }),
    );

    expect([code, seen]).toEqual(["cycle", ["all issued"]]);
    expect([one, ship].map((entity) => has(world, entity, Frozen))).toEqual([true, true]);
    expect([has(world, ship, Lit), parentOf(world, ship), verify(world)]).toEqual([false, undefined, []]);
  });

  it("is told of once: the first of several", () => {
    const { world, one, ship } = start();

    const code = codeOf(() =>
      defer(world, () => {
        release(world, ship);
        add(world, ship, ChildOf(one));
      }),
    );

    expect(code).toBe("still-a-target");
    expect(codeOf(() => defer(world, () => spawn(world)))).toBeUndefined();
  });

  it("that was a birth leaves a dead handle, and nothing else", () => {
    const { world } = start();
    const before = world.entities.alive;
    const born: Entity[] = [];

    expect(() =>
      defer(world, () => {
        born.push(spawn(world, Refuser("bad")), ...spawnMany(world, 3, Refuser("bad")));
        add(world, born[0]!, Frozen);
      }),
    ).toThrow("refused");

    expect(born.map((one) => isAlive(world, one))).toEqual([false, false, false, false]);
    expect([world.entities.alive, verify(world)]).toEqual([before, []]);
  });

  it("does not keep what waits behind it from its target: the target is dead then", () => {
    const { world, one } = start();

    expect(() =>
      defer(world, () => {
        const born = spawn(world, Refuser("bad"));
        add(world, one, Likes(born), Frozen);
        spawn(world, ChildOf(born));
      }),
    ).toThrow("refused");

    expect([has(world, one, Frozen), has(world, one, Likes(Any)), world.entities.alive]).toEqual([
      true,
      false,
      2,
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("leaves the world open to changes", () => {
    const { world, one, ship } = start();
    codeOf(() => defer(world, () => add(world, ship, ChildOf(one))));

    expect([world.visits, world.hasQueued, world.queue.commands, world.queue.errors]).toEqual([
      0,
      false,
      [],
      [],
    ]);
    expect(codeOf(() => add(world, one, Frozen))).toBeUndefined();
  });
});

describe("a visitor that throws", () => {
  it("has made what it had queued until then, and its own error is thrown", () => {
    const { world, one, ship } = start();

    expect(() =>
      defer(world, () => {
        add(world, one, Frozen);
        add(world, ship, ChildOf(one));
        throw new Error("mine");
      }),
    ).toThrow("mine");

    expect([has(world, one, Frozen), parentOf(world, ship), world.visits]).toEqual([true, undefined, 0]);
    expect(codeOf(() => spawn(world))).toBeUndefined();
  });

  it("inside another that goes on leaves both their changes to the outermost end", () => {
    const { world, one } = start();

    defer(world, () => {
      try {
        defer(world, () => {
          add(world, one, Frozen);
          throw new Error("caught");
        });
      } catch {}
      expect(has(world, one, Frozen)).toBe(false);
      add(world, one, Lit);
    });

    expect([has(world, one, Frozen), has(world, one, Lit)]).toEqual([true, true]);
  });
});

describe("the queue", () => {
  it("is for callers inside visits", () => {
    const world = createWorld();
    const outside = mustQueue(world);
    enterVisit(world);
    const inside = mustQueue(world);
    leaveVisit(world, true);

    expect([outside, inside, mustQueue(world)]).toEqual([false, true, false]);
  });

  it("is worked off once, also if a command visits itself", () => {
    const world = createWorld();
    const done: string[] = [];
    defer(world, () => {
      enqueue(world, 0, () => {
        defer(world, () => {
          enqueue(world, 0, () => done.push("third"));
        });
        done.push("first");
      });
      enqueue(world, 0, () => done.push("second"));
    });

    expect(done).toEqual(["first", "second", "third"]);
  });
});
