import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The program that every bundler bundles: it uses types, an alias, and throws in a callback. Its imports are two, so that a library can replace them. */
export const PROGRAM = `import { component, createWorld, f32, get, spawn } from "treeline";
import { each as forEachRow, query } from "treeline";

interface Clock {
  readonly step: number;
}
const Position = component("Position", { x: f32, y: f32 });
const Velocity = component("Velocity", { x: f32, y: f32 });
const world = createWorld();
const entity = spawn(world, Position({ x: 1 }), Velocity({ x: 2, y: 3 }));
const moving = query(world, Position, Velocity);

function move(clock: Clock): void {
  forEachRow(moving, (position, velocity) => {
    position.x += velocity.x * clock.step;
    position.y += (velocity.y as number) * clock.step;
  });
}

function fail(): void {
  forEachRow(moving, (position) => {
    position.y = 9;
    if (position.x > 1) throw new Error("far");
  });
}

move({ step: 0.5 });
let place = "";
try {
  fail();
} catch (error) {
  place = /program\\.ts:(\\d+:\\d+)/.exec((error as Error).stack ?? "")?.[1] ?? String((error as Error).stack);
}
console.log(JSON.stringify({ value: get(world, entity, Position), place, isCompiled: String(move).includes("columns") }));
`;

/** The same program as a library would write it. */
export const OF_LIBRARIES = PROGRAM.replace(/(?<= from )"[^"]+"/, '"@treeline/core"').replace(
  /(?<=query \} from )"[^"]+"/,
  '"@treeline/query"',
);

export const EXPECTED = { value: { x: 2, y: 9 }, isCompiled: true };

/** Where the error is thrown in the program. */
export const THROWN = "23:31";

/** A folder in this package, so that bundlers find the packages of the program. */
export function withProgram(text = PROGRAM): {
  readonly folder: string;
  readonly entry: string;
  remove(): void;
} {
  const home = fileURLToPath(new URL("../../dist/tests/", import.meta.url));
  mkdirSync(home, { recursive: true });
  const folder = mkdtempSync(join(home, "program-"));
  const entry = join(folder, "program.ts");
  writeFileSync(entry, text);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  return { folder, entry, remove: () => rmSync(folder, { recursive: true }) };
}
