import { beforeEach, describe, expect, it } from "vitest";
import { removeFromAll } from "../src/cleanup/remove-all.ts";
import { verify } from "../src/debug.ts";
import { indexOf } from "../src/id/entity.ts";
import {
  Any,
  add,
  ChildOf,
  clear,
  component,
  createWorld,
  defer,
  type Entity,
  entityOf,
  get,
  has,
  isAlive,
  OrderedChildren,
  observe,
  Parent,
  parentOf,
  relation,
  release,
  remove,
  sourcesOf,
  spawn,
  spawnMany,
  tag,
  targetOf,
  type World,
  withHooks,
} from "../src/index.ts";
import { depthAt } from "../src/world/targets.ts";
import { questionOf } from "../src/world/terms.ts";
import { codeOf } from "./code-of.ts";
import { destroy } from "./world/destroy.ts";
import { snapshot } from "./world/snapshot.ts";

/** What another engine of this kind gets wrong, or gives up, by its own documents or by experiment. */

const Frozen = tag("Frozen");
const Label = component<string>("Label");
const Likes = relation("Likes");
const Owns = relation("Owns", { onTargetDeath: "delete" });
const storages = [
  ["ChildOf", ChildOf],
  ["Parent", Parent],
] as const;

let world: World;
let a: Entity;
let b: Entity;

beforeEach(() => {
  world = createWorld();
  [a, b] = [spawn(world), spawn(world)];
});

/** Everything told of parents: "-a" and "+b" for a move from a to b. */
function listenToParents(): string[] {
  const told: string[] = [];
  const nameOf = (one: Entity | undefined): string => (one === a ? "a" : one === b ? "b" : "?");
  observe(world, { added: ChildOf, removed: ChildOf }, ({ kind, target }) =>
    told.push((kind === "added" ? "+" : "-") + nameOf(target)),
  );
  return told;
}

describe("handles (section 1)", () => {
  it("whoever is born with the index of a dead parent has none of its children", () => {
    for (const [, storage] of storages) {
      for (const old of spawnMany(world, 5000)) release(world, old);
      const child = spawn(world, storage(a));
      destroy(world, a);
      const born = spawnMany(world, 6000);

      expect(born.every((one) => sourcesOf(world, one, ChildOf).length === 0)).toBe(true);
      expect(isAlive(world, child)).toBe(false);
      a = spawn(world);
    }
  });

  it.each(storages)(
    "clear of a parent keeps its children, clear of a child takes its parent off: %s",
    (_, storage) => {
      const child = spawn(world, storage(a), Frozen);

      clear(world, a);
      const kept = parentOf(world, child);
      clear(world, child);

      expect([kept, parentOf(world, child), isAlive(world, child)]).toEqual([a, undefined, true]);
    },
  );

  it.each([0, -1, Number.NaN, 2 ** 53, undefined])("isAlive of %s is false and no error", (odd) => {
    expect(isAlive(world, odd as Entity)).toBe(false);
  });
});

describe("cycles, self, dead parents (section 5): a typed error before any change", () => {
  it.each<[string, string, (dead: Entity) => unknown]>([
    ["ChildOf of itself", "cycle", () => add(world, a, ChildOf(a))],
    ["Parent of itself", "cycle", () => add(world, a, Parent(a))],
    ["two by ChildOf", "cycle", () => add(world, b, ChildOf(a))],
    ["two by Parent", "cycle", () => add(world, b, Parent(a))],
    ["a dead parent", "dead-entity", (dead) => add(world, a, ChildOf(dead))],
    ["a dead parent as a value", "dead-entity", (dead) => add(world, a, Parent(dead))],
    ["nobody as a parent", "dead-entity", () => add(world, a, Parent(0 as Entity))],
    ["a builtin below somebody", "refused", () => add(world, entityOf(world, Parent), ChildOf(a))],
    [
      "a builtin below somebody, as a value",
      "refused",
      () => add(world, entityOf(world, ChildOf), Parent(a)),
    ],
  ])("%s is refused as %s", (_, code, act) => {
    add(world, a, Parent(b));
    entityOf(world, Parent);
    entityOf(world, ChildOf);
    const dead = spawn(world);
    release(world, dead);
    const before = snapshot(world);

    expect(codeOf(() => act(dead))).toBe(code);

    expect(snapshot(world)).toEqual(before);
  });

  it("a circle of one ChildOf and one Parent is refused, from both ends", () => {
    const [c, d] = [spawn(world), spawn(world)];
    add(world, a, ChildOf(b));
    add(world, c, Parent(d));

    expect([codeOf(() => add(world, b, Parent(a))), codeOf(() => add(world, d, ChildOf(c)))]).toEqual([
      "cycle",
      "cycle",
    ]);
  });

  it.each(storages)("a second parent replaces the first, as in one move: %s", (_, storage) => {
    const child = spawn(world, storage(a));
    const told = listenToParents();

    add(world, child, ChildOf(b));

    expect([parentOf(world, child), sourcesOf(world, a, ChildOf), told]).toEqual([b, [], ["-a", "+b"]]);
  });

  it("circles of relations that are not acyclic are allowed, and die without trouble", () => {
    add(world, a, Owns(b));
    add(world, b, Owns(a));

    expect([destroy(world, a), verify(world)]).toEqual([2, []]);
  });
});

describe("depth (sections 4 and 7)", () => {
  it("has no limit: a chain of 30,000 can be built, reparented, asked and destroyed, in both storages", () => {
    for (const [, storage] of storages) {
      const top = spawn(world);
      let last = top;
      for (let at = 1; at < 30_000; at++) last = spawn(world, storage(last));

      add(world, top, ChildOf(b));

      expect(depthAt(world, indexOf(last))).toBe(30_000);
      expect(destroy(world, top)).toBe(30_000);
    }
  });

  it("is right across storages, after reparents of any ancestor and below who becomes a root", () => {
    const deck = spawn(world, Parent(a));
    const seat = spawn(world, ChildOf(deck));
    const belt = spawn(world, Parent(seat));
    const depths = (): number[] => [deck, seat, belt].map((one) => depthAt(world, indexOf(one)));
    const first = depths();

    add(world, a, Parent(b));
    const second = depths();
    remove(world, seat, ChildOf(Any));

    expect([first, second, depths()]).toEqual([
      [1, 2, 3],
      [2, 3, 4],
      [2, 0, 1],
    ]);
  });
});

describe("deaths (section 6)", () => {
  it.each(storages)(
    "siblings die in order, each with a living parent, whatever the tables: %s",
    (_, storage) => {
      const names = new Map<Entity, string>([[a, "r"]]);
      const plant = (name: string, parent: Entity, ...more: (typeof Frozen)[]): Entity => {
        const one = spawn(world, storage(parent), Label(name), ...more);
        names.set(one, name);
        return one;
      };
      const [c0, c1, c2] = [plant("c0", a), plant("c1", a, Frozen), plant("c2", a)];
      for (const [parent, name] of [
        [c2, "c2"],
        [c0, "c0"],
        [c1, "c1"],
      ] as const) {
        plant(`${name}0`, parent);
        plant(`${name}1`, parent, Frozen);
      }
      const told: string[] = [];
      observe(world, { removed: Label }, ({ entity }) => {
        told.push(names.get(entity)!);
        if (!isAlive(world, parentOf(world, entity)!)) told.push("orphaned");
      });

      destroy(world, a);

      expect(told).toEqual(["c00", "c01", "c0", "c10", "c11", "c1", "c20", "c21", "c2"]);
    },
  );

  it("a chain of 30,000 of a relation that deletes dies as a whole", () => {
    let last = a;
    for (let at = 1; at < 30_000; at++) last = spawn(world, Owns(last));

    expect(destroy(world, a)).toBe(30_000);
  });

  it("builtins cannot die", () => {
    expect(
      [ChildOf, Parent, OrderedChildren].map((one) => codeOf(() => destroy(world, entityOf(world, one)))),
    ).toEqual(["refused", "refused", "refused"]);
  });

  it("the death of a relation takes all its pairs, also for questions about their targets", () => {
    const one = spawn(world, Likes(b));

    destroy(world, entityOf(world, Likes));

    expect([has(world, one, Likes(b)), has(world, one, Any(b)), targetOf(world, one, Likes)]).toEqual([
      false,
      false,
      undefined,
    ]);
  });

  it("a listener that destroys who dies already, or its parent, changes nothing", () => {
    const child = spawn(world, Parent(a), Frozen);
    observe(world, { removed: Frozen }, ({ entity }) => {
      destroy(world, entity);
      destroy(world, a);
    });

    destroy(world, child);
    const parentLives = isAlive(world, a);

    expect([isAlive(world, child), parentLives, verify(world)]).toEqual([false, false, []]);
  });

  it.each(storages)("a child that is given to a dying parent dies with it: %s", (_, storage) => {
    const child = spawn(world, storage(a), Frozen);
    const stranger = spawn(world);
    let born: Entity | undefined;
    observe(world, { removed: Frozen }, () => {
      born = spawn(world, storage(a));
      add(world, stranger, storage(a));
    });

    destroy(world, a);

    expect([a, child, born!, stranger].map((one) => isAlive(world, one))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it("a dying sibling that is moved away in a listener dies all the same", () => {
    const [first, second] = [spawn(world, ChildOf(a), Frozen), spawn(world, Parent(a))];
    observe(world, { removed: Frozen }, () => add(world, second, ChildOf(b)));

    destroy(world, a);

    expect([first, second].map((one) => isAlive(world, one))).toEqual([false, false]);
  });

  it("what dies cannot be given to the dying again: that is dropped, and no error", () => {
    const child = spawn(world, Parent(a), Frozen);
    observe(world, { removed: Frozen }, ({ entity }) => add(world, entity, Frozen));

    expect(codeOf(() => destroy(world, child))).toBeUndefined();

    expect(isAlive(world, child)).toBe(false);
  });

  it("a survivor that a listener gives something to keeps it", () => {
    spawn(world, Parent(a), Frozen);
    observe(world, { removed: Frozen }, () => add(world, b, Label("kept")));

    destroy(world, a);

    expect(get(world, b, Label)).toBe("kept");
  });
});

describe("the storage of parents as values (section 7)", () => {
  it("to remove all children of a parent orphans them, and kills none", () => {
    const children = [spawn(world, ChildOf(a)), spawn(world, Parent(a))];

    removeFromAll(world, questionOf(world, ChildOf(a)));

    expect(children.map((one) => [isAlive(world, one), parentOf(world, one)])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
  });

  it("a move from Parent to Parent is told as removed of the old and added of the new one", () => {
    const child = spawn(world, Parent(a));
    const told = listenToParents();

    add(world, child, Parent(b));

    expect(told).toEqual(["-a", "+b"]);
  });

  it("the same parent again is told to nobody, in whatever storage", () => {
    const child = spawn(world, Parent(a));
    const told = listenToParents();

    add(world, child, Parent(a));
    add(world, child, ChildOf(a));
    add(world, child, ChildOf(a));
    add(world, child, Parent(a));

    expect(told).toEqual([]);
  });

  it("a move between storages keeps the place among siblings", () => {
    const children = spawnMany(world, 4, Parent(a));

    add(world, children[1]!, ChildOf(a));
    add(world, children[1]!, Parent(a));
    add(world, children[2]!, ChildOf(a));

    expect(sourcesOf(world, a, ChildOf)).toEqual(children);
  });

  it("to take off OrderedChildren from a parent with loose children is no error", () => {
    add(world, a, OrderedChildren);
    const children = [spawn(world, Parent(a)), spawn(world, ChildOf(a))];

    expect(codeOf(() => remove(world, a, OrderedChildren))).toBeUndefined();

    expect(sourcesOf(world, a, ChildOf)).toEqual(children);
  });

  it("children die last to first, and those who are left keep their order", () => {
    const children = spawnMany(world, 20_000, Parent(a));

    for (let at = children.length - 1; at >= 10; at--) release(world, children[at]!);

    expect([sourcesOf(world, a, ChildOf), verify(world)]).toEqual([children.slice(0, 10), []]);
  });

  it("the per-parent books follow every path: other components, moves, clear, death", () => {
    const [one, two, three, four] = spawnMany(world, 4, Parent(a), Label("x")) as [
      Entity,
      Entity,
      Entity,
      Entity,
    ];

    add(world, one, Frozen);
    clear(world, two);
    release(world, three);
    add(world, four, ChildOf(a));
    remove(world, four, Label);

    expect([sourcesOf(world, a, ChildOf), sourcesOf(world, a, Parent), verify(world)]).toEqual([
      [one, four],
      [one],
      [],
    ]);
  });
});

describe("the order of children (section 8)", () => {
  it("is that of creation also for a list that begins late, whatever the tables", () => {
    const children = [spawn(world, ChildOf(a)), spawn(world, ChildOf(a), Frozen), spawn(world, ChildOf(a))];

    add(world, a, OrderedChildren);
    children.push(spawn(world, ChildOf(a), Frozen));

    expect(sourcesOf(world, a, ChildOf)).toEqual(children);
  });

  it("stays when the list ends", () => {
    add(world, a, OrderedChildren);
    const children = [spawn(world, ChildOf(a)), spawn(world, ChildOf(a), Frozen), spawn(world, ChildOf(a))];

    remove(world, a, OrderedChildren);
    children.push(spawn(world, ChildOf(a), Frozen));

    expect(sourcesOf(world, a, ChildOf)).toEqual(children);
  });

  it.each(storages)("is not changed by the same parent again, nor by other components: %s", (_, storage) => {
    const children = spawnMany(world, 3, storage(a));

    add(world, children[0]!, storage(a));
    add(world, children[0]!, storage(a), Frozen);
    add(world, children[1]!, Label("x"));

    expect(sourcesOf(world, a, ChildOf)).toEqual(children);
  });

  it.each(storages)("puts who comes back at the end: %s", (_, storage) => {
    const [one, two, three] = spawnMany(world, 3, storage(a)) as [Entity, Entity, Entity];

    remove(world, one, ChildOf(a));
    add(world, one, storage(a));

    expect(sourcesOf(world, a, ChildOf)).toEqual([two, three, one]);
  });
});

describe("wildcards (section 3)", () => {
  it("cannot be added, and take the parent off in both storages", () => {
    const children = [spawn(world, ChildOf(a)), spawn(world, Parent(a))];

    const codes = [
      codeOf(() => add(world, b, ChildOf(Any) as never)),
      codeOf(() => add(world, b, Parent(Any) as never)),
    ];
    for (const child of children) remove(world, child, ChildOf(Any));

    expect([codes, children.map((one) => parentOf(world, one))]).toEqual([
      ["bad-term", "bad-term"],
      [undefined, undefined],
    ]);
  });
});

describe("changes that wait (section 13)", () => {
  it.each<[string, (parent: Entity) => Entity]>([
    [
      "a parent that dies first",
      (parent) => {
        const child = spawn(world);
        destroy(world, parent);
        add(world, child, ChildOf(parent));
        return child;
      },
    ],
    [
      "a parent that dies later",
      (parent) => {
        const child = spawn(world, ChildOf(parent));
        destroy(world, parent);
        return child;
      },
    ],
    [
      "a parent as a value that dies first",
      (parent) => {
        const child = spawn(world);
        destroy(world, parent);
        add(world, child, Parent(parent), Frozen);
        return child;
      },
    ],
    [
      "a reparent from a living parent",
      (parent) => {
        const child = spawn(world, Parent(b));
        destroy(world, parent);
        add(world, child, Parent(parent));
        return child;
      },
    ],
  ])("a child dies with %s", (_, act) => {
    const child = defer(world, () => act(a));

    expect([isAlive(world, child), isAlive(world, a), verify(world)]).toEqual([false, false, []]);
  });

  it("a reparent to a dying parent kills who lived elsewhere before, with all below", () => {
    const child = spawn(world, Parent(b));
    const below = spawn(world, ChildOf(child));

    defer(world, () => {
      destroy(world, a);
      add(world, child, ChildOf(a));
    });

    expect([child, below, b].map((one) => isAlive(world, one))).toEqual([false, false, true]);
  });

  it("a pair of a relation that removes is left out, and the entity lives", () => {
    const one = defer(world, () => {
      destroy(world, a);
      return spawn(world, Likes(a), Frozen);
    });

    expect([has(world, one, Likes(Any)), has(world, one, Frozen)]).toEqual([false, true]);
  });

  it("two reparents in one batch end with the last parent", () => {
    const child = spawn(world);

    defer(world, () => {
      add(world, child, Parent(a));
      add(world, child, ChildOf(b));
    });

    expect([parentOf(world, child), sourcesOf(world, a, ChildOf)]).toEqual([b, []]);
  });

  it("to take a parent off and to add it again ends with it", () => {
    const child = spawn(world, Parent(a));

    defer(world, () => {
      remove(world, child, ChildOf(a));
      add(world, child, Parent(a));
    });

    expect([parentOf(world, child), verify(world)]).toEqual([a, []]);
  });

  it("listeners keep the order of issue: nothing is merged or reordered", () => {
    const told: string[] = [];
    observe(world, { added: Any, removed: Any, set: Any }, ({ kind, definition }) =>
      told.push(`${kind} ${definition.name}`),
    );

    defer(world, () => {
      add(world, a, Label("x"));
      remove(world, a, Label);
      add(world, a, Frozen);
      add(world, a, Label("y"));
    });

    expect(told).toEqual([
      "added Label",
      "set Label",
      "removed Label",
      "added Frozen",
      "added Label",
      "set Label",
    ]);
  });

  it("nothing that waits is done to a dead entity, nor to whoever has its index", () => {
    const child = spawn(world, Parent(a));

    defer(world, () => {
      destroy(world, a);
      add(world, child, Frozen);
      remove(world, child, ChildOf(a));
      clear(world, a);
    });

    expect([isAlive(world, child), world.entities.alive, verify(world)]).toEqual([false, 1, []]);
  });
});

describe("listeners and hooks (section 14)", () => {
  it("are called in the order of registration; hooks last when something goes, first when something comes", () => {
    const told: string[] = [];
    const Hooked = withHooks(component<string>("Hooked"), {
      written: () => told.push("written"),
      onRemove: () => told.push("onRemove"),
    });
    observe(world, { added: Hooked, removed: Hooked }, ({ kind }) => told.push(`first ${kind}`));
    observe(world, { added: Any, removed: Any }, ({ kind }) => told.push(`second ${kind}`));

    add(world, a, Hooked("x"));
    remove(world, a, Hooked);

    expect(told).toEqual([
      "written",
      "first added",
      "second added",
      "first removed",
      "second removed",
      "onRemove",
    ]);
  });

  it.each(storages)(
    "hear of parents as ChildOf, by relation, by parent and by wildcard: %s",
    (_, storage) => {
      const told: string[] = [];
      observe(world, { added: ChildOf }, () => told.push("relation"));
      observe(world, { added: ChildOf(a) }, () => told.push("parent"));
      observe(world, { added: ChildOf(b) }, () => told.push("other parent"));
      observe(world, { added: Any(a) }, () => told.push("target"));
      observe(world, { added: Any }, () => told.push("everything"));

      spawn(world, storage(a));

      expect(told).toEqual(["relation", "parent", "target", "everything"]);
    },
  );
});
