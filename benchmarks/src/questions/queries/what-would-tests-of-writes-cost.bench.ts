// Writes with and without a test of what a field can hold, in `each` and by `set`.
import { component, createWorld, f32, get, set, spawn, u8 } from "@treeline/core";
import { each, query } from "@treeline/query";
import { type Contestant, interleave, ratioOf } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { nanosecondsAndLow, printQuestion, printTable } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

/*
 * Shipped builds do not test whether a field can hold a number. These rows write as they do, and with the test that development
 * builds make, as short as it can be.
 */

printQuestion(import.meta.url);

const ENTITIES = 100_000;
const PACE = { rounds: fullOrQuick(25, 8), time: 0, calls: 2, warmUp: 3 };

const Colour = component("Colour", { red: u8, green: u8, blue: u8 });
const Place = component("Place", { x: f32, y: f32 });

function byteOf(number: number): number {
  if (number !== (number & 255)) throw new RangeError(`${number} is no byte`);
  return number;
}

function singleOf(number: number): number {
  if (Number.isFinite(number) && !Number.isFinite(Math.fround(number))) throw new RangeError(`${number}`);
  return number;
}

const world = createWorld();
const all = Array.from({ length: ENTITIES }, (_, at) =>
  spawn(world, Colour({ red: at % 200, green: 1 }), Place({ x: at, y: 1 })),
);
const coloured = query(world, Colour);
const placed = query(world, Place);

function setAll(of: (number: number) => number): void {
  for (let at = 0; at < ENTITIES; at++)
    set(world, all[at]!, Colour, { red: of(at & 127), green: of(at & 63) });
}

const PAIRS: readonly (readonly [row: string, plain: () => void, tested: () => void])[] = [
  [
    "each, three bytes a row",
    () =>
      each(coloured, (colour) => {
        colour.red = (colour.red + 1) & 127;
        colour.green = colour.red >> 1;
        colour.blue = colour.green >> 1;
      }),
    () =>
      each(coloured, (colour) => {
        colour.red = byteOf((colour.red + 1) & 127);
        colour.green = byteOf(colour.red >> 1);
        colour.blue = byteOf(colour.green >> 1);
      }),
  ],
  [
    "each, two f32 a row",
    () =>
      each(placed, (place) => {
        place.x = place.y + 1;
        place.y = place.x - 1;
      }),
    () =>
      each(placed, (place) => {
        place.x = singleOf(place.y + 1);
        place.y = singleOf(place.x - 1);
      }),
  ],
  ["set, two bytes", () => setAll((number) => number), () => setAll(byteOf)],
];

proveEqual(
  [1, 2].map((way) => ({
    name: way === 1 ? "without tests" : "with tests",
    checksum: () => {
      for (const entity of all) set(world, entity, Colour, { red: 1, green: 1, blue: 1 });
      for (const pair of PAIRS) (way === 1 ? pair[1] : pair[2])();
      return all.reduce(
        (sum, entity) => sum + get(world, entity, Colour)!.red + get(world, entity, Place)!.x,
        0,
      );
    },
  })),
);

const contestants = PAIRS.flatMap(([row, plain, tested]): Contestant[] => [
  { name: row, run: plain },
  { name: `${row}, tested`, run: tested },
]);
const timings = interleave(contestants, PACE);
printTable(
  "100,000 rows, shipped bundles. Ratios against the row above without tests.",
  contestants.map(({ name }, at) => ({
    row: name,
    measured: nanosecondsAndLow(timings[at]!, ENTITIES, "row"),
    ratio: ratioOf(timings[at]!, timings[at - (at % 2)]!),
  })),
);
