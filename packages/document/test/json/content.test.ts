import {
  add,
  asTag,
  ChildOf,
  component,
  createWorld,
  type Entity,
  entity,
  f32,
  get,
  observe,
  Parent,
  set,
  spawn,
  targetOf,
  targetsOf,
  value,
  withHooks,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { configureNames, lookup, Name, withScope } from "@treeline/names";
import { children, destroy, entities, moveBefore, query, roots } from "@treeline/query";
import { describe, expect, it } from "vitest";
import { fromDocument, toDocument, writeJson } from "../../src/json.ts";
import { all, Likes, Link, Marked, manifold, Notes, Position, refused, Stats, save } from "../support.ts";

describe("toDocument", () => {
  it("writes a tree as people would", () => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"), Position({ x: 0.1, y: 2 }));
    spawn(world, Name("Cockpit"), ChildOf(ship), Marked, Link({ to: ship }));

    expect(toDocument(world, { root: ship })).toEqual({
      format: "treeline",
      version: 1,
      form: "nested",
      versions: { Link: 1, Marked: 1, Position: 1 },
      entities: [
        {
          id: 1,
          name: "Ship",
          components: { Position: { x: 0.1, y: 2 } },
          children: [
            { name: "Cockpit", components: { Link: { to: { $entity: 1 }, weight: 1 } }, tags: ["Marked"] },
          ],
        },
      ],
    });
  });

  it("makes the same bytes of the same content, in whichever order it was made", () => {
    const one = createWorld();
    const ship = spawn(one, Name("Ship"), Position({ x: 1 }), Marked);
    const left = spawn(one, Name("Left"), ChildOf(ship));
    const right = spawn(one, Name("Right"), ChildOf(ship), Likes(left), Notes({ a: 1, b: 2 }));
    spawn(one, Name("Deep"), ChildOf(left), asTag(left), asTag(right));

    const other = createWorld();
    spawn(other, Marked); // other archetypes, and other handles
    const right2 = spawn(other, Notes({ b: 2, a: 1 }));
    const left2 = spawn(other, Name("Left"));
    const deep2 = spawn(other, asTag(right2), asTag(left2), ChildOf(left2));
    const ship2 = spawn(other, Marked, Name("Ship"));
    add(other, right2, ChildOf(ship2), Name("Right"));
    add(other, left2, ChildOf(ship2));
    moveBefore(other, left2, right2);
    add(other, deep2, Name("Deep"));
    add(other, right2, Likes(left2));
    add(other, ship2, Position({ x: 1 }));

    expect(writeJson(toDocument(other, { root: ship2 }))).toBe(writeJson(toDocument(one, { root: ship })));
  });

  it("saves chosen entities, each below its parent if that is chosen too", () => {
    const world = createWorld();
    const top = spawn(world, Name("Top"), Marked);
    const between = spawn(world, Name("Between"), ChildOf(top));
    spawn(world, Name("Low"), ChildOf(between), Marked);
    spawn(world, Name("Child"), ChildOf(top), Marked);

    const { entities: saved } = toDocument(world, { entities: entities(query(world, Marked)) });

    expect(saved).toEqual([
      { name: "Top", tags: ["Marked"], children: [{ name: "Child", tags: ["Marked"] }] },
      { name: "Low", tags: ["Marked"] },
    ]);
  });

  it("saves only the components and relations that are asked for", () => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"), Position, Marked, Notes(1));
    spawn(world, ChildOf(ship), Likes(ship));

    const { entities: saved } = toDocument(world, { root: ship, components: [Notes], relations: [] });

    expect(saved).toEqual([{ name: "Ship", components: { Notes: 1 }, children: [{}] }]);
  });

  it("writes f32 in the fewest digits that read back equal", () => {
    const world = createWorld();
    const numbers = [0.1, 1e-7, 3.4e38, 16_777_217, 1.1754944e-38, 0.333_333_34, -1234.567, 1e-45];
    for (const x of numbers) spawn(world, Position({ x }));

    const values = toDocument(world, { all: true }).entities.map(
      ({ components }) => (components!.Position as { x: number }).x,
    );

    expect(values).toEqual([0.1, 1e-7, 3.4e38, 16_777_216, 1.1754944e-38, 0.333_333_34, -1234.567, 1e-45]);
    expect(values.map(Math.fround)).toEqual(numbers.map(Math.fround));
  });

  it("writes null for an entity field that is empty, or whose entity is not alive", () => {
    const world = createWorld();
    const gone = spawn(world);
    const ship = spawn(world);
    spawn(world, Link({ to: undefined }), ChildOf(ship));
    spawn(world, Link({ to: gone }), ChildOf(ship));
    destroy(world, gone);
    spawn(world); // has the index of the one before

    const [saved] = toDocument(world, { root: ship }).entities;

    expect(saved!.children!.map(({ components }) => components)).toEqual([
      { Link: { to: null, weight: 1 } },
      { Link: { to: null, weight: 1 } },
    ]);
  });
});

describe("fromDocument", () => {
  it("returns the roots in order, and the entities that have an id", () => {
    const { world } = manifold();
    const copy = createWorld();
    const ids = new Map<number, Entity>();

    const found = fromDocument(copy, save(world), { definitions: all, ids });

    expect(found).toEqual([lookup(copy, "Fleet")]);
    expect(ids.get(2)).toBe(lookup(copy, "Fleet::Ship"));
    expect(ids.size).toBe(6);
  });

  it("keeps NaN, infinities, -0 and lone surrogates", () => {
    const world = createWorld();
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, "\ud800", undefined];
    spawn(
      world,
      Name("\udfff"),
      Notes(odd),
      Stats({ big: -0, list: [Number.NaN, -0, Number.NEGATIVE_INFINITY] }),
    );
    const copy = createWorld();

    const [one] = fromDocument(copy, save(world), { definitions: all });

    expect(get(copy, one!, Name)).toBe("\udfff");
    expect(get(copy, one!, Notes)).toEqual(odd);
    expect(get(copy, one!, Stats)!.big).toBe(-0);
    expect([...get(copy, one!, Stats)!.list]).toEqual([Number.NaN, -0, Number.NEGATIVE_INFINITY]);
  });

  it("puts roots below a parent, after its children, with the terms given", () => {
    const world = createWorld();
    const document = toDocument(manifold().world, { all: true });
    const parent = spawn(world, Name("Here"));
    const before = spawn(world, ChildOf(parent));

    const [first] = fromDocument(world, document, { parent, definitions: all, with: [Name("Copy"), Marked] });

    expect(children(world, parent)).toEqual([before, first]);
    expect(lookup(world, "Here::Copy::Ship")).toBeDefined();
    const other = spawn(world, Name("There"));
    configureNames(world, { collisions: "allow" });
    const [second] = fromDocument(world, toDocument(world, { root: before }), { with: [Parent(other)] });
    expect(targetOf(world, second!, Parent)).toBe(other);
    expect(verify(world)).toEqual([]);
  });

  it("puts roots into the scope of names", () => {
    const world = createWorld();
    const here = spawn(world, Name("Here"));

    withScope(world, here, () => fromDocument(world, toDocument(createWorld(), { entities: [] })));
    const [one] = withScope(world, here, () =>
      fromDocument(world, '{"format":"treeline","version":1,"form":"flat","entities":[{"name":"A"}]}'),
    );

    expect(lookup(world, "Here::A")).toBe(one);
    expect(roots(world)).toEqual([here]);
  });

  it("lets hooks and observers of all kinds see the entities", () => {
    const seen: string[] = [];
    const Hooked = withHooks(component("Hooked", { x: f32 }), {
      check: (_world, _entity, { x }) => {
        seen.push(`check ${x}`);
        if (x > 5) throw new Error("too much");
      },
      written: (_world, _entity, { x }) => void seen.push(`written ${x}`),
    });
    const world = createWorld();
    observe(world, { added: Hooked }, () => seen.push("added"));
    const text = (x: number): string =>
      `{"format":"treeline","version":1,"form":"flat","entities":[{"components":{"Hooked":{"x":1}}},{"components":{"Hooked":{"x":${x}}}}]}`;

    fromDocument(world, text(2), { definitions: [Hooked] });

    expect(seen).toEqual(["check 1", "check 2", "written 1", "added", "written 2", "added"]);
    refused(world, () => fromDocument(world, text(6), { definitions: [Hooked] }));
    expect(seen.slice(6)).toEqual(["check 1", "check 6"]);
  });
});

describe("references to entities outside", () => {
  it("lead to the entity at the same path", () => {
    const world = createWorld();
    const dock = spawn(world, Name("Dock"));
    const gate = spawn(world, Name("a::b"), ChildOf(dock));
    const ship = spawn(world, Name("Ship"), Likes(gate), Link({ to: dock }));
    const text = writeJson(toDocument(world, { root: ship }));
    const copy = createWorld();
    configureNames(copy, { separator: "/" });
    const dock2 = spawn(copy, Name("Dock"));
    const gate2 = spawn(copy, Name("a::b"), ChildOf(dock2));

    const [one] = fromDocument(copy, text, { definitions: all });

    expect(text).toContain('{"$path":["Dock","a::b"]}');
    expect(targetsOf(copy, one!, Likes)).toEqual([gate2]);
    expect(get(copy, one!, Link)!.to).toBe(dock2);
  });

  it("are what resolve says", () => {
    const world = createWorld();
    const player = spawn(world);
    const ship = spawn(world, Likes(player));
    const document = toDocument(world, {
      root: ship,
      resolve: (entity) => (entity === player ? { player: 1 } : undefined),
    });

    const [copy] = fromDocument(world, document, {
      resolve: (key) => ((key as { player: number }).player === 1 ? player : undefined),
    });

    expect(targetsOf(world, copy!, Likes)).toEqual([player]);
    expect(copy).not.toBe(ship);
  });
});

describe("a component's values", () => {
  it("are entities, numbers and any plain data in the fields of one component", () => {
    const Mixed = component("Mixed", { to: entity, note: value<unknown>() });
    const world = createWorld();
    const one = spawn(world);
    set(world, spawn(world, Mixed), Mixed, { to: one, note: { deep: [one] } });
    const copy = createWorld();

    const [first, second] = fromDocument(copy, save(world), { definitions: [Mixed] });

    expect(get(copy, second!, Mixed)).toEqual({ to: first, note: { deep: [one] } });
  });
});
