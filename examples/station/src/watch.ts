// Plays while a folder of modules is followed (`watchModules`); when files are read again (`followFolder`).
import { watch } from "node:fs";
import type { Modules } from "./changes.ts";
import { drawStation } from "./draw.ts";
import { gameOf, playFrame } from "./frame.ts";
import { readModules, reload } from "./modules.ts";
import { buildStation } from "./station.ts";

/** What the program has of the time and of the file system while it follows a folder. */
export interface Surroundings {
  /** Resolves before the next frame. */
  readonly pause: () => Promise<void>;
  /** Calls back after something in a folder has changed. @returns stops it. */
  readonly follow: (folder: string, onChange: () => void) => () => void;
}

/** Milliseconds of a frame, and without a change until files are read: editors write in several steps. */
const FRAME = 100;
const QUIET = 100;

export const SURROUNDINGS: Surroundings = {
  pause: () => new Promise((resolve) => setTimeout(resolve, FRAME)),
  follow: followFolder,
};

/** Calls back once after each burst of changes in a folder. @returns stops it. */
export function followFolder(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, QUIET);
  });
  // A folder that is taken away says so here; what was read of it stays.
  watcher.on("error", onChange);
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

/** Where the program writes. */
export interface Output {
  readonly line: (text: string) => void;
  readonly error: (text: string) => void;
}

/** Plays a new station for some frames, and follows the folder of its modules. @throws what is wrong with the modules at the start. */
export async function watchModules(
  folder: string,
  frames: number,
  { line, error }: Output,
  { pause, follow }: Surroundings,
): Promise<void> {
  let modules: Modules = readModules(folder);
  const game = gameOf(buildStation(modules));
  const { world, station } = game;
  const draw = (): void => {
    for (const text of drawStation(world, station)) line(text);
  };
  let isChanged = false;
  const stop = follow(folder, () => {
    isChanged = true;
  });
  try {
    draw();
    line(`\nplaying ${frames} frames; edit the files in ${folder}, or press Ctrl-C`);
    for (let frame = 1; frame <= frames; frame++) {
      await pause();
      if (isChanged) {
        isChanged = false;
        const { lines, outcome, modules: read } = reload(world, folder, modules);
        modules = read;
        if (outcome === "changed") {
          line(`\nframe ${frame}`);
          for (const text of lines) line(text);
          draw();
        } else for (const text of lines) error(`error: ${text}`);
      }
      playFrame(game);
    }
    line("");
    draw();
  } finally {
    stop();
  }
}
