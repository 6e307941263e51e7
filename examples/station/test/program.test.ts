import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { children, count, createWorld, entities, get } from "treeline";
import { dump, verify } from "treeline/debug";
import { fromDocument, toDocument, writeJson } from "treeline/document/json";
import { checksum, restore, snapshot } from "treeline/document/snapshot";
import { loadPrefabs, prefabs } from "treeline/prefab/document";
import { afterAll, describe, expect, it } from "vitest";
import { type Game, gameOf, playFrame } from "../src/frame.ts";
import { LIBRARY, readModules } from "../src/modules.ts";
import { run } from "../src/run.ts";
import { buildStation, DEFINITIONS, Log, Station } from "../src/station.ts";

const folder = mkdtempSync(join(tmpdir(), "station-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

const MODULES = readModules(LIBRARY);

async function runWith(
  ...args: readonly string[]
): Promise<{ code: number; lines: string[]; errors: string[] }> {
  const lines: string[] = [];
  const errors: string[] = [];
  const code = await run(args, {
    line: (text) => lines.push(...text.split("\n")),
    error: (text) => errors.push(...text.split("\n")),
  });
  return { code, lines, errors };
}

/** Everything in one run: several tests look at it. */
let whole: ReturnType<typeof runWith> | undefined;
function runWhole(): ReturnType<typeof runWith> {
  whole ??= runWith();
  return whole;
}

/** Checksums depend on the order in which definitions are made: it is that of the modules, which bundles have in another one than sources. */
function comparable(lines: readonly string[]): readonly string[] {
  if (process.env.TREELINE_BUILD === "shipped") return lines;
  return lines.map((line) => line.replace(/checksum [\da-f]{8}/, "checksum"));
}

function play(game: Game, frames: number): void {
  for (let at = 0; at < frames; at++) playFrame(game);
}

describe("the program", () => {
  it("saves, loads, plays and replays a station in one run", async () => {
    const { code, lines, errors } = await runWhole();

    expect([code, errors]).toEqual([0, []]);
    expect(lines).toContain("├─ Ring");
    expect(lines).toContain("saved        20 entities of 9 modules, 1.6 kB of JSON");
    expect(lines).toContain("loaded       into a new world, which is saved as the same text");
    expect(lines.filter((line) => line.includes("checksum"))).toEqual([
      expect.stringMatching(
        /^played {7}to frame 600: 6 shuttles so far, \d+ crates stored; checksum [\da-f]{8}$/,
      ),
      expect.stringMatching(/^rolled back {2}to frame 540: checksum [\da-f]{8}$/),
      expect.stringMatching(/^replayed {5}to frame 600: checksum [\da-f]{8}, the same$/),
      expect.stringMatching(/^rolled back {2}to before the edit: checksum [\da-f]{8}, the same$/),
      expect.stringMatching(/^replayed {5}with the edit: checksum [\da-f]{8}, the same$/),
    ]);
    expect(lines.filter((line) => /^(edited|followed|kept)/.test(line))).toEqual([
      "edited       garden.json: Ferns: components.Plant.oxygen 0.4 -> 0.6; + Moss",
      'edited       tank.json: Lamp: name "Lamp" -> "Sun lamp"',
      "followed     the rooms are as in a new world with these modules",
      expect.stringMatching(/^kept {9}\d+ overrides and attached entities, the same$/),
    ]);
    expect(lines.some((line) => /Greenhouse.*Ferns, Moss/.test(line))).toBe(true);
    expect(lines.some((line) => /Lab.*Algae \(Sun lamp\)/.test(line))).toBe(true);
  });

  it("prints what the README shows", async () => {
    const readme = readFileSync(fileURLToPath(new URL("../README.md", import.meta.url)), "utf8");
    const shown = /```\n(saved[^`]*)\n```/.exec(readme)![1]!.split("\n");

    const { lines } = await runWhole();

    expect(comparable(lines.filter((line) => /^[a-z]/.test(line)))).toEqual(comparable(shown));
  });

  it("builds a file that is not there, and goes on with one that is", async () => {
    const file = join(folder, "own.json");

    expect((await runWith(file)).code).toBe(0);
    const built = readFileSync(file, "utf8");
    const { code, lines } = await runWith(file);
    const again = await runWith(file);

    expect(built).toBe(writeJson(toDocument(buildStation(MODULES), { all: true, prefabs })));
    expect([code, again.code]).toEqual([0, 0]);
    expect(lines.some((line) => line.startsWith("played       to frame 600:"))).toBe(true);
    expect(again.lines.some((line) => line.startsWith("played       to frame 1200:"))).toBe(true);
  });

  it("says where a file is broken", async () => {
    const file = join(folder, "broken.json");
    const text = writeJson(toDocument(buildStation(MODULES), { all: true, prefabs }));
    writeFileSync(file, text.replace('"level":80', '"level":"full"'));

    expect(await runWith(file)).toEqual({
      code: 1,
      lines: [],
      errors: [
        `error: ${file}: entities[0].children[2].parts["3"].components.Air.level: expects a number, not the text "full"`,
      ],
    });
  });

  it("explains itself", async () => {
    expect((await runWith("--help")).lines[0]).toBe("usage: npm run example station -- [FILE]");
    expect((await runWith("one", "two")).code).toBe(1);
    expect((await runWith("watch", LIBRARY, "many")).code).toBe(1);
  });

  const built = fileURLToPath(new URL("../dist/main.js", import.meta.url));
  /** Once is enough for the built program: it is the same whatever the tests import. */
  const isBuilt = process.env.TREELINE_BUILD === "shipped" && existsSync(built);
  it.skipIf(!isBuilt)("prints the same text when built", async () => {
    const { status, stdout } = spawnSync(process.execPath, [built], { encoding: "utf8" });

    expect(status).toBe(0);
    expect(comparable(stdout.trimEnd().split("\n"))).toEqual(comparable((await runWhole()).lines));
  });
});

describe("a station", () => {
  it("goes on from a file as it would have without one", () => {
    const world = buildStation(MODULES);
    const game = gameOf(world);
    play(game, 250);
    const copy = createWorld();
    loadPrefabs(copy, MODULES, { definitions: DEFINITIONS });
    fromDocument(copy, writeJson(toDocument(world, { all: true, prefabs })), {
      definitions: DEFINITIONS,
      prefabs,
    });
    const copied = gameOf(copy);

    play(game, 50);
    play(copied, 50);

    expect(verify(copy)).toEqual([]);
    expect(get(copy, copied.station, Station)).toEqual(get(world, game.station, Station));
    expect(get(copy, copied.station, Log)).toEqual(get(world, game.station, Log));
  });

  it("comes back with its shuttles, and is played to the same end again", () => {
    const world = buildStation(MODULES);
    const game = gameOf(world);
    play(game, 140);
    const before = dump(world);
    const kept = snapshot(world);
    play(game, 60); // the first shuttle leaves at frame 151
    const [sum, after] = [checksum(world), dump(world)];
    expect(count(game.shuttles)).toBe(1);

    restore(world, kept);
    expect(dump(world)).toBe(before);
    expect(count(game.shuttles)).toBe(2);
    play(game, 60);

    expect([checksum(world), dump(world)]).toEqual([sum, after]);
    expect(entities(game.crew).length).toBe(4);
    expect(children(world, game.station).length).toBe(3);
  });
});
