import {
  add,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f32,
  get,
  has,
  remove,
  spawn,
  tag,
  type World,
} from "@treeline/core";
import { describe, expect, it } from "vitest";
import {
  bind,
  cascade,
  changed,
  destroy,
  dispose,
  each,
  maybe,
  on,
  query,
  variable,
} from "../../src/index.ts";

const Position = component("Position", { x: f32, y: f32 });
const Velocity = component("Velocity", { x: f32, y: f32 });
const Extra = component("Extra", { x: f32 });
const Other = component("Other", { x: f32, y: f32 });
const Mark = tag("Mark");

/** The calls on the way to a callback: they tell from which copy of the loop it was called. */
const trace = (): string => String(new Error("trace").stack);

/** Where the callbacks of a query are called. */
function callerOf(world: World, at: number): string {
  const One = component(`One ${at}`, { x: f32 });
  const Other = component(`Other ${at}`, { x: f32 });
  spawn(world, One, Other);
  let caller = "";
  each(query(world, One, Other), () => {
    caller = trace();
  });
  return caller;
}

describe("the loops of each", () => {
  it("stand in the source once for each query, as long as there are enough", () => {
    const world = createWorld();

    const callers = Array.from({ length: 24 }, (_, at) => callerOf(world, at));

    expect(new Set(callers).size).toBe(24);
  });

  it("are used again when a query is disposed", () => {
    const world = createWorld();
    spawn(world, Position, Velocity, Extra);
    const callers: string[] = [];
    for (const terms of [
      [Position, Velocity],
      [Velocity, Extra],
    ] as const) {
      const one = query(world, ...terms);
      each(one, () => {
        callers.push(trace());
      });
      dispose(one);
    }

    const lineOfLoop = /loop-texts\.ts:\d+/;
    expect(lineOfLoop.exec(callers[0]!)).not.toBeNull();
    expect(lineOfLoop.exec(callers[1]!)?.[0]).toBe(lineOfLoop.exec(callers[0]!)?.[0]);
  });

  it.each([1, 1023, 1024, 1025, 2047, 2048, 2049, 5000])("pass each of %i rows once, in order", (count) => {
    const world = createWorld();
    const all = Array.from({ length: count }, (_, at) =>
      spawn(world, Position({ x: at }), Velocity({ x: 1 })),
    );
    const found: Entity[] = [];

    each(query(world, Position, Velocity), (position, velocity, entity) => {
      position.x += velocity.x;
      found.push(entity);
    });

    expect(found).toEqual(all);
    expect(all.map((entity) => get(world, entity, Position)!.x)).toEqual(all.map((_, at) => at + 1));
  });

  it("pass short and long runs of one archetype", () => {
    const world = createWorld();
    const parents = [3, 2_000, 1, 1, 1_100, 900, 200, 1_024].map((children) => ({
      of: spawn(world),
      children,
    }));
    const all = parents.flatMap(({ of, children }) =>
      Array.from({ length: children }, () => spawn(world, Position, ChildOf(of))),
    );
    const gone = all.filter((_, at) => at % 97 === 0);
    for (const one of gone) destroy(world, one);
    const left = new Set(all);
    for (const one of gone) left.delete(one);
    const found: Entity[] = [];

    each(query(world, Position), (_, entity) => void found.push(entity));

    expect(found.length).toBe(left.size);
    expect(new Set(found)).toEqual(left);
  });

  it("pass a single row once in each of many iterations, also in those inside others", () => {
    const world = createWorld();
    spawn(world, Position({ x: 0 }), Velocity({ x: 1 }));
    const one = query(world, Position, Velocity);
    let outer = 0;
    let inner = 0;

    for (let time = 0; time < 200; time++) {
      each(one, (position, velocity) => {
        outer++;
        for (let again = time % 3; again > 0; again--) each(one, () => void inner++);
        position.x += velocity.x;
      });
    }

    expect([outer, inner]).toEqual([200, 199]);
    each(one, (position) => expect(position.x).toBe(200));
  });

  it("begin again after a callback has thrown, and the changes that it deferred are made", () => {
    const world = createWorld();
    const all = Array.from({ length: 3 }, (_, at) => spawn(world, Position({ x: at })));
    const positions = query(world, Position);
    const met: number[] = [];

    expect(() =>
      each(positions, (position, entity) => {
        met.push(position.x);
        add(world, entity, Mark);
        if (position.x === 1) throw new Error("stop");
      }),
    ).toThrow("stop");
    each(positions, (position) => void met.push(position.x));

    expect(met.slice(0, 2)).toEqual([0, 1]);
    expect(met.slice(2).sort()).toEqual([0, 1, 2]);
    expect(all.map((entity) => has(world, entity, Mark))).toEqual([true, true, false]);
  });

  it("can be nested for one query", () => {
    const world = createWorld();
    const all = Array.from({ length: 40 }, (_, at) => spawn(world, Position({ x: at }), Velocity({ x: 1 })));
    const both = query(world, Position, Velocity);
    let sum = 0;

    each(both, (outer) => {
      const { x } = outer;
      each(both, (inner) => {
        sum += inner.x;
      });
      expect(outer.x).toBe(x);
    });

    expect(sum).toBe(all.length * ((all.length * (all.length - 1)) / 2));
  });

  it("pass what an archetype does not have as undefined, in turns", () => {
    const world = createWorld();
    const first = spawn(world, Position({ x: 1 }));
    const second = spawn(world, Position({ x: 2 }), Velocity({ x: 20 }));
    const optional = query(world, Position, maybe(Velocity), maybe(Extra));
    const read = (): unknown[] => {
      const found: unknown[] = [];
      each(optional, (position, velocity, extra, entity) => {
        found.push([position.x, velocity?.x, extra?.x, entity]);
      });
      return found;
    };

    expect(read()).toEqual([
      [1, undefined, undefined, first],
      [2, 20, undefined, second],
    ]);
    add(world, first, Extra({ x: 5 }));
    expect(read()).toEqual([
      [2, 20, undefined, second],
      [1, undefined, 5, first],
    ]);
    remove(world, first, Extra);
    expect(read()).toHaveLength(2);
  });

  it("take callbacks that are made on the spot, and different ones", () => {
    const world = createWorld();
    const parent = variable("parent");
    const parents = Array.from({ length: 3 }, () => spawn(world));
    const children = parents.map((of) => spawn(world, Position({ x: of % 7 }), ChildOf(of)));
    const below = query(world, Position, ChildOf(parent));
    const found: unknown[] = [];

    for (const of of parents)
      each(bind(below, parent, of), (position, child) => found.push([child, position.x]));
    each(bind(below, parent, parents[0]!), (_, child) => void found.push(child));

    expect(found).toEqual([...children.map((child) => [child, get(world, child, Position)!.x]), children[0]]);
  });

  it("pass the value of another entity beside rows", () => {
    const world = createWorld();
    const Time = component("Time", { step: f32 });
    const clock = spawn(world, Time({ step: 0.5 }));
    const all = Array.from({ length: 3 }, (_, at) => spawn(world, Position({ x: at }), Mark));

    each(query(world, Position, on(clock, Time)), (position, time) => {
      position.x += time.step;
    });

    expect(all.map((one) => get(world, one, Position)!.x)).toEqual([0.5, 1.5, 2.5]);
  });

  it("pass rows of ancestors beside rows", () => {
    const world = createWorld();
    const root = spawn(world, Position({ x: 1 }), Velocity({ x: 1 }));
    const middle = spawn(world, Position({ x: 2 }), Velocity, ChildOf(root));
    const leaf = spawn(world, Position({ x: 3 }), Velocity, ChildOf(middle));

    each(query(world, Position, Velocity, cascade(Velocity)), (position, velocity, above) => {
      velocity.x = position.x + (above?.x ?? 0);
    });

    expect([root, middle, leaf].map((one) => get(world, one, Velocity)!.x)).toEqual([1, 3, 6]);
  });

  it("show the rows of their own archetypes when queries with the same views take turns", () => {
    const world = createWorld();
    const moving = [spawn(world, Position({ x: 1 }), Velocity({ x: 10 }))];
    const still = [spawn(world, Position({ x: 2 }), Other({ x: 20 }))];
    const read = (terms: readonly [typeof Position, typeof Velocity]): number[] => {
      const found: number[] = [];
      each(query(world, ...terms), (position, other) => void found.push(position.x, other.x));
      return found;
    };

    for (let round = 0; round < 6; round++) {
      for (let at = 0; at < 40; at++) {
        moving.push(spawn(world, Position({ x: round }), Velocity({ x: at })));
        if (round % 2 === 0) still.push(spawn(world, Position({ x: -round }), Other({ x: at })));
      }

      const expected = [moving, still].map((list, place) =>
        list.flatMap((one) => [
          get(world, one, Position)!.x,
          get(world, one, place === 0 ? Velocity : Other)!.x,
        ]),
      );
      expect(read([Position, Velocity])).toEqual(expected[0]);
      expect(read([Position, Other])).toEqual(expected[1]);
      expect(read([Position, Velocity])).toEqual(expected[0]);
    }
  });

  it("mark what they write from the iteration on in which changes are read", () => {
    const world = createWorld();
    const one = spawn(world, Position({ x: 1 }), Velocity({ x: 1 }));
    const moving = query(world, Position, Velocity);
    const move = (): void => each(moving, (position, velocity) => void (position.x += velocity.x));
    move();
    const moved = query(world, changed(Position));
    const readMoved = (): Entity[] => {
      const found: Entity[] = [];
      each(moved, (entity) => void found.push(entity));
      return found;
    };

    expect(readMoved()).toEqual([one]);
    expect(readMoved()).toEqual([]);
    move();
    expect(readMoved()).toEqual([one]);
    dispose(moved);
    move();
    expect(get(world, one, Position)!.x).toBe(4);
  });
});
