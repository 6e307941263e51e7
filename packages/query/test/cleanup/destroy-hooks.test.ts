import { add, type Entity, get, isAlive, parentOf, spawn, type World } from "@treeline/core";
import { dump, stats } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ancestors, children, descendants, destroy } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Frozen, Holds, Likes, Owns } from "../definitions.ts";
import { matchesOf } from "../matches.ts";
import { ChildOf } from "../public/builtins.ts";
import { component, withHooks } from "../public/define.ts";
import { createDice, seeds } from "../random/dice.ts";
import { setWorld, verifyWorld, world } from "../test-world.ts";
import { isIterating } from "../world-state.ts";

interface Report {
  readonly hook: string;
  readonly value: string;
  readonly parent: Entity | undefined;
  readonly above: Entity[];
  readonly below: Entity[];
  readonly names: (string | undefined)[];
}
let reported: Report[] = [];

function recordAs(
  hook: string,
): (world: World, entity: Entity, value: string, parent: Entity | undefined) => void {
  return (world, entity, value, parent) => {
    const above = ancestors(world, entity);
    const names = above.map((one) => get(world, one, Label));
    reported.push({ hook, value, parent, above, below: descendants(world, entity), names });
  };
}

/** Cares for order. */
const Label = withHooks(component<string>("Label"), {
  check: (_, _entity, value) => {
    if (isChecked) reported.push({ ...NOTHING, hook: "check", value });
  },
  written: (_, _entity, value) => {
    if (isChecked) reported.push({ ...NOTHING, hook: "written", value });
  },
  onRemove: recordAs("removed"),
});
/** Does not. */
const Note = withHooks(component<string>("Note"), { onRemove: recordAs("note"), anyOrder: true });
/** Is not called for destructions. */
const Deaf = withHooks(component<string>("Deaf"), { written: () => {} });

const NOTHING = { parent: undefined, above: [], below: [], names: [] };
let isChecked = false;

beforeEach(() => {
  setWorld();
  reported = [];
  isChecked = false;
});

afterEach(verifyWorld);

function values(): string[] {
  return reported.map(({ value }) => value);
}

/** station > (ship > (cockpit > seat, engine), buoy); siblings in this order, spawned in another. */
function fleet(what: typeof Label | typeof Note): { [name: string]: Entity } {
  const station = spawn(world, what("station"));
  const ship = spawn(world, what("ship"), ChildOf(station));
  const buoy = spawn(world, what("buoy"), ChildOf(station));
  const engine = spawn(world, what("engine"), ChildOf(buoy));
  const cockpit = spawn(world, what("cockpit"), ChildOf(ship));
  const seat = spawn(world, what("seat"), ChildOf(cockpit));
  add(world, engine, ChildOf(ship));
  return { station, ship, buoy, engine, cockpit, seat };
}

describe("onRemove hooks are called when entities are destroyed", () => {
  it("for children before parents, siblings in order", () => {
    const { station } = fleet(Label);

    destroy(world, station!);

    expect(values()).toEqual(["seat", "cockpit", "engine", "ship", "buoy", "station"]);
  });

  it("while all ancestors are alive with their values, and after everything below is gone", () => {
    const { station, ship, cockpit } = fleet(Label);

    destroy(world, station!);

    expect(reported[0]).toEqual({
      hook: "removed",
      value: "seat",
      parent: cockpit,
      above: [cockpit, ship, station],
      below: [],
      names: ["cockpit", "ship", "station"],
    });
    expect(reported.every(({ below }) => below.length === 0)).toBe(true);
    expect(reported.map(({ above }) => above.length)).toEqual([3, 2, 2, 1, 1, 0]);
  });

  it("also for entities whose ancestors survive", () => {
    const { station, ship } = fleet(Label);

    destroy(world, ship!);

    expect(values()).toEqual(["seat", "cockpit", "engine", "ship"]);
    expect(reported.at(-1)!.above).toEqual([station]);
  });

  it("in order also across entities that have no hooks", () => {
    const root = spawn(world);
    const [first, second] = [spawn(world, ChildOf(root)), spawn(world, ChildOf(root), Deaf(""))];
    spawn(world, ChildOf(second), Label("b"));
    spawn(world, ChildOf(spawn(world, ChildOf(first))), Label("a"));

    destroy(world, root);

    expect(values()).toEqual(["a", "b"]);
  });

  it("in the siblings' order after a reparent", () => {
    const root = spawn(world);
    const [one] = ["a", "b", "c"].map((text) => spawn(world, ChildOf(root), Label(text)));
    const away = spawn(world);
    add(world, one!, ChildOf(away));
    add(world, one!, ChildOf(root));

    destroy(world, root);

    expect(values()).toEqual(["b", "c", "a"]);
  });

  it("along other deleting relations as well, after the children", () => {
    const root = spawn(world, Label("root"));
    const owner = spawn(world, Owns(root), Label("owner"));
    spawn(world, ChildOf(owner), Label("child of owner"));
    spawn(world, ChildOf(root), Label("child"));

    destroy(world, root);

    expect(values()).toEqual(["child", "child of owner", "owner", "root"]);
  });

  it("once each in a diamond, before all their targets", () => {
    const root = spawn(world, Label("root"));
    const shared = spawn(world, Owns(root), Label("shared"));
    const upper = spawn(world, ChildOf(root), Label("upper"));
    add(world, shared, ChildOf(upper));

    destroy(world, root);

    expect(values()).toEqual(["shared", "upper", "root"]);
  });

  it("once each in a cycle, and no other hook is called", () => {
    const ring = ["a", "b", "c"].map((text) => spawn(world, Label(text)));
    ring.forEach((one, at) => {
      add(world, one, Owns(ring[(at + 1) % 3]!));
    });
    const parent = spawn(world, Label("parent"), Owns(ring[0]!));
    add(world, ring[0]!, ChildOf(parent));
    isChecked = true;

    destroy(world, ring[1]!);

    expect(values().toSorted()).toEqual(["a", "b", "c", "parent"]);
    expect(reported.every(({ hook }) => hook === "removed")).toBe(true);
    expect(stats(world).entities).toBe(0);
  });

  it("not when a survivor loses its pair", () => {
    const ship = spawn(world);
    const fan = spawn(world, Label("fan"), Likes(ship), Likes(fanless()));
    isChecked = true;

    destroy(world, ship);

    expect([reported, isAlive(world, fan)]).toEqual([[], true]);
  });

  it("not when the destruction is refused", () => {
    const { station, seat } = fleet(Label);
    spawn(world, Holds(seat!));
    const before = dump(world);

    expect(codeOf(() => destroy(world, station!))).toBe("refused");

    expect([reported, dump(world)]).toEqual([[], before]);
  });

  it("for a chain of 20,000, from the end to the root", () => {
    const root = spawn(world, Label("0"));
    let last = root;
    for (let at = 1; at < 20_000; at++) last = spawn(world, ChildOf(last), Deaf(""));
    spawn(world, ChildOf(last), Label("last"));

    destroy(world, root);

    expect([values(), stats(world).entities]).toEqual([["last", "0"], 0]);
  });
});

function fanless(): Entity {
  return spawn(world);
}

describe("hooks with order: 'any'", () => {
  it("are called once each, while everything is still there", () => {
    const { station } = fleet(Note);
    const total = descendants(world, station!).length;

    destroy(world, station!);

    expect(values().toSorted()).toEqual(["buoy", "cockpit", "engine", "seat", "ship", "station"]);
    expect(reported.find(({ value }) => value === "station")!.below.length).toBe(total);
    expect(reported.every(({ names }) => !names.includes("gone"))).toBe(true);
  });

  it("are called once each in cycles and diamonds", () => {
    const root = spawn(world, Note("root"));
    const upper = spawn(world, ChildOf(root), Note("upper"), Owns(root));
    spawn(world, ChildOf(upper), Owns(root), Note("shared"));
    add(world, root, Owns(upper));

    destroy(world, root);

    expect(values().toSorted()).toEqual(["root", "shared", "upper"]);
  });

  it("are called in order if entities with ordered hooks are destroyed together with theirs", () => {
    const root = spawn(world, Label("root"), Note("note of root"));
    const ship = spawn(world, ChildOf(root), Note("note of ship"));
    spawn(world, ChildOf(ship), Label("seat"));

    destroy(world, root);

    expect(values().slice(0, 2)).toEqual(["seat", "note of ship"]);
    expect(values().slice(2).toSorted()).toEqual(["note of root", "root"]);
  });

  it("receive the values of destroyed entities, also of a root in a table with survivors", () => {
    const [, two] = ["one", "two", "three"].map((text) => spawn(world, Note(text)));

    destroy(world, two!);

    expect(values()).toEqual(["two"]);
  });
});

describe("a hook that is called when an entity is destroyed", () => {
  it.each([
    ["cares for order", Label],
    ["accepts any order", Note],
  ])("changes the world only after the destruction, %s", (_, what) => {
    const codes: (string | undefined)[] = [];
    const alive: number[] = [];
    const Meddler = withHooks(component<string>("Meddler"), {
      onRemove: (here, entity) => {
        codes.push(
          codeOf(() => spawn(here, Frozen)),
          codeOf(() => destroy(here, entity)),
          codeOf(() => add(here, entity, Frozen)),
        );
        alive.push(matchesOf(here, Frozen).length);
      },
      anyOrder: what === Note,
    });
    const root = spawn(world, what("root"));
    spawn(world, ChildOf(root), Meddler(""));

    destroy(world, root);

    expect([codes, alive]).toEqual([[undefined, undefined, undefined], [0]]);
    expect([isIterating(world), stats(world).entities, matchesOf(world, Frozen).length]).toEqual([
      false,
      1,
      1,
    ]);
  });
});

describe("in a random tree", () => {
  it.each(seeds(1, 4))("entities are destroyed in post-order, siblings in order, seed %i", (seed) => {
    const dice = createDice(seed);
    const all = [spawn(world, Label("0"))];
    for (let at = 1; at < 200; at++) {
      all.push(
        spawn(world, Label(String(at)), ChildOf(dice.pick(all)), ...(dice.chance(0.5) ? [Deaf("")] : [])),
      );
    }
    for (let at = 0; at < 100; at++)
      codeOf(() => add(world, dice.pick(all.slice(1)), ChildOf(dice.pick(all))));
    const postOrder = (one: Entity): string[] => [
      ...children(world, one).flatMap(postOrder),
      get(world, one, Label)!,
    ];
    const victim = dice.pick(all.slice(0, 20));
    const expected = postOrder(victim);
    const outer = parentOf(world, victim);

    destroy(world, victim);

    expect(values()).toEqual(expected);
    expect(reported.at(-1)!.parent).toBe(outer);
  });
});
