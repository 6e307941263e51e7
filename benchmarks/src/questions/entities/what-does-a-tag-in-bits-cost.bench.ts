// A tag in bits on and off, beside piecs, bitECS and a hand-written program; loops with one row in ten cut out.
import {
  add,
  bits,
  ChildOf,
  createWorld,
  type Entity,
  has,
  remove,
  spawn,
  type Tag,
  tag,
  type World,
} from "@treeline/core";
import { cascade, count, each, eachBatch, eachRun, not, query } from "@treeline/query";
import { batchKernel, runKernel } from "@treeline/query/kernels";
import * as bitecs from "bitecs";
import { addMoving, createStage as createBitecsStage } from "../../comparison/contestants/bitecs/world.ts";
import { settle } from "../../comparison/contestants/piecs/stage.ts";
import { parentsOf } from "../../comparison/workloads/inputs.ts";
import { ENTITIES } from "../../comparison/workloads/sizes.ts";
import { World as Global, Local, Position, Velocity } from "../../fixtures/components.ts";
import { diceOf, shuffled } from "../../fixtures/dice.ts";
import { type Contestant, interleave, ratioOf } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

const PACE = { rounds: fullOrQuick(25, 8), time: 0, calls: 2, warmUp: 3 };
const InBits = tag("InBits", { storage: bits });
const InTables = tag("InTables");

// ---- on and off, by handle ------------------------------------------------------------------------------------------

/** Gives a tag to entities, or takes it away; tells how many have it. */
interface Turner {
  readonly name: string;
  readonly on: (at: number) => void;
  readonly off: (at: number) => void;
  readonly isOn: (at: number) => boolean;
}

function treeline(name: string, what: Tag): Turner {
  const world = createWorld();
  const entities = Array.from({ length: ENTITIES }, (_, at) =>
    spawn(world, Position({ x: at % 1024, y: 0 }), Velocity({ x: 1, y: 1 + (at % 3) })),
  );
  return {
    name,
    on: (at) => add(world, entities[at]!, what),
    off: (at) => remove(world, entities[at]!, what),
    isOn: (at) => has(world, entities[at]!, what),
  };
}

function piecs(): Turner {
  const { stage, handles } = settle(ENTITIES, 0, parentsOf(1, "block"));
  const { world, position, velocity, moving } = stage;
  const marked = { id: world.createComponentId() };
  const changed = world.prefabricate([position, velocity, marked]);
  return {
    name: "piecs",
    on: (at) => world.transformEntity(handles[at]!, changed),
    off: (at) => world.transformEntity(handles[at]!, moving),
    isOn: (at) => world.hasComponent(handles[at]!, marked),
  };
}

function bitEcs(): Turner {
  const stage = createBitecsStage(ENTITIES);
  const { world } = stage;
  const Marked = {};
  bitecs.registerComponents(world, [Marked]);
  const entities = Array.from({ length: ENTITIES }, (_, at) => addMoving(stage, at));
  return {
    name: "bitECS",
    on: (at) => {
      bitecs.addComponent(world, entities[at]!, Marked);
    },
    off: (at) => {
      bitecs.removeComponent(world, entities[at]!, Marked);
    },
    isOn: (at) => bitecs.hasComponent(world, entities[at]!, Marked),
  };
}

/** The lower bound: a handle that is checked, a row by entity, and a bit by row. */
function handWritten(): Turner {
  const handles = Float64Array.from({ length: ENTITIES }, (_, at) => 2 ** 24 + at);
  const rows = Int32Array.from({ length: ENTITIES }, (_, at) => at);
  const words = new Int32Array((ENTITIES + 31) >> 5);
  const entities = [...handles];
  const rowOf = (entity: number): number => {
    const index = entity & 0xff_ffff;
    if (handles[index] !== entity) throw new Error(`no entity ${entity}`);
    return rows[index]!;
  };
  return {
    name: "hand-written",
    on: (at) => {
      const row = rowOf(entities[at]!);
      words[row >>> 5]! |= 1 << (row & 31);
    },
    off: (at) => {
      const row = rowOf(entities[at]!);
      words[row >>> 5]! &= ~(1 << (row & 31));
    },
    isOn: (at) => {
      const row = rowOf(entities[at]!);
      return (words[row >>> 5]! & (1 << (row & 31))) !== 0;
    },
  };
}

function turners(): Turner[] {
  return [
    handWritten(),
    treeline("a tag in bits", InBits),
    treeline("a tag in tables", InTables),
    piecs(),
    bitEcs(),
  ];
}

function turnAll({ on, off }: Turner, order: Int32Array): void {
  for (let place = 0; place < order.length; place++) on(order[place]!);
  for (let place = 0; place < order.length; place++) off(order[place]!);
}

proveEqual(
  turners().map(({ name, on, off, isOn }) => ({
    name,
    checksum: () => {
      let sum = 0;
      for (let at = 0; at < ENTITIES; at++) on(at);
      for (let at = 0; at < ENTITIES; at += 3) off(at);
      for (let at = 0; at < ENTITIES; at++) if (isOn(at)) sum += at % 1024;
      return sum;
    },
  })),
);

for (const [name, order, limit] of [
  ["in order", Int32Array.from({ length: ENTITIES }, (_, at) => at), 12],
  ["at random", shuffled(ENTITIES, diceOf(17)), 24],
] as const) {
  const all = turners();
  const timings = interleave(
    all.map((turner): Contestant => ({ name: turner.name, run: () => turnAll(turner, order) })),
    PACE,
  );
  printTable(
    `A tag on and off by handle, ${name}: all of ${ENTITIES.toLocaleString("en")} entities get it, then all lose it. Ratios against the first row.`,
    all.map((turner, at): Row => {
      const timing = timings[at]!;
      const row = {
        row: `${name}: ${turner.name}`,
        measured: nanosecondsAndLow(timing, 2 * ENTITIES, "change"),
        ratio: ratioOf(timing, timings[0]!),
      };
      const time = (timing.median * 1e6) / (2 * ENTITIES);
      return turner.name === "a tag in bits" ? { ...row, goal: atMost(limit, "ns", time) } : row;
    }),
  );
}

// ---- loops with one row in ten cut out -----------------------------------------------------------------------------------

const PARENTS = ENTITIES / 100;
const isCut = ((dice) => Uint8Array.from({ length: ENTITIES }, () => (dice(10) === 0 ? 1 : 0)))(diceOf(5));

function crowd(): World {
  const world = createWorld();
  for (let at = 0; at < ENTITIES; at++) {
    const entity = spawn(world, Position({ x: at % 1024, y: 0 }), Velocity({ x: 1, y: 1 + (at % 3) }));
    if (isCut[at] === 1) add(world, entity, InBits);
  }
  return world;
}

/** Parents, with 99 children each. */
function family(): World {
  const world = createWorld();
  let parent: Entity | undefined;
  for (let at = 0; at < ENTITIES; at++) {
    const isParent: boolean = at % (ENTITIES / PARENTS) === 0;
    const terms = [Local({ x: 1, y: at % 3 }), Global({ x: 0, y: 0 })];
    const entity =
      isParent || parent === undefined ? spawn(world, ...terms) : spawn(world, ...terms, ChildOf(parent));
    if (isParent) parent = entity;
    else if (isCut[at] === 1) add(world, entity, InBits);
  }
  return world;
}

type Plane = { readonly x: number; readonly y: number };

function loopsOf(isWhole: boolean): Contestant[] {
  const world = crowd();
  const families = family();
  const what = isWhole ? InTables : InBits; // no entity has the one in tables
  const moving = query(world, Position, Velocity, not(what));
  const placed = query(families, Local, Global, cascade(Global), not(what));
  const move = runKernel([Position, Velocity], ([{ x, y }, { x: vx, y: vy }]) => (first, end) => {
    for (let row = first; row < end; row++) {
      x[row]! += vx[row]!;
      y[row]! += vy[row]!;
    }
  });
  const place = batchKernel({ own: [Local, Global], above: [Global] }, ([local, own], above, lists) => {
    const { rows, parentRows } = lists;
    const { x: lx, y: ly } = local;
    const { x, y } = own;
    const ax = above?.[0].x;
    const ay = above?.[0].y;
    return (from, to) => {
      for (let at = from; at < to; at++) {
        const row = rows[at]!;
        x[row] = lx[row]! + (ax === undefined ? 0 : ax[parentRows[at]!]!);
        y[row] = ly[row]! + (ay === undefined ? 0 : ay[parentRows[at]!]!);
      }
    };
  });
  const skipped = isWhole ? new Uint8Array(ENTITIES) : isCut;
  const plane = (): Float32Array => new Float32Array(ENTITIES);
  const [x, y, vx, vy] = [plane(), plane(), plane().fill(1), plane().fill(2)] as const;
  if (count(moving) !== skipped.reduce((sum, one) => sum + 1 - one, 0))
    throw new Error("wrong rows are cut out");
  return [
    {
      name: "hand-written, a flag for each row",
      run: () => {
        for (let at = 0; at < ENTITIES; at++) {
          if (skipped[at] !== 0) continue;
          x[at]! += vx[at]!;
          y[at]! += vy[at]!;
        }
      },
    },
    {
      name: "each",
      run: () =>
        each(moving, (position: { x: number; y: number }, velocity: Plane) => {
          position.x += velocity.x;
          position.y += velocity.y;
        }),
    },
    { name: "a kernel of runs", run: () => eachRun(moving, move) },
    { name: "a kernel of batches", run: () => eachBatch(placed, place) },
  ];
}

const [whole, cut] = [loopsOf(true), loopsOf(false)];
// V8 needs some forty calls for a loop inside a loop.
const loops = interleave([...whole, ...cut], { ...PACE, rounds: fullOrQuick(50, 8), warmUp: 40 });
printTable(
  `Loops over two components of ${ENTITIES.toLocaleString("en")} rows, all of them or with one row in ten cut out by a tag in bits. Ratios against the same loop over all rows.`,
  whole.flatMap(({ name }, at): Row[] => {
    const [all, left] = [loops[at]!, loops[at + whole.length]!];
    const ratio = ratioOf(left, all);
    return [
      { row: `${name}: all rows`, measured: nanosecondsAndLow(all, ENTITIES, "row"), ratio: 1 },
      {
        row: `${name}: one in ten cut out`,
        measured: nanosecondsAndLow(left, ENTITIES, "row"),
        ratio,
        goal: atMost(1.3, "x", ratio),
      },
    ];
  }),
);
