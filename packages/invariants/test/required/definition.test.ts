import {
  add,
  addMany,
  ChildOf,
  clone,
  component,
  createWorld,
  type Entity,
  get,
  has,
  relation,
  set,
  spawn,
  spawnMany,
  spawnRows,
  type Tag,
  tag,
  value,
  type World,
} from "@treeline/core";
import { describe as described, verify } from "@treeline/core/debug";
import { IsA, instantiate, prefab } from "@treeline/prefab";
import { describe, expect, it } from "vitest";
import { refusalOf } from "../refusal.ts";

const Position = component("Position", { x: 0 });
const Likes = relation("Likes");

/** What is no list of components and tags. */
const WRONG: { readonly [name: string]: unknown } = {
  "an entry that is undefined": [undefined],
  "an entry that is null": [Position, null],
  "a relation": [Likes],
  "a parent relation": [ChildOf],
  "a pair": [Likes(1 as Entity)],
  "a component with a value": [Position({ x: 1 })],
  "a name": ["Position"],
  "an entity": [5],
  "an object like a definition": [{ kind: "tag", name: "Tag" }],
  "a list in a list": [[Position]],
  "a function": [() => Position],
  "a text": "Position",
  "a number": 5,
  "an object": { Position },
  true: true,
};

describe("requires", () => {
  it.each(Object.keys(WRONG))("is refused where it is written if it has %s", (wrong) => {
    const define = (make: (name: string, options: never) => unknown) => (): unknown =>
      make("Wrong", { requires: WRONG[wrong] } as never);

    for (const make of [
      (name: string, options: never) => component(name, { x: 0 }, options),
      (name: string, options: never) => component<string>(name, undefined, options),
      (name: string, options: never) => tag(name, options),
    ])
      expect(define(make)).toThrow(expect.objectContaining({ code: "bad-definition" }));
  });

  it.each(Object.keys(WRONG))("is refused at the first use if its function returns %s", (wrong) => {
    const Wrong = tag("Wrong", { requires: () => WRONG[wrong] as never });
    const Above = tag("Above", { requires: [Wrong] });
    const world = createWorld();
    const one = spawn(world, Position);
    const parent = spawn(world);

    for (const what of [Wrong, Above]) {
      expect(refusalOf(world, () => spawn(world, Position, what))).toBe("bad-definition");
      expect(refusalOf(world, () => spawnMany(world, 2, what))).toBe("bad-definition");
      expect(refusalOf(world, () => spawnRows(world, 2, [what]))).toBe("bad-definition");
      expect(refusalOf(world, () => add(world, one, what, ChildOf(parent)))).toBe("bad-definition");
      expect(refusalOf(world, () => addMany(world, [one], what))).toBe("bad-definition");
    }
    expect(has(world, one, Wrong)).toBe(false);
  });

  it("calls a function when an entity first gets the component, and once", () => {
    let calls = 0;
    const Later = tag("Later", {
      requires: () => {
        calls++;
        return [Position];
      },
    });
    expect(calls).toBe(0);

    for (const world of [createWorld(), createWorld()]) {
      spawn(world, Later);
      add(world, spawn(world), Later);
    }

    expect(calls).toBe(1);
  });

  it("can be used again after its function has failed, as where modules import one another", () => {
    let Needed: Tag | undefined;
    const Later = tag("Later", { requires: () => [Needed!] });
    const world = createWorld();
    expect(refusalOf(world, () => spawn(world, Later))).toBe("bad-definition");

    Needed = tag("Needed");

    expect(has(world, spawn(world, Later), Needed)).toBe(true);
  });

  it("reads its list once", () => {
    const list: Tag[] = [tag("First")];
    const Requirer = tag("Requirer", { requires: list });
    const More = tag("More");

    list.push(More);

    const world = createWorld();
    expect(has(world, spawn(world, Requirer), More)).toBe(false);
  });

  it("may be empty, and may name the component itself", () => {
    const None = tag("None", { requires: [] });
    const Self: Tag = tag("Self", { requires: () => [Self] });
    const world = createWorld();

    const one = spawn(world, None, Self);

    expect([has(world, one, None), has(world, one, Self)]).toEqual([true, true]);
    expect(verify(world)).toEqual([]);
  });

  it("goes down chains of a thousand", () => {
    const chain: Tag[] = [tag("Link 0")];
    for (let at = 1; at < 1000; at++) chain.push(tag(`Link ${at}`, { requires: [chain[at - 1]!] }));
    const world = createWorld();

    const one = spawn(world, chain.at(-1)!);

    expect(chain.every((link) => has(world, one, link))).toBe(true);
  });

  it("is shown by describe", () => {
    const Requirer = component("Requirer", { x: 0 }, { requires: [Position, tag("Needed")] });

    expect(described(createWorld(), Requirer)).toBe("Requirer (component, requires Position, Needed)");
    expect(described(createWorld(), Position)).toBe("Position (component)");
  });
});

describe("a required component without a default", () => {
  const Mesh = component<string>("Mesh");
  const Title = component("Title", value("untitled"));
  const Shown = tag("Shown", { requires: [Mesh, Title] });
  const ways: { readonly [name: string]: (world: World, one: Entity) => unknown } = {
    spawn: (world) => spawn(world, Shown),
    spawnMany: (world) => spawnMany(world, 2, Shown),
    spawnRows: (world) => spawnRows(world, 2, [Shown]),
    add: (world, one) => add(world, one, Shown),
    addMany: (world, one) => addMany(world, [one], Shown),
  };

  it.each(Object.keys(ways))("is refused by %s unless it is given", (way) => {
    const world = createWorld();
    const one = spawn(world, Position);

    expect(refusalOf(world, () => ways[way]!(world, one))).toBe("bad-value");
  });

  it("is not refused where a clone has it from its original, or an instance from its prefab", () => {
    const world = createWorld();
    const base = prefab(world, Mesh("cube"));

    const copy = clone(world, spawn(world, Mesh("ball")), { with: [Shown] });
    const made = instantiate(world, base, { with: [Shown] });
    const later = spawn(world, Shown, IsA(base));

    expect([copy, made, later].map((one) => get(world, one, Mesh))).toEqual(["ball", "cube", "cube"]);
    const bare = prefab(world);
    expect(refusalOf(world, () => instantiate(world, bare, { with: [Shown] }))).toBe("bad-value");
    expect(refusalOf(world, () => spawn(world, Shown, IsA(bare)))).toBe("bad-value");
  });

  it("comes with a value, or is there", () => {
    const world = createWorld();
    const one = spawn(world, Mesh("cube"));

    add(world, one, Shown);
    addMany(world, [one, spawn(world, Mesh("ball"))], Shown);
    spawn(world, Shown, Mesh("cone"));
    const two = spawn(world);
    add(world, two, Mesh("rod"), Shown);
    set(world, two, Title, "Rod");

    expect(has(world, one, Shown)).toBe(true);
    expect(verify(world)).toEqual([]);
  });
});
