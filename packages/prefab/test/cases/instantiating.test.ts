import {
  add,
  asTag,
  ChildOf,
  component,
  get,
  has,
  isAlive,
  observe,
  Parent,
  pairsOf,
  parentOf,
  relation,
  remove,
  set,
  spawn,
  subjectsOf,
  targetOf,
  targetsOf,
  withHooks,
} from "@treeline/core";
import { childNamed, lookup, Name, pathOf, withScope } from "@treeline/names";
import { children, collect, count, destroy, query, setChildOrder } from "@treeline/query";
import { describe, expect, test } from "vitest";
import { IsA, instancesOf, instantiate, Prefab, partOf, prefab } from "../../src/index.ts";
import {
  Aim,
  Armed,
  Draft,
  drawn,
  Fuel,
  Heavy,
  Lit,
  Mesh,
  Near,
  Notes,
  newWorld,
  Paint,
  Position,
  Title,
  tankIn,
  world,
} from "./fixture.ts";

const STORAGES = [ChildOf, Parent] as const;

describe("an instance", () => {
  test("has the tree of the prefab, siblings in order and names kept, but for that of the root", () => {
    const { tank, turret, tracks } = tankIn();
    const flag = spawn(world, Parent(tank), Name("Flag"));
    setChildOrder(world, tank, [flag, tracks, turret]);
    const one = instantiate(world, tank);
    expect(drawn(one)).toBe("Flag\nTracks\nTurret\n  Barrel");
    expect(get(world, one, Name)).toBeUndefined();
  });

  test.each(STORAGES)("has its parents in the storage that is asked for: $name", (storage) => {
    const { tank, turret } = tankIn();
    spawn(world, Parent(turret), Name("Light"));
    const scene = spawn(world);
    const one = instantiate(world, tank, { storage, parent: scene });
    const other = storage === ChildOf ? Parent : ChildOf;
    expect(drawn(one)).toBe("Turret\n  Barrel\n  Light\nTracks");
    for (const entity of [one, ...children(world, one), ...children(world, children(world, one)[0]!)]) {
      const relations = pairsOf(world, entity).map(({ relation }) => relation.name);
      expect(relations).toContain(storage.name);
      expect(relations).not.toContain(other.name);
    }
  });

  test("stores the parents of its parts as the prefab does, if nothing else is asked for", () => {
    const { tank, turret } = tankIn();
    spawn(world, Parent(turret), Name("Light"));
    const one = instantiate(world, tank);
    const own = children(world, one)[0]!;
    const stored = children(world, own).map((part) =>
      pairsOf(world, part).map(({ relation }) => relation.name),
    );
    expect(stored).toEqual([["ChildOf"], ["Parent"]]);
  });

  test("has no Prefab, and queries match it", () => {
    const { tank } = tankIn();
    const positions = query(world, Position);
    const one = instantiate(world, tank);
    expect(has(world, one, Prefab)).toBe(false);
    expect(count(positions)).toBe(3);
  });

  test("gets what each kind of component says: its own, inherited, or nothing", () => {
    newWorld();
    const base = prefab(
      world,
      Position({ x: 1 }),
      Title("one"),
      Armed,
      Lit,
      Fuel({ litres: 5 }),
      Mesh({ id: 3 }),
      Paint("red"),
      Heavy,
      Notes({ text: "later" }),
      Draft,
    );
    const one = instantiate(world, base);
    expect(get(world, one, Position)).toEqual({ x: 1, y: 0 });
    expect(get(world, one, Title)).toBe("one");
    expect([Armed, Lit, Heavy, Draft].map((tag) => has(world, one, tag))).toEqual([true, true, true, false]);
    expect(get(world, one, Fuel)).toEqual({ litres: 5 });
    expect(get(world, one, Mesh)).toEqual({ lod: 1, id: 3 });
    expect(get(world, one, Paint)).toBe("red");
    expect(has(world, one, Notes)).toBe(false);
    set(world, base, Position, { x: 2 });
    set(world, base, Fuel, { litres: 6 });
    remove(world, base, Heavy);
    set(world, base, Paint, "blue");
    expect(get(world, one, Position)!.x).toBe(1);
    expect(get(world, one, Fuel)!.litres).toBe(5);
    expect(has(world, one, Heavy)).toBe(false);
    expect(get(world, one, Paint)).toBe("blue");
  });

  test("has values of its own of an inherited component in any storage, once it is written", () => {
    newWorld();
    const base = prefab(world, Mesh({ id: 3 }));
    const one = instantiate(world, base);
    set(world, one, Mesh, { lod: 9 });
    set(world, base, Mesh, { id: 4 });
    expect(get(world, one, Mesh)).toEqual({ lod: 9, id: 3 });
  });

  test("has its own copy of a value that has a copy hook", () => {
    newWorld();
    const Bag = withHooks(component<string[]>("Bag"), { copy: (bag) => [...bag] });
    const base = prefab(world, Bag(["a"]));
    const [one, two] = instantiate(world, base, { count: 2 });
    get(world, one!, Bag)!.push("b");
    expect([base, one!, two!].map((entity) => get(world, entity, Bag))).toEqual([["a"], ["a", "b"], ["a"]]);
  });

  test("is told to observers entity by entity, parents first, each with its values and its parent", () => {
    newWorld();
    const seen: (string | undefined)[] = [];
    const Known = component<string>("Known");
    observe(world, { added: Known }, ({ entity }) => {
      seen.push(`${get(world, entity, Known)} below ${parentOf(world, entity) !== undefined}`);
    });
    const base = prefab(world, Known("root"));
    spawn(world, ChildOf(base), Known("part"));
    seen.length = 0;
    instantiate(world, base, { count: 2 });
    expect(seen).toEqual(["root below false", "part below true", "root below false", "part below true"]);
  });
});

describe("pairs and entity fields", () => {
  test("that point inside the prefab point inside the instance; others keep their targets", () => {
    const { tank, turret, barrel, tracks } = tankIn();
    const outside = spawn(world);
    add(world, tank, Aim({ at: barrel }), Near(barrel), Near(outside));
    add(world, barrel, Aim({ at: tank }), Near(turret), Near(barrel));
    add(world, tracks, Aim({ at: outside }));
    const [one, two] = instantiate(world, tank, { count: 2 });
    for (const copy of [one!, two!]) {
      const [ownTurret, ownTracks] = children(world, copy);
      const [ownBarrel] = children(world, ownTurret!);
      expect(get(world, copy, Aim)!.at).toBe(ownBarrel);
      expect(targetsOf(world, copy, Near)).toEqual([ownBarrel, outside]);
      expect(get(world, ownBarrel!, Aim)!.at).toBe(copy);
      expect(targetsOf(world, ownBarrel!, Near)).toEqual([ownTurret, ownBarrel]);
      expect(get(world, ownTracks!, Aim)!.at).toBe(outside);
    }
  });

  test("have their values", () => {
    newWorld();
    const Joint = relation("Joint", { fields: { angle: 0 } });
    const base = prefab(world);
    const part = spawn(world, ChildOf(base), Joint(base, { angle: 30 }));
    const one = instantiate(world, base);
    expect(get(world, children(world, one)[0]!, Joint(one))).toEqual({ angle: 30 });
    expect(subjectsOf(world, base, Joint)).toEqual([part]);
  });

  test("of an exclusive relation point inside, or at the same target", () => {
    newWorld();
    const Drives = relation("Drives", { exclusive: true });
    const outside = spawn(world);
    const base = prefab(world, Drives(outside));
    const part = spawn(world, ChildOf(base), Drives(base));
    const one = instantiate(world, base);
    expect(targetOf(world, one, Drives)).toBe(outside);
    expect(targetOf(world, children(world, one)[0]!, Drives)).toBe(one);
    expect(targetOf(world, part, Drives)).toBe(base);
  });

  test("of a symmetric relation are between the parts of the instance, in both directions", () => {
    newWorld();
    const Twin = relation("Twin", { symmetric: true });
    const Wed = relation("Wed", { symmetric: true, exclusive: true });
    const [friend, spouse] = [spawn(world), spawn(world)];
    const base = prefab(world, Twin(friend), Wed(spouse));
    const left = spawn(world, ChildOf(base));
    const right = spawn(world, ChildOf(base), Twin(left), Wed(left));
    const [one, two] = instantiate(world, base, { count: 2 });
    for (const copy of [one!, two!]) {
      const [ownLeft, ownRight] = children(world, copy) as [never, never];
      expect(targetsOf(world, ownLeft, Twin)).toEqual([ownRight]);
      expect(targetsOf(world, ownRight, Twin)).toEqual([ownLeft]);
      expect(targetOf(world, ownLeft, Wed)).toBe(ownRight);
      expect(has(world, friend, Twin(copy))).toBe(true);
      expect(has(world, copy, Wed(spouse))).toBe(false); // it would be taken from the prefab
    }
    expect(targetOf(world, base, Wed)).toBe(spouse);
    expect(targetOf(world, left, Wed)).toBe(right);
  });

  test("of a relation with onInstantiate skip are left out", () => {
    newWorld();
    const Seen = relation("Seen", { onInstantiate: "skip" });
    const other = spawn(world);
    const base = prefab(world, Seen(other));
    expect(has(world, instantiate(world, base), Seen(other))).toBe(false);
  });

  test("an entity that is a tag of a part is one of the instance's part, and inside it if it is a part", () => {
    newWorld();
    const mark = spawn(world);
    const base = prefab(world, asTag(mark));
    const part = spawn(world, ChildOf(base));
    add(world, part, asTag(mark));
    add(world, base, asTag(part));
    const one = instantiate(world, base);
    const [own] = children(world, one);
    expect(has(world, own!, asTag(mark))).toBe(true);
    expect(has(world, one, asTag(own!))).toBe(true);
    expect(has(world, one, asTag(part))).toBe(false);
  });
});

describe("options", () => {
  test("parent is the parent of the root, and depths shift", () => {
    const { tank } = tankIn();
    const scene = spawn(world, Name("Scene"));
    const deep = spawn(world, Name("Deep"), ChildOf(scene));
    const one = instantiate(world, tank, { parent: deep, with: [Name("One")] });
    expect(pathOf(world, children(world, children(world, one)[0]!)[0]!)).toBe(
      "Scene::Deep::One::Turret::Barrel",
    );
  });

  test("with gives the root more terms, or others in place of those of the prefab, and can give its parent", () => {
    const { tank } = tankIn();
    const scene = spawn(world);
    const one = instantiate(world, tank, {
      with: [Position({ x: 50 }), Mesh({ id: 60 }), Armed, Parent(scene), Near(scene)],
    });
    expect(get(world, one, Position)).toEqual({ x: 50, y: 0 });
    expect(get(world, one, Mesh)).toEqual({ lod: 1, id: 60 });
    expect(has(world, one, Armed) && has(world, one, Near(scene))).toBe(true);
    expect(parentOf(world, one)).toBe(scene);
    set(world, tank, Mesh, { id: 70 });
    expect(get(world, one, Mesh)!.id).toBe(60);
  });

  test("with a pair of another target keeps those of the prefab, unless the relation is exclusive", () => {
    newWorld();
    const Drives = relation("Drives", { exclusive: true });
    const [a, b] = [spawn(world), spawn(world)];
    const base = prefab(world, Near(a), Drives(a));
    const one = instantiate(world, base, { with: [Near(b), Drives(b)] });
    expect(targetsOf(world, one, Near).sort()).toEqual([a, b].sort());
    expect(targetOf(world, one, Drives)).toBe(b);
  });

  test("count returns a list, which is empty for 0", () => {
    const { tank } = tankIn();
    expect(instantiate(world, tank, { count: 0 })).toEqual([]);
    const many = instantiate(world, tank, { count: 3 });
    expect(many).toHaveLength(3);
    expect(instancesOf(world, tank)).toEqual(many);
    expect(many.map(drawn)).toEqual(Array(3).fill("Turret\n  Barrel\nTracks"));
    expect(instantiate(world, tank, { count: 1 })).toHaveLength(1);
  });

  test("the scope of withScope is the parent, unless another one is given", () => {
    const { tank } = tankIn();
    const [scene, other] = [spawn(world, Name("Scene")), spawn(world)];
    withScope(world, scene, () => {
      expect(parentOf(world, instantiate(world, tank))).toBe(scene);
      expect(parentOf(world, instantiate(world, tank, { parent: other }))).toBe(other);
      expect(parentOf(world, instantiate(world, tank, { with: [Parent(other)] }))).toBe(other);
    });
  });
});

test("instances of a prefab without children and components are empty", () => {
  newWorld();
  const empty = prefab(world);
  const [one, two] = instantiate(world, empty, { count: 2 });
  expect(drawn(one!)).toBe("");
  expect(pairsOf(world, two!).map(({ target }) => target)).toEqual([empty]);
});

test("a prefab whose index was used before makes instances of itself, not of what it was", () => {
  const { tank, turret } = tankIn();
  const one = instantiate(world, tank);
  destroy(world, tank);
  const again = Array.from({ length: 8 }, () => prefab(world, Mesh({ id: 100 })));
  for (const base of again) {
    const made = instantiate(world, base);
    expect(drawn(made)).toBe("");
    expect(get(world, made, Mesh)!.id).toBe(100);
    expect(partOf(world, made, turret)).toBeUndefined();
    expect(partOf(world, one, base)).toBeUndefined();
  }
  expect(has(world, one, Mesh)).toBe(false);
});

test("instances may have parts with the same names, each under its own parent", () => {
  const { tank } = tankIn();
  const many = instantiate(world, tank, { count: 4 });
  expect(many.map((one) => childNamed(world, one, "Turret"))).toEqual(
    many.map((one) => children(world, one)[0]),
  );
  expect(lookup(world, "Turret")).toBeUndefined();
});

test("an entity with IsA of a plain entity has its inherited components, and no parts", () => {
  newWorld();
  const base = spawn(world, Mesh({ id: 4 }), Position({ x: 3 }));
  spawn(world, ChildOf(base));
  const one = spawn(world, IsA(base));
  expect(children(world, one)).toEqual([]);
  expect(get(world, one, Mesh)!.id).toBe(4);
  expect(get(world, one, Position)!.x).toBe(3);
  expect(collect(query(world, Mesh)).length).toBe(2);
  destroy(world, base);
  expect(isAlive(world, one)).toBe(true);
  expect(has(world, one, Mesh)).toBe(false);
  expect(get(world, one, Position)!.x).toBe(3);
});
