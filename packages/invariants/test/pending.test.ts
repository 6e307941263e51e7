import {
  Any,
  add,
  addMany,
  applyCommands,
  array,
  asTag,
  bits,
  ChildOf,
  clear,
  clone,
  component,
  componentsOf,
  createCommands,
  createWorld,
  Disabled,
  DisabledTree,
  defer,
  type Entity,
  entity,
  f32,
  field,
  get,
  has,
  isAlive,
  isDisabled,
  locate,
  observe,
  Parent,
  pairsOf,
  parentOf,
  patch,
  read,
  record,
  relation,
  remove,
  removeMany,
  reparentMany,
  set,
  sparse,
  spawn,
  spawnMany,
  spawnRows,
  subjectsOf,
  TreelineError,
  tag,
  tagsOf,
  targetOf,
  targetsOf,
  u8,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { toBinary } from "@treeline/document/binary";
import { toDocument } from "@treeline/document/json";
import { ensurePath, labelOf, lookup, Name, pathOf, place, rename } from "@treeline/names";
import { instantiate, overridesOf, partOf, prefab, prefabOf, Slot, slotOf } from "@treeline/prefab";
import { ancestors, depthOf, destroy, each, entities, insertAt, isAncestor, query } from "@treeline/query";
import { attach, detach } from "@treeline/query/hierarchy";
import { Local2D, setWorld as setWorld2D, World2D, worldOf as worldOf2D } from "@treeline/transform/2d";
import {
  Bounds3D,
  boundsOf,
  distance,
  Local3D,
  lookAt,
  reparentInPlace,
  rotateWorld,
  setWorld,
  translateWorld,
  World3D,
  worldOf,
} from "@treeline/transform/3d";
import { beforeEach, describe, expect, it } from "vitest";

const Position = component("Position", { x: f32, y: f32 });
const All = component("All", { n: u8(7), list: array(f32, 2, [1, 2]), who: entity, text: "t", on: false });
const Mesh = component<{ id: number }>("Mesh");
const Charge = component("Charge", { volts: f32(5) }, { storage: sparse });
const Enemy = tag("Enemy");
const Chosen = tag("Chosen", { storage: bits });
const Likes = relation("Likes");
const Docks = relation("Docks", { exclusive: true });
const Weighs = relation("Weighs", { fields: { kilos: f32(1) } });
const Sees = relation("Sees", { storage: sparse });

const Armed = component("Armed", { shots: u8(3) }, { requires: [Position, Enemy] });

let world: World;
let ship: Entity;
let dock: Entity;
beforeEach(() => {
  world = createWorld();
  [ship, dock] = [spawn(world, Name("Ship")), spawn(world, Name("Dock"))];
});

/** Everything that can be read of an entity by the public surface, as plain data. */
function readAll(one: Entity): unknown {
  const into = { x: -1, y: -1 };
  return {
    position: [get(world, one, Position), read(world, one, Position, into), into],
    all: get(world, one, All),
    fields: [field(Position, "y").get(world, one), field(All, "list", 1).get(world, one)],
    sparse: [get(world, one, Charge), field(Charge, "volts").get(world, one), has(world, one, Charge)],
    mesh: get(world, one, Mesh)?.id,
    tags: [Enemy, Chosen, Disabled].map((what) => has(world, one, what)),
    pairs: [
      ...[Likes(ship), Likes(dock), Likes(Any), Docks(ship), Docks(dock), Sees(dock), ChildOf(Any)],
      ...[ChildOf(ship), Parent(ship), Parent(Any), Any(dock), Any(Any), Weighs(dock), asTag(ship)],
    ].map((what) => has(world, one, what)),
    weighs: get(world, one, Weighs(dock)),
    targets: [Likes, Docks, Sees, ChildOf, Weighs].map((what) => targetsOf(world, one, what)),
    target: [Likes, Docks, Sees, ChildOf, Parent].map((what) => targetOf(world, one, what)),
    second: targetOf(world, one, Likes, 1),
    lists: [componentsOf(world, one), tagsOf(world, one), pairsOf(world, one), pairsOf(world, one, ChildOf)],
    tree: [parentOf(world, one), ancestors(world, one), isAncestor(world, ship, one)],
    names: [pathOf(world, one), labelOf(world, one), get(world, one, Name)],
    disabled: isDisabled(world, one),
  };
}

/** Runs changes inside an iteration; what is read there must be read after it as well. @returns the entity. */
function expectSame(act: () => Entity): Entity {
  let one: Entity | undefined;
  let inside: unknown;
  each(query(world, Name), () => {
    if (one !== undefined) return;
    one = act();
    inside = readAll(one);
  });
  expect(inside).toEqual(readAll(one!));
  expect(verify(world)).toEqual([]);
  return one!;
}

const TERMS = () => [
  ...[Name("One"), Position({ x: 0.1 }), All({ list: [3, 4], who: dock }), Mesh({ id: 3 }), Charge],
  ...[Enemy, Chosen, Likes(dock), Likes(ship), Docks(dock), Sees(dock), Weighs(dock, { kilos: 0.3 })],
  ...[asTag(ship), ChildOf(ship)],
];

describe("what was spawned inside an iteration reads there as it does afterwards", () => {
  it.each<[string, () => Entity]>([
    ["spawn with everything", () => spawn(world, ...TERMS())],
    ["spawn with nothing", () => spawn(world)],
    ["spawn below an entity by Parent", () => spawn(world, Parent(ship), Position, Name("Deck"))],
    ["spawn of a disabled one", () => spawn(world, Disabled, Position)],
    ["spawnMany", () => spawnMany(world, 3, Position({ y: 2 }), Likes(dock), ChildOf(ship))[1]!],
    [
      "spawnRows",
      () =>
        spawnRows(world, 3, [Position, Enemy, Name.each(["a", "b", "c"])], (columns, first) => {
          columns(Position).x.set([1, 2, 3], first);
        })[1]!,
    ],
    ["clone", () => clone(world, spawnedBefore(), { with: [ChildOf(dock), Name("Copy")] })],
    ["clone of a pending one", () => clone(world, spawn(world, ...TERMS()), { with: [Name("Copy")] })],
    ["spawn of what requires others", () => spawn(world, Armed, Name("Armed"))],
    ["ensurePath", () => ensurePath(world, "Ship::Deck::Seat")],
  ])("%s", (_, act) => {
    expectSame(act);
  });

  it.each<[string, (one: Entity) => void]>([
    ["set", (one) => set(world, one, Position, { y: 9 })],
    ["set of what it lacks", (one) => set(world, one, Weighs(ship), { kilos: 3 })],
    ["set of a part of a value", (one) => set(world, one, All, { n: 1 })],
    ["set of a sparse one", (one) => set(world, one, Charge, { volts: 8 })],
    ["set of an object", (one) => set(world, one, Mesh, { id: 4 })],
    ["set of an entity to none", (one) => set(world, one, All, { who: undefined })],
    ["field", (one) => field(Position, "x").set(world, one, 4)],
    ["field of a list", (one) => field(All, "list", 1).set(world, one, 4)],
    [
      "field of what it lost",
      (one) => {
        remove(world, one, Position);
        field(Position, "x").set(world, one, 4);
      },
    ],
    ["patch", (one) => patch(world, one, Position, (row) => void (row.x += 1))],
    [
      "patch twice",
      (one) => {
        patch(world, one, All, (row) => void (row.n += 1));
        patch(world, one, All, (row) => void (row.list[0]! += row.n));
      },
    ],
    ["add of what it has", (one) => add(world, one, Position, Enemy)],
    ["add with another value", (one) => add(world, one, Position({ y: 2 }))],
    ["add of another parent", (one) => add(world, one, ChildOf(dock))],
    ["add of a parent by value", (one) => add(world, one, Parent(dock))],
    ["add of another exclusive target", (one) => add(world, one, Docks(ship))],
    ["remove", (one) => remove(world, one, Position, Likes(dock), Chosen, Sees(Any))],
    ["remove of the parent", (one) => remove(world, one, ChildOf(Any))],
    ["remove of all pairs", (one) => remove(world, one, Any(Any))],
    [
      "remove and add",
      (one) => {
        remove(world, one, All);
        add(world, one, All({ n: 2 }));
      },
    ],
    ["clear", (one) => clear(world, one)],
    [
      "clear and more",
      (one) => {
        clear(world, one);
        set(world, one, Position, { x: 2 });
      },
    ],
    ["addMany", (one) => addMany(world, [one], Enemy, Position({ x: 5 }), Likes(one))],
    ["removeMany", (one) => removeMany(world, [one], Position)],
    ["reparentMany", (one) => reparentMany(world, [one], dock)],
    ["attach", (one) => attach(world, one, dock)],
    ["attach by value", (one) => attach(world, one, dock, Parent)],
    ["detach", (one) => detach(world, one)],
    ["insertAt", (one) => insertAt(world, dock, one, 0)],
    ["rename", (one) => rename(world, one, "Other")],
    ["place", (one) => place(world, one, "Dock::Other")],
    ["place among the roots", (one) => place(world, one, "Other")],
    ["Disabled", (one) => add(world, one, Disabled)],
    ["DisabledTree above", (one) => add(world, one, ChildOf(spawn(world, Name("Off"), DisabledTree)))],
    ["a pending parent", (one) => add(world, one, ChildOf(spawn(world, Name("New"), ChildOf(ship))))],
  ])("then %s", (_, act) => {
    expectSame(() => {
      const one = spawn(world, ...TERMS());
      act(one);
      return one;
    });
  });

  it("recorded, in the record that spawned it and in others", () => {
    const [first, second] = [createCommands(world), createCommands(world)];
    const one = record(first, () => spawn(world, ...TERMS()));
    const inside = record(second, () => {
      set(world, one, Position, { x: 6 });
      remove(world, one, Enemy);
      return readAll(one);
    });
    expect(isAlive(world, one)).toBe(false);
    applyCommands(first);
    applyCommands(second);

    expect(inside).toEqual(readAll(one));
  });

  it("in an observer that is called when the iteration ends", () => {
    const seen: unknown[] = [];
    let late: Entity | undefined;
    observe(world, { added: Enemy }, () => {
      late ??= spawn(world, ...TERMS());
      seen.push(readAll(late));
    });
    defer(world, () => spawn(world, Enemy));

    expect(seen[0]).toEqual(readAll(late!));
  });
});

function spawnedBefore(): Entity {
  return entities(query(world, Name)).find((one) => one === ship)!;
}

describe("a pending entity", () => {
  it("is in no list and no query until the end", () => {
    defer(world, () => {
      const one = spawn(world, Name("One"), Position, ChildOf(ship));

      expect([subjectsOf(world, ship, ChildOf), entities(query(world, Position))]).toEqual([[], []]);
      expect([lookup(world, "Ship::One"), pathOf(world, one)]).toEqual([undefined, "Ship::One"]);
    });
    expect(lookup(world, "Ship::One")).toBeDefined();
  });

  it("loses what its target took along", () => {
    const seen: unknown[] = [];
    const other = spawn(world);
    const spawnLate = (): void => {
      const late = spawn(world, Likes(other), Position);
      defer(world, () => {
        destroy(world, other);
        seen.push(targetsOf(world, late, Likes), has(world, late, Likes(Any)));
      });
    };
    defer(world, spawnLate);

    expect([seen, verify(world)]).toEqual([[[other], true], []]);
  });

  it("has no row: locate says so", () => {
    defer(world, () => {
      const one = spawn(world, Position);

      expect(codeOf(() => locate(world, one, Position))).toBe("iterating");
      expect(locate(world, one, All)).toBeUndefined();
    });
  });

  it("cannot be saved yet", () => {
    defer(world, () => {
      const one = spawn(world, Position);

      expect(codeOf(() => toDocument(world, { root: one }))).toBe("iterating");
      expect(codeOf(() => toDocument(world, { entities: [ship, one] }))).toBe("iterating");
      expect(codeOf(() => toBinary(world, { root: one }))).toBe("iterating");
    });
  });
});

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof TreelineError) return error.code;
    throw error;
  }
}

describe("a pending instance", () => {
  it("reads what its prefab gives it, and what it overrides", () => {
    const tank = prefab(world, Position({ x: 1, y: 2 }), Enemy, All({ n: 3 }));
    spawn(world, ChildOf(tank), Slot("gun"), Name("Gun"));
    const gun = entities(query(world, Slot)).at(0);
    const one = expectSame(() => {
      const made = instantiate(world, tank, { with: [Name("First"), Mesh({ id: 1 })], parent: ship });
      set(world, made, Position, { x: 5 });
      remove(world, made, All);
      expect([prefabOf(world, made), get(world, made, Position)]).toEqual([tank, { x: 5, y: 2 }]);
      for (const ask of [
        () => slotOf(world, made, "gun"),
        () => partOf(world, made, tank),
        () => overridesOf(world, made),
      ])
        expect(codeOf(ask)).toBe("iterating");
      return made;
    });

    expect([slotOf(world, one, "gun") !== undefined, gun]).toEqual([true, undefined]);
  });
});

describe("transforms of a pending entity", () => {
  function close(one: Iterable<number>, other: Iterable<number>): void {
    const numbers = [...other];
    for (const [at, number] of [...one].entries()) expect(number).toBeCloseTo(numbers[at]!, 5);
  }

  it.each<[string, (one: Entity, target: Entity) => void]>([
    ["lookAt", (one, target) => lookAt(world, one, target)],
    ["setWorld", (one) => setWorld(world, one, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1])],
    ["translateWorld", (one) => translateWorld(world, one, [1, 2, 3])],
    ["rotateWorld", (one) => rotateWorld(world, one, [0, 0, Math.SQRT1_2, Math.SQRT1_2])],
    ["reparentInPlace", (one, target) => reparentInPlace(world, one, target)],
    ["reparentInPlace of a list", (one, target) => reparentInPlace(world, [one], target)],
    ["reparentInPlace to the roots", (one) => reparentInPlace(world, one, undefined)],
  ])("%s does the same as outside of iterations", (_, act) => {
    const place = Local3D({ position: [5, 1, 0], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] });
    const target = spawn(world, place, World3D, ChildOf(ship));
    const make = () =>
      spawn(world, Local3D({ position: [1, 0, 2] }), World3D, ChildOf(target), Name(`${Math.random()}`));
    const other = make();
    act(other, target);
    let inside: number[] = [];
    let parent: Entity | undefined;
    const one = defer(world, () => {
      const made = make();
      act(made, target);
      inside = [...worldOf(world, made), ...get(world, made, Local3D)!.position];
      parent = parentOf(world, made);
      return made;
    });

    close(inside, [...worldOf(world, one), ...get(world, one, Local3D)!.position]);
    close(worldOf(world, one), worldOf(world, other));
    expect([parent, distance(world, one, other)]).toEqual([parentOf(world, one), expect.closeTo(0, 5)]);
  });

  it("below a pending parent, with boxes", () => {
    const [inside, one] = defer(world, () => {
      const above = spawn(world, Local3D({ position: [1, 0, 0] }), World3D);
      const made = spawn(world, Local3D({ position: [0, 2, 0] }), World3D, ChildOf(above));
      add(world, made, Bounds3D({ min: [-1, -1, -1], max: [1, 1, 1] }));
      return [[...worldOf(world, made), ...boundsOf(world, made)], made] as const;
    });

    close(inside, [...worldOf(world, one), ...boundsOf(world, one)]);
    expect(inside.slice(12, 15)).toEqual([1, 2, 0]);
  });

  it("in 2D", () => {
    const [inside, one] = defer(world, () => {
      const made = spawn(world, Local2D({ position: [1, 2], angle: 1 }), World2D);
      setWorld2D(world, made, worldOf2D(world, made));
      return [[...worldOf2D(world, made)], made] as const;
    });

    close(inside, worldOf2D(world, one));
  });

  it("refuses what was given no transform", () => {
    defer(world, () => {
      const one = spawn(world, Position);

      expect(codeOf(() => lookAt(world, one, [5, 0, 0]))).toBe("bad-value");
    });
  });
});

it("depthOf counts pending parents", () => {
  defer(world, () => {
    const top = spawn(world, ChildOf(ship));

    expect([depthOf(world, top), depthOf(world, spawn(world, Parent(top)))]).toEqual([1, 2]);
  });
});
