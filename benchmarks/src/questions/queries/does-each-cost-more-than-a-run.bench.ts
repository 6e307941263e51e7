// W1 with `each` (`moveByRows`) against `eachRun`: isolated, and after other callbacks (`iterateOthers`).
import { array, bool, component, entity, f32, f64, i32, spawn, u8, type World } from "@treeline/core";
import { each, type Query, query } from "@treeline/query";
import type { Position, Velocity } from "../../fixtures/components.ts";
import {
  CHILDREN,
  type Crowd,
  checksumOfPositions,
  gather,
  moveByRuns,
  moveHandWritten,
  onlyRunOf,
} from "../../fixtures/crowd.ts";
import { answer, runElsewhere, taskHere } from "../../measure/elsewhere.ts";
import { interleave, medianOf, ratioOf, type Timing } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, nanoseconds, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

/** What the compiler learns lasts as long as the process: every case has several processes. */
const PROCESSES = fullOrQuick(5, 2);

interface Found {
  readonly loop: Timing;
  readonly runs: Timing;
  readonly rows: Timing;
}

interface Plane {
  x: number;
  y: number;
}

function moveRow(position: Plane, velocity: Plane): void {
  position.x += velocity.x;
  position.y += velocity.y;
}

function moveByRows({ moving }: Crowd): void {
  each(moving as Query<[typeof Position, typeof Velocity]>, moveRow);
}

const PLANE = { x: f32, y: f32 };
const Spot = component("Spot", PLANE);
const Drift = component("Drift", PLANE);
const Spring = component("Spring", { length: f64, force: f64, turns: i32 });
const Weight = component("Weight", { value: f32 });
const Door = component("Door", { isOpen: bool, hinges: u8 });
const Frame = component("Frame", { left: i32, right: i32, top: i32, bottom: i32 });
const Aim = component("Aim", { target: entity, range: f32 });
const Lens = component("Lens", { curve: array(f32, 4), zoom: f32 });
const Colour = component("Colour", { r: f32, g: f32, b: f32, a: f32, h: f32, s: f32, v: f32, k: f32 });
const Tone = component("Tone", { gain: f64, pitch: f64 });

/** Five callbacks over ten other components than Position and Velocity, until all are compiled. */
function iterateOthers(world: World): void {
  for (let at = 0; at < 5_000; at++) {
    const spot = spawn(world, Spot({ x: at }), Drift({ x: 1, y: 1 }));
    spawn(world, Spring({ length: 1, force: 2 }), Weight({ value: 1 }));
    spawn(world, Door({ isOpen: at % 2 === 0, hinges: 2 }), Frame({ right: 1 }));
    spawn(world, Aim({ target: spot }), Lens({ zoom: 1 }));
    spawn(world, Colour({ r: 1 }), Tone({ gain: 1, pitch: 2 }));
  }
  const drifting = query(world, Spot, Drift);
  const springs = query(world, Spring, Weight);
  const doors = query(world, Door, Frame);
  const aims = query(world, Aim, Lens);
  const colours = query(world, Colour, Tone);
  for (let round = 0; round < 60; round++) {
    each(drifting, (spot, drift) => {
      spot.x += drift.x;
      spot.y += drift.y;
    });
    each(springs, (spring, weight) => {
      spring.length += spring.force * weight.value;
      spring.turns += 1;
    });
    each(doors, (door, frame) => {
      if (door.isOpen) frame.left += door.hinges;
      frame.right = frame.left;
    });
    each(aims, (aim, lens, self) => {
      if (aim.target !== self) aim.range += lens.zoom;
    });
    each(colours, (colour, tone) => {
      colour.r += tone.gain;
      colour.k += colour.r - tone.pitch;
    });
  }
}

function measureHere(isAlone: boolean): Found {
  const crowd = gather(1, "block");
  if (!isAlone) iterateOthers(crowd.world);
  const shared = onlyRunOf(crowd);
  const [loop, runs, rows] = interleave(
    [
      { name: "loop", run: () => moveHandWritten(shared) },
      { name: "eachRun", run: () => moveByRuns(crowd) },
      { name: "each", run: () => moveByRows(crowd) },
    ],
    { rounds: fullOrQuick(40, 15) },
  );
  return { loop, runs, rows };
}

/** In a separate process, so that it does not affect the measured ones. */
function proveHere(): true {
  const moves = {
    hand: (crowd: Crowd) => moveHandWritten(onlyRunOf(crowd)),
    eachRun: moveByRuns,
    each: moveByRows,
  };
  proveEqual(
    Object.entries(moves).map(([name, move]) => ({
      name,
      checksum: () => {
        const crowd = gather(1, "block");
        move(crowd);
        return checksumOfPositions(crowd);
      },
    })),
  );
  return true;
}

function compare(words: string, task: string, limit: number): Row[] {
  const found = Array.from({ length: PROCESSES }, () => runElsewhere(import.meta.url, [task]) as Found);
  const middleOf = (pick: (one: Found) => Timing): Timing => ({
    ...pick(found[0]!),
    median: medianOf(found.map((one) => pick(one).median)),
  });
  const costOf = (pick: (one: Found) => Timing): string => nanoseconds(middleOf(pick), CHILDREN, "row");
  const ratio = medianOf(found.map(({ rows, runs }) => ratioOf(rows, runs)));
  return [
    {
      row: `${words}: hand-written loop over the same columns`,
      measured: costOf(({ loop }) => loop),
      ratio: medianOf(found.map(({ loop, runs }) => ratioOf(loop, runs))),
    },
    { row: `${words}: eachRun`, measured: costOf(({ runs }) => runs), ratio: 1 },
    {
      row: `${words}: each with row views`,
      measured: costOf(({ rows }) => rows),
      ratio,
      goal: atMost(limit, "x", ratio),
    },
  ];
}

const task = taskHere();
if (task === "prove") answer(proveHere());
else if (task !== undefined) answer(measureHere(task === "isolated"));
else {
  printQuestion(import.meta.url);
  runElsewhere(import.meta.url, ["prove"]);
  printTable(
    "W1: `position += velocity` over 100,000 rows. Ratios against eachRun in the same process. The compiler optimises a " +
      "function for all its callers, so earlier iterations count.",
    [
      ...compare("isolated in the process", "isolated", 2),
      ...compare("after five other callbacks", "after", 5),
    ],
  );
}
