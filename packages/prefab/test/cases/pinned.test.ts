/** Bugs that random walks beside a naive twin have found, each with its reason. */

import {
  Any,
  add,
  ChildOf,
  component,
  type Entity,
  get,
  has,
  relation,
  remove,
  set,
  sparse,
  spawn,
  targetOf,
  targetsOf,
} from "@treeline/core";
import { changed, children, destroy, entities, query } from "@treeline/query";
import { attach, detach } from "@treeline/query/hierarchy";
import { expect, test } from "vitest";
import {
  IsA,
  instantiate,
  overridesOf,
  Prefab,
  partOf,
  prefab,
  prefabOf,
  refreshInstances,
  revert,
} from "../../src/index.ts";
import {
  Aim,
  Armed,
  expectRefusal,
  Fuel,
  Heavy,
  Lit,
  Mesh,
  Near,
  newWorld,
  Paint,
  Title,
  world,
} from "./fixture.ts";

test("destroying a part that is an instance takes from its instances what they inherit: the deferred change was not run", () => {
  newWorld();
  const [inner, outer] = [prefab(world), prefab(world)];
  const part = instantiate(world, inner, { parent: outer, with: [Heavy] });
  const [own] = children(world, instantiate(world, outer));
  destroy(world, part);
  expect(has(world, own!, Heavy)).toBe(false);
});

test("an exclusive pair that a part gets is given to new instances: setting its target told prefabs of nothing", () => {
  newWorld();
  const Drives = relation("Drives", { exclusive: true });
  const base = prefab(world);
  const part = spawn(world, ChildOf(base));
  const other = instantiate(world, base);
  add(world, part, Drives(other));
  expect(targetsOf(world, children(world, instantiate(world, base))[0]!, Drives)).toEqual([other]);
});

test("a plain base that gets a component later gives it to its instances, and takes it when it is destroyed", () => {
  newWorld();
  const base = spawn(world);
  const one = spawn(world, IsA(base));
  add(world, base, Mesh({ id: 4 }), Heavy);
  expect(get(world, one, Mesh)!.id).toBe(4);
  remove(world, base, Heavy);
  expect(has(world, one, Heavy)).toBe(false);
  destroy(world, base);
  expect(has(world, one, Mesh)).toBe(false);
});

test("a prefab that ceases to be one still tells its instances what it gets", () => {
  newWorld();
  const base = prefab(world);
  const one = instantiate(world, base);
  remove(world, base, Prefab);
  add(world, base, Paint("red"));
  expect(get(world, one, Paint)).toBe("red");
});

test("an entity whose new prefab is refused stays an instance of the former one: the pair was replaced before", () => {
  newWorld();
  const [inner, outer] = [prefab(world, Mesh({ id: 1 })), prefab(world)];
  const part = instantiate(world, inner, { parent: outer });
  expectRefusal("cycle", () => add(world, part, IsA(outer)));
  expect(targetOf(world, part, IsA)).toBe(inner);
  expect(get(world, part, Mesh)!.id).toBe(1);
});

test("an entity becomes an instance of another prefab once: losing the former link made it one again", () => {
  newWorld();
  const [first, second] = [prefab(world), prefab(world)];
  spawn(world, ChildOf(second));
  const one = instantiate(world, first);
  add(world, one, IsA(second));
  expect(children(world, one)).toHaveLength(1);
});

test("an instance of a prefab inside an instance that loses IsA keeps its own prefab, and inherits from that alone", () => {
  newWorld();
  const [inner, outer] = [prefab(world, Mesh({ id: 1 })), prefab(world)];
  instantiate(world, inner, { parent: outer, with: [Heavy] });
  const one = instantiate(world, outer);
  const own = children(world, one)[0]!;
  const free = instantiate(world, inner, { parent: one });
  remove(world, one, IsA(outer));
  expect([prefabOf(world, own), prefabOf(world, free)]).toEqual([inner, inner]);
  expect([has(world, own, Heavy), get(world, own, Mesh)!.id, get(world, free, Mesh)!.id]).toEqual([
    false,
    1,
    1,
  ]);
});

test("a prefab is not attached below its own variant: it would contain itself", () => {
  newWorld();
  const base = prefab(world);
  const variant = prefab(world, IsA(base));
  const part = spawn(world, ChildOf(variant));
  expectRefusal("cycle", () => attach(world, base, part));
});

test("a part is not an instance of what was made from it: inheritance would go in a circle", () => {
  newWorld();
  const base = prefab(world, Mesh({ id: 1 }));
  const part = spawn(world, ChildOf(base), Paint("red"));
  const own = partOf(world, instantiate(world, base), part)!;
  detach(world, own);
  expectRefusal("cycle", () => add(world, part, IsA(own)));
});

test("refreshInstances ends for a part of an instance that was moved into its own prefab", () => {
  newWorld();
  const base = prefab(world);
  const part = spawn(world, ChildOf(base), Title("a"));
  const own = partOf(world, instantiate(world, base), part)!;
  attach(world, own, base);
  set(world, part, Title, "b");
  refreshInstances(world, base);
  expect(get(world, own, Title)).toBe("b");
});

test("a part that was a prefab of its own, with instances, follows as the part that it is now", () => {
  newWorld();
  const [inner, outer] = [prefab(world), prefab(world)];
  const before = instantiate(world, inner);
  attach(world, inner, outer);
  const one = instantiate(world, outer);
  add(world, inner, Armed);
  refreshInstances(world, outer);
  expect(has(world, children(world, one)[0]!, Armed)).toBe(true);
  expect(overridesOf(world, before)).toEqual([]);
});

test("a part that is new to some instances follows in those that had it: it was published as if all were new", () => {
  newWorld();
  const base = prefab(world);
  instantiate(world, base);
  const part = spawn(world, ChildOf(base));
  const later = instantiate(world, base);
  add(world, part, Fuel({ litres: 3 }));
  refreshInstances(world, base);
  expect(get(world, children(world, later)[0]!, Fuel)).toEqual({ litres: 3 });
});

test("siblings are put in order although several were made from one part", () => {
  newWorld();
  const [inner, outer] = [prefab(world), prefab(world)];
  const one = instantiate(world, outer);
  instantiate(world, inner, { parent: one, count: 3 });
  attach(world, inner, outer);
  refreshInstances(world, outer);
  expect(children(world, one)).toHaveLength(3);
});

test("a field that points to what is not alive any more is no override", () => {
  newWorld();
  const gone = spawn(world);
  const base = prefab(world, Aim({ at: gone }));
  const before = instantiate(world, base);
  destroy(world, gone);
  const after = instantiate(world, base);
  expect([overridesOf(world, before), overridesOf(world, after)]).toEqual([[], []]);
});

test("revert leaves parts out that their prefab does not have any more", () => {
  newWorld();
  const base = prefab(world);
  const part = spawn(world, ChildOf(base));
  const one = instantiate(world, base);
  destroy(world, partOf(world, one, part)!);
  detach(world, part);
  revert(world, one);
  expect(children(world, one)).toEqual([]);
});

test("a sparse value has not changed because its entity moved to another archetype", () => {
  newWorld();
  const Cargo = component("Cargo", { mass: 0 }, { storage: sparse });
  const one = spawn(world, Cargo({ mass: 1 }), Armed);
  const unread = query(world, changed(Cargo));
  entities(unread);
  remove(world, one, Armed);
  expect(entities(unread)).toEqual([]);
});

test("an instance that has an exclusive pair of its own keeps it when it becomes one", () => {
  newWorld();
  const Drives = relation("Drives", { exclusive: true });
  const [a, b]: [Entity, Entity] = [spawn(world), spawn(world)];
  const base = prefab(world, Drives(a));
  const one = spawn(world, Drives(b));
  add(world, one, IsA(base));
  expect(targetOf(world, one, Drives)).toBe(b);
  expect(has(world, one, Drives(Any))).toBe(true);
});

test("an entity becomes an instance of a prefab with a value for a target: it was asked whether it had that value", () => {
  for (const storage of [undefined, sparse]) {
    newWorld();
    const Costs = relation("Costs", { fields: { coins: 0 }, ...(storage && { storage }) });
    const shop = spawn(world);
    const base = prefab(world, Costs(shop, { coins: 3 }));
    const [one, two]: [Entity, Entity] = [spawn(world), spawn(world, Costs(shop, { coins: 5 }))];
    add(world, one, IsA(base));
    add(world, two, IsA(base));
    expect([one, two].map((each) => get(world, each, Costs(shop)))).toEqual([{ coins: 3 }, { coins: 5 }]);
  }
});

test("a prefab is no instance of a part of its own instance: the part was taken for what the prefab was made from", () => {
  newWorld();
  const base = prefab(world);
  const part = spawn(world, ChildOf(base));
  const own = partOf(world, instantiate(world, base), part)!;
  expectRefusal("cycle", () => add(world, base, IsA(own)));
  add(world, own, Prefab);
  expectRefusal("cycle", () => add(world, base, IsA(own)));
});

test("refreshInstances ends for a prefab inside an instance of a prefab that would contain it: each refreshed the other", () => {
  newWorld();
  const base = prefab(world);
  const part = spawn(world, ChildOf(base));
  const one = instantiate(world, base);
  const inner = partOf(world, one, part)!;
  add(world, inner, Prefab);
  expectRefusal("cycle", () => instantiate(world, inner, { parent: base }));
  detach(world, inner);
  instantiate(world, inner, { parent: base });
  attach(world, inner, one);
  refreshInstances(world, base);
  expect(children(world, one)).toHaveLength(2);
});

test.each([
  ["a tag that is stored as a bit", Lit],
  ["a sparse component", Fuel],
])(
  "new instances get %s of a part, and do not once it is removed: that was no edit of the prefab",
  (_, what) => {
    newWorld();
    const base = prefab(world);
    const part = spawn(world, ChildOf(base));
    spawn(world, ChildOf(base));
    const hasIt = (): boolean => has(world, children(world, instantiate(world, base))[0]!, what);
    expect(hasIt()).toBe(false);
    add(world, part, what);
    expect(hasIt()).toBe(true);
    remove(world, part, what);
    expect(hasIt()).toBe(false);
  },
);

test("new instances get each pair of a sparse relation: that was no edit of the prefab", () => {
  newWorld();
  const Likes = relation("Likes", { storage: sparse });
  const [a, b]: [Entity, Entity] = [spawn(world), spawn(world)];
  const base = prefab(world);
  const likedByNew = (): Entity[] => targetsOf(world, instantiate(world, base), Likes);
  expect(likedByNew()).toEqual([]);
  add(world, base, Likes(a));
  expect(likedByNew()).toEqual([a]);
  add(world, base, Likes(b));
  expect(likedByNew()).toEqual([a, b]);
});

test("a part that comes into a prefab reaches instances although another part was made from it: that one was taken for it", () => {
  newWorld();
  const [base, outer] = [prefab(world), prefab(world)];
  const part = spawn(world, ChildOf(base), Armed);
  const own = partOf(world, instantiate(world, base), part)!;
  const one = instantiate(world, outer);
  attach(world, own, outer);
  attach(world, part, outer);
  refreshInstances(world, outer);
  expect(children(world, one)).toHaveLength(2);
  destroy(world, partOf(world, one, part)!);
  expect(partOf(world, one, part)).toBe(undefined);
});

test("a pair stays in the instance that the prefab points to from now on, in place of itself: it was taken away last", () => {
  newWorld();
  const Drives = relation("Drives", { exclusive: true });
  const base = prefab(world);
  add(world, base, Drives(base), Near(base));
  const one = instantiate(world, base);
  add(world, base, Drives(one), Near(one));
  remove(world, base, Near(base));
  refreshInstances(world, base);
  expect([targetOf(world, one, Drives), targetsOf(world, one, Near)]).toEqual([one, [one]]);
});
