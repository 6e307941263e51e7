import { add, ChildOf, createWorld, type Entity, get, spawn, type World } from "@treeline/core";
import { destroy } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { Name, rename } from "../../../src/index.ts";

let world: World;
let ship: Entity;
let cockpit: Entity;
let seat: Entity;

beforeEach(() => {
  world = createWorld();
  ship = spawn(world, Name("Ship"));
  cockpit = spawn(world, Name("Cockpit"), ChildOf(ship));
  seat = spawn(world, ChildOf(cockpit));
});

describe("an entity that was destroyed", () => {
  it("is named by its last path in the message of dead-entity", () => {
    destroy(world, cockpit);

    expect(() => get(world, cockpit, Name)).toThrow(
      /^Ship::Cockpit \(#2, generation \d+\) is not alive: it was destroyed; check isAlive before you use it$/,
    );
  });

  it("is named so if it was destroyed with an entity above it", () => {
    destroy(world, ship);

    expect(() => get(world, cockpit, Name)).toThrow(/^Ship::Cockpit \(.* it was destroyed/);
    expect(() => get(world, seat, Name)).toThrow(/^Ship::Cockpit::#3 \(.* it was destroyed/);
  });

  it("is named by the path that it had then, not by an earlier one", () => {
    rename(world, cockpit, "Bridge");
    add(world, cockpit, ChildOf(spawn(world, Name("Boat"))));
    destroy(world, cockpit);

    expect(() => get(world, cockpit, Name)).toThrow(/^Boat::Bridge \(/);
  });
});
