import { component, createWorld, disposeWorld, f32, spawn, TreelineError } from "@treeline/core";
import * as names from "@treeline/names";
import { Name } from "@treeline/names";
import * as query from "@treeline/query";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32 });

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return error instanceof TreelineError ? error.code : String(error);
  }
  return "not refused";
}

describe("after disposeWorld", () => {
  it("functions of queries and names are refused as disposed", () => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"), Position);
    const placed = query.query(world, Position);
    const left: unknown[] = [];
    query.monitor(placed, { left: (entity: unknown) => left.push(entity) } as never);
    query.each(placed, () => undefined);
    const calls: { readonly [name: string]: () => unknown } = {
      ancestors: () => query.ancestors(world, ship),
      children: () => query.children(world, ship),
      collect: () => query.collect(placed),
      count: () => query.count(placed),
      descendants: () => query.descendants(world, ship),
      destroy: () => query.destroy(world, ship),
      destroyWhere: () => query.destroyWhere(world, Position),
      each: () => query.each(placed, () => undefined),
      eachRun: () => query.eachRun(placed, () => undefined),
      entities: () => query.entities(placed),
      first: () => query.first(placed),
      isEmpty: () => query.isEmpty(placed),
      query: () => query.query(world, Position),
      rows: () => [...query.rows(placed)],
      ensurePath: () => names.ensurePath(world, "a::b"),
      findAll: () => names.findAll(world, "*"),
      lookup: () => names.lookup(world, "Ship"),
      pathOf: () => names.pathOf(world, ship),
      rename: () => names.rename(world, ship, "b"),
    };

    disposeWorld(world);

    const codes = Object.entries(calls).map(([name, call]) => [name, codeOf(call)]);
    expect(codes).toEqual(Object.keys(calls).map((name) => [name, "disposed"]));
    expect(left).toEqual([ship]);
  });
});
