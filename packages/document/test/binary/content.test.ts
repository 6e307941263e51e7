import {
  add,
  ChildOf,
  component,
  createWorld,
  defer,
  type Entity,
  f32,
  f64,
  get,
  i32,
  observe,
  Parent,
  parentOf,
  set,
  spawn,
  tag,
  targetsOf,
  value,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { lookup, Name, withScope } from "@treeline/names";
import { children, entities, query } from "@treeline/query";
import { describe, expect, it } from "vitest";
import { fromBinary, hashOf, toBinary } from "../../src/binary.ts";
import { migrations, renameFields, type StandardSchema, Unknown, withCodec } from "../../src/index.ts";
import { withTransient } from "../../src/snapshot.ts";
import {
  all,
  Heat,
  Likes,
  Link,
  Marked,
  Notes,
  Position,
  refused,
  Stats,
  sameBytes,
  save,
} from "../support.ts";

describe("toBinary", () => {
  it("writes the same bytes in whichever order entities and components were made", () => {
    const one = createWorld();
    const top = spawn(one, Name("Top"), Position, Marked);
    spawn(one, ChildOf(top), Link({ to: top }));
    spawn(one, ChildOf(top), Position({ x: 1 }));
    const other = createWorld();
    spawn(other, Position({ x: 9 }), Link);
    const last = spawn(other, Position({ x: 1 }));
    const first = spawn(other, Link);
    const above = spawn(other, Marked, Name("Top"), Position);
    for (const child of [first, last]) add(other, child, ChildOf(above));
    spawn(other, Marked);
    set(other, first, Link, { to: above });

    expect(toBinary(other, { root: above })).toEqual(toBinary(one, { root: top }));
  });

  it("writes only the components, relations and entities that are asked for", () => {
    const world = createWorld();
    const top = spawn(world, Name("Top"), Position({ x: 1 }), Marked);
    spawn(world, Name("Other"), Position, Likes(top));
    const bytes = toBinary(world, {
      entities: entities(query(world, Position)),
      components: [Marked],
      relations: [],
    });
    const copy = createWorld();

    fromBinary(copy, bytes, { definitions: all });

    expect(save(copy)).toContain('{"name":"Top","tags":["Marked"]},\n{"name":"Other"}');
  });

  it("leaves out transient components, as JSON and the hash do", () => {
    const Shown = withTransient(component("Shown", { x: f32 }));
    const world = createWorld();
    const root = spawn(world, Name("Root"), Shown({ x: 1 }), Marked);
    const before = hashOf(world, root);
    set(world, root, Shown, { x: 2 });
    const copy = createWorld();

    fromBinary(copy, toBinary(world, { root }), { definitions: [Marked] });

    expect(save(copy)).toBe(save(world));
    expect(save(world)).not.toContain("Shown");
    expect(hashOf(world, root)).toBe(before);
  });

  it("refuses what toDocument refuses, and changes nothing", () => {
    const world = createWorld();
    const nameless = spawn(world);
    const root = spawn(world, Link({ to: nameless }), Notes(new Map()));

    expect(refused(world, () => toBinary(world, { root, components: [Notes] })).code).toBe("bad-document");
    expect(refused(world, () => toBinary(world, { root, components: [Link] })).place).toContain("Link.to");
    expect(refused(world, () => toBinary(world, {})).code).toBe("bad-value");
  });
});

describe("fromBinary", () => {
  const world = createWorld();
  const dock = spawn(world, Name("Dock"));
  const ship = spawn(world, Name("Ship"), Position({ x: 1, y: 2 }), Link({ to: dock }));
  const gun = spawn(world, Parent(ship), Notes({ a: [1] }), Link({ to: ship }), Marked);
  spawn(world, Parent(ship), Stats({ big: 0.1, small: 3, on: true, list: [1, 2, 3], note: "\ud800" }));
  expect(gun).toBeGreaterThan(0);
  const bytes = toBinary(world, { root: ship });

  it("makes references inside, and finds those to entities outside by path", () => {
    const copy = createWorld();
    const other = spawn(copy, Name("Dock"));

    const [made] = fromBinary(copy, bytes, { definitions: all });

    expect(get(copy, made!, Link)?.to).toBe(other);
    expect(get(copy, children(copy, made!)[0]!, Link)?.to).toBe(made);
    expect(get(copy, children(copy, made!)[1]!, Stats)).toEqual({
      big: 0.1,
      small: 3,
      count: 0,
      on: true,
      list: new Float32Array([1, 2, 3]),
      note: "\ud800",
    });
    expect(verify(copy)).toEqual([]);
  });

  it("finds entities outside by resolve", () => {
    const keyed = toBinary(world, { root: ship, resolve: (one) => (one === dock ? "the dock" : undefined) });
    const copy = createWorld();
    const other = spawn(copy);

    const [made] = fromBinary(copy, keyed, {
      definitions: all,
      resolve: (key) => (key === "the dock" ? other : undefined),
    });

    expect(get(copy, made!, Link)?.to).toBe(other);
    expect(refused(copy, () => fromBinary(copy, keyed)).place).toBe("outside[0]");
  });

  it("puts roots below a parent, into a scope, or gives them terms, and tells the number of each entity", () => {
    const copy = createWorld();
    const other = spawn(copy, Name("Dock"));
    const ids = new Map<number, Entity>();

    const [one] = fromBinary(copy, bytes, { definitions: all, parent: other, ids });
    const [two] = fromBinary(copy, bytes, { with: [Name("Second"), Position({ x: 7 })] });
    const bare = toBinary(world, { root: ship, components: [Position] });
    const [three] = withScope(copy, two!, () => fromBinary(copy, bare));

    expect(parentOf(copy, one!)).toBe(other);
    expect([...ids]).toEqual([
      [1, one],
      [2, children(copy, one!)[0]],
      [3, children(copy, one!)[1]],
    ]);
    expect(get(copy, lookup(copy, "Second")!, Position)).toEqual({ x: 7, y: 0 });
    expect(parentOf(copy, three!)).toBe(two);
    expect(verify(copy)).toEqual([]);
  });

  it("loads the same where observers are told of each entity", () => {
    const copy = createWorld();
    spawn(copy, Name("Dock"));
    const seen: Entity[] = [];
    observe(copy, { added: Marked }, ({ entity }) => void seen.push(entity));

    const [made] = fromBinary(copy, bytes, { definitions: all });

    expect(seen).toEqual([children(copy, made!)[0]]);
    expect(toBinary(copy, { root: made! })).toEqual(bytes);
  });

  it("is refused inside an iteration", () => {
    const copy = createWorld();
    spawn(copy, Name("Dock"));

    defer(copy, () => {
      expect(() => fromBinary(copy, bytes, { definitions: all })).toThrow(
        expect.objectContaining({ code: "iterating" }),
      );
    });
  });

  it("reads values by codecs", () => {
    const Seen = withCodec(component<Date>("Seen"), {
      write: (date) => date.toISOString(),
      read: (text: string) => new Date(text),
    });
    const from = createWorld();
    spawn(from, Seen(new Date(0)));
    const copy = createWorld();

    const [made] = fromBinary(copy, toBinary(from, { all: true }), { definitions: [Seen] });

    expect(get(copy, made!, Seen)).toEqual(new Date(0));
  });

  it("checks values by a Standard Schema, which may replace them", () => {
    const small: StandardSchema<{ x: number }> = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (given) => {
          const { x } = given as { x: number };
          return x > 8 ? { issues: [{ message: "too large", path: ["x"] }] } : { value: { x: x + 1 } };
        },
      },
    };
    const Plain = component("Size", { x: f32 });
    const Size = withCodec(component("Size", { x: f32 }), { schema: small });
    const saved = (x: number): Uint8Array => {
      const from = createWorld();
      spawn(from, Plain({ x }));
      return toBinary(from, { all: true });
    };
    const copy = createWorld();

    const [made] = fromBinary(copy, saved(1), { definitions: [Size] });

    expect(get(copy, made!, Size)).toEqual({ x: 2 });
    expect(refused(copy, () => fromBinary(copy, saved(9), { definitions: [Size] }))).toMatchObject({
      code: "bad-document",
      place: "entities[0].components.Size.x",
    });
  });

  it("brings values of earlier versions forward, under their former names", () => {
    const Place = component("Place", { px: f32, py: f32 });
    const Moved = migrations(component("Moved", { x: f32, y: f32 }), [renameFields({ px: "x", py: "y" })], {
      formerNames: ["Place"],
    });
    const from = createWorld();
    spawn(from, Place({ px: 0.1, py: Number.NaN }));
    const copy = createWorld();

    const [made] = fromBinary(copy, toBinary(from, { all: true }), { definitions: [Moved] });

    expect(get(copy, made!, Moved)).toEqual({ x: Math.fround(0.1), y: Number.NaN });
  });

  it("converts fields whose kind has changed, and refuses numbers that do not fit", () => {
    const before = component("Count", { number: f64 });
    const after = component("Count", { number: i32, more: f32(2) });
    const from = createWorld();
    const one = spawn(from, before({ number: 5 }));
    const copy = createWorld();

    const [made] = fromBinary(copy, toBinary(from, { all: true }), { definitions: [after] });

    expect(get(copy, made!, after)).toEqual({ number: 5, more: 2 });
    set(from, one, before, { number: 0.5 });
    expect(refused(copy, () => fromBinary(copy, toBinary(from, { all: true }))).place).toBe(
      "entities[0].components.Count.number",
    );
  });

  it("keeps what is not known, and saves it again; or drops it", () => {
    const Mass = component("Mass", { kilograms: f32, of: value<unknown>() });
    const Heavy = tag("Heavy");
    const from = createWorld();
    const one = spawn(from, Name("One"), Mass({ kilograms: 0.1, of: { iron: -0 } }), Heavy);
    spawn(from, ChildOf(one), Link({ to: one }), Heat({ degrees: 3 }), Likes(one));
    const text = save(from);

    const tool = createWorld();
    fromBinary(tool, toBinary(from, { all: true }), { unknown: "keep" });
    const copy = createWorld();
    const definitions = [...all, Mass, Heavy];
    fromBinary(copy, toBinary(tool, { all: true }), { definitions });
    const bare = createWorld();
    const [dropped] = fromBinary(bare, toBinary(from, { all: true }), { unknown: "drop" });

    expect(get(tool, lookup(tool, "One")!, Unknown)?.tags).toEqual(["Heavy"]);
    expect(save(copy)).toBe(text);
    expect(targetsOf(bare, dropped!, Likes)).toEqual([]);
    expect(save(bare)).toContain('{"name":"One","children":[\n{}\n]}');
  });

  it("reads a chain of 20,000, and refuses one level more than the limit", () => {
    const from = createWorld();
    let last = spawn(from, Position);
    const root = last;
    for (let at = 1; at < 20_000; at++) last = spawn(from, Parent(last), Position({ x: at }));
    const chain = toBinary(from, { root });
    const copy = createWorld();

    const [made] = fromBinary(copy, chain, { definitions: all });

    expect(sameBytes(toBinary(copy, { root: made! }), chain)).toBe(true);
    const limits = { depth: 19_999 };
    expect(refused(createWorld(), () => fromBinary(copy, chain, { limits })).code).toBe("bad-document");
  });
});
