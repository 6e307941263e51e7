import { Any, add, ChildOf, spawn } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { lookup, Name, pathOf } from "@treeline/names";
import { children, detachChildren, insertAt, moveBefore, removeAll, replaceChildren } from "@treeline/query";
import { describe, expect, it } from "vitest";
import { at, drawing, drawn, plant } from "./plant.ts";
import { refusalOf } from "./refusal.ts";

describe("replaceChildren", () => {
  it("moves the name of a child that leaves to one that arrives, and vice versa (I15)", () => {
    const world = plant(`
      Ship
        Engine
        Seat
      Engine
    `);
    const [inside, outside] = [at(world, "Ship::Engine"), at(world, "Engine")];

    replaceChildren(world, at(world, "Ship"), [outside, at(world, "Ship::Seat")]);

    expect(lookup(world, "Ship::Engine")).toBe(outside);
    expect(lookup(world, "Engine")).toBe(inside);
    expect(drawing(world)).toBe(
      drawn(`
        Ship
          Engine
          Seat
        Engine
      `),
    );
    expect(verify(world)).toEqual([]);
  });

  it("refuses everything if two arriving children, one of them and a child, or a leaving child and a root share a name", () => {
    const world = plant(`
      Ship
        Engine
        Seat
      Dock
        Engine
      Pier
        Engine
      Seat
    `);
    const ship = at(world, "Ship");
    const [own, dock, pier] = ["Ship", "Dock", "Pier"].map((path) => at(world, `${path}::Engine`)) as [
      never,
      never,
      never,
    ];
    const seat = at(world, "Ship::Seat");

    const codes = [
      refusalOf(world, () => replaceChildren(world, ship, [seat, dock, pier])),
      refusalOf(world, () => replaceChildren(world, ship, [seat, own, pier])),
      refusalOf(world, () => replaceChildren(world, ship, [own])),
    ];

    expect(codes).toEqual(["name-taken", "name-taken", "name-taken"]);
  });
});

describe("insertAt and moveBefore", () => {
  it("refuse a name that is taken at the destination, and otherwise the name follows the child", () => {
    const world = plant(`
      Ship
        Engine
      Dock
        Engine
        Crane
    `);
    const [ship, engine, crane] = [at(world, "Ship"), at(world, "Dock::Engine"), at(world, "Dock::Crane")];

    const codes = [
      refusalOf(world, () => insertAt(world, ship, engine, 0)),
      refusalOf(world, () => moveBefore(world, engine, at(world, "Ship::Engine"))),
    ];
    moveBefore(world, crane, at(world, "Ship::Engine"));

    expect(codes).toEqual(["name-taken", "name-taken"]);
    expect(pathOf(world, crane)).toBe("Ship::Crane");
    expect(children(world, ship)[0]).toBe(crane);
    expect(verify(world)).toEqual([]);
  });
});

describe("a function that turns several entities into roots", () => {
  it("refuses if two of them have the same name, or a root has it", () => {
    const world = plant(`
      Ship
        Engine
        Dock
      Dock
        Engine
    `);
    const ship = at(world, "Ship");

    const codes = [
      refusalOf(world, () => detachChildren(world, ship)),
      refusalOf(world, () => removeAll(world, ChildOf(Any))),
    ];

    expect(codes).toEqual(["name-taken", "name-taken"]);
    add(world, at(world, "Ship::Dock"), Name("Buoy"));
    detachChildren(world, ship);
    expect(children(world, ship)).toEqual([]);
    expect(spawn(world, ChildOf(ship), Name("Engine"))).toBe(at(world, "Ship::Engine"));
  });
});
