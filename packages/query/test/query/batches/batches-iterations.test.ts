import { type Entity, set, spawn, type Tag } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import type { Query } from "../../../src/index.ts";
import {
  collect,
  count,
  destroy,
  each,
  eachLevel,
  entities,
  first,
  isEmpty,
  query,
} from "../../../src/index.ts";
import { type Batches, KEPT_LISTS } from "../../../src/query/batches/batches.ts";
import type { Traversal } from "../../../src/term/plan.ts";
import { codeOf } from "../../code-of.ts";
import { currentBatches } from "../../current-batches.ts";
import { asTag, ChildOf } from "../../public/builtins.ts";
import { component, relation, tag } from "../../public/define.ts";
import { f64 } from "../../public/fields.ts";
import { changed, not } from "../../public/filters.ts";
import { groupBy, page } from "../../public/parts.ts";
import { cascade, up, variable } from "../../public/terms.ts";
import { along } from "../../random/path-world.ts";
import { setWorld, world } from "../../test-world.ts";

const Place = component("Place", { x: f64 });
const Tree: Tag = tag("Tree");
const Away: Tag = tag("Away");
const Fond = relation("Fond");

beforeEach(setWorld);

describe("a query inside an iteration keeps the batches that the iteration uses", () => {
  const PARENTS = 24 * 256;
  let parents: Entity[];
  let left: Map<Entity, number>;

  /**
   * Nearly all children are destroyed: the others have moved to the rows and positions of those, so they come in any order.
   *
   * @param inspect is called before.
   */
  function destroyMost(inspect: () => void): void {
    parents = Array.from({ length: PARENTS }, (_, x) => spawn(world, Place({ x })));
    const children = parents.map((parent) => spawn(world, Tree, ChildOf(parent)));
    inspect();
    left = new Map();
    children.forEach((child, at) => {
      if (at % 256 === 0) left.set(child, at);
      else destroy(world, child);
    });
  }

  it.each<[description: string, make: (outer: Query) => unknown]>([
    ["the same", first],
    ["another with the same paths", () => isEmpty(page(query(world, Tree, cascade(Place), not(Away)), 0, 1))],
    ["an iteration of the same", (outer) => each(outer, () => {})],
  ])("%s", (_, make) => {
    const tested = query(world, Tree, cascade(Place));
    destroyMost(() => first(tested));
    const wrong: Entity[] = [];
    let iterated = 0;

    each(tested, (place, child) => {
      iterated++;
      if (place?.x !== left.get(child)) wrong.push(child);
      make(tested);
    });

    expect([iterated, wrong]).toEqual([24, []]);
  });

  it("when it goes level by level", () => {
    const tested = query(world, Tree, cascade(Place));
    destroyMost(() => first(tested));
    const found: number[] = [];

    eachLevel(tested, (level) => {
      level.eachBatch((batch) => {
        first(tested);
        for (let at = batch.from; at < batch.to; at++)
          found.push(batch.parentColumns(Place).x[batch.parentRows[at]!]!);
      });
    });

    expect(found.toSorted((one, other) => one - other)).toEqual([...left.values()]);
  });

  it("when it iterates all entities that a free variable may be bound to", () => {
    const target = variable("target");
    const tested = query(world, Tree, ChildOf(target), target);
    destroyMost(() => first(tested));
    const found: [Entity, Entity][] = [];

    each(tested, (parent, child) => {
      first(tested);
      found.push([child, parent]);
    });

    expect(found.toSorted(([one], [other]) => one - other)).toEqual(
      [...left].map(([child, at]) => [child, parents[at]]),
    );
  });

  it("when a function by which it groups uses a query", () => {
    const other = query(world, Tree, cascade(Place));
    const tested = query(
      world,
      Tree,
      cascade(Place),
      groupBy(() => first(other) === undefined),
    );
    destroyMost(() => first(tested));

    const wrong = collect(tested).filter(([place, child]) => place?.x !== left.get(child));

    expect([left.size, wrong]).toEqual([24, []]);
  });

  it("and a checked build throws if it does not", () => {
    const tested = query(world, Tree, cascade(Place));
    spawn(world, Tree, ChildOf(spawn(world, Place)));
    const make = (): void =>
      each(tested, () => {
        for (const cursor of world.graph.journal.cursors) cursor.lost = true;
        first(tested);
      });

    expect(codeOf(make)).toBe("internal-error");
    expect(count(tested)).toBe(1);
  });
});

/** The lists of batches that the world keeps. @param known one of them. */
function keptLists(known: Batches): Batches[] {
  for (const state of world.states.values()) {
    if (!(state instanceof Map)) continue;
    const all = [...state.values()];
    if (all.includes(known)) return all;
  }
  return [];
}

describe("unused lists of traversals are dropped when another one is made", () => {
  it("about pairs with destroyed targets", () => {
    const most = { cursors: 0, lists: 0 };
    const kept = query(world, Tree, up(Place));
    const root = spawn(world, Place);
    const tree = spawn(world, Tree, ChildOf(root));
    const before = entities(kept);
    const wrong: number[] = [];

    for (let frame = 0; frame < 1_000; frame++) {
      const friend = spawn(world);
      const parent = spawn(world, Fond(friend));
      const child = spawn(world, ChildOf(parent));
      const matches = entities(query(world, up(Fond(friend))));
      if (matches.length !== 1 || matches[0] !== child) wrong.push(frame);
      const { cursors } = world.graph.journal;
      most.cursors = Math.max(most.cursors, cursors.length);
      if (frame % 100 === 0) {
        const known = currentBatches(world, [along(world, ChildOf, Fond(friend))]);
        most.lists = Math.max(most.lists, keptLists(known).length);
      }
      destroy(world, friend);
      destroy(world, parent);
    }

    expect([wrong, most]).toEqual([[], { cursors: 2, lists: 2 }]);
    expect([before, entities(kept)]).toEqual([[tree], [tree]]);
  });

  it("about entities as tags that are destroyed", () => {
    const [one, other] = [spawn(world), spawn(world)];
    currentBatches(world, [along(world, ChildOf, asTag(one)), along(world, ChildOf, Place)]);

    destroy(world, one);
    currentBatches(world, [along(world, ChildOf, asTag(other))]);

    expect(world.graph.journal.cursors).toHaveLength(1);
  });

  it("that have missed changes and would be filed again in any case", () => {
    const idle = currentBatches(world, [along(world, ChildOf, Place)]);
    const current = currentBatches(world, [along(world, ChildOf, Tree)]);
    world.graph.journal.cursors[0]!.lost = true;
    expect(idle.changes.lost).toBe(true);

    const fresh = currentBatches(world, [along(world, ChildOf, Away)]);

    expect(keptLists(fresh)).toEqual([current, fresh]);
  });
});

describe("a world keeps 256 lists of traversals", () => {
  /** As many as there may be, and `more`, about living friends; `between` comes between them. */
  function makeQueries(more: number, between: () => void = () => {}): void {
    for (let at = 0; at < KEPT_LISTS + more; at++) {
      count(query(world, up(Fond(spawn(world)))));
      between();
    }
  }

  it("and drops those that were used longest ago", () => {
    const [seldom, often]: Traversal[][] = [[along(world, ChildOf, Place)], [along(world, ChildOf, Tree)]];
    const before = [currentBatches(world, seldom!), currentBatches(world, often!)];

    makeQueries(100, () => currentBatches(world, often!));

    const all = keptLists(before[1]!);
    expect([KEPT_LISTS, all.length, world.graph.journal.cursors.length]).toEqual([256, 256, 256]);
    expect([all.includes(before[0]!), currentBatches(world, often!) === before[1]]).toEqual([false, true]);
  });

  it("and a cached query whose list was dropped matches right", () => {
    const [low, high] = [spawn(world, Place({ x: 1 })), spawn(world, Place({ x: 2 }))];
    const trees = [spawn(world, Tree, ChildOf(low)), spawn(world, Tree, ChildOf(high))];
    const tested = query(world, Tree, cascade(Place));
    const watching = query(world, Tree, changed(up(Place)));
    const matches = (): [number | undefined, Entity][] =>
      collect(tested).map(([place, tree]) => [place?.x, tree]);
    const before = [matches(), entities(watching)];

    makeQueries(1);
    const unread = entities(watching);
    makeQueries(1);
    set(world, low, Place, { x: 3 });
    const late = spawn(world, Tree, ChildOf(high));

    expect(before).toEqual([
      [
        [1, trees[0]],
        [2, trees[1]],
      ],
      trees,
    ]);
    expect(unread).toEqual([]);
    expect(new Map(matches().map(([x, tree]) => [tree, x]))).toEqual(
      new Map([
        [trees[0], 3],
        [trees[1], 2],
        [late, 2],
      ]),
    );
    expect(new Set(entities(watching))).toEqual(new Set([trees[0], late]));
    expect(verify(world)).toEqual([]);
  });

  it("and an iteration continues in a list that is dropped meanwhile", () => {
    const roots = Array.from({ length: 3 }, (_, x) => spawn(world, Place({ x })));
    const friends = Array.from({ length: KEPT_LISTS + 1 }, () => spawn(world));
    const trees = roots.map((root) => spawn(world, Tree, ChildOf(root)));
    const tested = query(world, Tree, cascade(Place));
    const held = currentBatches(world, [along(world, ChildOf, Place)]);
    const found: [number | undefined, Entity][] = [];

    each(tested, (place, tree) => {
      for (const friend of friends) count(query(world, up(Fond(friend))));
      found.push([place?.x, tree]);
      first(tested);
    });

    expect(found).toEqual(trees.map((tree, x) => [x, tree]));
    expect(currentBatches(world, [along(world, ChildOf, Place)])).not.toBe(held);
  });
});
