import { add, ChildOf, createWorld, type Entity, get, remove, set, spawn, type World } from "@treeline/core";
import { Name } from "@treeline/names";
import { destroy } from "@treeline/query";
import { describe, expect, it } from "vitest";
import { fromBinary, hashOf, toBinary } from "../../src/binary.ts";
import { fromDocument, toDocument, writeJson } from "../../src/json.ts";
import { all, Likes, Link, Marked, Mood, manifold, Notes, Position, refused, Stats } from "../support.ts";

function tree(world: World, others: number = 0): { ship: Entity; gun: Entity } {
  for (let at = 0; at < others; at++) spawn(world, Position);
  const ship = spawn(world, Name("Ship"), Position({ x: 0, y: Number.NaN }));
  const gun = spawn(world, Name("Gun"), ChildOf(ship), Link({ to: ship }), Notes({ a: 0 }));
  spawn(world, ChildOf(ship), Likes(gun));
  return { ship, gun };
}

describe("hashOf", () => {
  it("is the same for trees with other handles", () => {
    const [one, other] = [createWorld(), createWorld()];

    expect(hashOf(one, tree(one).ship)).toBe(hashOf(other, tree(other, 5).ship));
  });

  it("is the same for a copy from JSON, and one from a binary document", () => {
    const { world, ship } = manifold();
    const parent = createWorld();
    const other = createWorld();
    const fleet = spawn(parent, Name("Fleet"));
    spawn(other, Name("Fleet"));
    spawn(parent, Name("Dock"), ChildOf(fleet));
    const options = { definitions: all };
    const save = { root: ship, relations: [Likes] };
    const [one] = fromDocument(parent, writeJson(toDocument(world, save)), options);
    const [two] = fromBinary(other, toBinary(world, save), options);
    const [three] = fromBinary(createWorld(), toBinary(world, save), options);

    expect(hashOf(other, two!)).toBe(hashOf(parent, one!));
    expect(three).toBeDefined();
  });

  it("takes -0 for 0, and all NaN for one, also in JavaScript values and sparse components", () => {
    const world = createWorld();
    const { ship, gun } = tree(world);
    const nan = new Float32Array(new Uint32Array([0x7fc0_1234]).buffer)[0]!;
    add(world, gun, Stats({ list: [0, 1, Number.NaN], note: [0] }));
    add(world, gun, Mood({ calm: 0 }));
    const before = hashOf(world, ship);

    set(world, ship, Position, { x: -0, y: nan });
    set(world, gun, Notes, { a: -0 });
    set(world, gun, Stats, { list: [-0, 1, nan], note: [-0] });
    set(world, gun, Mood, { calm: -0 });

    expect(hashOf(world, ship)).toBe(before);
  });

  it("differs for other values, names, tags, targets, orders and parents", () => {
    const changes: ((world: World, ship: Entity, gun: Entity) => void)[] = [
      () => {},
      (world, ship) => set(world, ship, Position, { x: 1 }),
      (world, _, gun) => set(world, gun, Name, "Cannon"),
      (world, _, gun) => set(world, gun, Notes, { a: 1 }),
      (world, _, gun) => set(world, gun, Link, { to: gun }),
      (world, _, gun) => add(world, gun, Marked),
      (world, ship, gun) => remove(world, gun, ChildOf(ship)),
      (world, ship, gun) => {
        remove(world, gun, ChildOf(ship));
        add(world, gun, ChildOf(ship)); // the last one now
      },
      (world, ship, gun) => add(world, gun, Likes(ship)),
      (world, ship) => void spawn(world, ChildOf(ship)),
    ];

    const hashes = changes.map((change) => {
      const world = createWorld();
      const { ship, gun } = tree(world);
      change(world, ship, gun);
      return hashOf(world, ship);
    });

    expect(new Set(hashes).size).toBe(changes.length);
    for (const hash of hashes) expect(Number.isSafeInteger(hash) && hash >= 0).toBe(true);
  });

  it("counts references to entities outside by their path", () => {
    const world = createWorld();
    const { ship, gun } = tree(world);
    const dock = spawn(world, Name("Dock"));
    add(world, gun, Likes(dock));
    const before = hashOf(world, ship);

    destroy(world, dock);
    const again = spawn(world, Name("Dock"));
    add(world, gun, Likes(again));
    expect(hashOf(world, ship)).toBe(before);

    set(world, again, Name, "Harbour");
    expect(hashOf(world, ship)).not.toBe(before);
  });

  it("refuses a reference to an entity outside that has no path, and a root that is not alive", () => {
    const world = createWorld();
    const { ship, gun } = tree(world);
    const nameless = spawn(world);
    add(world, gun, Likes(nameless));

    expect(refused(world, () => hashOf(world, ship)).code).toBe("bad-document");
    remove(world, gun, Likes(nameless));
    expect(get(world, ship, Name)).toBe("Ship");
    destroy(world, ship);
    expect(refused(world, () => hashOf(world, ship)).code).toBe("dead-entity");
  });
});
