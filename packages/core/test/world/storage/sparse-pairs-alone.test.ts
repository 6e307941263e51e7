// Pairs of sparse relations that come and go one by one, mostly without hooks, observers and limits; and where there are some.
import { beforeEach, describe, expect, it } from "vitest";
import { verify } from "../../../src/debug.ts";
import {
  Any,
  add,
  createWorld,
  defer,
  type Entity,
  has,
  observe,
  relation,
  remove,
  sparse,
  spawn,
  spawnMany,
  subjectsOf,
  targetsOf,
  type World,
} from "../../../src/index.ts";
import { destroy, removeFromAll } from "../../../src/internal.ts";
import { codeOf } from "../../reading.ts";

const Likes = relation("Likes", { storage: sparse });
const DockedTo = relation("DockedTo", { storage: sparse, exclusive: true });
const Leads = relation("Leads", { storage: sparse, maxSubjects: 1 });

let world: World;
let ship: Entity;
let others: readonly Entity[];

beforeEach(() => {
  world = createWorld();
  ship = spawn(world);
  others = spawnMany(world, 4);
});

function likesOf(entity: Entity): number[] {
  return targetsOf(world, entity, Likes).map((one) => others.indexOf(one));
}

describe("one sparse pair after another", () => {
  it("comes once, last, and goes", () => {
    for (const at of [2, 0, 2, 3]) add(world, ship, Likes(others[at]!));
    remove(world, ship, Likes(others[0]!));
    remove(world, ship, Likes(others[1]!));
    add(world, ship, Likes(others[0]!));

    expect(likesOf(ship)).toEqual([2, 3, 0]);
    expect(subjectsOf(world, others[3]!, Likes)).toEqual([ship]);
    expect(verify(world)).toEqual([]);
  });

  it("goes with all others by a wildcard, and from all entities", () => {
    for (const at of [0, 1]) for (const one of [ship, others[3]!]) add(world, one, Likes(others[at]!));

    remove(world, ship, Likes(Any));
    expect([has(world, ship, Likes(Any)), likesOf(others[3]!)]).toEqual([false, [0, 1]]);
    removeFromAll(world, { definition: Likes as never, target: others[0]! });
    expect(likesOf(others[3]!)).toEqual([1]);
    removeFromAll(world, { definition: Likes as never, target: (Likes(Any) as { target: number }).target });

    expect([likesOf(others[3]!), verify(world)]).toEqual([[], []]);
  });

  it("replaces the one before if there can be only one", () => {
    for (const at of [1, 3, 3, 0]) add(world, ship, DockedTo(others[at]!));

    expect(targetsOf(world, ship, DockedTo)).toEqual([others[0]]);
    expect(verify(world)).toEqual([]);
  });

  it("is refused if its target has as many subjects as it may have, also after it had fewer", () => {
    add(world, ship, Leads(others[0]!));
    expect(codeOf(() => add(world, others[1]!, Leads(others[0]!)))).toBe("full");
    remove(world, ship, Leads(others[0]!));
    add(world, others[1]!, Leads(others[0]!));

    expect(codeOf(() => add(world, ship, Leads(others[0]!)))).toBe("full");
    expect(subjectsOf(world, others[0]!, Leads)).toEqual([others[1]]);
  });

  it("is refused with an entity that is not alive, or that has no target", () => {
    const gone = others[0]!;
    add(world, ship, Likes(gone));
    destroy(world, gone);

    const codes = [
      () => add(world, ship, Likes(gone)),
      () => add(world, gone, Likes(ship)),
      () => remove(world, gone, Likes(ship)),
      () => remove(world, gone, Likes(Any)),
      () => add(world, ship, Likes(Any) as never),
      () => add(world, ship, Likes as never),
    ].map(codeOf);
    expect(codes).toEqual([
      "dead-entity",
      "dead-entity",
      "dead-entity",
      "dead-entity",
      "bad-term",
      "bad-term",
    ]);
    remove(world, ship, Likes(gone));
    expect([likesOf(ship), verify(world)]).toEqual([[], []]);
  });

  it("waits inside an iteration", () => {
    add(world, ship, Likes(others[0]!));

    defer(world, () => {
      add(world, ship, Likes(others[1]!));
      remove(world, ship, Likes(others[0]!));
      expect(likesOf(ship)).toEqual([0]);
    });

    expect(likesOf(ship)).toEqual([1]);
  });

  it("is told to an observer that begins between two, until that stops", () => {
    const told: string[] = [];
    add(world, ship, Likes(others[0]!));
    const stop = observe(world, { added: Likes(Any), removed: Likes(Any) }, ({ kind, target }) => {
      told.push(`${kind} ${others.indexOf(target!)}`);
    });
    add(world, ship, Likes(others[1]!));
    remove(world, ship, Likes(others[0]!));
    remove(world, ship, Likes(Any));
    stop();
    add(world, ship, Likes(others[2]!));

    expect(told).toEqual(["added 1", "removed 0", "removed 1"]);
    expect(likesOf(ship)).toEqual([2]);
  });
});
