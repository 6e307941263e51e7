import { Group } from "three";
import { children, get, lookup, pathOf, set } from "treeline";
import { importGltf } from "treeline/three";
import { Local3D } from "treeline/transform/3d";
import { beforeEach, describe, expect, it } from "vitest";
import { find } from "../src/model/find.ts";
import { type Opened, open } from "../src/model/opened.ts";
import { placementOf, setPlacement } from "../src/model/placement.ts";
import { Player } from "../src/model/player.ts";
import { loadRover } from "./rover.ts";

let rover: Opened;

const pathsFor = (text: string): string[] =>
  find(rover.world, text).entities.map((entity) => pathOf(rover.world, entity));

beforeEach(async () => {
  rover = open(await loadRover(), "Rover.glb");
});

it("opens a file below an entity with its name", () => {
  expect(pathOf(rover.world, rover.root)).toBe("Rover");
  expect(children(rover.world, rover.root).map((child) => pathOf(rover.world, child))).toEqual([
    "Rover::Body",
    "Rover::Left rocker",
    "Rover::Right rocker",
  ]);
  expect(rover.clips.map(({ name }) => name)).toEqual(["Drive", "Look", "Reach"]);
});

describe("a text in the field finds", () => {
  it.each([
    ["", []],
    ["finger", ["Left finger", "Right finger"]],
    ["LAMP ", ["Lamp 1", "Lamp 2"]],
    ["Rover::*", ["Body", "Left rocker", "Right rocker"]],
    ["Rover::Left rocker::*::Wheel ?ront", ["Wheel front"]],
    ["**::Eye *", ["Eye 1", "Eye 2"]],
    ["e (", []],
    ["nothing like this", []],
  ])("%j: %j", (text, names) => {
    expect(pathsFor(text).map((path) => path.split("::").at(-1))).toEqual(names);
  });

  it("nothing for a pattern that is none, and says what is wrong", () => {
    expect(find(rover.world, "Rover::")).toEqual({ entities: [], problem: expect.stringMatching(/empty/) });
  });
});

describe("a player", () => {
  const armAt = (time: number): readonly number[] => {
    const player = new Player(rover.world, rover.clips);
    player.choose(rover.clips[2]!);
    player.seek(time);
    return [...get(rover.world, lookup(rover.world, "Rover::Body::Shoulder")!, Local3D)!.rotation];
  };

  it("shows a clip at a time, and nothing of what it does not move", () => {
    const wheel = lookup(rover.world, "Rover::Left rocker::Strut front::Wheel front")!;
    const before = [...get(rover.world, wheel, Local3D)!.rotation];

    expect(armAt(1)).not.toEqual(armAt(0));
    expect(armAt(4)).toEqual(armAt(0));
    expect([...get(rover.world, wheel, Local3D)!.rotation]).toEqual(before);
  });

  it("plays round and round, unless it is paused", () => {
    const player = new Player(rover.world, rover.clips);

    player.advance(1);
    expect(player.time).toBe(0);
    player.isPlaying = true;
    player.advance(1.5);
    player.advance(1);
    expect(player.time).toBeCloseTo(0.5);
    player.seek(99);
    expect(player.time).toBe(2);
  });

  it("does nothing without clips", () => {
    const { world } = rover;
    const player = new Player(world, importGltf(world, { scene: new Group() }).clips);
    player.isPlaying = true;

    player.advance(1);

    expect(player).toMatchObject({ clip: undefined, time: 0 });
  });
});

describe("the placement of an entity", () => {
  it("has rotations in degrees, and is written part by part", () => {
    const { world } = rover;
    const head = lookup(world, "Rover::Body::Mast::Head")!;

    setPlacement(world, head, "rotation", [10, -60, 30]);
    setPlacement(world, head, "scale", [2, 2, 3]);

    const { position, rotation, scale } = placementOf(world, head)!;
    expect(rotation.map(Math.round)).toEqual([10, -60, 30]);
    expect(scale).toEqual([2, 2, 3]);
    expect(position[1]).toBeCloseTo(1.1);
    set(world, head, Local3D, { rotation: [0, 0, 0, 1] });
    expect(placementOf(world, head)!.rotation).toEqual([0, 0, 0]);
  });
});
