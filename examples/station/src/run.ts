// The whole program without its process (`run`): build and save, or load, play, roll back and replay; the exit code.
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { count, createWorld, get, query, type World } from "treeline";
import { fromDocument, toDocument, writeJson } from "treeline/document/json";
import { checksum, keep, rollBack, snapshotRing } from "treeline/document/snapshot";
import { loadPrefabs, prefabs } from "treeline/prefab/document";
import type { Modules } from "./changes.ts";
import { drawStation } from "./draw.ts";
import { editModules } from "./edit.ts";
import { type Game, gameOf, playFrame } from "./frame.ts";
import { LIBRARY, problemOf, readModules, readText } from "./modules.ts";
import { buildStation, DEFINITIONS, Log, Station } from "./station.ts";
import { type Output, SURROUNDINGS, type Surroundings, watchModules } from "./watch.ts";

const FRAMES = 600;
const BACK = 60;
const LINES = 6;
/** Frames of `watch`, unless it is told. */
const WATCHED = 6000;

const HELP = `usage: npm run example station -- [FILE]
       npm run example station -- watch [FOLDER [FRAMES]]

  (no file)  builds a station from modules, saves it, quits, loads it, plays it
             and edits its modules meanwhile, in one run
  FILE       if there is none, builds a station, saves it there and quits;
             else loads the station, plays ${FRAMES} frames, and saves it again
  watch      plays a new station, and follows the modules in FOLDER while it runs: ten frames
             a second, ${WATCHED} unless FRAMES says otherwise. FOLDER is examples/station/modules if not given`;

/**
 * @param surroundings the time, and how a folder is followed, for `watch`.
 * @returns the exit code: 1 if a file cannot be used, if what has been loaded or replayed is not the same, or if rooms did not follow their modules.
 */
export async function run(
  args: readonly string[],
  output: Output,
  surroundings: Surroundings = SURROUNDINGS,
): Promise<number> {
  const [file, ...others] = args;
  const isWatch = file === "watch";
  const [folder = LIBRARY, frames = String(WATCHED)] = isWatch ? others : [];
  if (args.some((one) => one.startsWith("-")) || others.length > (isWatch ? 2 : 0) || !/^\d+$/.test(frames)) {
    (file === "--help" ? output.line : output.error)(HELP);
    return file === "--help" ? 0 : 1;
  }
  let modules: Modules = new Map();
  try {
    modules = readModules(folder);
    if (isWatch) {
      await watchModules(folder, Number(frames), output, surroundings);
      return 0;
    }
    if (file === undefined) return runAll(output);
    if (!existsSync(file)) return buildFile(file, modules, output);
    return playFile(file, modules, output).isSame ? 0 : 1;
  } catch (error) {
    const problem = problemOf(error, modules);
    const isOfFile = !isWatch && problem === (error as Error).message;
    output.error(`error: ${isOfFile ? `${file}: ` : ""}${problem}`);
    return 1;
  }
}

/** Everything, in a folder that is removed again. */
function runAll(output: Output): number {
  const folder = mkdtempSync(join(tmpdir(), "treeline-station-"));
  try {
    const [file, library] = [join(folder, "station.json"), join(folder, "modules")];
    cpSync(LIBRARY, library, { recursive: true });
    const modules = readModules(library);
    buildFile(file, modules, output);
    const { game, isSame } = playFile(file, modules, output);
    output.line("");
    return editModules(game, library, output.line) && isSame ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Equal worlds have equal texts: a document has no handles, and its members are in one order. */
function textOf(world: World): string {
  return writeJson(toDocument(world, { all: true, prefabs }));
}

function buildFile(file: string, modules: Modules, { line }: Output): number {
  const world = buildStation(modules);
  const { station } = gameOf(world);
  for (const text of drawStation(world, station)) line(text);
  const text = textOf(world);
  writeFileSync(file, text);
  line(
    `\nsaved        ${count(query(world))} entities of ${modules.size} modules, ${(text.length / 1000).toFixed(1)} kB of JSON`,
  );
  return 0;
}

function playFile(file: string, modules: Modules, { line }: Output): { game: Game; isSame: boolean } {
  const text = readText(file);
  const world = createWorld();
  loadPrefabs(world, modules, { definitions: DEFINITIONS });
  fromDocument(world, text, { definitions: DEFINITIONS, prefabs });
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

  rollBack(frames, BACK);
  line(`rolled back  to frame ${get(world, game.station, Station)!.frame}: checksum ${sum()}`);
  play(BACK);
  const isReplayed = sum() === played;
  line(`replayed     to frame ${frame}: checksum ${sum()}, ${isReplayed ? "the same" : "ANOTHER"}\n`);
  for (const entry of drawStation(world, game.station)) line(entry);
  writeFileSync(file, textOf(world));
  return { game, isSame: isLoaded && isReplayed };
}
