/** Frames of a program: some changes, then one cascade over the whole tree. */
import {
  add,
  createWorld,
  type Entity,
  field,
  pack,
  remove,
  spawn,
  type World as TreelineWorld,
  tag,
} from "@treeline/core";
import { cascade, count, query } from "@treeline/query";
import { type Below, BY_HAND, placesOf } from "../../comparison/contestants/treeline/loops.ts";
import type { Subject } from "../../comparison/workloads/subject.ts";
import { Local, World } from "../../fixtures/components.ts";
import { diceOf, shuffled } from "../../fixtures/dice.ts";
import { levelled } from "./levelled.ts";
import { type Stage, scaled } from "./stage.ts";

export type Growth = "in order" | "at random" | "packed" | "star";

const Marked = tag("MarkedParent");
/** Local positions that a frame writes. */
const WRITTEN = 100;
/** Different frames, which repeat. */
const FRAMES = 32;

interface Grown {
  readonly world: TreelineWorld;
  readonly nodes: readonly Entity[];
  /** Places all nodes, parents first. */
  readonly place: () => void;
}

/** Parents before children; or, "at random", first all nodes, then their parents, both in random order. */
function grow(below: Below, tree: Int32Array, order?: "at random"): Grown {
  const world = createWorld();
  const nodes: Entity[] = new Array(tree.length);
  const localOf = (node: number): ReturnType<typeof Local> => Local({ x: 1 + (node % 3), y: 1 });
  if (order === "at random") {
    const turns = shuffled(tree.length, diceOf(7));
    for (const node of turns) nodes[node] = spawn(world, localOf(node), World);
    for (const node of turns) if (tree[node]! >= 0) add(world, nodes[node]!, below(nodes[tree[node]!]!));
  } else {
    tree.forEach((parent, node) => {
      nodes[node] =
        parent < 0
          ? spawn(world, localOf(node), World)
          : spawn(world, localOf(node), World, below(nodes[parent]!));
    });
  }
  const placing = query(world, Local, World, cascade(World));
  return { world, nodes, place: () => BY_HAND.place(placing) };
}

/** One run is one frame: WRITTEN nodes get another local position, then all are placed. */
export function cascading({ below, entities }: Stage, { growth }: { readonly growth: Growth }): Subject {
  const tree = levelled(entities, growth === "star" ? entities : 10);
  const isRandom = growth === "at random" || growth === "packed";
  const { world, nodes, place } = grow(below, tree, isRandom ? "at random" : undefined);
  if (growth === "packed") pack(world);
  const y = field(Local, "y");
  const step = Math.max(1, Math.floor(entities / WRITTEN));
  let frame = 0;
  return {
    run: () => {
      frame++;
      for (let node = frame % step; node < entities; node += step) y.set(world, nodes[node]!, frame % 8);
      place();
    },
    checksum: () => placesOf(world, nodes, World),
  };
}

/** One run: 1,000 leaves go below random nodes of any depth, then all are placed. */
export function reparentingFrames(stage: Stage): Subject {
  const { below, entities } = stage;
  const { world, nodes, place } = grow(below, levelled(entities, 10));
  const moves = scaled(stage, 1_000);
  const dice = diceOf(9);
  const half = entities >> 1;
  const inner = Math.floor(entities / 10);
  const frames = Array.from({ length: FRAMES }, () => ({
    movers: Int32Array.from({ length: moves }, () => half + dice(entities - half)),
    goals: Int32Array.from({ length: moves }, () => dice(inner)),
  }));
  let frame = 0;
  return {
    run: () => {
      const { movers, goals } = frames[frame++ % FRAMES]!;
      for (let at = 0; at < moves; at++) add(world, nodes[movers[at]!]!, below(nodes[goals[at]!]!));
      place();
    },
    checksum: () => placesOf(world, nodes, World),
  };
}

/**
 * A subtree of a tenth of all nodes hangs below a root, or four levels further down; the rest is a tree of its own. One run: it goes
 * to the other place, and all are placed; twice.
 */
export function sinking(stage: Stage, given: { readonly subtree: "10-ary" | "star" }): Subject {
  const { below, entities } = stage;
  const moved = scaled(stage, 10_000);
  const stem = [-1, 0, 1, 2, 3];
  const subtree = levelled(moved, given.subtree === "star" ? moved : 10).map((parent) => {
    return parent < 0 ? 0 : parent + stem.length;
  });
  const rest = levelled(entities - moved - stem.length, 10).map((parent) => {
    return parent < 0 ? -1 : parent + stem.length + moved;
  });
  const { world, nodes, place } = grow(below, Int32Array.from([...stem, ...subtree, ...rest]));
  const root = nodes[stem.length]!;
  const y = field(World, "y");
  const last = nodes[stem.length + moved - 1]!;
  let total = 0;
  return {
    run: () => {
      add(world, root, below(nodes[stem.length - 1]!));
      place();
      total += y.get(world, last)!;
      add(world, root, below(nodes[0]!));
      place();
      total += 3 * y.get(world, last)!;
    },
    checksum: () => placesOf(world, nodes, World) + total,
  };
}

/** A parent of 50,000 children, beside a tree of as many. One run: the parent gets a tag in tables, all are placed, and the same without it. */
export function taggingAbove(stage: Stage): Subject {
  const { below, entities } = stage;
  const half = scaled(stage, 50_000);
  const rest = levelled(entities - half - 1, 10).map((parent) => (parent < 0 ? -1 : parent + half + 1));
  const { world, nodes, place } = grow(below, Int32Array.from([...levelled(half + 1, half), ...rest]));
  const parent = nodes[0]!;
  const marked = query(world, Marked);
  const y = field(Local, "y");
  let runs = 0;
  let total = 0;
  return {
    run: () => {
      y.set(world, parent, runs++ % 8);
      add(world, parent, Marked);
      place();
      total += count(marked);
      remove(world, parent, Marked);
      place();
      total += 3 * count(marked);
    },
    checksum: () => placesOf(world, nodes, World) + total,
  };
}
