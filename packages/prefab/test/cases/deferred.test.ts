import {
  add,
  applyCommands,
  ChildOf,
  createCommands,
  defer,
  type Entity,
  get,
  has,
  isAlive,
  observe,
  Parent,
  pairsOf,
  parentOf,
  record,
  remove,
  set,
  spawn,
  type TreelineError,
} from "@treeline/core";
import { Name } from "@treeline/names";
import { children, collect, count, destroy, each, query } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { describe, expect, test } from "vitest";
import {
  autoOverride,
  IsA,
  instancesOf,
  instantiate,
  Prefab,
  partOf,
  prefab,
  prefabOf,
} from "../../src/index.ts";
import { drawn, expectRefusal, Mesh, newWorld, Position, tankIn, world } from "./fixture.ts";

const TREE = "Turret\n  Barrel\nTracks";

describe("inside an iteration", () => {
  test("instances are alive at once, and have everything when it ends", () => {
    const { tank } = tankIn();
    const probe = spawn(world, Position);
    const scene = spawn(world);
    const made: Entity[] = [];
    each(query(world, Position), (_, entity) => {
      if (entity !== probe) return;
      made.push(instantiate(world, tank, { parent: scene, with: [Position({ x: 70 })] }));
      made.push(...instantiate(world, tank, { count: 2 }));
      expect(made.every((one) => isAlive(world, one))).toBe(true);
      expect(instantiate(world, tank, { count: 0 })).toEqual([]);
    });
    expect(made.map(drawn)).toEqual(Array(3).fill(TREE));
    expect(parentOf(world, made[0]!)).toBe(scene);
    expect(made.map((one) => get(world, one, Position)!.x)).toEqual([70, 1, 1]);
    expect(made.map((one) => get(world, one, Mesh)!.id)).toEqual([1, 1, 1]);
    expect(instancesOf(world, tank)).toEqual(made);
  });

  test("instances have the storage of parents that was asked for", () => {
    const { tank } = tankIn();
    spawn(world, Position);
    let one: Entity | undefined;
    each(query(world, Position), () => {
      one ??= instantiate(world, tank, { storage: Parent });
    });
    expect(children(world, one!).every((part) => has(world, part, Parent(one!)))).toBe(true);
    const relations = children(world, one!).flatMap((part) =>
      pairsOf(world, part).map(({ relation }) => relation.name),
    );
    expect(relations).toEqual(["Parent", "Parent"]);
  });

  test("writes, adding and removing of inherited values wait: an override has the other fields of the prefab when the iteration ends", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    const own = partOf(world, one, turret)!;
    each(query(world, Mesh), (_, entity) => {
      if (entity !== own) return;
      set(world, own, Mesh, { lod: 3 });
      set(world, turret, Mesh, { id: 50 });
      set(world, own, Mesh, { lod: 4 });
      remove(world, one, Mesh);
      add(world, one, Mesh({ lod: 9 }));
    });
    expect(get(world, turret, Mesh)!.id).toBe(50);
    expect(get(world, own, Mesh)).toEqual({ lod: 4, id: 50 });
    expect(get(world, one, Mesh)).toEqual({ lod: 9, id: 1 });
  });

  test("attaching to and detaching from a prefab, IsA and Prefab wait", () => {
    const { tank, tracks } = tankIn();
    const [plain, flag, later] = [spawn(world, Position), spawn(world, Name("Flag")), spawn(world)];
    each(query(world, Position), (_, entity) => {
      if (entity !== plain) return;
      add(world, plain, IsA(tank));
      attach(world, flag, tank);
      add(world, later, Prefab);
      expect(children(world, plain)).toEqual([]);
    });
    expect(drawn(plain)).toBe(TREE);
    expect([has(world, flag, Prefab), has(world, later, Prefab), has(world, tracks, Prefab)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(drawn(instantiate(world, tank))).toBe(`${TREE}\nFlag`);
  });

  test("autoOverride waits, also for a prefab that is made there, and strict worlds refuse it", () => {
    const { tank, turret } = tankIn();
    const places = query(world, Position, Prefab);
    each(places, (position, entity) => {
      autoOverride(world, entity, Mesh);
      position.x += 10;
    });
    const made = defer(world, () => {
      const one = prefab(world, Mesh({ id: 5 }));
      autoOverride(world, one, Mesh);
      autoOverride(world, turret, Mesh, false);
      return one;
    });
    expect(
      collect(places)
        .map(([position]) => position.x)
        .sort(),
    ).toEqual([11, 12, 13]);
    const [one, other] = [instantiate(world, tank), instantiate(world, made)];
    for (const part of [tank, turret, made]) set(world, part, Mesh, { id: 70 });
    const ids = [one, partOf(world, one, turret)!, other].map((entity) => get(world, entity, Mesh)!.id);
    expect(ids).toEqual([1, 70, 5]);

    const { tank: strict } = tankIn({ strict: true });
    each(query(world, Prefab, Position), (_, entity) => {
      if (entity === strict) expectRefusal("iterating", () => autoOverride(world, strict, Mesh));
    });
  });

  test("a prefab that is destroyed before its instances are made is refused when the iteration ends", () => {
    const { tank } = tankIn();
    spawn(world, Position);
    let one: Entity | undefined;
    expect(() =>
      each(query(world, Position), () => {
        destroy(world, tank);
        one = instantiate(world, tank);
      }),
    ).not.toThrow();
    expect(isAlive(world, tank)).toBe(false);
    expect(one === undefined || !isAlive(world, one) || children(world, one).length === 0).toBe(true);
  });
});

describe("inside defer, observers and command buffers", () => {
  test("an instance is made when the deferred commands are", () => {
    const { tank } = tankIn();
    const one = defer(world, () => instantiate(world, tank));
    expect(drawn(one)).toBe(TREE);
    expect(prefabOf(world, one)).toBe(tank);
  });

  test("an observer may make instances, and instances of what has just been made", () => {
    const { tank } = tankIn();
    const Turn = query(world, Position);
    let made: Entity | undefined;
    observe(world, { added: IsA(tank) }, () => {
      made ??= instantiate(world, tank);
    });
    const one = instantiate(world, tank);
    expect([drawn(one), drawn(made!)]).toEqual([TREE, TREE]);
    expect(count(Turn)).toBe(6);
  });

  test("an observer of parts may destroy the instance while it is being made", () => {
    const { tank } = tankIn();
    observe(world, { added: Name }, ({ entity }) => {
      if (get(world, entity, Name) === "Barrel") destroy(world, entity);
    });
    const one = instantiate(world, tank);
    expect(drawn(one)).toBe("Turret\nTracks");
  });

  test("recorded commands make instances when they are applied, of what the prefab is then", () => {
    const { tank, tracks } = tankIn();
    const buffer = createCommands(world);
    const one = record(buffer, () => instantiate(world, tank));
    destroy(world, tracks);
    applyCommands(buffer);
    expect(drawn(one)).toBe("Turret\n  Barrel");
  });

  test("several commands about one prefab are made in their order", () => {
    newWorld();
    const [base, one] = defer(world, () => {
      const base = prefab(world, Position({ x: 1 }), Mesh({ id: 5 }));
      const part = spawn(world, ChildOf(base), Name("Part"), Mesh({ id: 6 }));
      const one = spawn(world, IsA(base));
      set(world, part, Mesh, { id: 7 });
      return [base, one];
    });
    expect(has(world, base, Prefab)).toBe(true);
    expect(drawn(one)).toBe("Part");
    expect(get(world, children(world, one)[0]!, Mesh)!.id).toBe(7);
  });
});

describe("what would make a prefab contain itself is refused alone, below a part that is spawned before", () => {
  /** Tries something below a new part of a tank. @returns how often the tank is in itself. */
  function loopsBy(change: (tank: Entity, part: Entity) => void): number {
    newWorld();
    const tank = prefab(world);
    let part: Entity | undefined;
    let refusal: unknown;
    try {
      defer(world, () => {
        part = spawn(world, ChildOf(tank), Name("Part")); // the hooks of names let it become a part later than others
        change(tank, part);
      });
    } catch (error) {
      refusal = (error as TreelineError).code;
    }
    expect(refusal).toBe("cycle");
    expect(children(world, tank)).toEqual([part]);
    expect(has(world, part!, Prefab)).toBe(true);
    return (
      children(world, part!).length + instancesOf(world, tank).filter((one) => has(world, one, Prefab)).length
    );
  }

  test("instantiate", () => {
    let one: Entity | undefined;
    expect(loopsBy((tank, part) => (one = instantiate(world, tank, { parent: part })))).toBe(0);
    expect(isAlive(world, one!)).toBe(false);
  });

  test("IsA of an entity some levels below", () => {
    let one: Entity | undefined;
    const loops = loopsBy((tank, part) => {
      one = spawn(world, ChildOf(part));
      add(world, one, IsA(tank));
    });
    expect([loops, children(world, one!), instancesOf(world, children(world, one!)[0] ?? one!)]).toEqual([
      1,
      [],
      [],
    ]);
  });

  test("attaching what has an instance below", () => {
    const flag = (tank: Entity): Entity => {
      const top = spawn(world);
      instantiate(world, tank, { parent: top });
      return top;
    };
    expect(loopsBy((tank, part) => attach(world, flag(tank), part))).toBe(0);
  });
});

describe("in a strict world", () => {
  test("instances are refused inside an iteration, and made outside", () => {
    const { tank } = tankIn({ strict: true });
    const one = instantiate(world, tank, { count: 2 });
    expect(one.map(drawn)).toEqual([TREE, TREE]);
    const positions = query(world, Position);
    expectRefusal("iterating", () => each(positions, () => instantiate(world, tank)));
    expectRefusal("iterating", () => each(positions, () => set(world, one[0]!, Mesh, { id: 8 })));
    expectRefusal("iterating", () => each(query(world, Mesh), (mesh) => (mesh.id = 8)));
    set(world, one[0]!, Mesh, { id: 8 });
    expect(get(world, one[0]!, Mesh)!.id).toBe(8);
  });
});
