import { beforeEach, describe, expect, it } from "vitest";
import {
  add,
  clone,
  defer,
  pack,
  patch,
  release,
  remove,
  set,
  spawn,
  spawnMany,
  withHooks,
} from "../../../src/index.ts";
import { array, bool, component, entity, f32, i32, relation, u8, value } from "../../defining.ts";
import { ChildOf, Label, Likes } from "../../definitions.ts";
import { type Entity, setWorld, world } from "../../fixture.ts";
import { codeOf, get, has, locate, verify } from "../../reading.ts";
import { snapshot } from "../snapshot.ts";

interface User {
  readonly name: string;
}
const UNIT = { rotation: Float32Array.of(0, 0, 0, 1), scale: 1, layer: -1, shown: true, target: undefined };
const Local = component("Local", {
  rotation: array(f32, 4, [0, 0, 0, 1]),
  scale: f32(1),
  layer: i32(-1),
  shown: bool(true),
  target: entity,
});
const Plain = component("Plain", { x: 0, y: 2.5, on: true, text: "none" });
const Node = component("Node", { x: f32, title: "", user: value<User | undefined>(), y: u8(7) });
const Title = component("Title", value("untitled"));
const Seat = relation("Seat", { fields: { price: f32(9), note: "free" } });

beforeEach(setWorld);

describe("a field with a default that is undefined in a value", () => {
  const Page = component("Page", {
    title: "none",
    note: value<unknown>(7),
    user: value<User | undefined>(),
  });

  it("keeps its value, in spawn, add and set, as if it were left out", () => {
    const given = { title: undefined, note: undefined } as object;
    const one = spawn(world, Page(given));

    expect(get(world, one, Page)).toEqual({ title: "none", note: 7, user: undefined });

    set(world, one, Page, { title: "one", note: 1 });
    set(world, one, Page, given);
    add(world, one, Page(given));

    expect(get(world, one, Page)).toEqual({ title: "one", note: 1, user: undefined });
  });

  it("is cleared if undefined is its default", () => {
    const one = spawn(world, Page({ user: { name: "Ada" } }));

    set(world, one, Page, { user: undefined });

    expect(get(world, one, Page)?.user).toBeUndefined();
  });
});

describe("a field with a text as its default refuses other values as bad-value", () => {
  const Page = component("Page", { title: "", kind: value<"open" | "shut">("open") });

  it.each<[string, () => unknown]>([
    ["in spawn", () => spawn(world, Page({ title: 5 as never }))],
    ["made by value", () => spawn(world, Page({ kind: 5 as never }))],
    ["in set", () => set(world, spawn(world, Page), Page, { title: null as never })],
    ["that is a whole component", () => spawn(world, Title(5 as never))],
    ["that is a whole component, in set", () => set(world, spawn(world, Title), Title, 5 as never)],
    ["in patch", () => patch(world, spawn(world, Page), Page, (page) => void (page.title = 5 as never))],
  ])("%s", (_, act) => {
    expect(codeOf(act)).toBe("bad-value");
    expect(verify(world)).toEqual([]);
  });

  it("and says so", () => {
    expect(() => spawn(world, Page({ title: 5 as never }))).toThrow("Page.title expects a text, not 5");
    expect(() => spawn(world, Title(5 as never))).toThrow("Title expects a text, not 5");
  });
});

describe("a field has its default", () => {
  it.each<[string, () => Entity]>([
    ["by spawn", () => spawn(world, Local)],
    ["by spawn with an empty value", () => spawn(world, Local({}))],
    ["by spawnMany", () => spawnMany(world, 40, Local)[39]!],
    ["inside an iteration", () => defer(world, () => spawn(world, Local()))],
    ["by add", () => added(Local)],
    ["by set of nothing", () => written(Local)],
    [
      "where a row was freed",
      () => {
        release(world, spawn(world, Local({ scale: 5, shown: false })));
        return spawn(world, Local);
      },
    ],
  ])("%s", (_, make) => {
    expect(get(world, make(), Local)).toEqual(UNIT);
    expect(verify(world)).toEqual([]);
  });

  it("unless a value is given", () => {
    const one = spawn(world, Local({ scale: 3, rotation: [1, 2, 3, 4] }));

    expect(get(world, one, Local)).toEqual({ ...UNIT, scale: 3, rotation: Float32Array.of(1, 2, 3, 4) });
  });

  it("that is given as a number, a boolean or a string", () => {
    expect(get(world, spawn(world, Plain), Plain)).toEqual({ x: 0, y: 2.5, on: true, text: "none" });
    expect(get(world, spawn(world, Plain({ x: 0.1, on: false, text: "a" })), Plain)).toEqual({
      x: 0.1,
      y: 2.5,
      on: false,
      text: "a",
    });
  });

  it("in an object component too", () => {
    const [bare, called, given] = [spawn(world, Title), spawn(world, Title()), spawn(world, Title("a"))];

    expect([bare, called, given].map((one) => get(world, one, Title))).toEqual(["untitled", "untitled", "a"]);
  });

  it("in every pair", () => {
    const [ship, dock] = [spawn(world), spawn(world)];
    const one = spawn(world, Seat(dock, { price: 2, note: "taken" }));

    add(world, one, Seat(ship));
    remove(world, one, Seat(dock));
    add(world, one, Seat(dock));

    expect(get(world, one, Seat(ship))).toEqual({ price: 9, note: "free" });
    expect(get(world, one, Seat(dock))).toEqual({ price: 9, note: "free" });
    expect(verify(world)).toEqual([]);
  });

  it("which check hooks see", () => {
    const seen: unknown[] = [];
    const Checked = withHooks(
      component("Checked", { scale: f32(1), list: array(u8, 2, [3, 4]), text: "a" }),
      {
        check: (_, __, checked) => void seen.push(checked),
      },
    );

    spawn(world, Checked({ text: "b" }));

    expect(seen).toEqual([{ scale: 1, list: Uint8Array.of(3, 4), text: "b" }]);
  });
});

describe("a value field", () => {
  it("holds a JavaScript value, not a copy", () => {
    const user = { name: "Ann" };
    const one = spawn(world, Node({ user, title: "Top" }));

    expect(get(world, one, Node)).toEqual({ x: 0, title: "Top", user: { name: "Ann" }, y: 7 });
    expect(get(world, one, Node)!.user).toBe(user);
    expect(locate(world, one, Node)!.columns.title).toContain("Top");
  });

  it("is written by set and patch, undefined too where that is its default", () => {
    const one = spawn(world, Node({ user: { name: "Ann" }, title: "Top" }));

    set(world, one, Node, { title: "Bottom" });
    expect(get(world, one, Node)!.user).toEqual({ name: "Ann" });
    patch(world, one, Node, (node) => {
      node.x = 5;
      node.user = undefined;
    });

    expect(get(world, one, Node)).toEqual({ x: 5, title: "Bottom", user: undefined, y: 7 });
  });

  it("goes with its row, whatever rows move", () => {
    const ship = spawn(world);
    const crew = Array.from({ length: 100 }, (_, at) =>
      spawn(world, Node({ title: `${at}`, x: at }), ...(at % 2 === 0 ? [ChildOf(ship)] : [])),
    );
    for (const [at, one] of crew.entries()) {
      if (at % 3 === 0) add(world, one, Title, Likes(ship));
      if (at % 7 === 0) release(world, one);
    }
    pack(world);

    for (const [at, one] of crew.entries())
      if (at % 7 !== 0)
        expect([get(world, one, Node)!.title, get(world, one, Node)!.x]).toEqual([`${at}`, at]);
    expect(verify(world)).toEqual([]);
  });

  it("is copied by clone, and by a deferred spawn", () => {
    const user = { name: "Ann" };
    const one = spawn(world, Node({ user }), Seat(spawn(world), { note: "mine" }));
    spawn(world, ChildOf(one), Node({ title: "Child" }));

    const copy = clone(world, one, { deep: true });
    const later = defer(world, () => spawn(world, Node({ user })));

    expect(get(world, copy, Node)!.user).toBe(user);
    expect(get(world, later, Node)!.user).toBe(user);
    expect(verify(world)).toEqual([]);
  });
});

describe("an object component without a default", () => {
  it.each<[string, (one: Entity) => unknown]>([
    ["spawn", () => spawn(world, Label as never)],
    ["spawn with no value", () => spawn(world, Label(undefined as never))],
    ["spawnMany", () => spawnMany(world, 2, Label as never)],
    ["add", (one) => add(world, one, Label)],
    ["a clone with it", (one) => clone(world, one, { with: [Label as never] })],
    ["a spawn inside an iteration", () => defer(world, () => spawn(world, Label as never))],
  ])("is not added without a value by %s, and nothing has changed", (_, act) => {
    const one = spawn(world, Local);
    const before = snapshot(world);

    expect(codeOf(() => act(one))).toBe("bad-value");

    expect(snapshot(world)).toEqual(before);
  });

  it("stays as it is when it is named again", () => {
    const one = spawn(world, Label("a"));

    add(world, one, Label, ChildOf(spawn(world)));

    expect([get(world, one, Label), has(world, one, Label)]).toEqual(["a", true]);
  });
});

function added(definition: typeof Local): Entity {
  const one = spawn(world, Title("a"));
  add(world, one, definition);
  return one;
}

function written(definition: typeof Local): Entity {
  const one = spawn(world);
  set(world, one, definition, {});
  return one;
}
