import {
  add,
  asTag,
  ChildOf,
  createWorld,
  disposeWorld,
  type Entity,
  get,
  has,
  Parent,
  pairsOf,
  parentOf,
  spawn,
  tag,
  tagsOf,
  type World,
} from "@treeline/core";
import { onWarning, verify } from "@treeline/core/debug";
import { configureNames, lookup, Name, pathOf } from "@treeline/names";
import { children, descendants, destroy, entities, query, roots } from "@treeline/query";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { type BinarySaveOptions, fromBinary, toBinary } from "../../src/binary.ts";
import { fromDocument, type LoadOptions, type LostReference, toDocument, writeJson } from "../../src/json.ts";
import { play, steps } from "../random-world.ts";
import { all, Docked, Likes, Link, Marked, manifold, Owes, Position, refused, SAVED } from "../support.ts";

const Hidden = tag("Hidden");
const definitions = [...all, Hidden];

interface Format {
  readonly name: string;
  readonly save: (world: World, options: BinarySaveOptions) => unknown;
  readonly load: (world: World, saved: unknown, options?: LoadOptions) => Entity[];
}

const FORMATS: readonly Format[] = [
  {
    name: "JSON",
    save: (world, options) => writeJson(toDocument(world, options)),
    load: (world, saved, options) => fromDocument(world, saved as string, { definitions, ...options }),
  },
  {
    name: "bytes",
    save: (world, options) => toBinary(world, options),
    load: (world, saved, options) => fromBinary(world, saved as Uint8Array, { definitions, ...options }),
  },
];

/** The paths of all entities, parents first. */
function pathsIn(world: World): string[] {
  return roots(world).flatMap((root) => [root, ...descendants(world, root)].map((one) => pathOf(world, one)));
}

afterEach(() => {
  onWarning(undefined);
});

/**
 *     Room
 *       Lamp      likes the chair, links to it, has it as a tag, owes it 5
 *         Bulb
 *       Chair
 *       Bin
 *         Old     likes the lamp
 */
function plant(storage: typeof ChildOf = ChildOf) {
  const world = createWorld();
  const room = spawn(world, Name("Room"));
  const lamp = spawn(world, Name("Lamp"), Position({ x: 1 }), storage(room));
  const bulb = spawn(world, Name("Bulb"), storage(lamp));
  const chair = spawn(world, Name("Chair"), storage(room));
  const bin = spawn(world, Name("Bin"), Hidden, storage(room));
  const old = spawn(world, Name("Old"), Likes(lamp), storage(bin));
  add(world, lamp, Likes(chair));
  add(world, lamp, Link({ to: chair, weight: 2 }));
  add(world, lamp, asTag(chair));
  add(world, lamp, Owes(chair, { sum: 5 }));
  return { world, room, lamp, bulb, chair, bin, old };
}

/** What the lamp refers to by everything that it has. */
function referredBy(world: World, lamp: Entity): (Entity | undefined)[] {
  return [
    ...pairsOf(world, lamp, Likes).map(({ target }) => target),
    ...pairsOf(world, lamp, Owes).map(({ target, value }) =>
      (value as { sum: number }).sum === 5 ? target : undefined,
    ),
    get(world, lamp, Link)!.to,
    ...tagsOf(world, lamp).flatMap((one) => ("target" in one ? one.target : [])),
  ];
}

describe.each(FORMATS)("saving as $name", ({ save, load }) => {
  describe.each([
    ["ChildOf", ChildOf],
    ["Parent", Parent as unknown as typeof ChildOf],
  ])("with %s", (_, storage) => {
    it("leaves out what `where` says, with all below it", () => {
      const { world } = plant(storage);

      const copy = createWorld();
      load(copy, save(world, { all: true, where: (one) => !has(world, one, Hidden) }));

      expect(pathsIn(copy)).toEqual(["Room", "Room::Lamp", "Room::Lamp::Bulb", "Room::Chair"]);
      expect(verify(copy)).toEqual([]);
    });

    it("saves several roots in their order, without their parents", () => {
      const { world, lamp, old } = plant(storage);

      const copy = createWorld();
      load(copy, save(world, { root: [old, lamp], outside: "drop" }));

      expect(pathsIn(copy)).toEqual(["Old", "Lamp", "Lamp::Bulb"]);
      const [likes] = pairsOf(copy, lookup(copy, "Old")!, Likes);
      expect(likes!.target).toBe(lookup(copy, "Lamp"));
    });

    it("saves what is below another root, or is listed twice, once", () => {
      const { world, room, lamp, bulb, chair } = plant(storage);

      const copies = [[bulb, room, lamp], [room], room, [chair, bulb, chair, room]].map((root) =>
        save(world, { root }),
      );

      expect(copies.map((one) => `${one}`)).toEqual(new Array(4).fill(`${copies[1]}`));
    });

    it("keeps references to entities outside for the world that is saved, whatever their names are", () => {
      const { world, lamp, chair, bulb } = plant(storage);
      const saved = save(world, { root: [lamp], outside: "keep" });
      add(world, chair, Name("Armchair"));
      destroy(world, bulb);

      const lost: LostReference[] = [];
      const [pasted] = load(world, saved, { lost });

      expect(referredBy(world, pasted!)).toEqual([chair, chair, chair, chair]);
      expect(lost).toEqual([]);
      expect(verify(world)).toEqual([]);
    });
  });

  it("keeps references to entities without names", () => {
    const { world, lamp, chair } = plant();
    const hook = spawn(world);
    add(world, lamp, Docked(hook));
    const saved = save(world, { root: [lamp, chair], outside: "keep" });

    const [pasted] = load(world, saved, { parent: spawn(world) });

    expect(pairsOf(world, pasted!, Docked).map(({ target }) => target)).toEqual([hook]);
    expect(referredBy(world, pasted!)).not.toContain(chair);
  });

  it("drops what was kept where it is not, and tells which", () => {
    const { world, lamp } = plant();
    const saved = save(world, { root: lamp, outside: "keep" });
    const warnings: string[] = [];
    onWarning((text) => warnings.push(text));

    const other = createWorld();
    spawn(other, Name("Other"));
    for (let at = 0; at < 10; at++) spawn(other); // of the same indexes
    const lost: LostReference[] = [];
    const [pasted] = load(other, saved, { lost });
    load(createWorld(), saved);

    expect(referredBy(other, pasted!)).toEqual([undefined]);
    expect(new Set(lost.map(({ path }) => path?.join("/")))).toEqual(new Set(["Room/Chair"]));
    expect(warnings.every((text) => text.includes("is dropped"))).toBe(true);
    expect(verify(other)).toEqual([]);
  });

  it("finds what was kept by its path in other worlds, and in place of what was destroyed", () => {
    const { world, lamp, chair, room } = plant();
    const saved = save(world, { root: lamp, outside: "keep" });
    const other = createWorld();
    const there = spawn(other, Name("Chair"), ChildOf(spawn(other, Name("Room"))));
    destroy(world, chair);
    const again = spawn(world, Name("Chair"), ChildOf(room));

    expect(referredBy(other, load(other, saved)[0]!)).toEqual([there, there, there, there]);
    expect(referredBy(world, load(world, saved)[0]!)).toEqual([again, again, again, again]);
  });

  it("drops references to entities outside", () => {
    const { world, lamp, bulb } = plant();
    add(world, lamp, Likes(bulb));

    const other = createWorld();
    const [pasted] = load(other, save(world, { root: lamp, outside: "drop" }));

    expect(referredBy(other, pasted!)).toEqual([lookup(other, "Lamp::Bulb"), undefined]);
  });

  it("asks `resolve` before it drops or refuses", () => {
    const { world, lamp, chair } = plant();
    for (const outside of ["drop", "refuse", "keep"] as const) {
      const saved = save(world, {
        root: lamp,
        outside,
        resolve: (one) => (one === chair ? { seat: 1 } : undefined),
      });
      const other = createWorld();
      const seat = spawn(other);

      const [pasted] = load(other, saved, {
        resolve: (key) => ((key as { seat: number }).seat === 1 ? seat : undefined),
      });

      expect(referredBy(other, pasted!)).toEqual([seat, seat, seat, seat]);
    }
  });

  it("refers to what `where` leaves out as to the outside", () => {
    const { world, room, chair, old, bin } = plant();
    add(world, chair, Likes(old));
    const where = (one: Entity): boolean => one !== bin;
    const chairIn = (...outside: "drop"[]): Entity[] => {
      const copy = createWorld();
      const place = spawn(
        copy,
        Name("Old"),
        ChildOf(spawn(copy, Name("Bin"), ChildOf(spawn(copy, Name("Room"))))),
      );
      load(copy, save(world, { root: room, where, ...(outside.length > 0 && { outside: "drop" }) }), {
        parent: spawn(copy, Name("Copies")),
      });
      return pairsOf(copy, lookup(copy, "Copies::Room::Chair")!, Likes).map(({ target }) =>
        target === place ? old : target,
      );
    };

    expect(chairIn()).toEqual([old]);
    expect(chairIn("drop")).toEqual([]);
    expect(refused(world, () => save(world, { root: room, where, outside: "refuse" }))).toMatchObject({
      code: "bad-document",
      place: "Room::Chair.Likes",
    });
  });

  it("saves of `entities` those that `where` takes", () => {
    const { world, lamp, bulb, chair } = plant();

    const copy = createWorld();
    load(copy, save(world, { entities: [chair, bulb, lamp], where: (one) => one !== lamp, outside: "drop" }));

    expect(pathsIn(copy)).toEqual(["Chair"]);
  });

  it("saves nothing of an empty list", () => {
    const { world } = plant();

    expect(load(createWorld(), save(world, { root: [] }))).toEqual([]);
  });

  it("refuses roots that are not alive, policies that there are not, and a `where` that is no function", () => {
    const { world, lamp, chair, room } = plant();
    destroy(world, chair);
    const codeOf = (options: object): string =>
      refused(world, () => save(world, options as BinarySaveOptions)).code;

    expect([
      codeOf({ root: [lamp, chair] }),
      codeOf({ root: [lamp], all: true }),
      codeOf({ root: room, outside: "lose" }),
      codeOf({ root: room, where: Hidden }),
      codeOf({ root: room, where: [Hidden] }),
    ]).toEqual(["dead-entity", "bad-value", "bad-value", "bad-value", "bad-value"]);
  });

  it("refuses what is kept of an entity in a form that there is not", () => {
    const { world, lamp } = plant();
    const text = writeJson(
      toDocument(world, { root: lamp, outside: "keep", relations: [], components: [Link] }),
    );
    const wrong = [
      text.replace(/"world":"[^"]+"/, '"world":1'),
      text.replace(/"entity":\d+/, '"entity":"7"'),
      text.replace(/"path":\[[^\]]*\]/, '"path":"Room"'),
      text.replace(/"path":\[[^\]]*\]/, '"path":[7]'),
      text.replace(/\{"world".*?\}/, "7"),
    ];

    for (const one of wrong)
      expect(refused(world, () => fromDocument(world, one, { definitions }))).toMatchObject({
        code: "bad-document",
        place: "entities[0].components.Link.to",
      });
  });

  it("pastes random selections of random worlds as they were copied", () => {
    const components = [Position, Link, Marked];
    fc.assert(
      fc.property(
        steps,
        fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }),
        fc.nat(4),
        (list, chosen, left) => {
          const world = createWorld();
          play(world, list, true);
          const found = entities(query(world));
          if (found.length === 0) return;
          const root = chosen.map((at) => found[at % found.length]!);
          const hidden = found[left * 5];
          const options = {
            root,
            components,
            outside: "keep",
            where: (one: Entity) => one !== hidden,
          } as const;
          const taken = naive(world, root, hidden);

          const saved = save(world, options);
          const ids = new Map<number, Entity>();
          const parent = spawn(world);
          const pasted = load(world, saved, { parent, ids });

          expect(pasted).toEqual(children(world, parent));
          const copies = pasted.flatMap((one) => [one, ...descendants(world, one)]);
          expect(copies.map((one) => get(world, one, Name))).toEqual(
            taken.map((one) => get(world, one, Name)),
          );
          expect(`${save(world, { root: pasted, components, outside: "keep" })}`).toBe(`${saved}`);
          expect(verify(world)).toEqual([]);
          disposeWorld(world);
        },
      ),
      { numRuns: SAVED },
    );
  });
});

/** The topmost of some entities and all below them, without one and what is below that. */
function naive(world: World, root: readonly Entity[], hidden: Entity | undefined): Entity[] {
  const isBelow = (one: Entity): boolean => {
    for (let at = parentOf(world, one); at !== undefined; at = parentOf(world, at))
      if (root.includes(at)) return true;
    return false;
  };
  const found: Entity[] = [];
  const take = (one: Entity): void => {
    if (one === hidden) return;
    found.push(one);
    for (const child of children(world, one)) take(child);
  };
  for (const one of new Set(root)) if (!isBelow(one)) take(one);
  return found;
}

it("saves the same content in both formats", () => {
  onWarning(() => {}); // what is hidden is not in the copies
  const { world, ship } = manifold();
  const others = roots(world).filter((one) => one !== ship);
  const options = {
    root: [ship, ...others],
    outside: "keep",
    where: (one: Entity) => !has(world, one, Marked),
  } as const;
  const [one, other] = [createWorld(), createWorld()];
  for (const copy of [one, other]) configureNames(copy, { collisions: "allow" });

  fromDocument(one, toDocument(world, options), { definitions });
  fromBinary(other, toBinary(world, options), { definitions });

  expect(writeJson(toDocument(other, { all: true }))).toBe(writeJson(toDocument(one, { all: true })));
});
