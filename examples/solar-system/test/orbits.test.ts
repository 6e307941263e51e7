import { count, createWorld, get, has, lookup, pathOf, query, spawn } from "treeline";
import { verify } from "treeline/debug";
import { distance, Local3D, propagate } from "treeline/transform/3d-f64";
import { describe, expect, it } from "vitest";
import { Asteroid, Body, buildSolarSystem, type SolarSystem } from "../src/model/bodies.ts";
import { changeSpeed, clockAt, timeText } from "../src/model/clock.ts";
import { moveBelow, placeOf } from "../src/model/move-below.ts";
import { AU, DAY, eccentricAnomaly, moveAlongOrbits, Orbit, orbitOf } from "../src/model/orbits.ts";
import { distanceText, placeText } from "../src/model/text.ts";

const system = buildSolarSystem(1);
const at = ({ world }: SolarSystem, path: string) => lookup(world, path)!;

/** Without a minus before 0. */
const rounded = (part: number): number => Math.round(part) + 0;

/** The distances of two entities over some days, in metres. */
function distances(one: string, other: string, days: number, step: number): number[] {
  const { world } = system;
  return Array.from({ length: Math.ceil(days / step) }, (_, index) => {
    moveAlongOrbits(world, index * step * DAY);
    return distance(world, at(system, one), at(system, other));
  });
}

describe("Kepler's equation", () => {
  it("is solved for circles and for long ellipses", () => {
    for (const e of [0, 0.0167, 0.25, 0.7512, 0.95])
      for (let mean = -20; mean < 20; mean += 0.37) {
        const angle = eccentricAnomaly(mean, e);
        const turns = Math.round(mean / (2 * Math.PI)) * 2 * Math.PI;

        expect(angle - e * Math.sin(angle)).toBeCloseTo(mean - turns, 12);
      }
  });
});

describe("an orbit", () => {
  it("begins at its nearest point if the mean anomaly is 0", () => {
    const world = createWorld();
    const flat = { inclination: 0, ascendingNode: 0, longitudeOfPerihelion: 90, meanLongitude: 90 };
    const comet = spawn(world, Local3D, orbitOf({ ...flat, axis: 100, eccentricity: 0.5, period: 4 }));

    moveAlongOrbits(world, 0);
    expect([...get(world, comet, Local3D)!.position].map(rounded)).toEqual([0, 50, 0]);
    moveAlongOrbits(world, 2 * DAY);
    expect([...get(world, comet, Local3D)!.position].map(rounded)).toEqual([0, -150, 0]);
  });
});

describe("the solar system", () => {
  it("has 3,000 bodies in a tree, always the same for a seed", () => {
    const again = buildSolarSystem(1);
    const last = "Sun::Kuiper belt::Kuiper belt 668";

    expect(count(query(system.world, Body))).toBe(3_000);
    expect(count(query(system.world, Asteroid))).toBe(2_968);
    expect(pathOf(system.world, at(system, "Sun::Earth::Moon"))).toBe("Sun::Earth::Moon");
    expect(get(again.world, at(again, last), Orbit)).toEqual(get(system.world, at(system, last), Orbit));
    expect(verify(system.world)).toEqual([]);
  });

  it.each([
    ["Earth", 147.1, 152.1, 365.256],
    ["Mercury", 46, 69.8, 87.969],
    ["Mars", 206.7, 249.2, 686.98],
    ["Neptune", 4_460, 4_540, 60_189],
  ])("lets %s go round the Sun in its distance and period", (name, nearest, farthest, days) => {
    const millions = distances("Sun", `Sun::${name}`, days, days / 400).map((metres) => metres / 1e9);
    const { motion } = get(system.world, at(system, `Sun::${name}`), Orbit)!;

    expect(Math.abs(Math.min(...millions) / nearest - 1)).toBeLessThan(0.002);
    expect(Math.abs(Math.max(...millions) / farthest - 1)).toBeLessThan(0.002);
    expect(Math.abs((2 * Math.PI) / motion / DAY / days - 1)).toBeLessThan(0.0005);
  });

  it("has the Earth nearest to the Sun in the first days of January", () => {
    const days = distances("Sun", "Sun::Earth", 365, 1);

    expect(days.indexOf(Math.min(...days))).toBeLessThan(6);
  });

  it("has the Moon between 363,000 and 406,000 km away", () => {
    const km = distances("Sun::Earth", "Sun::Earth::Moon", 28, 0.1).map((metres) => metres / 1_000);

    expect(Math.min(...km)).toBeGreaterThan(363_000);
    expect(Math.max(...km)).toBeLessThan(406_000);
  });

  it("has a tug 10 m from its station, at 30 astronomical units", () => {
    const { world } = system;
    const [station, tug] = [at(system, "Sun::Neptune::Station"), at(system, "Sun::Neptune::Station::Tug")];

    for (const days of [0, 0.1, 1_000, 9_000.123]) {
      moveAlongOrbits(world, days * DAY);
      propagate(world);
      const [one, other] = [placeOf(world, station), placeOf(world, tug)];

      expect(distance(world, system.sun, tug) / AU).toBeGreaterThan(29);
      expect(Math.abs(Math.hypot(...one.map((part, axis) => part - other[axis]!)) - 10)).toBeLessThan(0.002);
    }
  });
});

describe("another parent", () => {
  it("leaves a body where it is, and takes it along from then on", () => {
    const { world } = system;
    const [moon, saturn] = [at(system, "Sun::Earth::Moon"), at(system, "Sun::Saturn")];
    moveAlongOrbits(world, 123_456_789);
    propagate(world);
    const before = placeOf(world, moon);

    const moved = moveBelow(world, moon, saturn);

    expect(pathOf(world, moon)).toBe("Sun::Saturn::Moon");
    expect(moved).toBeLessThan(0.01);
    expect(placeText(placeOf(world, moon))).toBe(placeText(before));
    const apart = distance(world, moon, saturn);
    moveAlongOrbits(world, 223_456_789);
    expect(has(world, moon, Orbit)).toBe(false);
    expect(Math.abs(distance(world, moon, saturn) - apart)).toBeLessThan(0.01);
    expect(distance(world, moon, at(system, "Sun::Earth")) / AU).toBeGreaterThan(0.1);
  });

  it("is refused if it is below the body", () => {
    const { world } = system;

    expect(() => moveBelow(world, at(system, "Sun::Jupiter"), at(system, "Sun::Jupiter::Io"))).toThrow(
      expect.objectContaining({ code: "cycle" }),
    );
    expect(has(world, at(system, "Sun::Jupiter"), Orbit)).toBe(true);
  });
});

describe("texts", () => {
  it("name times, and distances in units that fit", () => {
    const clock = clockAt(new Date("2026-01-02T03:04:05Z"));
    for (let presses = 0; presses < 20; presses++) changeSpeed(clock, 1);

    expect(timeText(clock)).toBe("2026-01-02 03:04");
    expect(clock.speed).toBe(6);
    expect([0, 3e-5, 10.0001, 384_400_000, 30 * AU].map(distanceText)).toEqual([
      "0 m",
      "0.00003 m",
      "10 m",
      "384,400 km",
      "30.000 AU",
    ]);
  });
});
