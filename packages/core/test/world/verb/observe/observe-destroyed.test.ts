import { beforeEach, describe, expect, it } from "vitest";
import { add, type Entity, observe, spawn, spawnMany } from "../../../../src/index.ts";
import { Any, ChildOf, Damage, DockedTo, Frozen, Likes, Lit, Owns, Parent } from "../../../definitions.ts";
import { asTag, isAlive, parentOf, verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";
import { calls, dock, nameIn, names, record, setFixture, ship, world } from "./recorded-events.ts";

beforeEach(setFixture);

function nameOf(one: Entity | undefined): string {
  return nameIn(names, one);
}

describe("a destruction", () => {
  it.each([
    ["ChildOf", ChildOf, ChildOf],
    ["Parent", Parent, Parent],
    ["both storages", ChildOf, Parent],
    ["both storages, the other way round", Parent, ChildOf],
  ])("is reported for children before parents, siblings in order: %s", (_, One, Other) => {
    const a = spawn(world, One(ship), Frozen);
    const b = spawn(world, Other(ship), Frozen, Lit);
    const c = spawn(world, One(ship), Frozen);
    const a0 = spawn(world, Other(a), Frozen);
    const a1 = spawn(world, One(a), Frozen, Lit);
    const c0 = spawn(world, One(c), Frozen);
    for (const [at, one] of [a, b, c, a0, a1, c0].entries())
      names.set(one, ["a", "b", "c", "a0", "a1", "c0"][at]!);
    add(world, ship, Frozen);
    const lonely: string[] = [];
    observe(world, { removed: Frozen }, ({ entity }) => {
      for (let at: Entity | undefined = entity; at !== undefined; at = parentOf(world, at)) {
        if (!isAlive(world, at)) lonely.push(nameOf(at));
      }
      calls.push(nameOf(entity));
    });

    destroy(world, ship);

    expect([calls, lonely]).toEqual([["a0", "a1", "a", "b", "c0", "c", "ship"], []]);
  });

  it("of several is reported one after the other, in the order of spawning", () => {
    const [a, b] = [spawn(world, ChildOf(dock)), spawn(world, Parent(ship))];
    names.set(a, "a").set(b, "b");
    record({ removed: ChildOf });

    destroy(world, dock, ship);

    expect(calls).toEqual(["-ChildOf(ship) of b ship>-", "-ChildOf(dock) of a dock>-"]);
  });

  it("reports pairs that remaining entities lose with it", () => {
    const one = spawn(world, Likes(dock), Damage(dock, { amount: 1 }), DockedTo(dock), asTag(dock));
    names.set(one, "one");
    record({ removed: Any });
    record({ removed: asTag(dock) });

    destroy(world, dock);

    expect(calls.toSorted()).toEqual(
      [
        "-Damage(dock) of one",
        "-DockedTo(dock) of one dock>-",
        "-Is(dock) of one",
        "-Likes(dock) of one",
      ].toSorted(),
    );
  });

  it("reports pairs between the destroyed entities too, whichever is destroyed first", () => {
    const owner = spawn(world, Owns(ship), Likes(ship), DockedTo(ship));
    const child = spawn(world, ChildOf(ship), Likes(owner), DockedTo(owner));
    names.set(owner, "owner").set(child, "child");
    add(world, ship, Likes(child));
    record({ removed: Likes, added: Likes });
    record({ removed: DockedTo });

    destroy(world, ship);

    expect(calls.toSorted()).toEqual(
      [
        "-Likes(owner) of child",
        "-Likes(ship) of owner",
        "-Likes(child) of ship",
        "-DockedTo(owner) of child owner>-",
        "-DockedTo(ship) of owner ship>-",
      ].toSorted(),
    );
  });

  it("finds ancestors alive, whatever other relations led to the destructions above", () => {
    const [upper, middle, low] = spawnMany(world, 3) as [Entity, Entity, Entity];
    add(world, upper, Owns(ship));
    add(world, middle, Parent(upper), Owns(low));
    add(world, low, ChildOf(middle), Frozen);
    add(world, ship, ChildOf(low), Frozen);
    const seen: boolean[] = [];
    observe(world, { removed: Frozen }, ({ entity }) => {
      for (let at = parentOf(world, entity); at !== undefined; at = parentOf(world, at))
        seen.push(isAlive(world, at));
    });

    destroy(world, low);

    expect(seen).toEqual([true, true, true, true, true]);
    expect(verify(world)).toEqual([]);
  });

  it("continues when observers destroy an entity that is being destroyed, or add children to it: they are destroyed too", () => {
    const a = spawn(world, ChildOf(ship), Frozen);
    let spawned: Entity | undefined;
    observe(world, { removed: Frozen }, ({ entity }) => {
      destroy(world, entity);
      destroy(world, ship);
      spawned = spawn(world, ChildOf(ship), Lit);
      add(world, entity, Lit);
      add(world, entity, ChildOf(dock));
    });

    destroy(world, ship);

    expect([ship, a, spawned!, dock].map((one) => isAlive(world, one))).toEqual([false, false, false, true]);
    expect(verify(world)).toEqual([]);
  });
});
