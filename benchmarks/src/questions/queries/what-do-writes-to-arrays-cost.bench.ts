// Reading and writing numbers of `array` fields in `each`, and then `propagate`; and with `{ reads: [...] }`.
import { createWorld, spawn, type World } from "@treeline/core";
import { each, type Query, query } from "@treeline/query";
import { Local3D, propagate, World3D } from "@treeline/transform/3d";
import { interleave, ratioOf } from "../../measure/interleave.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

const ROWS = fullOrQuick(100_000, 10_000);
const PACE = { rounds: fullOrQuick(31, 5), time: 0, calls: 1, warmUp: 5 };
/** One row in so many is written. */
const EVERY = 100;
/** After so many readings of changes, arrays that were not written are compared in turn, some at a time. */
const QUIET = 80;

printQuestion(import.meta.url);
measure();

type Placed = Query<readonly [typeof Local3D]>;

function createPlaced(): { readonly world: World; readonly placed: Placed } {
  const world = createWorld();
  for (let at = 0; at < ROWS; at++) spawn(world, Local3D({ position: [at, 0, 0] }), World3D);
  propagate(world);
  return { world, placed: query(world, Local3D) };
}

function measure(): void {
  let sum = 0;
  const declared = createPlaced();
  const watched = createPlaced();
  const assigned = createPlaced();
  const written = createPlaced();
  const once = createPlaced();
  each(once.placed, (local) => {
    sum += local.position[0]!;
  });
  for (let read = 0; read < QUIET; read++) propagate(once.world);
  const never = createPlaced();
  const timings = interleave(
    [
      {
        name: "read, and declared so",
        run: () => {
          each(
            declared.placed,
            (local) => {
              sum += local.position[0]!;
            },
            { reads: [Local3D] },
          );
          propagate(declared.world);
        },
      },
      {
        name: "read",
        run: () => {
          each(watched.placed, (local) => {
            sum += local.position[0]!;
          });
          propagate(watched.world);
        },
      },
      {
        name: "arrays assigned",
        run: () => {
          let row = 0;
          const next = new Float32Array(3);
          each(
            assigned.placed,
            (local) => {
              const { position } = local;
              sum += position[0]!;
              if (row++ % EVERY !== 0) return;
              next.set(position);
              next[0]! += 1;
              local.position = next;
            },
            { reads: [Local3D] },
          );
          propagate(assigned.world);
        },
      },
      {
        name: "numbers written",
        run: () => {
          let row = 0;
          each(written.placed, (local) => {
            const { position } = local;
            sum += position[0]!;
            if (row++ % EVERY === 0) position[0]! += 1;
          });
          propagate(written.world);
        },
      },
      { name: "read long ago", run: () => propagate(once.world) },
      { name: "never read", run: () => propagate(never.world) },
    ],
    PACE,
  );
  if (!Number.isFinite(sum)) throw new Error("nothing was read");
  const [floor, read, assigning, writing, old, idle] = timings;
  printTable(
    `${ROWS.toLocaleString("en")} rows, by each, and then propagate. Ratios of reads against a loop that declares that it only reads; of writes against assigning the array as a whole.`,
    [
      { row: "read, declared by { reads: [Local3D] }", measured: nanosecondsAndLow(floor!, ROWS, "row") },
      {
        row: "read",
        measured: nanosecondsAndLow(read!, ROWS, "row"),
        ratio: ratioOf(read!, floor!),
        goal: atMost(1.3, "x", ratioOf(read!, floor!)),
      },
      { row: "1 % written, as whole arrays", measured: nanosecondsAndLow(assigning!, ROWS, "row") },
      {
        row: "1 % written, as numbers",
        measured: nanosecondsAndLow(writing!, ROWS, "row"),
        ratio: ratioOf(writing!, assigning!),
        goal: atMost(1.2, "x", ratioOf(writing!, assigning!)),
      },
      { row: "propagate alone, never read", measured: nanosecondsAndLow(idle!, ROWS, "row") },
      { row: "propagate alone, read long ago", measured: nanosecondsAndLow(old!, ROWS, "row") },
    ],
  );
}
