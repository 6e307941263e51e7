import {
  component,
  createWorld,
  entityAt,
  get,
  locate,
  remove,
  set,
  spawn,
  targetOf,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { addHidden, indexOf, inheritedOf } from "@treeline/core/internal";
import { expect, test } from "vitest";
import { Link } from "../../src/base/definitions.ts";
import { IsA, instantiate, prefab, refreshInstances } from "../../src/index.ts";
import { linkAt, recordsOf, setLink } from "../../src/state/part-records.ts";

const Mesh = component("Mesh", { id: 0, size: 0 }, { onInstantiate: "inherit" });
const Paint = component("Paint", { id: 0 }, { onInstantiate: "inherit" });

function worldWithInstance(): { world: World; one: number; number: number } {
  const world = createWorld();
  const base = prefab(world, Mesh({ id: 1 }));
  const one = indexOf(instantiate(world, base));
  expect(verify(world)).toEqual([]);
  return { world, one, number: linkAt(world, one) };
}

const found = (world: World): string => verify(world).join("\n");

test("edits that are not followed, with an override at each, take a bounded count of numbers", () => {
  const { world, one } = worldWithInstance();
  const base = targetOf(world, entityAt(world, one)!, IsA)!;
  const others = instantiate(world, base, { count: 5 });
  for (let frame = 0; frame < 500; frame++) {
    set(world, base, Mesh, { id: frame, size: frame });
    set(world, others[frame % 5]!, Mesh, { size: -1 });
    if (frame % 7 > 2) remove(world, others[(frame + 1) % 5]!, Mesh);
  }
  expect(recordsOf(world).handles.length).toBeLessThan(40);
  for (const other of others)
    if (locate(world, other, Mesh) === undefined) set(world, other, Mesh, { size: -1 });
  set(world, base, Mesh, { id: 1000 });
  refreshInstances(world, base);
  expect(others.map((other) => get(world, other, Mesh))).toEqual(others.map(() => ({ id: 1000, size: -1 })));
  expect(verify(world)).toEqual([]);
});

test("P1: a link by a free number is found", () => {
  const { world, one, number } = worldWithInstance();
  setLink(world, one, number + 1);
  expect(found(world)).toContain(`P1: the entity at index ${one} is linked by the free number ${number + 1}`);
});

test("P1: a number that means another part than the one that has it is found", () => {
  const { world, number } = worldWithInstance();
  recordsOf(world).handles[number] = spawn(world);
  expect(found(world)).toContain(`P1: part`);
});

test("P1: a free number that means something is found", () => {
  const { world, number } = worldWithInstance();
  recordsOf(world).free.push(number);
  expect(found(world)).toContain(`P1: the free number ${number} means`);
});

test("P1: what inherits a component that its part does not have is found", () => {
  const { world, number } = worldWithInstance();
  const other = spawn(world);
  addHidden(world, other, [Link({ part: number }), inheritedOf(Mesh) as never, inheritedOf(Paint) as never]);
  expect(found(world)).toContain("inherits Paint, which its part");
});

test("P1: what does not inherit a component of its part is found", () => {
  const { world, number } = worldWithInstance();
  addHidden(world, spawn(world), [Link({ part: number })]);
  expect(found(world)).toContain("neither has nor inherits Mesh of its part");
});

test("P1: what inherits without a link is found", () => {
  const { world } = worldWithInstance();
  addHidden(world, spawn(world), [inheritedOf(Mesh) as never]);
  expect(found(world)).toContain("inherits Mesh, but its entities are not linked");
});
