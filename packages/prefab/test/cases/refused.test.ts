import {
  add,
  asTag,
  ChildOf,
  component,
  type Entity,
  get,
  has,
  isAlive,
  observe,
  parentOf,
  relation,
  remove,
  spawn,
  TreelineError,
  targetOf,
  targetsOf,
  withDisabledTree,
  withHooks,
} from "@treeline/core";
import { dump } from "@treeline/core/debug";
import { Name } from "@treeline/names";
import { children, destroy } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { describe, expect, test } from "vitest";
import { instantiate, overridesOf, partOf, prefab, refreshInstances } from "../../src/index.ts";
import { Armed, drawn, Position, tankIn, world } from "./fixture.ts";

const SitsIn = relation("SitsIn", { maxSubjects: 2 });
const Guards = relation("Guards", { exclusive: true, maxSubjects: 1 });
const Sits = relation("Sits", { exclusive: true, maxSubjects: 3 });
const Above = relation("Above", { acyclic: true });
const In = withDisabledTree(relation("In", { traversable: true }));

describe("what one instance cannot have is left out there, and the rest follows", () => {
  test("a pair with a target that is full", () => {
    const { tank } = tankIn();
    const seat = spawn(world);
    const made = instantiate(world, tank, { count: 3 });
    add(world, tank, SitsIn(seat), Armed);
    refreshInstances(world, tank);
    expect(made.map((one) => has(world, one, SitsIn(seat)))).toEqual([true, false, false]);
    expect(made.map((one) => has(world, one, Armed))).toEqual([true, true, true]);
    refreshInstances(world, tank);
    expect(made.map((one) => has(world, one, SitsIn(seat)))).toEqual([true, false, false]);
  });

  test("a pair that would close a cycle with one of the instance's own", () => {
    const { tank, turret, tracks } = tankIn();
    const [one, two] = instantiate(world, tank, { count: 2 }) as [Entity, Entity];
    add(world, partOf(world, two, tracks)!, Above(partOf(world, two, turret)!));
    add(world, turret, Above(tracks));
    add(world, tracks, Armed);
    refreshInstances(world, tank);
    const isAbove = (instance: Entity): boolean =>
      has(world, partOf(world, instance, turret)!, Above(partOf(world, instance, tracks)!));
    expect([one, two].map(isAbove)).toEqual([true, false]);
    expect([one, two].map((each) => has(world, partOf(world, each, tracks)!, Armed))).toEqual([true, true]);
  });

  test("a pair of a new part, which has its others and its name", () => {
    const { tank, turret } = tankIn();
    const seat = spawn(world);
    const made = instantiate(world, tank, { count: 3 });
    spawn(world, ChildOf(made[0]!), Name("Driver"));
    const driver = spawn(
      world,
      ChildOf(tank),
      Name("Driver"),
      SitsIn(seat),
      Above(turret),
      Position({ x: 5 }),
    );
    refreshInstances(world, tank);
    const own = made.map((one) => partOf(world, one, driver)!);
    expect(own.map((one) => has(world, one, SitsIn(seat)))).toEqual([true, false, false]);
    expect(own.map((one) => get(world, one, Name))).toEqual([undefined, "Driver", "Driver"]);
    expect(own.map((one) => get(world, one, Position)!.x)).toEqual([5, 5, 5]);
    for (const [at, one] of own.entries())
      expect(has(world, one, Above(partOf(world, made[at]!, turret)!))).toBe(true);
  });

  test("another target of an exclusive relation that is full: it keeps the old one", () => {
    const { tank, turret, tracks } = tankIn();
    const [seat, post] = [spawn(world), spawn(world)];
    add(world, turret, Sits(seat));
    const made = instantiate(world, tank, { count: 2 });
    const own = made.map((one) => partOf(world, one, turret)!);
    for (let at = 0; at < 2; at++) spawn(world, Sits(post)); // with the prefab's, it is full
    add(world, turret, Sits(post), Armed);
    add(world, tracks, Armed);
    const reads = (): unknown => own.map((one) => [targetOf(world, one, Sits), has(world, one, Armed)]);
    refreshInstances(world, tank);
    expect(reads()).toEqual([
      [seat, true],
      [seat, true],
    ]);
    refreshInstances(world, tank);
    expect(reads()).toEqual([
      [seat, true],
      [seat, true],
    ]);
  });

  test("another parent, where the part would be below itself", () => {
    const { tank, turret, tracks } = tankIn();
    const [one, two] = instantiate(world, tank, { count: 2 }) as [Entity, Entity];
    add(world, partOf(world, two, turret)!, In(partOf(world, two, tracks)!));
    attach(world, tracks, turret);
    add(world, tracks, Armed);
    refreshInstances(world, tank);
    expect([one, two].map(drawn)).toEqual(["Turret\n  Barrel\n  Tracks", "Turret\n  Barrel\nTracks"]);
    expect([one, two].map((each) => has(world, partOf(world, each, tracks)!, Armed))).toEqual([true, true]);
  });
});

test("targets that parts exchange are free for one another", () => {
  const { tank, turret, barrel, tracks } = tankIn();
  add(world, turret, Guards(barrel));
  add(world, tracks, Guards(tank));
  const one = instantiate(world, tank);
  const own = (part: Entity): Entity => partOf(world, one, part)!;
  add(world, turret, Guards(tracks));
  add(world, tracks, Guards(barrel));
  add(world, turret, Guards(tank));
  refreshInstances(world, tank);
  expect(has(world, own(turret), Guards(one))).toBe(true);
  expect(has(world, own(tracks), Guards(own(barrel)))).toBe(true);
});

test("an error of an observer is thrown, no part is made twice, and another call does the rest", () => {
  const { tank } = tankIn();
  const made = instantiate(world, tank, { count: 2 });
  const stop = observe(world, { added: Armed }, ({ entity }) => {
    if (parentOf(world, entity) !== tank) throw new TreelineError("full", "no");
  });
  const flag = spawn(world, ChildOf(tank), Name("Flag"), Armed);
  add(world, tank, Position({ x: 9 }));
  expect(() => refreshInstances(world, tank)).toThrow("no");
  stop();
  refreshInstances(world, tank);
  expect(made.map((one) => children(world, one).length)).toEqual([3, 3]);
  expect(made.map((one) => has(world, partOf(world, one, flag)!, Armed))).toEqual([true, true]);
  expect(made.map((one) => get(world, one, Position)!.x)).toEqual([9, 9]);
});

describe("what was below a part that is gone, and waits for its place, finds one though", () => {
  test("an observer throws when the part is destroyed", () => {
    const { tank, turret, barrel } = tankIn();
    const made = instantiate(world, tank, { count: 2 });
    attach(world, barrel, tank);
    destroy(world, turret);
    const stop = observe(world, { destroyed: true }, () => {
      throw new Error("no");
    });
    expect(() => refreshInstances(world, tank)).toThrow("no");
    stop();
    refreshInstances(world, tank);
    expect(made.map(drawn)).toEqual(["Tracks\nBarrel", "Tracks\nBarrel"]);
    expect(made.map((one) => overridesOf(world, one))).toEqual([[], []]);
  });

  test("a hook refuses a new part: nothing has changed then", () => {
    const { tank, turret, barrel } = tankIn();
    let isRefusing = false;
    const check = (): void => {
      if (isRefusing) throw new TreelineError("refused", "no");
    };
    const Checked = withHooks(component("Checked", { x: 0 }), { check });
    const one = instantiate(world, tank);
    attach(world, barrel, tank);
    destroy(world, turret);
    spawn(world, ChildOf(tank), Name("Flag"), Checked);
    isRefusing = true;
    const before = dump(world);
    expect(() => refreshInstances(world, tank)).toThrow("no");
    expect(dump(world)).toBe(before);
    isRefusing = false;
    refreshInstances(world, tank);
    expect(drawn(one)).toBe("Tracks\nBarrel\nFlag");
  });
});

test("an instance that is destroyed with a part that is gone does not keep others from following", () => {
  const Needs = relation("Needs", { onTargetDestroy: "delete" });
  const { tank, turret, barrel } = tankIn();
  add(world, tank, Needs(turret));
  const [one, two, three] = instantiate(world, tank, { count: 3 }) as [Entity, Entity, Entity];
  remove(world, two, Needs(partOf(world, two, turret)!));
  add(world, three, Needs(partOf(world, one, turret)!));
  attach(world, turret, prefab(world));
  attach(world, barrel, tank);
  const flag = spawn(world, ChildOf(tank), Name("Flag"));
  refreshInstances(world, tank);
  expect([one, two, three].map((each) => isAlive(world, each))).toEqual([false, true, false]);
  expect(drawn(two)).toBe("Tracks\nBarrel\nFlag");
  expect(partOf(world, two, flag)).toBe(children(world, two)[2]);
});

test("a new part that points to another one, and to that of an instance, points there once", () => {
  const Beside = relation("Beside");
  const { tank, turret } = tankIn();
  const [one, two] = instantiate(world, tank, { count: 2 }) as [Entity, Entity];
  const own = partOf(world, one, turret)!;
  const flag = spawn(world, ChildOf(tank), Beside(turret), Beside(own), asTag(turret), asTag(own));
  refreshInstances(world, tank);
  expect(targetsOf(world, partOf(world, one, flag)!, Beside)).toEqual([own]);
  expect(targetsOf(world, partOf(world, two, flag)!, Beside)).toEqual([partOf(world, two, turret), own]);
});
