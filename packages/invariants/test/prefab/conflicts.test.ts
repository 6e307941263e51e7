/** What instances have of their own stands in the way of what parts of a prefab exchange: what the instance has changed stays, and nothing is lost. */

import {
  add,
  ChildOf,
  component,
  type Entity,
  get,
  has,
  isAlive,
  observe,
  Parent,
  parentOf,
  relation,
  remove,
  set,
  spawn,
  TreelineError,
  targetOf,
  withHooks,
} from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { Name, rename } from "@treeline/names";
import { applyToPrefab, instantiate, overridesOf, partOf, refreshInstances, revert } from "@treeline/prefab";
import { children, destroy } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { describe, expect, it } from "vitest";
import {
  Above,
  Coupled,
  Guards,
  Holds,
  Needs,
  outline,
  plantTree,
  type Tree,
  treeAt,
  Value,
} from "./edits.ts";

interface Both {
  readonly tree: Tree;
  readonly own: Tree;
  readonly instance: Entity;
}

function plant(storage: typeof ChildOf | typeof Parent): Both {
  const tree = plantTree(storage);
  const instance = instantiate(tree.world, tree.root);
  return { tree, instance, own: treeAt(tree.world, instance, storage) };
}

function drawn({ world }: Tree, root: Entity): string {
  const draw = (entity: Entity): string => {
    const below = children(world, entity).map(draw).join(" ");
    return `${get(world, entity, Name) ?? "-"}${below === "" ? "" : `(${below})`}`;
  };
  return children(world, root).map(draw).join(" ");
}

const told = ({ tree, instance }: Both): string[] =>
  overridesOf(tree.world, instance).map(
    ({ kind, entity, definition }) =>
      `${kind} ${get(tree.world, entity, Name) ?? "-"} ${definition?.name ?? ""}`,
  );

describe.each([
  ["ChildOf", ChildOf],
  ["Parent", Parent],
] as const)("by %s", (_, storage) => {
  it("a name that something attached has is not taken: the part keeps its own, and one that wanted that has none, which is told", () => {
    const both = plant(storage);
    const { tree, instance } = both;
    const { world } = tree;
    const flag = spawn(world, Name("old"), storage(instance));
    rename(world, tree.at("a"), "old");
    const added = spawn(world, Name("a"), storage(tree.root));

    refreshInstances(world, tree.root);

    expect(drawn(tree, instance)).toBe("a(x(y)) b(x) c old -");
    expect(told(both)).toEqual(["value a Name", "attached old ", "removed - Name"]);
    refreshInstances(world, tree.root);
    expect(drawn(tree, instance)).toBe("a(x(y)) b(x) c old -");
    rename(world, flag, "flag");
    revert(world, instance);
    expect(drawn(tree, instance)).toBe("old(x(y)) b(x) c flag a");
    expect(get(world, partOf(world, instance, added)!, Name)).toBe("a");
    expect(verify(world)).toEqual([]);
  });

  it("a ring of names moves on where the instance has renamed one of it", () => {
    const both = plant(storage);
    const { tree, own, instance } = both;
    rename(tree.world, own.at("b"), "mine");
    for (const [path, name] of [
      ["a", "tmp"],
      ["b", "a"],
      ["c", "b"],
      ["a", "c"],
    ] as const)
      rename(tree.world, tree.at(path), name);

    refreshInstances(tree.world, tree.root);

    expect(drawn(tree, instance)).toBe("c(x(y)) mine(x) b");
    expect(told(both)).toEqual(["value mine Name"]);
  });

  it("a part moves to where its name is taken without the name, which is told, and gets it back", () => {
    const both = plant(storage);
    const { tree, own, instance } = both;
    const { world } = tree;
    const flag = spawn(world, Name("y"), storage(own.at("b")));
    attach(world, tree.at("a.x.y"), tree.at("b"));

    refreshInstances(world, tree.root);

    expect(drawn(tree, instance)).toBe("a(x) b(x y -) c");
    expect(told(both)).toEqual(["attached y ", "removed - Name"]);
    rename(world, flag, "flag");
    revert(world, instance);
    expect(drawn(tree, instance)).toBe("a(x) b(x flag y) c");
  });

  it("a part that the instance has moved stays there, and so does one that would come to be below itself", () => {
    const both = plant(storage);
    const { tree, own, instance } = both;
    const { world } = tree;
    const rack = spawn(world, Name("rack"), storage(instance));
    attach(world, own.at("a.x.y"), rack);
    attach(world, own.at("b"), own.at("a"));
    attach(world, tree.at("a.x.y"), tree.at("c"));
    attach(world, tree.at("a"), tree.at("b"));

    refreshInstances(world, tree.root);

    expect(drawn(tree, instance)).toBe("a(x b(x)) c rack(y)");
    expect(verify(world)).toEqual([]);
  });

  it("a part turned upside down carries along what was attached to it", () => {
    const both = plant(storage);
    const { tree, own, instance } = both;
    const { world } = tree;
    spawn(world, Name("flag"), storage(own.at("a")));
    spawn(world, Name("lamp"), storage(own.at("a.x")));
    attach(world, tree.at("a.x"), tree.root);
    attach(world, tree.at("a"), tree.at("a.x"));

    refreshInstances(world, tree.root);

    expect(drawn(tree, instance)).toBe("b(x) c x(y lamp a(flag))");
  });

  it("a target that something else has taken is not had: of an exclusive relation the old one stays", () => {
    const { tree, own } = plant(storage);
    const { world } = tree;
    remove(world, own.at("b"), Guards(own.at("c")));
    spawn(world, Guards(own.at("c")));
    remove(world, tree.at("b"), Guards(tree.at("c")));
    add(world, tree.at("a"), Guards(tree.at("c")));
    set(world, tree.at("a"), Value, { x: 50 });

    refreshInstances(world, tree.root);

    expect(has(world, own.at("a"), Guards(own.at("b")))).toBe(true);
    expect(get(world, own.at("a"), Value)!.x).toBe(50);
  });

  it("a direction that a pair of the instance's own contradicts is left out, and the rest follows", () => {
    const { tree, own } = plant(storage);
    const { world } = tree;
    add(world, own.at("a.x"), Above(own.at("a")));
    remove(world, tree.at("a"), Above(tree.at("b")));
    add(world, tree.at("b"), Above(tree.at("a.x")));
    add(world, tree.at("a"), Above(tree.at("a.x")));

    refreshInstances(world, tree.root);

    expect(has(world, own.at("b"), Above(own.at("a.x")))).toBe(true);
    expect(has(world, own.at("a"), Above(own.at("a.x")))).toBe(false);
    expect(has(world, own.at("a"), Above(own.at("b")))).toBe(false);
  });

  it.each([
    ["delete", Needs],
    ["refuse", Holds],
  ] as const)(
    "a part that goes stays where something of the instance points to it with %s",
    (__, relation) => {
      const both = plant(storage);
      const { tree, own, instance } = both;
      const { world } = tree;
      const lamp = spawn(world, Name("lamp"), storage(own.at("a")), relation(own.at("b.x")));
      set(world, own.at("c"), Value, { x: 70 });
      add(world, own.at("c"), relation(own.at("a.x.y")));
      for (const path of ["b.x", "a.x.y"]) destroy(world, tree.at(path));

      refreshInstances(world, tree.root);

      expect(drawn(tree, instance)).toBe("a(x(y) lamp) b(x) c");
      expect(isAlive(world, lamp)).toBe(true);
      expect(get(world, own.at("c"), Value)!.x).toBe(70);
      expect(told(both)).toEqual([
        "attached y ",
        "attached lamp ",
        "attached x ",
        "value c Value",
        `added c ${relation.name}`,
      ]);
      remove(world, lamp, relation(own.at("b.x")));
      refreshInstances(world, tree.root);
      expect(verify(world)).toEqual([]);
    },
  );

  it("a part that goes stays where something outside refuses that, and the rest follows", () => {
    const { tree, own, instance } = plant(storage);
    const { world } = tree;
    spawn(world, Holds(own.at("b.x")));
    destroy(world, tree.at("b.x"));
    rename(world, tree.at("a"), "A");

    refreshInstances(world, tree.root);

    expect(drawn(tree, instance)).toBe("A(x(y)) b(x) c");
  });

  it("a part of which the instance has changed the pair that goes with its target keeps both", () => {
    const { tree } = plant(storage);
    const { world } = tree;
    const Cares = relation("Cares", { onTargetDestroy: "delete", fields: { much: 0 } });
    add(world, tree.at("a"), Cares(tree.at("b.x"), { much: 1 }));
    const [one, two] = instantiate(world, tree.root, { count: 2 }) as [Entity, Entity];
    const at = (instance: Entity, path: string): Entity => partOf(world, instance, tree.at(path))!;
    const [a, bx] = [at(one, "a"), at(one, "b.x")];
    set(world, a, Cares(bx), { much: 2 });
    remove(world, tree.at("a"), Cares(tree.at("b.x")));
    const gone = tree.at("b.x");
    destroy(world, gone);

    refreshInstances(world, tree.root);

    expect([isAlive(world, a), isAlive(world, bx), get(world, a, Cares(bx))]).toEqual([
      true,
      true,
      { much: 2 },
    ]);
    expect(drawn(tree, two)).toBe("a(x(y)) b c");
  });

  it("partners of an exclusive symmetric relation come in one call, and those that the instance chose stay", () => {
    const { tree, own } = plant(storage);
    const { world } = tree;
    const two = treeAt(world, instantiate(world, tree.root), storage);
    add(world, two.at("b"), Coupled(two.at("a")));
    add(world, tree.at("c"), Coupled(tree.at("a.x")));
    add(world, tree.at("b"), Coupled(tree.at("b.x")));

    refreshInstances(world, tree.root);

    const partnersIn = (of: Tree): (string | undefined)[] =>
      ["a", "b", "c", "a.x", "b.x"].map((path) => {
        const partner = targetOf(world, of.at(path), Coupled);
        return ["a", "b", "c", "a.x", "b.x"].find((one) => of.at(one) === partner);
      });
    expect(partnersIn(own)).toEqual([undefined, "b.x", "a.x", "c", "b"]);
    expect(partnersIn(two)).toEqual(["b", "a", "a.x", "c", undefined]);
    const before = dump(world);
    refreshInstances(world, tree.root);
    expect(dump(world)).toBe(before);
  });
});

describe("what a hook refuses changes nothing", () => {
  const Limited = withHooks(component("Limited", { x: 0 }), {
    check: (_, entity, { x }) => {
      if (x > 9 && entity !== allowed) throw new TreelineError("refused", "Limited.x is at most 9; lower it");
    },
  });
  let allowed: Entity | undefined;

  it("in refreshInstances, whether a part has the value already or is new", () => {
    for (const isNew of [false, true]) {
      const { tree, instance } = plant(ChildOf);
      const { world } = tree;
      allowed = isNew ? spawn(world, Name("new"), ChildOf(tree.root)) : tree.at("c");
      add(world, allowed, Limited({ x: 1 }));
      if (!isNew) refreshInstances(world, tree.root);
      set(world, allowed, Limited, { x: 10 });
      rename(world, tree.at("a"), "A");
      attach(world, tree.at("b"), tree.at("a"));
      const before = dump(world);
      const events: string[] = [];
      observe(world, { set: Name, added: ChildOf, removed: ChildOf }, ({ kind }) => events.push(kind));

      expect(() => refreshInstances(world, tree.root)).toThrow("at most 9; lower it");

      expect(dump(world)).toBe(before);
      expect(events).toEqual([]);
      set(world, allowed, Limited, { x: 8 });
      refreshInstances(world, tree.root);
      expect(outline(world, instance)).toEqual(outline(world, tree.root));
    }
  });

  it("in revert, and in applyToPrefab", () => {
    const { tree, own, instance } = plant(ChildOf);
    const { world } = tree;
    allowed = tree.at("c");
    add(world, tree.at("c"), Limited({ x: 1 }));
    refreshInstances(world, tree.root);
    set(world, own.at("c"), Limited, { x: 2 });
    rename(world, own.at("a"), "A");
    destroy(world, own.at("b.x"));
    set(world, tree.at("c"), Limited, { x: 10 });
    const before = dump(world);
    expect(() => revert(world, instance)).toThrow("at most 9");
    expect(dump(world)).toBe(before);

    allowed = own.at("c");
    set(world, own.at("c"), Limited, { x: 20 });
    set(world, own.at("c"), Value, { x: 30 });
    const then = dump(world);
    expect(() => applyToPrefab(world, own.at("c"))).toThrow("at most 9");
    expect(dump(world)).toBe(then);
    rename(world, own.at("a"), "b2");
    rename(world, own.at("c"), "A");
    rename(world, tree.at("b"), "A");
    expect(() => applyToPrefab(world, own.at("c"))).toThrow();
    expect(parentOf(world, own.at("c"))).toBe(instance);
  });

  it("applyToPrefab refuses a name that the prefab has, and gives none of the rest", () => {
    const { tree, own } = plant(ChildOf);
    const { world } = tree;
    spawn(world, Name("taken"), ChildOf(tree.root));
    rename(world, own.at("a"), "taken");
    set(world, own.at("a"), Value, { x: 44 });
    const before = dump(world);

    expect(() => applyToPrefab(world, own.at("a"))).toThrow('"taken" is taken');

    expect(dump(world)).toBe(before);
  });
});
