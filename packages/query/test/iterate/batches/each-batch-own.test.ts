import { add, type Entity, set, spawn } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import type { Batch, QueryTerm } from "../../../src/index.ts";
import { each, eachBatch, eachLevel, entities, query } from "../../../src/index.ts";
import { batchKernel } from "../../../src/kernels.ts";
import { ChildOf, Disabled, Parent } from "../../public/builtins.ts";
import { maybe } from "../../public/filters.ts";
import { cascade, selfOrUp, up } from "../../public/terms.ts";
import { Harms, Local, Mark, Placed } from "../../random/twin.ts";
import { setWorld, world } from "../../test-world.ts";

beforeEach(setWorld);

function mark(of: number, ...terms: Parameters<typeof spawn>[1][]): Entity {
  const entity = spawn(world, Mark, ...terms);
  set(world, entity, Mark, { of });
  return entity;
}

type Received = [entity: Entity, value: number | undefined][];

function sorted(received: Received): Received {
  return received.sort(([one], [other]) => one - other);
}

/** What `each` passes for the one term with a value of Mark. */
function receivedByEach(term: QueryTerm): Received {
  const received: Received = [];
  each(query(world, Placed, term), ((_placed: unknown, of: { of: number } | undefined, entity: Entity) => {
    received.push([entity, of?.of]);
  }) as never);
  return sorted(received);
}

function readBatch(batch: Batch, received: Received): void {
  const of = batch.hasParents ? batch.parentColumns(Mark).of : undefined;
  for (let at = batch.from; at < batch.to; at++)
    received.push([batch.entityAt(batch.rows[at]!), of?.[batch.parentRows[at]!]]);
}

function receivedByBatch(term: QueryTerm): Received {
  const received: Received = [];
  eachBatch(query(world, Placed, term), (batch) => readBatch(batch, received));
  return sorted(received);
}

function receivedByLevel(term: QueryTerm): Received {
  const received: Received = [];
  eachLevel(query(world, Placed, term), (level) => level.eachBatch((batch) => readBatch(batch, received)));
  return sorted(received);
}

/** A kernel adds what it reads to Local. */
function receivedByKernel(term: QueryTerm): Received {
  const tested = query(world, Placed, Local, term);
  eachBatch(
    tested,
    batchKernel({ own: [Local], above: [Mark] }, ([{ of: local }], above, { rows, parentRows }) => {
      if (above === undefined)
        return (from, to) => {
          for (let at = from; at < to; at++) local[rows[at]!] = -1;
        };
      const { of } = above[0];
      return (from, to) => {
        for (let at = from; at < to; at++) local[rows[at]!] = of[parentRows[at]!]!;
      };
    }),
  );
  const received: Received = [];
  each(tested, ((_placed: unknown, local: { of: number }, ...rest: unknown[]) => {
    received.push([rest.at(-1) as Entity, local.of === -1 ? undefined : local.of]);
  }) as never);
  return sorted(received);
}

type SpawnTerm = Parameters<typeof spawn>[1];

/** A tree of 60, every third of which has a Mark of its own; the root has none in every other tree. */
function plantTree(below: (parent: Entity, at: number) => SpawnTerm): void {
  for (let tree = 0; tree < 4; tree++) {
    const all: Entity[] = [];
    for (let at = 0; at < 60; at++) {
      const above = at === 0 ? [] : [below(all[(at - 1) >> 1]!, at)];
      const terms: SpawnTerm[] = [Placed, Local, ...above];
      const hasMark = at === 0 ? tree % 2 === 0 : at % 3 === 0;
      all.push(hasMark ? mark(tree * 100 + at, ...terms) : spawn(world, ...terms));
    }
  }
}

describe.each([
  ["types", (parent: Entity) => ChildOf(parent)],
  ["values", (parent: Entity) => Parent(parent)],
  ["both", (parent: Entity, at: number) => (at % 2 === 0 ? ChildOf(parent) : Parent(parent))],
] as const)("selfOrUp in batches of a tree with parents in %s", (_, below) => {
  it("passes an entity that has the component its own row, as each does", () => {
    plantTree(below);
    const expected = receivedByEach(selfOrUp(Mark));

    expect(expected.some(([, of]) => of! % 100 > 0)).toBe(true);
    expect(receivedByBatch(selfOrUp(Mark))).toEqual(expected);
    expect(receivedByLevel(selfOrUp(Mark))).toEqual(expected);
    expect(receivedByKernel(selfOrUp(Mark))).toEqual(expected);
  });

  it("does so for maybe, which leaves out no entity", () => {
    plantTree(below);
    const expected = receivedByEach(maybe(selfOrUp(Mark)));

    expect(expected.some(([, of]) => of === undefined)).toBe(true);
    expect(receivedByBatch(maybe(selfOrUp(Mark)))).toEqual(expected);
    expect(receivedByLevel(maybe(selfOrUp(Mark)))).toEqual(expected);
    expect(receivedByKernel(maybe(selfOrUp(Mark)))).toEqual(expected);
  });

  it("skips the entity itself for up, and for cascade", () => {
    plantTree(below);

    expect(receivedByBatch(up(Mark))).toEqual(receivedByEach(up(Mark)));
    expect(receivedByBatch(cascade(Mark))).toEqual(receivedByEach(cascade(Mark)));
  });
});

describe("a path that is named", () => {
  it("by its term means what that term means; by the component, what the first term with it means", () => {
    const ship = mark(1, Placed);
    const cockpit = mark(2, Placed, ChildOf(ship));
    const seat = spawn(world, Placed, ChildOf(cockpit));
    const own = selfOrUp(Mark);
    const above = up(Mark);
    const found = (first: QueryTerm, second: QueryTerm): unknown[] => {
      const received: unknown[] = [];
      eachBatch(query(world, Placed, maybe(first as never), second), (batch) => {
        for (let at = batch.from; at < batch.to; at++) {
          const entity = batch.entityAt(batch.rows[at]!);
          const sources = [own, above, Mark].map((path) => batch.sourceAt(path, at));
          received.push([entity, ...sources, batch.has(above)]);
        }
      });
      return received;
    };

    expect(found(above, own)).toEqual([
      [ship, ship, undefined, undefined, false],
      [cockpit, cockpit, ship, ship, true],
      [seat, cockpit, cockpit, cockpit, true],
    ]);
    expect(found(own, maybe(above))).toEqual([
      [ship, ship, undefined, ship, false],
      [cockpit, cockpit, ship, cockpit, true],
      [seat, cockpit, cockpit, cockpit, true],
    ]);
  });

  it("to a pair with a target is cut where only some rows of an archetype have the pair", () => {
    const ship = mark(1);
    const dock = mark(2);
    const root = spawn(world, Placed, Harms(ship));
    const children = [ship, dock, ship, dock, dock].map((target) =>
      spawn(world, Placed, ChildOf(root), Harms(target)),
    );
    const path = selfOrUp(Harms(ship));
    const received: [Entity, Entity | undefined][] = [];
    const firsts: (Entity | undefined)[] = [];

    eachLevel(query(world, Placed, path), (level) =>
      level.eachBatch((batch) => {
        for (let at = batch.from; at < batch.to; at++) {
          received.push([batch.entityAt(batch.rows[at]!), batch.sourceAt(path, at)]);
          const columns = batch.columnsOf(path, Placed);
          expect(columns).toBeDefined();
          firsts.push(batch.hasParents ? batch.sourceAt(path, at) : undefined);
        }
      }),
    );

    expect(firsts).toEqual(received.map(([, source]) => source));
    expect(sorted(received as never)).toEqual(
      [[root, root], ...children.map((child, at) => [child, at === 0 || at === 2 ? child : root])].sort(
        ([one], [other]) => one! - other!,
      ),
    );
  });

  it.each([0, 1, 2])(
    "to a tag in bits is cut where only some rows of an archetype have it: all but child %d and the last",
    (out) => {
      const root = spawn(world, Placed, Disabled);
      const children = [0, 1, 2, 3].map(() => spawn(world, Placed, ChildOf(root)));
      const own = children.filter((_, at) => at !== out && at !== 3);
      for (const child of own) add(world, child, Disabled);
      for (const one of [root, ...children]) set(world, one, Placed, { of: one });
      const path = selfOrUp(Disabled);
      const tested = query(world, Placed, maybe(Disabled), path);
      const expected = [
        [root, root],
        ...children.map((child) => [child, own.includes(child) ? child : root]),
      ];
      const received: Received[] = [[], [], []];

      const read = (batch: Batch): void => {
        for (let at = batch.from; at < batch.to; at++) {
          const entity = batch.entityAt(batch.rows[at]!);
          received[0]!.push([entity, batch.sourceAt(path, at)]);
          received[1]!.push([entity, batch.parentColumns(Placed).of[batch.parentRows[at]!] as Entity]);
          received[2]!.push([entity, batch.columnsOf(path, Placed).of[batch.rowsOf(path)[at]!] as Entity]);
        }
      };
      eachBatch(tested, read);
      for (const one of received) expect(sorted(one)).toEqual(expected);
      for (const one of received) one.length = 0;
      eachLevel(tested, (level) => level.eachBatch(read));

      for (const one of received) expect(sorted(one)).toEqual(expected);
      expect(entities(tested).toSorted((one, other) => one - other)).toEqual([root, ...children]);
    },
  );
});
