// Instances at once and one by one, beside clones, spawns, bitECS and koota; inherited values; `partOf`; memory.
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
  type SpawnTerm,
  set,
  spawn,
  type World,
} from "@treeline/core";
import { stats } from "@treeline/core/debug";
import { Name } from "@treeline/names";
import { instantiate, partOf, prefab, prefabOf, refreshInstances, revert } from "@treeline/prefab";
import { children, count, destroy, each, query } from "@treeline/query";
import { Position, Velocity } from "../../fixtures/components.ts";
import { bitecsPrefabs, kootaByHand, type SumOf } from "../../fixtures/instances-elsewhere.ts";
import { STORAGES, type Storage } from "../../fixtures/storages.ts";
import { interleave, ratioOf } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

const INSTANCES = fullOrQuick(10_000, 1_000);
const FEW = 50;
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

const sumOfPart: SumOf = (x, y, velocityX, velocityY) => x + 3 * y + 5 * velocityX + 7 * velocityY;

/** Of all entities that queries see. */
function sumOf(world: World): number {
  let sum = 0;
  each(query(world, Position, Velocity), (position, velocity) => {
    sum += sumOfPart(position.x, position.y, velocity.x, velocity.y);
  });
  return sum;
}

for (const kind of KINDS) for (const { name, below } of STORAGES) measureSpawns(kind, name, below, INSTANCES);
// In bitECS each instance of a prefab gets a component for each earlier one: its time grows with the square.
measureSpawns(KINDS[0]!, "ChildOf", ChildOf, FEW);
measureReads();
measureMemory();
measureParts();
measureRefresh();
measureFirst();

function measureSpawns(
  kind: Kind,
  storage: Storage["name"],
  below: Storage["below"],
  instances: number,
): void {
  const entities = (kind.parts + 1) * instances;
  const ways = [
    {
      row: "hand-written: one spawn for each entity",
      isPrefab: true,
      run: ({ world }: Made) => {
        for (let at = 0; at < instances; at++) spawnTree(world, spawn(world, Position), kind, below);
      },
    },
    {
      row: "clone, deep",
      isPrefab: false,
      run: ({ world, prefab: original }: Made) => {
        for (let at = 0; at < instances; at++) clone(world, original, { deep: true });
      },
    },
    {
      row: "instantiate, one by one",
      isPrefab: true,
      run: ({ world, prefab: original }: Made) => {
        for (let at = 0; at < instances; at++) instantiate(world, original);
      },
      limit: kind.limits["one by one"][storage],
    },
    {
      row: "instantiate, at once",
      isPrefab: true,
      run: ({ world, prefab: original }: Made) => {
        instantiate(world, original, { count: instances });
      },
      limit: kind.limits["at once"][storage],
    },
  ];
  // koota has no names by which parts are found, and one way to store parents.
  const others =
    kind.isNamed || storage !== "ChildOf"
      ? []
      : [
          kootaByHand(kind.parts, instances),
          ...(instances > FEW ? [] : [bitecsPrefabs(kind.parts, instances)]),
        ];
  proveEqual([
    ...ways.map(({ row, isPrefab, run }) => ({
      name: row,
      checksum: () => {
        const made = make(kind, below, isPrefab);
        const own = sumOf(made.world);
        run(made);
        return sumOf(made.world) - own;
      },
    })),
    ...others.map(({ name, before, run, checksum }) => ({
      name,
      checksum: () => {
        before();
        run();
        return checksum(sumOfPart);
      },
    })),
  ]);
  let made = make(kind, below, true);
  const timings = interleave(
    [
      ...ways.map(({ row, isPrefab, run }) => ({
        name: row,
        before: () => {
          made = make(kind, below, isPrefab);
        },
        run: () => run(made),
      })),
      ...others,
    ],
    PACE,
  );
  const named = kind.isNamed ? "named" : "unnamed";
  printTable(
    `W14: ${instances.toLocaleString("en")} instances of a root with ${kind.parts} ${named} parts, stored by ${storage}, in a fresh world. ` +
      "Ratios against the hand-written loop. Flecs 4.1.6 in C, 10 unnamed parts of one type: 148 ns an entity.",
    [...ways, ...others.map(({ name }) => ({ row: name, limit: undefined }))].map(
      ({ row, limit }, at): Row => ({
        row,
        measured: nanosecondsAndLow(timings[at]!, entities, "entity"),
        ratio: ratioOf(timings[at]!, timings[0]!),
        ...(limit === undefined || instances === FEW
          ? {}
          : { goal: atMost(limit, "ns", (timings[at]!.median * 1e6) / entities) }),
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

/** What `stats` counts of a world whose instances have eight bytes of values, or inherit them; without, the same. */
function measureMemory(): void {
  const rows = INSTANCES * 10;
  const bytesWith = (...terms: SpawnTerm[]): number => {
    const world = createWorld();
    const ship = prefab(world, Position, ...terms);
    instantiate(world, ship, { count: rows });
    return stats(world).bytes;
  };
  const base = bytesWith();
  const measured = [
    { row: "own values of two f32 fields", bytes: (bytesWith(Look) - base) / rows },
    { row: "inherited values of two f32 fields", bytes: (bytesWith(Mesh) - base) / rows, limit: 0.1 },
  ];
  printTable(
    `What a component adds to each of ${rows.toLocaleString("en")} instances, as \`stats\` counts it, spare rows and the record of the archetype included.`,
    measured.map(
      ({ row, bytes, limit }): Row => ({
        row,
        measured: `${bytes.toFixed(2)} bytes`,
        ...(limit === undefined ? {} : { goal: atMost(limit, "bytes", bytes) }),
      }),
    ),
  );
}

/** All parts of all instances are asked for: as they were spawned; and after each part was destroyed and made again. */
function measureParts(): void {
  const KIND = KINDS[0]!;
  const asked = [];
  for (const { name, isEdited } of [
    { name: "as spawned", isEdited: false },
    { name: "after each part was destroyed and made again", isEdited: true },
  ]) {
    const { world, prefab: ship } = make(KIND, ChildOf, true);
    const parts = children(world, ship);
    const instances = instantiate(world, ship, { count: INSTANCES });
    if (isEdited) {
      for (const instance of instances) for (const child of children(world, instance)) destroy(world, child);
      for (const instance of instances) revert(world, instance);
    }
    let isRight = 0;
    asked.push({
      name,
      run: () => {
        isRight = 0;
        for (const instance of instances)
          for (const part of parts) if (prefabOf(world, partOf(world, instance, part)!) === part) isRight++;
      },
      checksum: () => isRight,
    });
  }
  proveEqual(
    asked.map(({ name, run, checksum }) => ({
      name,
      checksum: () => {
        run();
        return checksum();
      },
    })),
  );
  const timings = interleave(asked, PACE);
  const calls = INSTANCES * KIND.parts;
  printTable(
    `All parts of ${INSTANCES.toLocaleString("en")} instances of ${KIND.parts} parts: \`partOf\`, and \`prefabOf\` of what it finds.`,
    asked.map(
      ({ name }, at): Row => ({
        row: name,
        measured: nanosecondsAndLow(timings[at]!, calls, "part"),
        ratio: ratioOf(timings[at]!, timings[0]!),
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
