import { add, defer, isAlive, spawn } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { children, destroy, roots } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { ChildOf } from "../public/builtins.ts";
import { createWorld } from "../public/define.ts";
import { insertAt, moveAfter, moveBefore } from "../public/places.ts";
import { detachChildren, replaceChildren, setChildOrder, sortChildren } from "../public/siblings.ts";
import { plantSiblings } from "./planted-siblings.ts";

describe("inside an iteration", () => {
  it("everything is deferred to the end, in order of issue", () => {
    const { world, ship, crew, dock } = plantSiblings();
    const [a, b, c, d] = crew;

    defer(world, () => {
      moveBefore(world, d, a);
      insertAt(world, ship, dock, 1);
      sortChildren(world, dock, () => 0);
      setChildOrder(world, ship, [dock, a, b, c, d]);
      detachChildren(world, dock);
      expect(children(world, ship)).toEqual(crew);
    });

    expect(children(world, ship)).toEqual([dock, a, b, c, d]);
  });

  it("commands to destroyed entities are dropped, and these are left out of lists", () => {
    const { world, ship, crew, dock } = plantSiblings();
    const [a, b, c, d] = crew;

    defer(world, () => {
      destroy(world, b);
      insertAt(world, ship, b, 0);
      moveBefore(world, b, a);
      moveAfter(world, a, b);
      setChildOrder(world, ship, [d, b, c, a]);
      replaceChildren(world, ship, [d, dock, b, c, a]);
    });

    expect(children(world, ship)).toEqual([d, dock, c, a]);
    expect(isAlive(world, b)).toBe(false);
  });

  it("a parent that is destroyed destroys the entity that was to be its child", () => {
    const { world, ship, dock } = plantSiblings();
    const [one, other] = [spawn(world), spawn(world)];

    defer(world, () => {
      destroy(world, ship);
      insertAt(world, ship, one, 0);
      replaceChildren(world, ship, [other]);
      setChildOrder(world, ship, []);
    });

    expect([one, other, dock].map((entity) => isAlive(world, entity))).toEqual([false, false, true]);
  });

  it("a parent that is destroyed takes no child along in a world that drops dead parents", () => {
    const world = createWorld({ ifParentDestroyed: "drop" });
    const [ship, one, other] = [spawn(world), spawn(world), spawn(world)];

    defer(world, () => {
      destroy(world, ship);
      insertAt(world, ship, one, 0);
      replaceChildren(world, ship, [other]);
    });

    expect(roots(world)).toEqual([one, other]);
  });

  it("an order that no longer fits is refused at the end", () => {
    const { world, ship, crew, dock } = plantSiblings();

    const code = codeOf(() =>
      defer(world, () => {
        add(world, dock, ChildOf(ship));
        setChildOrder(world, ship, crew.toReversed());
      }),
    );

    expect(code).toBe("bad-order");
    expect(children(world, ship)).toEqual([...crew, dock]);
  });

  it("a strict world refuses at once", () => {
    const world = createWorld({ strict: true });
    const ship = spawn(world);
    const child = spawn(world, ChildOf(ship));

    const codes = defer(world, () => [
      codeOf(() => insertAt(world, ship, child, 0)),
      codeOf(() => sortChildren(world, ship, () => 0)),
      codeOf(() => detachChildren(world, ship)),
    ]);

    expect(codes).toEqual(["iterating", "iterating", "iterating"]);
  });
});
