import {
  add,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f64,
  get,
  Parent,
  spawn,
  spawnMany,
} from "@treeline/core";
import { cascade, destroy, eachBatch, eachRun, isEmpty, query } from "@treeline/query";
import { batchKernel, canCompile, runKernel } from "@treeline/query/kernels";
import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";

const Local = component("Local", { x: f64 });
const Placed = component("Placed", { x: f64 });

/** As after a bundler: one line, short names. */
function minified<Make>(make: Make): Make {
  const { code } = transformSync(`make = ${String(make)}`, { minify: true });
  return new Function(`let make; ${code}; return make;`)() as Make;
}

type MakeRuns = Parameters<typeof runKernel<readonly [typeof Local], { step: number }>>[1];
type MakeBatches = Parameters<
  typeof batchKernel<readonly [typeof Local, typeof Placed], readonly [typeof Placed]>
>[1];

const drift: MakeRuns =
  ([{ x }], clock) =>
  (first, end) => {
    const { step } = clock;
    for (let row = first; row < end; row++) x[row]! += step;
  };

const place: MakeBatches = ([{ x: offset }, { x: placed }], above, { rows, parentRows }) => {
  if (above === undefined) {
    return (from, to) => {
      for (let at = from; at < to; at++) placed[rows[at]!] = offset[rows[at]!]!;
    };
  }
  const { x: parent } = above[0];
  return (from, to) => {
    for (let at = from; at < to; at++) placed[rows[at]!] = parent[parentRows[at]!]! + offset[rows[at]!]!;
  };
};

describe.each([
  ["as written", drift, place],
  ["minified", minified(drift), minified(place)],
])("kernels %s", (_, makeRuns, makeBatches) => {
  const clock = { step: 1 };
  const drifting = runKernel([Local], makeRuns, clock);
  const placing = batchKernel({ own: [Local, Placed], above: [Placed] }, makeBatches);

  //  root  100,000 children by value
  //          one of them: a crane, in its type, and a hook
  it("follow spawns, destructions and reparents, before and after they are compiled", () => {
    const world = createWorld();
    const [drifts, places] = [query(world, Local), query(world, Local, Placed, cascade(Placed))];
    const root = spawn(world, Local, Placed);
    const spawned = spawnMany(world, 100_000, Local, Placed, Parent(root));
    const crane = spawn(world, Local, Placed, ChildOf(spawned[50_000]!));
    const hook = spawn(world, Local, Placed, Parent(crane));
    const all = [root, spawned[0]!, spawned[99_999]!, spawned[50_000]!, crane, hook];
    const placedAt = (entities: readonly Entity[]) => entities.map((one) => get(world, one, Placed)?.x);
    const steps: number[][] = [];

    for (clock.step of [1, 0, 0, 2]) {
      eachRun(drifts, drifting);
      eachBatch(places, placing);
      steps.push(placedAt(all) as number[]);
    }
    destroy(world, spawned[0]!);
    add(world, crane, ChildOf(root));
    clock.step = 0;
    eachRun(drifts, drifting);
    eachBatch(places, placing);

    const [one, three] = [1, 3].map((step) => [1, 2, 2, 2, 3, 4].map((depth) => depth * step));
    expect(steps).toEqual([one, one, one, three]);
    expect(placedAt([spawned[1]!, spawned[50_000]!, crane, hook])).toEqual([6, 6, 6, 9]);
  });
});

it("a kernel that uses an outer variable is refused, and leaves no iteration open", () => {
  const outside = 3;
  const world = createWorld();
  spawn(world, Local);
  const kernel = runKernel([Local], ([{ x }]) => (first) => {
    x[first] = outside;
  });

  expect(() => eachRun(query(world, Local), kernel)).toThrow(expect.objectContaining({ code: "bad-kernel" }));

  spawn(world, Placed);
  expect([canCompile(), isEmpty(query(world, Placed))]).toEqual([true, false]);
});
