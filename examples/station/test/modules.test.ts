import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChildOf, children, destroy, type Entity, get, lookup, Name, spawn, type World } from "treeline";
import { dump, verify } from "treeline/debug";
import { toDocument } from "treeline/document/json";
import { restore, snapshot } from "treeline/document/snapshot";
import { prefabs } from "treeline/prefab/document";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Modules } from "../src/changes.ts";
import { editModules } from "../src/edit.ts";
import { gameOf, playFrame } from "../src/frame.ts";
import { LIBRARY, type Reload, readModules, reload } from "../src/modules.ts";
import { run } from "../src/run.ts";
import { Air, buildStation, Crew, Plant, Room } from "../src/station.ts";
import { followFolder } from "../src/watch.ts";

let folder: string;
let modules: Modules;
let world: World;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "station-modules-"));
  cpSync(LIBRARY, folder, { recursive: true });
  modules = readModules(folder);
  world = buildStation(modules);
});

afterEach(() => {
  expect(verify(world)).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

/** Replaces text in a module. */
function edit(key: string, from: string, to: string): void {
  const path = join(folder, `${key}.json`);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

function follow(): Reload {
  const found = reload(world, folder, modules);
  ({ modules } = found);
  return found;
}

function at(path: string): Entity {
  return lookup(world, `Halcyon::${path}`)!;
}

describe("a station of modules", () => {
  it("is saved as instances with what is their own", () => {
    const { entities } = toDocument(world, { all: true, prefabs });

    const [station] = entities;
    expect(entities.length).toBe(1);
    const [core, ring, dock] = station!.children!;
    expect(core!.children!.map(({ name, prefab, components }) => [name, prefab, components])).toEqual([
      ["Bridge", "room", undefined],
      ["Galley", "room", undefined],
      ["Cabins", "room", { Room: { volume: expect.closeTo(0.8) } }],
    ]);
    expect([ring!.prefab, dock!.prefab]).toEqual(["ring", "dock"]);
    expect(ring!.parts!["2"]!.name).toBe("Greenhouse");
    expect(Object.keys(ring!.parts!["2/2"]!)).toEqual(["pairs"]); // the ferns feed other rooms
    expect(dock!.parts!["3"]!.components).toEqual({ Air: { level: 80 } });
    expect(JSON.stringify(entities)).not.toContain("Note");
  });

  it("has nothing of the notes of modules, inherits what a room is like, and has air of its own", () => {
    edit("room", '"fill": "█"', '"fill": "#"');
    edit("room", '"level": 100', '"level": 50');
    follow();

    expect(get(world, at("Core::Bridge"), Room)!.fill).toBe("#");
    expect(get(world, at("Core::Cabins"), Room)).toEqual({ volume: Math.fround(0.8), fill: "#" });
    expect(get(world, at("Ring::Greenhouse"), Room)!.fill).toBe("▓"); // the variant says otherwise
    expect(get(world, at("Ring::Greenhouse"), Air)!.level).toBe(50);
    expect(get(world, at("Dock::Hangar"), Air)!.level).toBe(80);
  });
});

describe("a folder that is read again", () => {
  it("changes nothing if it has the same files", () => {
    const before = dump(world);

    expect(follow()).toMatchObject({ outcome: "same", lines: [] });
    expect(dump(world)).toBe(before);
  });

  it("gives rooms new parts and names, below those that are attached to them", () => {
    const ferns = at("Ring::Greenhouse::Ferns");
    const eve = spawn(world, Name("Eve"), Crew, ChildOf(ferns));
    edit("garden", '"name": "Ferns"', '"name": "Tree ferns"');
    edit("tank", '[{ "id": 2', '[{ "name": "Pump" }, { "id": 2');

    const { outcome, lines } = follow();

    expect(outcome).toBe("changed");
    expect(lines).toEqual(['garden.json: Ferns: name "Ferns" -> "Tree ferns"', "tank.json: + Pump"]);
    expect(at("Ring::Greenhouse::Tree ferns::Eve")).toBe(eve);
    expect(at("Ring::Greenhouse::Tree ferns")).toBe(ferns);
    expect(children(world, at("Ring::Lab::Algae")).map((one) => get(world, one, Name))).toEqual([
      "Pump",
      "Lamp",
    ]);
  });

  it("may lose a file of which there are rooms, and gain one", () => {
    const before = toDocument(world, { all: true, prefabs });
    rmSync(join(folder, "hangar.json"));

    expect(follow().lines).toEqual(["hangar.json: gone; the station keeps it"]);
    expect(toDocument(world, { all: true, prefabs })).toEqual(before);
    expect(get(world, at("Dock::Hangar"), Room)!.volume).toBe(2);

    cpSync(join(folder, "stores.json"), join(folder, "attic.json"));
    edit("attic", "Stores", "Attic");
    expect(follow()).toMatchObject({ outcome: "changed", lines: ["attic.json: new"] });
  });

  it.each([
    [
      "garden",
      '"oxygen": 0.4',
      '"oxygen": "much"',
      /^garden\.json: entities\[0\].*oxygen: expects a number, not the text "much"$/,
    ],
    ["garden", '"oxygen": 0.4', '"oxigen": 0.4', /^garden\.json: entities\[0\].*oxigen/],
    [
      "garden",
      '"prefab": "room",',
      '"prefab": "room"',
      /^garden\.json: the text is no JSON: .*line 11, column \d+\)/,
    ],
    ["garden", '"prefab": "room"', '"prefab": "rooms"', /^garden\.json: the prefab "rooms" is neither/],
    ["room", '"name": "Room"', '"name": "Room", "prefab": "ring"', /would contain itself/],
    ["ring", '"Garden", "prefab"', '"Lab", "prefab"', /^ring\.json: entities\[0\].*Lab/],
  ])("says in one line what is wrong with %s.json: %s as %s", (key, from, to, expected) => {
    const before = dump(world);
    edit("tank", '"Lamp"', '"Sun lamp"');
    edit(key, from, to);

    const { outcome, lines } = follow();

    expect([outcome, lines]).toEqual(["refused", [expect.stringMatching(expected)]]);
    expect(lines[0]).not.toContain("\n");
    expect(dump(world)).toBe(before);

    edit(key, to, from);
    expect(follow().lines).toEqual(['tank.json: Lamp: name "Lamp" -> "Sun lamp"']);
  });

  it("is said to be gone, if it is", () => {
    const before = dump(world);
    rmSync(folder, { recursive: true });

    expect(follow()).toMatchObject({ outcome: "refused", lines: [expect.stringContaining("ENOENT")] });
    expect(dump(world)).toBe(before);
  });

  it("is taken back by a roll-back, and comes again", () => {
    const [before, kept] = [dump(world), snapshot(world)];
    edit("garden", '"oxygen": 0.4', '"oxygen": 0.5');
    const was = modules;
    follow();
    expect(get(world, at("Ring::Greenhouse::Ferns"), Plant)!.oxygen).toBe(0.5);
    const after = dump(world);

    restore(world, kept);
    expect(dump(world)).toBe(before);
    reload(world, folder, was);

    expect(dump(world)).toBe(after);
  });
});

describe("the proof of an edit", () => {
  it("holds at any time of the game", () => {
    const game = gameOf(world);
    for (const frames of [0, 95]) {
      for (let frame = 0; frame < frames; frame++) playFrame(game);
      rmSync(folder, { recursive: true });
      cpSync(LIBRARY, folder, { recursive: true });
      reload(world, folder, new Map());

      expect(editModules(game, folder, () => {})).toBe(true);
    }
  });

  it("fails if the station does not follow", () => {
    const game = gameOf(world);
    // These ferns and the lamp are in no room: nothing can follow.
    for (const path of ["Ring::Greenhouse", "Ring::Lab"]) destroy(world, at(path));
    const lines: string[] = [];

    expect(editModules(game, folder, (text) => lines.push(text))).toBe(false);
    expect(lines).toContain("followed     the rooms are NOT as in a new world with these modules");
  });
});

describe("watch", () => {
  it("draws the station again after an edit, and goes on after a mistake", async () => {
    const lines: string[] = [];
    const errors: string[] = [];
    let changed = (): void => {};
    let isStopped = false;
    let frame = 0;
    const code = await run(
      ["watch", folder, "10"],
      { line: (text) => lines.push(...text.split("\n")), error: (text) => errors.push(text) },
      {
        follow: (path, onChange) => {
          expect(path).toBe(folder);
          changed = onChange;
          return () => {
            isStopped = true;
          };
        },
        pause: async () => {
          frame++;
          if (frame === 3) edit("garden", '"Ferns"', '"Palms"');
          if (frame === 5) edit("garden", '"Palms"', "Palms");
          if (frame === 7) edit("garden", "Palms", '"Roses"');
          if (frame % 2 === 1) changed();
        },
      },
    );

    expect([code, isStopped, frame]).toEqual([0, true, 10]);
    expect(errors).toEqual([expect.stringMatching(/^error: garden\.json: the text is no JSON/)]);
    expect(lines.filter((line) => line.startsWith("garden.json"))).toEqual([
      'garden.json: Ferns: name "Ferns" -> "Palms"',
      'garden.json: Palms: name "Palms" -> "Roses"',
    ]);
    expect(lines.filter((line) => line.startsWith("frame"))).toEqual(["frame 3", "frame 7"]);
    expect(lines.filter((line) => line.includes("Greenhouse"))).toEqual([
      expect.stringContaining("Ferns"),
      expect.stringContaining("Palms"),
      expect.stringContaining("Roses"),
      expect.stringContaining("Roses"),
    ]);
  });

  it("refuses modules that are wrong from the start", async () => {
    edit("ring", '"id": 2,', '"id": 3,');
    const errors: string[] = [];

    const code = await run(["watch", folder, "1"], { line: () => {}, error: (text) => errors.push(text) });

    expect([code, errors]).toEqual([1, [expect.stringMatching(/^error: ring\.json: entities\[0\]/)]]);
  });

  it("is told by the file system", async () => {
    await new Promise<void>((resolve) => {
      const stop = followFolder(folder, () => {
        stop();
        resolve();
      });
      edit("garden", '"Ferns"', '"Palms"');
    });

    expect(follow().outcome).toBe("changed");
  });
});
