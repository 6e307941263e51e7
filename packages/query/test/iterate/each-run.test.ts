import type { Entity } from "@treeline/core";
import { add, get, locate, pack, remove, set, spawn, spawnMany, webAssemblyMemory } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy, eachRun, type Query, query, type Run } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Frozen, Mesh, Velocity } from "../definitions.ts";
import { Any, ChildOf } from "../public/builtins.ts";
import { component, createWorld, plainMemory } from "../public/define.ts";
import { array, f32, i32 } from "../public/fields.ts";
import { maybe, not } from "../public/filters.ts";
import { setWorld, world } from "../test-world.ts";
import { isIterating } from "../world-state.ts";

const Position = component("Position", { x: f32, y: i32 });
const Matrix = component("Matrix", { cells: array(f32, 4), tag: i32 });

function boundsOf(tested: Query): [first: number, end: number][] {
  const found: [number, number][] = [];
  eachRun(tested, ({ first, end }) => {
    found.push([first, end]);
  });
  return found;
}

function entitiesIn(tested: Query): Entity[] {
  const found: Entity[] = [];
  eachRun(tested, (run) => {
    for (let row = run.first; row < run.end; row++) found.push(run.entityAt(row));
  });
  return found;
}

beforeEach(setWorld);

describe("runs", () => {
  it("are one for all rows of a table", () => {
    const spawned = spawnMany(world, 1000, Position);

    expect(boundsOf(query(world, Position))).toEqual([[0, 1000]]);
    expect(entitiesIn(query(world, Position))).toEqual(spawned);
  });

  it("join the tables of one archetype, however many parents there are", () => {
    const parents = spawnMany(world, 500);
    for (const parent of parents) spawn(world, Position, ChildOf(parent));

    expect(boundsOf(query(world, Position))).toEqual([[0, 500]]);
  });

  it("are one for all rows of an archetype also after some of its entities are destroyed", () => {
    const parents = spawnMany(world, 4);
    const crews = parents.map((parent) => spawnMany(world, 8, Position, ChildOf(parent)));
    destroy(world, parents[1]!);
    const tested = query(world, Position);
    const left = new Set([0, 2, 3].flatMap((at) => crews[at]!));

    expect([boundsOf(tested), new Set(entitiesIn(tested))]).toEqual([[[0, 24]], left]);
    pack(world);
    expect([boundsOf(tested), new Set(entitiesIn(tested))]).toEqual([[[0, 24]], left]);
  });

  it("come archetype by archetype in order of creation, rows ascending", () => {
    const both = spawnMany(world, 3, Position, Velocity);
    const one = spawnMany(world, 2, Position);
    const frozen = spawnMany(world, 2, Position, Frozen);

    expect(entitiesIn(query(world, Position))).toEqual([...both, ...one, ...frozen]);
  });

  it("are none if no entity matches, nor for archetypes that lost their rows", () => {
    const tested = query(world, Position, Frozen);
    const before = boundsOf(tested);
    const one = spawn(world, Position, Frozen);
    remove(world, one, Frozen);

    expect([before, boundsOf(tested)]).toEqual([[], []]);
  });

  it("leave out rows that do not match", () => {
    const ship = spawn(world, Position);
    spawn(world, Position, Frozen);
    spawn(world, Velocity);
    const child = spawn(world, Position, ChildOf(ship));

    expect(entitiesIn(query(world, Position, not(Frozen)))).toEqual([ship, child]);
    expect(entitiesIn(query(world, Position, ChildOf(Any)))).toEqual([child]);
  });

  it("follow spawns and destructions from one iteration to the next", () => {
    const tested = query(world, Position);
    const [first, second, third] = spawnMany(world, 3, Position) as [Entity, Entity, Entity];
    boundsOf(tested);

    destroy(world, first);
    const fourth = spawn(world, Position);

    expect(entitiesIn(tested).toSorted()).toEqual([second, third, fourth].toSorted());
  });
});

describe("the run", () => {
  it("is one object, which the next iteration uses again", () => {
    spawn(world, Position);
    spawn(world, Position, Frozen);
    const tested = query(world, Position);
    const runs = new Set<Run>();

    for (let frame = 0; frame < 3; frame++) eachRun(tested, (run) => runs.add(run));

    expect(runs.size).toBe(1);
  });
});

describe("columns of a run", () => {
  it.each([
    ["plain", plainMemory()],
    ["WebAssembly", webAssemblyMemory()],
  ])("are written in place: what is written there is read by get, %s memory", (_, memory) => {
    const world = createWorld({ memory });
    const parents = spawnMany(world, 10);
    const spawned = parents.map((parent, at) =>
      spawn(world, Position({ x: at, y: 1 - at }), ChildOf(parent)),
    );

    eachRun(query(world, Position), (run) => {
      const { x, y } = run.columns(Position);
      for (let row = run.first; row < run.end; row++) x[row]! += y[row]! * 10;
    });

    expect(spawned.map((one) => get(world, one, Position))).toEqual(
      spawned.map((_one, at) => ({ x: 10 - 9 * at, y: 1 - at })),
    );
  });

  it("are those of each run's own archetype", () => {
    spawn(world, Position({ x: 1 }));
    spawn(world, Position({ x: 2 }), Velocity);
    spawn(world, Position({ x: 3 }), Frozen);
    const received: number[] = [];

    eachRun(query(world, Position), (run) => {
      received.push(run.columns(Position).x[run.first]!);
    });

    expect(received).toEqual([1, 2, 3]);
  });

  it("are the ones that locate returns", () => {
    const one = spawn(world, Position, Mesh("a"));
    const found: unknown[] = [];

    eachRun(query(world, Position, Mesh), (run) => {
      found.push(run.columns(Position), run.columns(Mesh));
    });

    expect(found[0]).toBe(locate(world, one, Position)!.columns);
    expect(found[1]).toBe(locate(world, one, Mesh)!.columns);
  });

  it("are the same objects at each call", () => {
    spawn(world, Position);
    const found: unknown[] = [];

    for (let frame = 0; frame < 2; frame++) {
      eachRun(query(world, Position), (run) => {
        found.push(run.columns(Position), run.columns(Position));
      });
    }

    expect(new Set(found).size).toBe(1);
  });

  it("are typed arrays of the fields' kinds", () => {
    spawn(world, Position, Matrix);

    eachRun(query(world, Position, Matrix), (run) => {
      expect(run.columns(Position).x).toBeInstanceOf(Float32Array);
      expect(run.columns(Position).y).toBeInstanceOf(Int32Array);
      expect(run.columns(Matrix).cells).toBeInstanceOf(Float32Array);
    });
    expect.assertions(3);
  });

  it("hold the lists of array fields row after row", () => {
    const spawned = [1, 2, 3].map((at) =>
      spawn(world, Matrix({ cells: [at, at * 10, at * 100, 0], tag: at })),
    );

    eachRun(query(world, Matrix), (run) => {
      const { cells, tag: tags } = run.columns(Matrix);
      for (let row = run.first; row < run.end; row++) {
        expect([...cells.subarray(row * 4, row * 4 + 3)]).toEqual([
          tags[row],
          tags[row]! * 10,
          tags[row]! * 100,
        ]);
        cells[row * 4 + 3] = 7;
      }
    });

    expect(spawned.map((one) => get(world, one, Matrix)!.cells[3])).toEqual([7, 7, 7]);
  });

  it("of components of JavaScript values are the list of values", () => {
    const [one] = [spawn(world, Mesh("a")), spawn(world, Mesh("b"))];
    const received: string[] = [];

    eachRun(query(world, Mesh), (run) => {
      const meshes = run.columns(Mesh);
      for (let row = run.first; row < run.end; row++) received.push(meshes[row]!);
      meshes[run.first] = "c";
    });

    expect([received, get(world, one, Mesh)]).toEqual([["a", "b"], "c"]);
  });

  it("may be of a component that no term names, if the rows have it", () => {
    spawn(world, Position({ x: 5 }), Velocity({ x: 6 }));
    const received: number[] = [];

    eachRun(query(world, Position), (run) => {
      received.push(run.columns(Velocity).x[run.first]!);
    });

    expect(received).toEqual([6]);
  });

  it("are created again after columns grew", () => {
    const tested = query(world, Position);
    const first = spawn(world, Position({ x: 1 }));
    eachRun(tested, (run) => run.columns(Position));
    spawnMany(world, 5000, Position);

    eachRun(tested, (run) => {
      run.columns(Position).x[run.end - 1] = 9;
      run.columns(Position).x[run.first] = 8;
    });

    expect(get(world, first, Position)!.x).toBe(8);
  });
});

describe("columnsIf", () => {
  it("returns columns where the rows have the component, and undefined elsewhere", () => {
    spawn(world, Position, Velocity({ x: 4 }));
    spawn(world, Position);
    const received: (number | undefined)[] = [];

    eachRun(query(world, Position, maybe(Velocity)), (run) => {
      received.push(run.columnsIf(Velocity)?.x[run.first]);
    });

    expect(received).toEqual([4, undefined]);
  });

  it("returns the list of JavaScript values", () => {
    spawn(world, Position, Mesh("a"));
    spawn(world, Position);
    const received: (string | undefined)[] = [];

    eachRun(query(world, Position, maybe(Mesh)), (run) => {
      received.push(run.columnsIf(Mesh)?.[run.first]);
    });

    expect(received).toEqual(["a", undefined]);
  });
});

describe("a run outside its iteration", () => {
  function kept(): Run {
    const world = createWorld();
    spawn(world, Position);
    let found: Run | undefined;
    eachRun(query(world, Position), (run) => {
      found = run;
    });
    return found!;
  }

  it.each<[title: string, use: (run: Run) => unknown]>([
    ["columns", (run) => run.columns(Position)],
    ["columnsIf", (run) => run.columnsIf(Position)],
    ["entityAt", (run) => run.entityAt(0)],
  ])("is stale: %s", (_, use) => {
    const run = kept();

    expect(codeOf(() => use(run))).toBe("stale-run");
  });

  it("is stale as well when the iteration ended with an error", () => {
    spawn(world, Position);
    let found: Run | undefined;

    const iterate = (run: Run): never => {
      found = run;
      throw new Error("enough");
    };

    expect(() => eachRun(query(world, Position), iterate)).toThrow("enough");
    expect(codeOf(() => found!.columns(Position))).toBe("stale-run");
  });
});

describe("an iteration inside an iteration of the same query", () => {
  it("has a run of its own", () => {
    spawn(world, Position({ x: 1 }));
    spawn(world, Position({ x: 2 }), Frozen);
    const tested = query(world, Position);
    eachRun(tested, () => {});
    const pairs: number[][] = [];

    eachRun(tested, (outer) => {
      eachRun(tested, (inner) => {
        pairs.push([outer.columns(Position).x[outer.first]!, inner.columns(Position).x[inner.first]!]);
      });
      pairs.push([outer.columns(Position).x[outer.first]!]);
    });

    expect(pairs).toEqual([[1, 1], [1, 2], [1], [2, 1], [2, 2], [2]]);
  });

  it("may write values, which the outer one reads", () => {
    const spawned = spawnMany(world, 3, Position);
    const tested = query(world, Position);
    let received = 0;

    eachRun(tested, (run) => {
      const { x } = run.columns(Position);
      for (const one of spawned) set(world, one, Position, { x: 4 });
      received = x[run.first]!;
    });

    expect(received).toBe(4);
  });
});

describe("an error in the callback", () => {
  it("is thrown, and the world is unlocked and the query usable", () => {
    spawnMany(world, 3, Position);
    const tested = query(world, Position);
    const fail = (): never => {
      throw new Error("enough");
    };

    expect(() => eachRun(tested, fail)).toThrow("enough");

    expect(isIterating(world)).toBe(false);
    add(world, spawn(world), Position);
    expect(boundsOf(tested)).toEqual([[0, 4]]);
  });
});
