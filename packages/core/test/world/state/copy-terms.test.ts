import { beforeEach, describe, expect, it } from "vitest";
import { add, clone, type Definition, defer, set, spawn, spawnMany } from "../../../src/index.ts";
import { collectValues } from "../../../src/world/change/collect.ts";
import { copyTerms } from "../../../src/world/change/terms.ts";
import { CollectedValues, checkedCopy } from "../../../src/world/state/collected-values.ts";
import { array, bool, component, entity, f32 } from "../../defining.ts";
import { Damage, Frozen } from "../../definitions.ts";
import { type Entity, setWorld, world } from "../../fixture.ts";
import { codeOf, get } from "../../reading.ts";

const Position = component("Position", { x: f32, y: f32 });
const Everything = component("Everything", { on: bool, at: entity, cells: array(f32, 2) });
const Mesh = component<{ name: string }>("Mesh");

function copiedValue(definition: Definition, value: unknown): unknown {
  return checkedCopy(new CollectedValues(), definition, value);
}

beforeEach(setWorld);

describe("a deferred value", () => {
  it("has the fields that were given, and no others", () => {
    expect(copiedValue(Position, { y: 2 })).toEqual({ y: 2 });
    expect(copiedValue(Position, undefined)).toBeUndefined();
  });

  it("has lists of its own", () => {
    const cells = Float32Array.of(1, 2);
    const copy = copiedValue(Everything, { cells, on: false }) as { cells: number[]; on: boolean };
    cells.fill(9);

    expect(copy).toEqual({ cells: [1, 2], on: false });
  });

  it("unsets an entity field only on request", () => {
    expect(Object.keys(copiedValue(Everything, { at: undefined, on: undefined }) as object)).toEqual(["at"]);
    expect(Object.keys(copiedValue(Everything, {}) as object)).toEqual([]);
  });

  it("has what accessors return now", () => {
    const row = { turn: 1 };
    const view = Object.create(null, { x: { get: () => row.turn } });
    const copy = copiedValue(Position, view);
    row.turn = 2;

    expect(copy).toEqual({ x: 1 });
  });

  it("is itself if it is a JavaScript value", () => {
    const mesh = { name: "crate" };

    expect(copiedValue(Mesh, mesh)).toBe(mesh);
  });

  it("belongs to a term of the same definition and target", () => {
    const ship = spawn(world);
    const value = { amount: 3 };
    const given = [Frozen, Position, Damage(ship, value), Mesh({ name: "crate" })];
    collectValues(world, given);
    const terms = copyTerms(world, given);
    value.amount = 4;

    expect(terms).toEqual([Frozen, Position, Damage(ship, { amount: 3 }), Mesh({ name: "crate" })]);
  });
});

describe("what is changed after the call and before the end of the iteration", () => {
  it("is not written, by any verb", () => {
    const [one, other] = spawnMany(world, 2) as [Entity, Entity];
    const scratch: { x: number; y: number } = { x: 1, y: 1 };
    const list = [Position(scratch)];

    const spawned = defer(world, () => {
      add(world, one, Position(scratch));
      add(world, other, Frozen);
      set(world, other, Position, scratch);
      const all = [
        spawn(world, ...list),
        ...spawnMany(world, 2, Position(scratch)),
        clone(world, one, { with: list }),
      ];
      scratch.x = 7;
      list.pop();
      return all;
    });

    expect([one, other, ...spawned].map((each) => get(world, each, Position))).toEqual(
      Array.from({ length: 6 }, () => ({ x: 1, y: 1 })),
    );
  });

  it("does not slip past the check of values", () => {
    const one = spawn(world);
    const scratch: { x: unknown } = { x: 1 };

    const code = codeOf(() =>
      defer(world, () => {
        add(world, one, Position(scratch as { x: number }));
        scratch.x = "text";
      }),
    );

    expect([code, get(world, one, Position)]).toEqual([undefined, { x: 1, y: 0 }]);
  });
});
