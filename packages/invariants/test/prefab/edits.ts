/** Edits of a tree of parts in which one part gives up what another one takes: names, places, targets. */

import {
  add,
  ChildOf,
  component,
  createWorld,
  type Entity,
  get,
  type Parent,
  pairsOf,
  parentOf,
  type Relation,
  relation,
  remove,
  spawn,
  type World,
} from "@treeline/core";
import { Name, rename } from "@treeline/names";
import { IsA, prefab } from "@treeline/prefab";
import { PrefabKey } from "@treeline/prefab/document";
import { children, destroy, setChildOrder } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";

export const Value: ReturnType<typeof component<{ x: 0 }>> = component("Value", { x: 0 });
export const Guards: Relation = relation("Guards", { exclusive: true, maxSubjects: 1 });
export const Sits: Relation = relation("Sits", { maxSubjects: 2 });
export const Above: Relation = relation("Above", { acyclic: true });
export const Coupled: Relation = relation("Coupled", { symmetric: true, exclusive: true });
export const Needs: Relation = relation("Needs", { onTargetDestroy: "delete" });
export const Holds: Relation = relation("Holds", { onTargetDestroy: "refuse" });
export const definitions = [Value, Guards, Sits, Above, Coupled, Needs, Holds];

/** Finds what a tree of parts, or an instance of it, has at a path of first names. */
export interface Tree {
  readonly world: World;
  readonly root: Entity;
  readonly storage: typeof ChildOf | typeof Parent;
  readonly at: (path: string) => Entity;
}

/** A prefab: a with x and its y, b with x, c; and pairs of every kind among them. */
export function plantTree(storage: typeof ChildOf | typeof Parent): Tree {
  const world = createWorld();
  const root = prefab(world, PrefabKey("tree"), Name("Tree"), Value({ x: 1 }));
  const part = (name: string, parent: Entity, x: number): Entity =>
    spawn(world, Name(name), storage(parent), Value({ x }));
  const a = part("a", root, 2);
  const b = part("b", root, 3);
  const c = part("c", root, 4);
  const x = part("x", a, 5);
  part("y", x, 6);
  part("x", b, 7);
  add(world, a, Guards(b), Sits(c), Above(b), Holds(c));
  add(world, b, Guards(c), Sits(c), Above(c), Coupled(c), Needs(c));
  return treeAt(world, root, storage);
}

/** Paths are those of the time at which this is called. */
export function treeAt(world: World, root: Entity, storage: typeof ChildOf | typeof Parent): Tree {
  const known = new Map<string, Entity>();
  const list = (parent: Entity, path: string): void => {
    for (const child of children(world, parent)) {
      known.set(path + get(world, child, Name), child);
      list(child, `${path}${get(world, child, Name)}.`);
    }
  };
  list(root, "");
  return { world, root, storage, at: (path) => known.get(path)! };
}

/** What can be read of a tree: names, values, pairs with the paths of their targets, and siblings in order. */
export function outline(world: World, root: Entity): unknown {
  const pathOf = (entity: Entity): string => {
    const steps: string[] = [];
    for (let at: Entity | undefined = entity; at !== root; at = parentOf(world, at)) {
      if (at === undefined) return "outside";
      steps.unshift(get(world, at, Name) ?? "-");
    }
    return `/${steps.join("/")}`;
  };
  const read = (entity: Entity): unknown => [
    entity === root ? "" : (get(world, entity, Name) ?? "-"),
    get(world, entity, Value)?.x ?? "none",
    pairsOf(world, entity)
      .filter((one) => one.relation !== ChildOf && one.relation.name !== "Parent" && one.relation !== IsA)
      .map((one) => `${one.relation.name} ${pathOf(one.target)}`)
      .sort(),
    children(world, entity).map(read),
  ];
  return read(root);
}

function exchangeNames({ world }: Tree, parts: readonly Entity[]): void {
  const names = parts.map((part) => get(world, part, Name)!);
  for (const [at, part] of parts.entries()) rename(world, part, `tmp${at}`);
  for (const [at, part] of parts.entries()) rename(world, part, names[(at + 1) % names.length]!);
}

type Edit = (tree: Tree) => void;

/** Those that an instance may make of its own parts as well, and revert. */
export const EXCHANGES: { readonly [label: string]: Edit } = {
  "two names": (tree) => exchangeNames(tree, [tree.at("a"), tree.at("b")]),
  "three names": (tree) => exchangeNames(tree, [tree.at("a"), tree.at("b"), tree.at("c")]),
  "the parents of parts with one name": (tree) => {
    const [ax, bx] = [tree.at("a.x"), tree.at("b.x")];
    rename(tree.world, ax, "tmp");
    attach(tree.world, ax, tree.at("b"));
    attach(tree.world, bx, tree.at("a"));
    rename(tree.world, ax, "x");
  },
  "parents and names": (tree) => {
    const [ax, bx] = [tree.at("a.x"), tree.at("b.x")];
    rename(tree.world, bx, "y");
    attach(tree.world, ax, tree.root);
    attach(tree.world, bx, tree.at("a"));
    rename(tree.world, ax, "tmp");
    attach(tree.world, ax, tree.at("b"));
    rename(tree.world, ax, "x");
  },
  "a parent and its child": (tree) => {
    attach(tree.world, tree.at("a.x"), tree.root);
    attach(tree.world, tree.at("a"), tree.at("a.x"));
  },
  "a chain of three": (tree) => {
    attach(tree.world, tree.at("a.x.y"), tree.root);
    attach(tree.world, tree.at("a.x"), tree.at("a.x.y"));
    attach(tree.world, tree.at("a"), tree.at("a.x"));
  },
  "a place and a name": (tree) => {
    attach(tree.world, tree.at("a"), tree.at("b"));
    rename(tree.world, tree.at("c"), "a");
  },
  "a child's place and its parent's name": (tree) => {
    const { world } = tree;
    const [a, x] = [tree.at("a"), tree.at("a.x")];
    rename(world, a, "tmp");
    attach(world, x, tree.root);
    rename(world, x, "a");
    attach(world, a, x);
    rename(world, a, "x");
  },
};

/** Those of a prefab, with new parts and others that go. */
export const EDITS: { readonly [label: string]: Edit } = {
  ...EXCHANGES,
  "a name, to a new part": (tree) => {
    rename(tree.world, tree.at("a"), "old");
    spawn(tree.world, Name("a"), tree.storage(tree.root), Value({ x: 8 }));
  },
  "the name of a part that goes": (tree) => {
    remove(tree.world, tree.at("a"), Holds(tree.at("c")));
    destroy(tree.world, tree.at("a"));
    spawn(tree.world, Name("a"), tree.storage(tree.root), Value({ x: 8 }));
  },
  "the name of a part that moves, to a new part": (tree) => {
    attach(tree.world, tree.at("a"), tree.at("c"));
    spawn(tree.world, Name("a"), tree.storage(tree.root), Value({ x: 8 }));
  },
  "the name of a part that goes, to its child": (tree) => {
    const { world } = tree;
    const x = tree.at("a.x");
    rename(world, x, "tmp");
    attach(world, x, tree.root);
    destroy(world, tree.at("a"));
    rename(world, x, "a");
  },
  "the place of a part, below a new one": (tree) => {
    const { world } = tree;
    rename(world, tree.at("a"), "tmp");
    const above = spawn(world, Name("a"), tree.storage(tree.root));
    attach(world, tree.at("a"), above);
    rename(world, tree.at("a"), "a");
    attach(world, tree.at("b"), above);
  },
  "a target that is full": (tree) => {
    const { world } = tree;
    remove(world, tree.at("a"), Guards(tree.at("b")));
    add(world, tree.at("c"), Guards(tree.at("b")));
  },
  "two targets that are full": (tree) => {
    const { world } = tree;
    remove(world, tree.at("a"), Guards(tree.at("b")));
    add(world, tree.at("b"), Guards(tree.at("b")));
    add(world, tree.at("a"), Guards(tree.at("c")));
  },
  "a target that is full, to a new part": (tree) => {
    const { world } = tree;
    remove(world, tree.at("a"), Sits(tree.at("c")));
    spawn(world, Name("new"), tree.storage(tree.at("a")), Sits(tree.at("c")));
  },
  "the target of a part that goes, to a new one": (tree) => {
    const { world } = tree;
    remove(world, tree.at("a"), Holds(tree.at("c")));
    destroy(world, tree.at("a"));
    spawn(world, Name("new"), tree.storage(tree.root), Guards(tree.at("b")), Sits(tree.at("c")));
  },
  "a direction": (tree) => {
    const { world } = tree;
    remove(world, tree.at("a"), Above(tree.at("b")));
    add(world, tree.at("b"), Above(tree.at("a")));
  },
  "the direction of a chain, with a new part": (tree) => {
    const { world } = tree;
    const [a, b, c] = [tree.at("a"), tree.at("b"), tree.at("c")];
    remove(world, a, Above(b));
    remove(world, b, Above(c));
    add(world, c, Above(b));
    add(world, b, Above(spawn(world, Name("new"), tree.storage(a), Above(a))));
  },
  "the direction past a part that goes": (tree) => {
    const { world } = tree;
    const [a, b, c] = [tree.at("a"), tree.at("b"), tree.at("c")];
    destroy(world, b);
    add(world, c, Above(a));
  },
  partners: (tree) => {
    const { world } = tree;
    remove(world, tree.at("b"), Coupled(tree.at("c")));
    add(world, tree.at("a"), Coupled(tree.at("c")));
    add(world, tree.at("b"), Coupled(tree.at("b.x")));
  },
  "a part that goes, with what pointed to it": (tree) => {
    const { world } = tree;
    const c = tree.at("c");
    remove(world, tree.at("a"), Holds(c));
    remove(world, tree.at("b"), Needs(c));
    destroy(world, c);
  },
  "the order of siblings": (tree) => {
    setChildOrder(tree.world, tree.root, [tree.at("c"), tree.at("a"), tree.at("b")]);
  },
  "an order, with parts that come, go and move": (tree) => {
    const { world, root } = tree;
    const added = spawn(world, Name("new"), tree.storage(root));
    attach(world, tree.at("a.x"), root);
    remove(world, tree.at("a"), Holds(tree.at("c")));
    remove(world, tree.at("b"), Needs(tree.at("c")));
    destroy(world, tree.at("c"));
    setChildOrder(world, root, [tree.at("a.x"), tree.at("b"), added, tree.at("a")]);
  },
};
