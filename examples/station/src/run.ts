import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorld, get, TreelineError, type World } from "@treeline/core";
import { fromDocument, toDocument, writeJson } from "@treeline/document/json";
import { checksum, keep, rollBack, snapshotRing } from "@treeline/document/snapshot";
import { count, query } from "@treeline/query";
import { drawStation } from "./draw.ts";
import { gameOf, playFrame } from "./frame.ts";
import { buildStation, DEFINITIONS, Log, Station } from "./station.ts";

/** Where the program writes. */
export interface Output {
  readonly line: (text: string) => void;
  readonly error: (text: string) => void;
}

const FRAMES = 600;
const BACK = 60;
const LINES = 6;

const HELP = `usage: npm run example station -- [FILE]

  (no file)  builds a station, saves it, quits, loads it and plays it, in one run
  FILE       if there is none, builds a station, saves it there and quits;
             else loads the station, plays ${FRAMES} frames, and saves it again`;

/** @returns the exit code: 1 if the file cannot be used, or if what has been loaded or replayed is not the same. */
export function run(args: readonly string[], output: Output): number {
  const [file] = args;
  if (args.length > 1 || file?.startsWith("-")) {
    (file === "--help" ? output.line : output.error)(HELP);
    return file === "--help" ? 0 : 1;
  }
  try {
    if (file !== undefined) return existsSync(file) ? playFile(file, output) : buildFile(file, output);
    const folder = mkdtempSync(join(tmpdir(), "treeline-station-"));
    try {
      const own = join(folder, "station.json");
      return buildFile(own, output) || playFile(own, output);
    } finally {
      rmSync(folder, { recursive: true });
    }
  } catch (error) {
    if (!(error instanceof TreelineError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    output.error(`error: ${file}: ${(error as Error).message}`);
    return 1;
  }
}

/** Equal worlds have equal texts: a document has no handles, and its members are in one order. */
function textOf(world: World): string {
  return writeJson(toDocument(world, { all: true }));
}

function buildFile(file: string, { line }: Output): number {
  const world = buildStation();
  const { station } = gameOf(world);
  for (const text of drawStation(world, station)) line(text);
  const text = textOf(world);
  writeFileSync(file, text);
  line(`\nsaved        ${count(query(world))} entities, ${(text.length / 1000).toFixed(1)} kB of JSON`);
  return 0;
}

function playFile(file: string, { line }: Output): number {
  const text = readFileSync(file, "utf8");
  const world = createWorld();
  fromDocument(world, text, { definitions: DEFINITIONS });
  const isLoaded = textOf(world) === text;
  line(`loaded       into a new world, which is saved as ${isLoaded ? "the same" : "ANOTHER"} text`);

  const game = gameOf(world);
  const frames = snapshotRing(world, { frames: BACK });
  const play = (amount: number): void => {
    for (let at = 0; at < amount; at++) {
      keep(frames); // the state before the frame
      playFrame(game);
    }
  };
  const sum = (): string => checksum(world).toString(16).padStart(8, "0");

  const known = get(world, game.station, Log)!.length;
  play(FRAMES);
  const played = sum();
  const { frame, shuttles, stored } = get(world, game.station, Station)!;
  line(
    `played       to frame ${frame}: ${shuttles} shuttles so far, ${stored} crates stored; checksum ${played}`,
  );
  const log = get(world, game.station, Log)!.slice(known);
  if (log.length > LINES) line(`             … ${log.length - LINES} lines`);
  for (const entry of log.slice(-LINES)) line(`             ${entry}`);

  rollBack(frames, BACK - 1); // 0 is the state before the last frame
  line(`rolled back  to frame ${get(world, game.station, Station)!.frame}: checksum ${sum()}`);
  play(BACK);
  const isReplayed = sum() === played;
  line(`replayed     to frame ${frame}: checksum ${sum()}, ${isReplayed ? "the same" : "ANOTHER"}\n`);
  for (const entry of drawStation(world, game.station)) line(entry);
  writeFileSync(file, textOf(world));
  return isLoaded && isReplayed ? 0 : 1;
}
