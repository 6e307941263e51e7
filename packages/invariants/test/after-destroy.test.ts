import {
  Any,
  add,
  component,
  createWorld,
  f32,
  get,
  has,
  isAlive,
  relation,
  spawn,
  targetOf,
} from "@treeline/core";
import { stats, verify } from "@treeline/core/debug";
import { destroy, each, query } from "@treeline/query";
import { describe, expect, it } from "vitest";
import { at, plant } from "./plant.ts";

const Likes = relation("Likes");
const DockedTo = relation("DockedTo", { exclusive: true });
const Damage = relation("Damage", { fields: { amount: f32 } });
const Position = component("Position", { x: f32, y: f32 });

describe("surviving entities", () => {
  it("lose every pair that points at the destroyed entities, and nothing else", () => {
    const world = plant(`
      Ship
        Cockpit
      Station
      Friend
    `);
    const [ship, cockpit, station] = [at(world, "Ship"), at(world, "Ship::Cockpit"), at(world, "Station")];
    const friend = at(world, "Friend");
    add(
      world,
      friend,
      Likes(ship),
      Likes(cockpit),
      Likes(station),
      DockedTo(cockpit),
      Position({ x: 1, y: 2 }),
    );
    add(
      world,
      friend,
      Damage(ship, { amount: 1 }),
      Damage(station, { amount: 2 }),
      Damage(cockpit, { amount: 3 }),
    );
    add(world, station, Likes(ship));

    destroy(world, ship);

    expect(has(world, friend, Likes(station))).toBe(true);
    expect(targetOf(world, friend, Likes)).toBe(station);
    expect(targetOf(world, friend, DockedTo)).toBeUndefined();
    expect(has(world, friend, DockedTo(Any))).toBe(false);
    expect(get(world, friend, Damage(station))).toEqual({ amount: 2 });
    expect(get(world, friend, Position)).toEqual({ x: 1, y: 2 });
    expect(has(world, station, Likes(Any))).toBe(false);
    let likers = 0;
    each(query(world, Likes(Any)), () => {
      likers++;
    });
    expect(likers).toBe(1);
    expect(verify(world)).toEqual([]);
  });

  it("lose their pairs when a target of 10,000 is destroyed, and no pair is left behind", () => {
    const world = createWorld();
    const target = spawn(world);
    const before = stats(world).pairs;
    const fans = Array.from({ length: 10_000 }, (_, number) =>
      number % 2 === 0
        ? spawn(world, Likes(target))
        : spawn(world, Likes(target), Damage(target, { amount: number })),
    );

    destroy(world, target);

    expect(fans.every((fan) => isAlive(world, fan) && !has(world, fan, Likes(Any)))).toBe(true);
    expect(stats(world).pairs).toBe(before);
    expect(verify(world)).toEqual([]);
  });
});
