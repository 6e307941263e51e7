import { beforeEach, describe, expect, it } from "vitest";
import { describe as textOf } from "../../../src/debug.ts";
import { add, release, type SpawnTerm, spawn, spawnMany } from "../../../src/index.ts";
import { array, component, f32, relation } from "../../defining.ts";
import {
  Any,
  ChildOf,
  Damage,
  DockedTo,
  Follows,
  Frozen,
  Label,
  Likes,
  Lit,
  Parent,
} from "../../definitions.ts";
import { createWorld, type Entity, setWorld, world } from "../../fixture.ts";
import { asTag, codeOf, get, has, parentOf, targetOf } from "../../reading.ts";
import { snapshot } from "../snapshot.ts";

const Position = component("Position", { x: f32, y: f32 });
const Matrix = component("Matrix", { cells: array(f32, 2) });
const Rents = relation("Rents", { exclusive: true, fields: { price: f32 } });

beforeEach(setWorld);

describe("add", () => {
  it("adds components, tags and pairs in one call", () => {
    const [one, ship] = [spawn(world), spawn(world)];

    add(world, one, Position({ x: 1, y: 2 }), Frozen, Label("Seat"), Likes(ship), ChildOf(ship));

    expect([get(world, one, Position), get(world, one, Label)]).toEqual([{ x: 1, y: 2 }, "Seat"]);
    expect([has(world, one, Frozen), has(world, one, Likes(ship)), parentOf(world, one)]).toEqual([
      true,
      true,
      ship,
    ]);
  });

  it("keeps all that was there", () => {
    const ship = spawn(world);
    const one = spawn(
      world,
      Position({ x: 1, y: 2 }),
      Label("Seat"),
      Likes(ship),
      Damage(ship, { amount: 4 }),
    );

    add(world, one, Frozen);

    expect([get(world, one, Position), get(world, one, Label)]).toEqual([{ x: 1, y: 2 }, "Seat"]);
    expect([has(world, one, Likes(ship)), get(world, one, Damage(ship))]).toEqual([true, { amount: 4 }]);
  });

  it("changes nothing when all is there already and no value is given", () => {
    const ship = spawn(world);
    const one = spawn(world, Position({ x: 1, y: 2 }), Label("Seat"), Frozen, Likes(ship));
    const before = snapshot(world);

    add(world, one, Position(), Label, Frozen, Likes(ship));

    expect(snapshot(world)).toEqual(before);
  });

  it("writes the given fields of what is there already, and leaves the others", () => {
    const one = spawn(world, Position({ x: 1, y: 2 }), Label("Seat"));

    add(world, one, Position({ x: 5 }), Label("Chair"), Frozen);

    expect([get(world, one, Position), get(world, one, Label)]).toEqual([{ x: 5, y: 2 }, "Chair"]);
  });

  it("gives new components their defaults where no value is given", () => {
    spawn(world, Position({ x: 8, y: 8 }), Frozen);
    const one = spawn(world, Frozen);

    add(world, one, Position({ y: 3 }), Matrix);

    expect(get(world, one, Position)).toEqual({ x: 0, y: 3 });
    expect(get(world, one, Matrix)).toEqual({ cells: new Float32Array(2) });
  });

  it("adds another target of a relation without removing the first", () => {
    const [a, b] = [spawn(world), spawn(world)];
    const one = spawn(world, Likes(a));

    add(world, one, Likes(b));

    expect([has(world, one, Likes(a)), has(world, one, Likes(b))]).toEqual([true, true]);
  });

  it("adds several targets of a relation in one call", () => {
    const [a, b, c] = [spawn(world), spawn(world), spawn(world)];
    const one = spawn(world, Likes(a));

    add(world, one, Likes(b), Likes(c), Damage(c, { amount: 3 }), Damage(a, { amount: 1 }));

    expect([a, b, c].map((target) => has(world, one, Likes(target)))).toEqual([true, true, true]);
    expect([get(world, one, Damage(a)), get(world, one, Damage(c))]).toEqual([{ amount: 1 }, { amount: 3 }]);
  });

  it.each([
    ["alone", []],
    ["together with a tag", [Lit]],
  ])("replaces the target of an exclusive relation, %s (I6)", (_, terms) => {
    const [a, b] = [spawn(world), spawn(world)];
    const one = spawn(world, DockedTo(a), Position({ x: 1 }));

    add(world, one, DockedTo(b), ...terms);

    expect([targetOf(world, one, DockedTo), has(world, one, DockedTo(a))]).toEqual([b, false]);
    expect(get(world, one, Position)).toEqual({ x: 1, y: 0 });
  });

  it("does not copy the value of an exclusive pair to the next target", () => {
    const [a, b] = [spawn(world), spawn(world)];
    const one = spawn(world, Rents(a, { price: 7 }));

    add(world, one, Rents(b));

    expect([get(world, one, Rents(b)), get(world, one, Rents(a))]).toEqual([{ price: 0 }, undefined]);
  });

  it("keeps the value of an exclusive pair whose target stays", () => {
    const a = spawn(world);
    const one = spawn(world, Rents(a, { price: 7 }));

    add(world, one, Rents(a), Frozen);

    expect(get(world, one, Rents(a))).toEqual({ price: 7 });
  });

  it("lets an entity be its own target, of a relation that may be cyclic", () => {
    const one = spawn(world);

    add(world, one, Likes(one));

    expect(targetOf(world, one, Likes)).toBe(one);
  });

  it("leaves no other entity changed, wherever it moves", () => {
    const crowd = Array.from({ length: 50 }, (_, at) => spawn(world, Position({ x: at }), Label(`${at}`)));

    for (const one of crowd.filter((__, at) => at % 3 === 0)) add(world, one, Frozen);

    expect(crowd.map((one) => get(world, one, Position)!.x)).toEqual(crowd.map((_, at) => at));
    expect(crowd.map((one) => get(world, one, Label))).toEqual(crowd.map((_, at) => `${at}`));
  });

  it("does nothing without terms", () => {
    const one = spawn(world, Position);
    const before = snapshot(world);

    add(world, one);

    expect(snapshot(world)).toEqual(before);
  });
});

describe("add refuses, and changes nothing", () => {
  it.each<[string, string, (one: Entity, other: Entity, destroyed: Entity) => readonly unknown[]]>([
    ["dead-entity", "a parent that is not alive", (_, __, destroyed) => [ChildOf(destroyed)]],
    [
      "dead-entity",
      "a parent that is not alive beside a tag",
      (_, __, destroyed) => [Frozen, ChildOf(destroyed)],
    ],
    [
      "dead-entity",
      "a target of an exclusive relation that is not alive",
      (_, __, destroyed) => [DockedTo(destroyed)],
    ],
    [
      "dead-entity",
      "a target that is not alive after a good one",
      (_, other, destroyed) => [Likes(other), Damage(destroyed)],
    ],
    ["dead-entity", "a target that is no entity", () => [Likes(-5 as Entity)]],
    ["cycle", "itself as parent", (one) => [ChildOf(one)]],
    ["cycle", "itself as parent beside a tag", (one) => [Frozen, ChildOf(one)]],
    ["cycle", "itself as target of another acyclic relation", (one) => [Follows(one)]],
    ["bad-term", "a wildcard", () => [Likes(Any)]],
    ["bad-term", "a wildcard of an exclusive relation", () => [ChildOf(Any)]],
    ["bad-term", "a relation without target", () => [Likes]],
    ["bad-term", "something that is no term", () => [{}]],
    ["bad-term", "a number among others", () => [Frozen, 5]],
    ["bad-term", "undefined", () => [undefined]],
    ["bad-term", "undefined among others", () => [Frozen, undefined]],
    ["bad-term", "a tag twice", () => [Lit, Lit]],
    ["bad-term", "a component twice", () => [Position({ x: 1 }), Position({ y: 1 })]],
    ["bad-term", "a pair twice", (_, other) => [Likes(other), Likes(other)]],
    ["bad-term", "a pair with data twice", (_, other) => [Damage(other), Damage(other)]],
    ["bad-term", "two parents", (one, other) => [ChildOf(other), ChildOf(one)]],
    ["bad-term", "two parents, one as a value", (one, other) => [ChildOf(other), Parent(one)]],
    ["bad-term", "two parents as values", (one, other) => [Parent(other), Parent(one)]],
    ["bad-term", "one parent in both storages", (_, other) => [Parent(other), ChildOf(other)]],
    ["bad-term", "an entity as a tag twice", (_, other) => [asTag(other), Frozen, asTag(other)]],
    [
      "dead-entity",
      "an entity as a tag that is not alive",
      (_, __, destroyed) => [Frozen, asTag(destroyed as Entity)],
    ],
    ["dead-entity", "a value parent that is not alive", (_, __, destroyed) => [Parent(destroyed)]],
    ["cycle", "itself as parent as a value", (one) => [Parent(one)]],
    ["bad-term", "a wildcard of any relation", () => [Any(Any)]],
    ["bad-term", "a wildcard of any relation with a target", (_, other) => [Any(other)]],
    ["bad-term", "two exclusive targets", (one, other) => [DockedTo(other), DockedTo(one)]],
    ["bad-term", "two exclusive targets with data", (one, other) => [Rents(other), Rents(one)]],
    ["bad-value", "a value that is no object", () => [Position("x" as never)]],
    ["bad-value", "a bad value after a good term", () => [Frozen, Matrix({ cells: [1] })]],
    ["bad-value", "a bad value of a pair", (_, other) => [Damage(other, { amount: "much" as never })]],
  ])("with %s: %s", (code, _, termsFor) => {
    const destroyed = spawn(world);
    release(world, destroyed);
    const [one, other] = [spawn(world, Position({ x: 1 })), spawn(world)];
    const before = snapshot(world);

    expect(codeOf(() => add(world, one, ...(termsFor(one, other, destroyed) as readonly SpawnTerm[])))).toBe(
      code,
    );

    expect(snapshot(world)).toEqual(before);
  });

  it.each([
    ["a tag", [Frozen]],
    ["nothing", []],
  ])("with dead-entity: %s for an entity that is not alive", (_, terms) => {
    const destroyed = spawn(world);
    release(world, destroyed);
    const before = snapshot(world);

    expect(codeOf(() => add(world, destroyed, ...terms))).toBe("dead-entity");

    expect(snapshot(world)).toEqual(before);
  });

  it("with dead-entity: a parent for an entity that is not alive", () => {
    const [destroyed, ship] = [spawn(world), spawn(world)];
    release(world, destroyed);

    expect(codeOf(() => add(world, destroyed, ChildOf(ship)))).toBe("dead-entity");
  });
});

describe("entities in one table", () => {
  it("stay findable when one of them moves away, whichever row it had", () => {
    for (let mover = 0; mover < 5; mover++) {
      const world = createWorld();
      const crowd = spawnMany(world, 5, Position);

      add(world, crowd[mover]!, Frozen);

      const texts = crowd.map((one) => textOf(world, one).match(/in t\d+ \[.*\]/)?.[0]);
      expect(new Set(texts.filter((__, at) => at !== mover)).size).toBe(1);
      expect(crowd.map((one) => has(world, one, Frozen))).toEqual(crowd.map((__, at) => at === mover));
    }
  });
});
