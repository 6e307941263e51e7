import type { Entity, World } from "@treeline/core";
import {
  Any,
  add,
  ChildOf,
  component,
  createWorld,
  f32,
  get,
  has,
  i32,
  isAlive,
  parentOf,
  relation,
  release,
  remove,
  set,
  spawn,
  withHooks,
} from "@treeline/core";
import { type Stats, stats, verify } from "@treeline/core/debug";
import { lookup, Name } from "@treeline/names";
import { ancestors, children, descendants, destroy, roots } from "@treeline/query";
import { beforeEach, describe, expect, it } from "vitest";
import { at, drawing, drawn, plant } from "./plant.ts";

const Owns = relation("Owns", { onTargetDestroy: "delete" });
const Guards = relation("Guards", { onTargetDestroy: "refuse" });
const Likes = relation("Likes");
const DockedTo = relation("DockedTo", { exclusive: true });
const Damage = relation("Damage", { fields: { amount: f32 } });
const Position = component("Position", { x: f32, y: f32 });

/** The calls of the hook, in order; `above` are the ancestors that it could read, by name. */
interface Removal {
  readonly entity: Entity;
  readonly above: readonly string[];
}
let removals: Removal[] = [];
/** What the hook does in addition. */
let reaction: ((world: World, entity: Entity) => void) | undefined;
/** The state before the destruction: every watched entity with its ancestors. */
let known = new Map<Entity, { name: string; above: Entity[] }>();

const Watched = component("Watched", { number: i32 });
withHooks(Watched, {
  onRemove: (world: World, entity: Entity) => {
    const above = known.get(entity)?.above ?? [];
    removals.push({ entity, above: above.map((ancestor) => readable(world, ancestor)) });
    reaction?.(world, entity);
  },
});

function readable(world: World, entity: Entity): string {
  if (!isAlive(world, entity)) return "not alive";
  const isInPlace = parentOf(world, entity) === known.get(entity)?.above[0];
  return isInPlace ? (get(world, entity, Name) ?? "nameless") : "astray";
}

/** Watches all entities in the world from here on. */
function watch(world: World): void {
  known = new Map();
  removals = [];
  for (const root of roots(world)) {
    for (const entity of [root, ...descendants(world, root)]) {
      set(world, entity, Watched, { number: known.size });
      known.set(entity, { name: get(world, entity, Name) ?? "nameless", above: ancestors(world, entity) });
    }
  }
}

function nameOf(entity: Entity): string {
  return known.get(entity)?.name ?? "unknown";
}

function order(): string[] {
  return removals.map(({ entity }) => nameOf(entity));
}

function codeOf(change: () => unknown): string {
  try {
    change();
    return "nothing was refused";
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

/** Stats without the lists that verbs use again for each call: a refused one may leave them longer. */
function withoutBuffers({ bytes, bytesByPart: { buffers, ...parts }, ...others }: Stats): unknown {
  return { ...others, parts, rest: bytes - buffers };
}

/** The code of the refusal; nothing may have changed. */
function refusalOf(world: World, change: () => unknown): string {
  const before = { drawing: drawing(world), stats: withoutBuffers(stats(world)) };
  const code = codeOf(change);
  expect({ drawing: drawing(world), stats: withoutBuffers(stats(world)) }).toEqual(before);
  expect(verify(world)).toEqual([]);
  return code;
}

beforeEach(() => {
  removals = [];
  known = new Map();
  reaction = undefined;
});

describe("destroy", () => {
  const fleet = `
    Ship
      Cockpit
        Seat
        Lever
      Hold
        Crate
          Apple
      Mast
    Buoy
  `;

  it("calls onRemove for children before parents, for siblings in order, once for each entity", () => {
    const world = plant(fleet);
    add(world, spawn(world, Name("Flag")), ChildOf(at(world, "Ship")));
    add(world, at(world, "Ship::Hold"), ChildOf(at(world, "Ship::Mast")));
    add(world, at(world, "Ship::Mast::Hold"), ChildOf(at(world, "Ship"))); // now the last of its siblings
    watch(world);
    const siblingLists = [...known.keys()].map((entity) => children(world, entity).map(nameOf));
    const branches = [...known.values()].map(({ name, above }) => [name, ...above.map(nameOf)]);

    destroy(world, at(world, "Ship"));

    const seen = order();
    expect(seen.toSorted()).toEqual(
      ["Apple", "Cockpit", "Crate", "Flag", "Hold", "Lever", "Mast", "Seat", "Ship"].toSorted(),
    );
    for (const siblings of siblingLists) {
      expect(seen.filter((name) => siblings.includes(name))).toEqual(siblings);
    }
    for (const branch of branches) {
      if (branch.at(-1) === "Ship") expect(seen.filter((name) => branch.includes(name))).toEqual(branch);
    }
    expect(drawing(world)).toBe("Buoy");
    expect(verify(world)).toEqual([]);
  });

  it("keeps the ancestors of a destroyed entity alive and readable for hooks", () => {
    const world = plant(fleet);
    watch(world);

    destroy(world, at(world, "Ship"));

    for (const { entity, above } of removals) {
      expect(above, nameOf(entity)).toEqual(known.get(entity)?.above.map(nameOf));
    }
    expect(removals.length).toBe(8);
  });

  it("does the same whether the world is observed or not", () => {
    const [observed, unobserved] = [plant(fleet), plant(fleet)];
    watch(observed);

    for (const world of [observed, unobserved]) destroy(world, at(world, "Ship::Hold"));

    expect(drawing(observed)).toBe(drawing(unobserved));
    expect(order()).toEqual(["Apple", "Crate", "Hold"]);
  });

  it("does nothing to an entity that is not alive, and nothing to the entity that reuses its index", () => {
    const world = plant(fleet);
    const ship = at(world, "Ship");
    destroy(world, ship);
    for (let round = 0; round < 5_000; round++) release(world, spawn(world));
    const entities = Array.from({ length: 20 }, () => spawn(world));

    destroy(world, ship);

    expect(entities.every((entity) => isAlive(world, entity))).toBe(true);
    expect(lookup(world, "Buoy")).toBeDefined();
  });

  it("removes a child from its parent and leaves the other siblings in order", () => {
    const world = plant(fleet);

    destroy(world, at(world, "Ship::Hold"));

    expect(drawing(world)).toBe(
      drawn(`
        Ship
          Cockpit
            Seat
            Lever
          Mast
        Buoy
      `),
    );
  });

  it("destroys subjects of every relation that deletes, through cycles and diamonds, each once", () => {
    const world = plant(`
      Ring one
      Ring two
      Ring three
      Top
        Left
        Right
      Bottom
        Leaf
      Bystander
    `);
    const [one, two, three] = [at(world, "Ring one"), at(world, "Ring two"), at(world, "Ring three")];
    add(world, one, Owns(two), Owns(one));
    add(world, two, Owns(three));
    add(world, three, Owns(one));
    add(world, at(world, "Bottom"), Owns(at(world, "Top::Left")), Owns(at(world, "Top::Right")));
    watch(world);

    destroy(world, two);
    expect(order().toSorted()).toEqual(["Ring one", "Ring three", "Ring two"]);

    removals = [];
    destroy(world, at(world, "Top"));
    expect(order().toSorted()).toEqual(["Bottom", "Leaf", "Left", "Right", "Top"]);
    expect(order().indexOf("Leaf")).toBeLessThan(order().indexOf("Bottom"));
    expect(order().at(-1)).toBe("Top");
    expect(drawing(world)).toBe("Bystander");
    expect(verify(world)).toEqual([]);
  });

  it("destroys an ancestor that is destroyed because of its own descendant", () => {
    const world = plant(`
      Ship
        Cockpit
          Seat
      Buoy
    `);
    add(world, at(world, "Ship"), Owns(at(world, "Ship::Cockpit::Seat")));
    watch(world);

    destroy(world, at(world, "Ship::Cockpit"));

    expect(order().toSorted()).toEqual(["Cockpit", "Seat", "Ship"]);
    expect(drawing(world)).toBe("Buoy");
    expect(verify(world)).toEqual([]);
  });

  it("handles a chain of 50,000 subjects that ends in a ring", () => {
    const world = createWorld();
    const first = spawn(world);
    let last = first;
    for (let owner = 1; owner < 50_000; owner++) last = spawn(world, Owns(last));
    add(world, first, Owns(last));

    destroy(world, first);

    expect(isAlive(world, last)).toBe(false);
    expect(roots(world)).toEqual([]);
    expect(verify(world)).toEqual([]);
  });
});

describe("a hook called on removal", () => {
  const verbs: readonly (readonly [name: string, end: (world: World, entity: Entity) => void])[] = [
    ["destroy", destroy],
    ["release", release],
    ["remove", (world, entity) => remove(world, entity, Watched)],
  ];

  it.each(verbs)("may change the world, which is deferred until the verb ends, in %s", (_, end) => {
    const world = plant(`
      Ship
        Cockpit
        Twin
      Buoy
    `);
    const cockpit = at(world, "Ship::Cockpit");
    const twin = at(world, "Ship::Twin");
    const stateOf = (): string => `${drawing(world)} ${has(world, cockpit, Position)}`;
    add(world, cockpit, Position);
    watch(world);
    const before = stateOf();
    let seen: string | undefined;
    reaction = (_world, entity) => {
      if (entity !== twin) return;
      spawn(world, Name("Flag"));
      remove(world, cockpit, Position);
      destroy(world, at(world, "Buoy"));
      seen = stateOf();
    };

    end(world, twin);

    expect(seen).toBe(before);
    expect(lookup(world, "Flag")).toBeDefined();
    expect(lookup(world, "Buoy")).toBeUndefined();
    expect(has(world, cockpit, Position)).toBe(false);
    expect(verify(world)).toEqual([]);
  });
});

describe("a refused destruction", () => {
  it("leaves everything unchanged, however deep the guarded entity is", () => {
    const world = plant(`
      Ship
        Cockpit
          Seat
      Guard
      Friend
    `);
    const seat = at(world, "Ship::Cockpit::Seat");
    add(world, at(world, "Guard"), Guards(seat));
    add(world, at(world, "Friend"), Likes(seat), Owns(at(world, "Ship")));
    watch(world);

    expect(refusalOf(world, () => destroy(world, at(world, "Ship")))).toBe("refused");

    expect(order()).toEqual([]);
    expect(has(world, at(world, "Guard"), Guards(seat))).toBe(true);
    expect(has(world, at(world, "Friend"), Likes(seat))).toBe(true);
    remove(world, at(world, "Guard"), Guards(Any));
    destroy(world, at(world, "Ship"));
    expect(drawing(world)).toBe("Guard");
  });

  it("is refused by release for every kind of pair that points at the entity", () => {
    const world = plant(`
      Ship
        Cockpit
      Buoy
      Friend
    `);
    const [buoy, friend] = [at(world, "Buoy"), at(world, "Friend")];

    expect(refusalOf(world, () => release(world, at(world, "Ship")))).toBe("still-a-target");
    for (const pair of [Likes(buoy), DockedTo(buoy), Damage(buoy), Owns(buoy), Guards(buoy)]) {
      add(world, friend, pair);
      expect(refusalOf(world, () => release(world, buoy))).toBe("still-a-target");
      remove(world, friend, pair);
    }
    release(world, buoy);
    expect(isAlive(world, buoy)).toBe(false);
    expect(refusalOf(world, () => release(world, buoy))).toBe("nothing was refused");
  });
});
