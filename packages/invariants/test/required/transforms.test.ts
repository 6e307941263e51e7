import {
  add,
  addMany,
  ChildOf,
  createWorld,
  type Entity,
  get,
  has,
  remove,
  set,
  spawn,
  spawnMany,
  type Tag,
  type World,
} from "@treeline/core";
import { onWarning, verify } from "@treeline/core/debug";
import { fromBinary, toBinary } from "@treeline/document/binary";
import { fromDocument, toDocument } from "@treeline/document/json";
import { Name } from "@treeline/names";
import { instantiate, prefab } from "@treeline/prefab";
import { loadPrefabs, PrefabKey, prefabs } from "@treeline/prefab/document";
import { children, count, query } from "@treeline/query";
import * as plane from "@treeline/transform/2d";
import * as solid from "@treeline/transform/3d";
import * as large from "@treeline/transform/3d-f64";
import { afterEach, describe, expect, it } from "vitest";

const { Local3D, propagate, World3D } = solid;

const warnings: string[] = [];
afterEach(() => onWarning(undefined));

function xOf(world: World, entity: Entity): number {
  return get(world, entity, World3D)!.matrix[12]!;
}

describe("a local transform", () => {
  it("brings a world transform, in two and three dimensions, in 32 and 64 bits", () => {
    const world = createWorld();

    const flat = spawn(world, plane.Local2D({ position: [3, 0] }));
    const one = spawn(world, Local3D({ position: [3, 0, 0] }));
    const two = spawn(world);
    add(world, two, solid.Matrix3D);
    const far = createWorld();
    const [three] = spawnMany(far, 2, large.Local3D({ position: [3, 0, 0] }));
    const four = spawn(far);
    addMany(far, [four], large.Matrix3D);

    expect([plane.propagate(world), propagate(world), large.propagate(far)]).toEqual([1, 2, 3]);
    expect(get(world, flat, plane.World2D)!.matrix[4]).toBe(3);
    expect([xOf(world, one), xOf(world, two)]).toEqual([3, 0]);
    expect(get(far, three!, large.World3D)!.matrix[12]).toBe(3);
    expect(has(far, four, large.World3D)).toBe(true);
  });

  it("of a child counts from the first update on", () => {
    const world = createWorld();
    const ship = spawn(world, Local3D({ position: [5, 0, 0] }));
    const crane = spawn(world, Local3D({ position: [1, 0, 0] }), ChildOf(ship));
    const hook = spawn(world);
    set(world, hook, Local3D, { position: [1, 0, 0] });
    add(world, hook, ChildOf(crane));

    propagate(world);

    expect([xOf(world, ship), xOf(world, crane), xOf(world, hook)]).toEqual([5, 6, 7]);
  });
});

describe("a level that was saved without world transforms", () => {
  const definitions = [Local3D, World3D];

  /** A ship with a crane, whose files have no `World3D`. */
  function level(world: World, root: Entity): { json: ReturnType<typeof toDocument>; binary: Uint8Array } {
    spawn(world, Local3D({ position: [1, 0, 0] }), ChildOf(root));
    return {
      json: toDocument(world, { root, components: [Local3D] as never }),
      binary: toBinary(world, { root, components: [Local3D] as never }),
    };
  }

  it.each(["json", "binary"] as const)("is loaded with them from %s, and placed", (format) => {
    const saved = createWorld();
    const { json, binary } = level(saved, spawn(saved, Local3D({ position: [5, 0, 0] })));
    expect(JSON.stringify(json)).not.toContain("World3D");
    const world = createWorld();

    const [ship] =
      format === "json"
        ? fromDocument(world, json, { definitions })
        : fromBinary(world, binary, { definitions });
    propagate(world);

    const [crane] = children(world, ship!);
    expect([xOf(world, ship!), xOf(world, crane!)]).toEqual([5, 6]);
    expect(verify(world)).toEqual([]);
  });

  it("comes as a prefab whose instances are placed", () => {
    const saved = createWorld();
    const base = prefab(saved, PrefabKey("ship"), Name("Ship"), Local3D({ position: [5, 0, 0] }));
    spawn(saved, Name("Crane"), Local3D({ position: [1, 0, 0] }), ChildOf(base));
    const file = toDocument(saved, { root: base, prefabs, components: [Name, PrefabKey, Local3D] as never });
    expect(JSON.stringify(file)).not.toContain("World3D");
    const world = createWorld();

    const ship = loadPrefabs(world, new Map([["ship", file]]), { definitions }).get("ship")!;
    const one = instantiate(world, ship);
    propagate(world);

    const [crane] = children(world, one);
    expect([xOf(world, one), xOf(world, crane!)]).toEqual([5, 6]);
    expect(count(query(world, World3D))).toBe(2);
  });
});

describe.skipIf(process.env.TREELINE_BUILD === "shipped")(
  "a required component that is removed alone",
  () => {
    it("is told once, with the path of the entity and what to do", () => {
      const world = createWorld();
      const ship = spawn(world, Name("Ship"), Local3D);
      const crane = spawn(world, Name("Crane"), ChildOf(ship), Local3D);
      onWarning((text) => warnings.push(text));

      remove(world, crane, World3D);
      remove(world, ship, World3D);

      expect(warnings.splice(0)).toEqual([
        "Ship::Crane loses World3D and keeps Local3D, which requires it: remove Local3D as well, " +
          "remove(world, entity, Local3D, World3D), or add World3D again",
      ]);
      expect([has(world, crane, World3D), has(world, crane, Local3D)]).toEqual([false, true]);
    });

    it("is not told where what requires it goes as well, or is not there", () => {
      const world = createWorld();
      const [one, two, three] = spawnMany(world, 3, Local3D);
      onWarning((text) => warnings.push(text));

      remove(world, one!, World3D, Local3D);
      remove(world, two!, Local3D);
      remove(world, two!, World3D as unknown as Tag);
      remove(world, three!, Local3D, World3D);

      expect(warnings).toEqual([]);
    });
  },
);
