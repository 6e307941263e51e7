import { beforeEach, describe, expect, it } from "vitest";
import {
  add,
  clear,
  clone,
  type Definition,
  defer,
  entityOf,
  observe,
  release,
  remove,
} from "../../../src/index.ts";
import { component, f32, relation, tag, withPolicy } from "../../defining.ts";
import {
  Any,
  ChildOf,
  Damage,
  Disabled,
  DisabledTree,
  DockedTo,
  Frozen,
  Knows,
  Label,
  Likes,
  OrderedChildren,
  Parent,
  Position,
} from "../../definitions.ts";
import { createWorld, type Entity, setWorld, spawn, world } from "../../fixture.ts";
import { DisabledFromAbove, Is } from "../../internal.ts";
import { asTag, codeOf, definitionAt, get, has, isAlive, parentOf, targetOf, verify } from "../../reading.ts";
import { destroy } from "../destroy.ts";
import { livingTables, snapshot } from "../snapshot.ts";

const Burning = withPolicy(tag("Burning"), { onDestroy: "delete" });
const Sacred = withPolicy(component("Sacred", { x: f32 }), { onDestroy: "refuse" });
const Owns = withPolicy(relation("Owns"), { onDestroy: "delete" });
const Guards = withPolicy(relation("Guards"), { onDestroy: "refuse" });

beforeEach(setWorld);

describe("the entity of a definition", () => {
  it.each<[string, Definition]>([
    ["a component", Position],
    ["a tag", Frozen],
    ["a relation", Likes],
    ["a builtin", ChildOf],
  ])("is created by the first call, and the same from then on: %s", (_, definition) => {
    const before = world.entities.alive;
    const one = entityOf(world, definition);

    expect([entityOf(world, definition), definitionAt(world, one)]).toEqual([one, definition]);
    expect([world.entities.alive, isAlive(world, one), verify(world)]).toEqual([before + 1, true, []]);
  });

  it("is another one in each world", () => {
    const other = createWorld();

    expect(isAlive(other, entityOf(world, Frozen))).toBe(false);
    expect(definitionAt(other, entityOf(world, Frozen))).toBeUndefined();
  });

  it("can have values, be a target, a parent and a child", () => {
    const one = entityOf(world, Frozen);
    const child = spawn(world, ChildOf(one), Likes(one));

    add(world, one, Label("cannot move"), Position({ x: 1 }), Likes(entityOf(world, Likes)));
    add(world, one, Parent(spawn(world)));

    expect([get(world, one, Label), parentOf(world, child), targetOf(world, one, Likes)]).toEqual([
      "cannot move",
      one,
      entityOf(world, Likes),
    ]);
    expect(parentOf(world, one)).toBeDefined();
  });

  it("stays that when it is cleared", () => {
    const one = entityOf(world, Frozen);
    add(world, one, Label("x"));

    clear(world, one);

    expect([definitionAt(world, one), has(world, one, Label)]).toEqual([Frozen, false]);
  });

  it("is not what its clone is", () => {
    const one = entityOf(world, Frozen);
    add(world, one, Label("x"));

    const copy = clone(world, one);

    expect([definitionAt(world, copy), get(world, copy, Label), entityOf(world, Frozen)]).toEqual([
      undefined,
      "x",
      one,
    ]);
  });

  it("created inside an iteration is alive at once, and gets its row at the end", () => {
    const one = defer(world, () => {
      const entity = entityOf(world, Frozen);
      expect([entityOf(world, Frozen), isAlive(world, entity), definitionAt(world, entity)]).toEqual([
        entity,
        true,
        Frozen,
      ]);
      add(world, entity, Label("x"));
      return entity;
    });

    expect([get(world, one, Label), verify(world)]).toEqual(["x", []]);
  });

  it.each<[string, unknown]>([
    ["a term", Likes(1 as Entity)],
    ["a component with its value", Position({ x: 1 })],
    ["undefined", undefined],
    ["null", null],
    ["an object", {}],
    ["a number", 5],
    ["a function", () => 1],
    ["the wildcard", Any],
    ["entities as tags", Is],
    ["what core keeps by itself", DisabledFromAbove],
    ["an object without prototype", Object.create(null)],
  ])("is refused as bad-term for %s, and no entity is spawned", (_, what) => {
    const before = snapshot(world);

    expect(codeOf(() => entityOf(world, what as never))).toBe("bad-term");

    expect(snapshot(world)).toEqual(before);
  });
});

describe("definitionAt", () => {
  it("is undefined for all others, for destroyed entities, and for values that are not handles", () => {
    const [one, destroyed] = [spawn(world), entityOf(world, Frozen)];
    destroy(world, destroyed);

    expect(
      [one, destroyed, 0, Number.NaN, "x", undefined].map((each) => definitionAt(world, each as Entity)),
    ).toEqual([undefined, undefined, undefined, undefined, undefined, undefined]);
  });
});

describe("when it is destroyed", () => {
  it.each<[string, Definition, (one: Entity) => void]>([
    ["a tag", Frozen, (one) => add(world, one, Frozen)],
    ["a component", Position, (one) => add(world, one, Position({ x: 1 }))],
    ["a component without schema", Label, (one) => add(world, one, Label("x"))],
    ["a relation", Likes, (one) => add(world, one, Likes(one), Likes(spawn(world)))],
    ["an exclusive relation", DockedTo, (one) => add(world, one, DockedTo(spawn(world)))],
    [
      "a relation with data",
      Damage,
      (one) => add(world, one, Damage(one), Damage(spawn(world), { amount: 2 })),
    ],
    ["a symmetric relation", Knows, (one) => add(world, one, Knows(spawn(world)), Knows(one))],
  ])("%s is removed from all entities, which keep the rest", (_, definition, give) => {
    const [one, other] = [spawn(world, Burning), spawn(world, Burning)];
    give(one);
    give(other);
    const everything = world.entities.alive;
    const entity = entityOf(world, definition);
    const requests =
      definition.kind === "relation" ? (definition as typeof Likes)(Any) : (definition as typeof Frozen);

    destroy(world, entity);

    expect([has(world, one, requests), has(world, other, requests), has(world, one, Burning)]).toEqual([
      false,
      false,
      true,
    ]);
    expect([isAlive(world, entity), world.entities.alive, verify(world)]).toEqual([false, everything, []]);
  });

  it("the definition stays usable, and gets another entity by the next call", () => {
    const first = entityOf(world, Frozen);
    destroy(world, first);

    const one = spawn(world, Frozen);
    const second = entityOf(world, Frozen);

    expect([has(world, one, Frozen), second === first, definitionAt(world, second)]).toEqual([
      true,
      false,
      Frozen,
    ]);
    expect(world.componentEntities.size).toBe(1);
  });

  it("the entities that have it are destroyed as well, if its policy deletes, with everything below them", () => {
    const one = spawn(world, Burning);
    const below = spawn(world, Parent(one));
    const bystander = spawn(world, Frozen);
    const entity = entityOf(world, Burning);

    expect(destroy(world, entity)).toBe(3);

    expect([one, below, bystander, entity].map((each) => isAlive(world, each))).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("the entities that have pairs of it are destroyed as well, if its policy deletes, and their targets stay alive", () => {
    const target = spawn(world);
    const [one, other] = [spawn(world, Owns(target)), spawn(world, Owns(target), Frozen)];

    destroy(world, entityOf(world, Owns));

    expect([one, other, target].map((each) => isAlive(world, each))).toEqual([false, false, true]);
  });

  it.each<[string, Definition, (target: Entity) => Entity]>([
    ["a component", Sacred, () => spawn(world, Sacred)],
    ["a relation", Guards, (target) => spawn(world, Guards(target))],
  ])("it is refused while an entity has it, if its policy refuses: %s", (_, definition, give) => {
    const one = give(spawn(world));
    const entity = entityOf(world, definition);
    const before = snapshot(world);

    expect(codeOf(() => destroy(world, entity))).toBe("refused");

    expect(snapshot(world)).toEqual(before);
    expect(destroy(world, one)).toBe(1);
    expect(destroy(world, entity)).toBe(1);
  });

  it("it is not refused because of entities that are destroyed with it", () => {
    const entity = entityOf(world, Sacred);
    spawn(world, Sacred, ChildOf(entity));
    add(world, entity, Sacred);

    expect(destroy(world, entity)).toBe(2);

    expect([world.entities.alive, verify(world)]).toEqual([0, []]);
  });

  it.each<[string, Definition]>([
    ["ChildOf", ChildOf],
    ["Parent", Parent],
    ["OrderedChildren", OrderedChildren],
    ["Disabled", Disabled],
    ["DisabledTree", DisabledTree],
  ])("it is refused for a builtin, and so is the destruction of its ancestors: %s", (_, builtin) => {
    const entity = entityOf(world, builtin);
    const child = spawn(world, ChildOf(entity));
    const before = snapshot(world);

    expect([codeOf(() => destroy(world, entity)), codeOf(() => release(world, entity))]).toEqual([
      "refused",
      "still-a-target",
    ]);

    expect(snapshot(world)).toEqual(before);
    remove(world, child, ChildOf(Any));
    expect(codeOf(() => release(world, entity))).toBe("refused");
  });

  it("it destroys all entities whose parent is below it", () => {
    const entity = entityOf(world, Frozen);
    const child = spawn(world, Parent(entity), Frozen);

    destroy(world, entity);

    expect(isAlive(world, child)).toBe(false);
  });

  it("a child that stores it by value is destroyed with it, beside a remaining entity of the same table", () => {
    const entity = entityOf(world, Position);
    const remaining = spawn(world, DockedTo(entity), Position, Parent(spawn(world)));
    const child = spawn(world, Parent(entity));

    destroy(world, entity);

    expect([isAlive(world, child), isAlive(world, remaining), has(world, remaining, Any(Any))]).toEqual([
      false,
      true,
      true,
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("a release is not refused because of what it has itself", () => {
    const entity = entityOf(world, DockedTo);
    add(world, entity, DockedTo(spawn(world)));

    expect([codeOf(() => release(world, entity)), isAlive(world, entity), verify(world)]).toEqual([
      undefined,
      false,
      [],
    ]);
  });

  it("with the entity of another definition, both are removed", () => {
    const one = spawn(world, Frozen, Position, Label("x"));
    const [frozen, position] = [entityOf(world, Frozen), entityOf(world, Position)];
    add(world, position, ChildOf(frozen));

    destroy(world, frozen);

    expect([has(world, one, Frozen), has(world, one, Position), has(world, one, Label)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("observers are notified of each entity that loses it, before it does", () => {
    const one = spawn(world, Frozen);
    const seen: unknown[] = [];
    observe(world, { removed: Frozen }, ({ entity }) => seen.push([entity, has(world, entity, Frozen)]));

    destroy(world, entityOf(world, Frozen));

    expect(seen).toEqual([[one, true]]);
    expect(has(world, one, Frozen)).toBe(false);
  });

  it("a release is refused while an entity has it, and done when none has", () => {
    const one = spawn(world, Frozen);
    const entity = entityOf(world, Frozen);

    const held = codeOf(() => release(world, entity));
    remove(world, one, Frozen);

    expect([held, codeOf(() => release(world, entity)), isAlive(world, entity)]).toEqual([
      "still-a-target",
      undefined,
      false,
    ]);
  });

  it("nothing grows, however often it is created and destroyed", () => {
    const cycle = (): void => {
      const one = spawn(world, asTag(entityOf(world, Frozen)));
      destroy(world, entityOf(world, Frozen));
      release(world, one);
    };
    for (let round = 0; round < 4500; round++) cycle();
    const { length } = world.entities;
    const before = livingTables(world);

    for (let round = 0; round < 1500; round++) cycle();

    expect([world.componentEntities.size, world.definitionsByEntity.size, world.entities.length]).toEqual([
      0,
      0,
      length,
    ]);
    expect(livingTables(world)).toEqual(before);
  });
});
