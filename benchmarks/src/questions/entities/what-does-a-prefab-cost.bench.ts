import {
  add,
  ChildOf,
  clone,
  component,
  createWorld,
  type Entity,
  f32,
  get,
  Parent,
  remove,
  set,
  spawn,
  type World,
} from "@treeline/core";
import { Name } from "@treeline/names";
import { instantiate, prefab, refreshInstances } from "@treeline/prefab";
import { children, count, each, query } from "@treeline/query";
import { Position, Velocity } from "../../fixtures/components.ts";
import { STORAGES, type Storage } from "../../fixtures/storages.ts";
import { interleave, ratioOf } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

const INSTANCES = fullOrQuick(10_000, 1_000);
const PACE = { rounds: fullOrQuick(9, 3), time: 0, calls: 1, warmUp: 2 };
const Mesh = component("Mesh", { lod: f32, id: f32(7) }, { onInstantiate: "inherit" });
const Look = component("Look", { lod: f32, id: f32(7) });

/** Parts below a root, and what their instances take at most, in nanoseconds an entity. */
interface Kind {
  readonly parts: number;
  readonly isNamed: boolean;
  readonly limits: {
    readonly [Way in "at once" | "one by one"]: { readonly [Name in Storage["name"]]: number };
  };
}

const KINDS: readonly Kind[] = [
  {
    parts: 20,
    isNamed: false,
    limits: { "at once": { Parent: 60, ChildOf: 120 }, "one by one": { Parent: 150, ChildOf: 220 } },
  },
  {
    parts: 12,
    isNamed: true,
    limits: { "at once": { Parent: 250, ChildOf: 250 }, "one by one": { Parent: 350, ChildOf: 350 } },
  },
];

/** The parts of one tree, with a parent. */
function spawnTree(world: World, root: Entity, { parts, isNamed }: Kind, below: Storage["below"]): void {
  for (let at = 0; at < parts; at++) {
    const place = [Position({ x: at, y: 1 }), Velocity({ x: 1, y: at })] as const;
    if (isNamed) spawn(world, ...place, below(root), Name(`Part ${at}`));
    else spawn(world, ...place, below(root));
  }
}

interface Made {
  readonly world: World;
  readonly prefab: Entity;
}

function make(kind: Kind, below: Storage["below"], isPrefab: boolean): Made {
  const world = createWorld();
  const made = isPrefab ? prefab(world, Position) : spawn(world, Position);
  spawnTree(world, made, kind, below);
  return { world, prefab: made };
}

/** Of all entities that queries see. */
function sumOf(world: World): number {
  let sum = 0;
  each(query(world, Position, Velocity), (position, velocity) => {
    sum += position.x + 3 * position.y + 5 * velocity.x + 7 * velocity.y;
  });
  return sum;
}

for (const kind of KINDS) for (const { name, below } of STORAGES) measureSpawns(kind, name, below);
measureReads();
measureRefresh();
measureFirst();

function measureSpawns(kind: Kind, storage: Storage["name"], below: Storage["below"]): void {
  const entities = (kind.parts + 1) * INSTANCES;
  const ways = [
    {
      row: "hand-written: one spawn for each entity",
      isPrefab: true,
      run: ({ world }: Made) => {
        for (let at = 0; at < INSTANCES; at++) spawnTree(world, spawn(world, Position), kind, below);
      },
    },
    {
      row: "clone, deep",
      isPrefab: false,
      run: ({ world, prefab: original }: Made) => {
        for (let at = 0; at < INSTANCES; at++) clone(world, original, { deep: true });
      },
    },
    {
      row: "instantiate, one by one",
      isPrefab: true,
      run: ({ world, prefab: original }: Made) => {
        for (let at = 0; at < INSTANCES; at++) instantiate(world, original);
      },
      limit: kind.limits["one by one"][storage],
    },
    {
      row: "instantiate, at once",
      isPrefab: true,
      run: ({ world, prefab: original }: Made) => {
        instantiate(world, original, { count: INSTANCES });
      },
      limit: kind.limits["at once"][storage],
    },
  ];
  proveEqual(
    ways.map(({ row, isPrefab, run }) => ({
      name: row,
      checksum: () => {
        const made = make(kind, below, isPrefab);
        const own = sumOf(made.world);
        run(made);
        return sumOf(made.world) - own;
      },
    })),
  );
  let made = make(kind, below, true);
  const timings = interleave(
    ways.map(({ row, isPrefab, run }) => ({
      name: row,
      before: () => {
        made = make(kind, below, isPrefab);
      },
      run: () => run(made),
    })),
    PACE,
  );
  const named = kind.isNamed ? "named" : "unnamed";
  printTable(
    `W14: ${INSTANCES.toLocaleString("en")} instances of a root with ${kind.parts} ${named} parts, stored by ${storage}, in a fresh world. ` +
      "Ratios against the hand-written loop. Flecs 4.1.6 in C, 10 unnamed parts of one type: 148 ns an entity.",
    ways.map(
      ({ row, limit }, at): Row => ({
        row,
        measured: nanosecondsAndLow(timings[at]!, entities, "entity"),
        ratio: ratioOf(timings[at]!, timings[0]!),
        ...(limit === undefined ? {} : { goal: atMost(limit, "ns", (timings[at]!.median * 1e6) / entities) }),
      }),
    ),
  );
}

function measureReads(): void {
  const world = createWorld();
  const ship = prefab(world, Position, Mesh, Look);
  spawn(world, ChildOf(ship), Mesh({ id: 8 }), Look({ id: 8 }));
  const rows = INSTANCES * 10;
  instantiate(world, ship, { count: rows / 2 });
  const looks = query(world, Look);
  const meshes = query(world, Mesh);
  let sum = 0;
  const contestants = [
    { name: "own values", run: () => each(looks, (look) => (sum += look.id)) },
    { name: "inherited values", run: () => each(meshes, (mesh) => (sum += mesh.id)) },
  ];
  proveEqual(
    contestants.map(({ name, run }) => ({
      name,
      checksum: () => {
        sum = 0;
        run();
        return sum;
      },
    })),
  );
  const timings = interleave(contestants, { rounds: fullOrQuick(25, 8) });
  printTable(
    `Reading ${count(meshes).toLocaleString("en")} values through \`each\`. Ratios against own values.`,
    contestants.map(
      ({ name }, at): Row => ({
        row: name,
        measured: nanosecondsAndLow(timings[at]!, rows, "row"),
        ratio: ratioOf(timings[at]!, timings[0]!),
        ...(at === 0 ? {} : { goal: atMost(4, "ns", (timings[at]!.median * 1e6) / rows) }),
      }),
    ),
  );
}

function measureRefresh(): void {
  const world = createWorld();
  const ship = prefab(world, Position);
  const kind = KINDS[1]!;
  spawnTree(world, ship, { ...kind, isNamed: false }, Parent);
  const part = children(world, ship)[3]!;
  const instances = instantiate(world, ship, { count: INSTANCES });
  const last = children(world, instances.at(-1)!)[3]!;
  let value = 0;
  const refresh = (): void => {
    value++;
    set(world, part, Position, { y: value });
    refreshInstances(world, ship);
    if (get(world, last, Position)!.y !== value) throw new Error("an instance does not follow");
  };
  const [timing] = interleave([{ name: "refresh", run: refresh }], { rounds: fullOrQuick(25, 8) });
  printTable(
    `${INSTANCES.toLocaleString("en")} instances of ${kind.parts} parts follow one value of one part.`,
    [
      {
        row: "set and refreshInstances",
        measured: nanosecondsAndLow(timing, INSTANCES, "instance"),
        goal: atMost(100, "ns", (timing.median * 1e6) / INSTANCES),
      },
    ],
  );
}

/** The first instance after an edit: parts are listed and planned again. */
function measureFirst(): void {
  const { world, prefab: ship } = make(KINDS[0]!, ChildOf, true);
  const part = children(world, ship)[0]!;
  const first = (): void => {
    add(world, part, Look);
    instantiate(world, ship);
    remove(world, part, Look);
  };
  const [timing] = interleave([{ name: "first", run: first }], { rounds: fullOrQuick(25, 8) });
  printTable("A part of a prefab of 20 parts gets a component, and the first instance is made.", [
    {
      row: "add, instantiate, remove",
      measured: nanosecondsAndLow(timing, 1, "call"),
      goal: atMost(100_000, "ns", timing.median * 1e6),
    },
  ]);
}
