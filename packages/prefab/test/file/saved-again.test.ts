import {
  add,
  asTag,
  ChildOf,
  createWorld,
  type Entity,
  get,
  pairsOf,
  relation,
  remove,
  set,
  spawn,
  targetOf,
} from "@treeline/core";
import { fromDocument, toDocument, writeJson } from "@treeline/document/json";
import { lookup, Name } from "@treeline/names";
import { children, destroy } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { beforeEach, expect, test } from "vitest";
import { loadPrefabs, PrefabKey, prefabs } from "../../src/document.ts";
import { IsA, instantiate, overridesOf, partOf, prefab, refreshInstances, revert } from "../../src/index.ts";
import { Aim, Near, newWorld, Position, world } from "../cases/fixture.ts";

const Guards = relation("Guards", { exclusive: true });
const definitions = [Position, Aim, Near];
let tank: Entity;
let turret: Entity;

beforeEach(() => {
  newWorld();
  tank = prefab(world, PrefabKey("tank"), Name("Tank"));
  turret = spawn(world, ChildOf(tank), Name("Turret"), Position({ x: 2 }));
});

/** The text of an instance, after the prefabs and it were saved, loaded into another world, and saved again. */
function again(instance: Entity, library: { readonly [key: string]: Entity } = { tank }): [string, string] {
  const documents = new Map(Object.entries(library).map(([key, root]) => [key, textOf(world, root)]));
  const text = textOf(world, instance);
  const other = createWorld();
  const loaded = loadPrefabs(other, documents, { definitions });
  for (const [key, root] of loaded) expect(textOf(other, root)).toBe(documents.get(key));
  const [root] = fromDocument(other, text, { definitions, prefabs });
  return [text, textOf(other, root!)];
}

function textOf(of: typeof world, root: Entity): string {
  return writeJson(toDocument(of, { root, prefabs }));
}

test("a part that has no name, since it was taken, has none after loading", () => {
  const one = instantiate(world, tank, { with: [Name("One")] });
  spawn(world, ChildOf(one), Name("Flag"));
  spawn(world, ChildOf(tank), Name("Flag"), Position({ x: 7 }));
  refreshInstances(world, tank);
  const [text, second] = again(one);
  expect(text).toContain('"parts":{"3":{"name":null}}');
  expect(second).toBe(text);
});

test("fields and pairs to a part that the instance has not point to nothing, whether they came by refreshing or by loading", () => {
  const one = instantiate(world, tank, { with: [Name("One")] });
  destroy(world, partOf(world, one, turret)!);
  add(world, tank, Aim({ at: turret }), Near(turret));
  const hatch = spawn(world, ChildOf(tank), Name("Hatch"), Aim({ at: turret }), Near(turret), asTag(turret));
  refreshInstances(world, tank);
  const own = partOf(world, one, hatch)!;
  for (const entity of [one, own]) {
    expect(get(world, entity, Aim)!.at).toBe(undefined);
    expect(pairsOf(world, entity).filter(({ relation }) => relation === Near)).toEqual([]);
  }
  expect(overridesOf(world, one).map(({ kind }) => kind)).toEqual(["missing"]);
  const [text, second] = again(one);
  expect(text).not.toContain("Near");
  expect(second).toBe(text);

  revert(world, one);
  const back = partOf(world, one, turret);
  expect(back).not.toBe(undefined);
  expect([one, own].map((entity) => get(world, entity, Aim)!.at)).toEqual([back, back]);
});

test("an exclusive pair follows the prefab to another target, where the instance has not the former one", () => {
  const hatch = spawn(world, ChildOf(tank), Name("Hatch"));
  add(world, tank, Guards(turret));
  const one = instantiate(world, tank);
  destroy(world, partOf(world, one, turret)!);
  remove(world, tank, Guards(turret));
  add(world, tank, Guards(hatch));
  refreshInstances(world, tank);
  expect(targetOf(world, one, Guards)).toBe(partOf(world, one, hatch));
});

test("a field that was set to an entity of the prefab itself points to it after loading", () => {
  add(world, tank, Aim({ at: turret }));
  const one = instantiate(world, tank, { with: [Name("One")] });
  set(world, one, Aim, { at: turret });
  const [text, second] = again(one);
  expect(text).toContain('"$path":["Tank","Turret"]');
  expect(second).toBe(text);
});

test("of two entities for one part of a prefab, one is the part; the other one has an address of its own", () => {
  const other = instantiate(world, tank);
  const heavy = prefab(world, PrefabKey("heavy"), Name("Heavy"), IsA(tank));
  attach(world, children(world, other)[0]!, children(world, heavy)[0]!);
  const one = instantiate(world, heavy, { with: [Name("One")] });
  add(world, lookup(world, "One::Turret::Turret")!, Name("Second"), Near(one));
  const [text, second] = again(one, { tank, heavy });
  expect(text).toContain('"parts":{"2":{"name":"Second","pairs":{"Near":[{"$entity":1}]}}}');
  expect(second).toBe(text);
});

test("what was moved below an inner instance, from elsewhere in the prefab, has an address of its own", () => {
  const heavy = prefab(world, PrefabKey("heavy"), Name("Heavy"), IsA(tank));
  const inner = instantiate(world, tank, { parent: heavy, with: [Name("Inner")] });
  const part = children(world, heavy)[0]!;
  set(world, part, Name, "Moved");
  attach(world, part, inner);
  const one = instantiate(world, heavy, { with: [Name("One")] });
  const [text, second] = again(one, { tank, heavy });
  expect(second).toBe(text);
});
