import {
  add,
  createWorld,
  type Entity,
  entityOf,
  observe,
  remove,
  spawn,
  spawnMany,
  type World,
} from "@treeline/core";
import { destroyAll, indexOf, parseTerm, removeFromAll } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import {
  Alias,
  childNamed,
  configureNames,
  ensurePath,
  findAll,
  lookup,
  Name,
  pathOf,
  place,
  rename,
} from "../../../src/index.ts";
import { Any, ChildOf, relation } from "../../definitions.ts";
import { codeOf, refusalOf } from "../../fleet.ts";
import { dump, get, isAlive, parentOf, verify } from "../../reading.ts";

const In = relation("In", { traversable: true });
const On = relation("On", { traversable: true });

/**
 *   Bag
 *     (In) Potion
 *       (In) Cork
 *     (ChildOf) Strap
 *   Box
 *     (In) Potion
 *   Potion
 */
function bags(): {
  world: World;
  bag: Entity;
  box: Entity;
  potion: Entity;
  cork: Entity;
  strap: Entity;
  other: Entity;
  root: Entity;
} {
  const world = createWorld();
  configureNames(world, { along: In });
  const bag = spawn(world, Name("Bag"));
  const box = spawn(world, Name("Box"));
  const potion = spawn(world, Name("Potion"), In(bag));
  const cork = spawn(world, Name("Cork"), In(potion));
  const strap = spawn(world, Name("Strap"), ChildOf(bag));
  const other = spawn(world, In(box), Name("Potion"));
  const root = spawn(world, Name("Potion"));
  return { world, bag, box, potion, cork, strap, other, root };
}

function destroy(world: World, entity: Entity): void {
  destroyAll(world, [indexOf(entity)]);
}

describe("names along a relation", () => {
  it("are unique for each target, for each parent and at the roots", () => {
    const { world, bag, box, potion, cork, other, root } = bags();

    expect([potion, cork, other, root].map((entity) => pathOf(world, entity))).toEqual([
      "Bag::Potion",
      "Bag::Potion::Cork",
      "Box::Potion",
      "Potion",
    ]);
    expect(
      ["Bag::Potion", "Bag::Potion::Cork", "Box::Potion", "Potion"].map((path) => lookup(world, path)),
    ).toEqual([potion, cork, other, root]);
    expect([bag, box].map((scope) => childNamed(world, scope, "Potion"))).toEqual([potion, other]);
    expect(verify(world)).toEqual([]);
  });

  it("are in the scope of the parent for an entity that has one", () => {
    const { world, bag, box, strap } = bags();

    add(world, strap, In(box));

    expect([pathOf(world, strap), lookup(world, "Box::Strap"), childNamed(world, bag, "Strap")]).toEqual([
      "Bag::Strap",
      undefined,
      strap,
    ]);
    remove(world, strap, ChildOf(Any));
    expect([pathOf(world, strap), lookup(world, "Bag::Strap")]).toEqual(["Box::Strap", undefined]);
    add(world, strap, ChildOf(bag));
    expect(pathOf(world, strap)).toBe("Bag::Strap");
    expect(verify(world)).toEqual([]);
  });

  it("follow the first of several relations", () => {
    const { world, bag, box } = bags();
    configureNames(world, { along: [On, In] });
    const cup = spawn(world, Name("Cup"), In(bag));

    add(world, cup, On(box));
    const both = pathOf(world, cup);
    configureNames(world, { along: [In, On] });

    expect([both, pathOf(world, cup)]).toEqual(["Box::Cup", "Bag::Cup"]);
    remove(world, cup, In(Any));
    expect(pathOf(world, cup)).toBe("Box::Cup");
    expect(verify(world)).toEqual([]);
  });

  it("lead paths, patterns and look-ups through what contains an entity, named or not", () => {
    const { world, bag, potion, cork, strap } = bags();
    const crumb = spawn(world, In(potion));

    expect(pathOf(world, crumb)).toBe(`Bag::Potion::#${indexOf(crumb)}`);
    expect(lookup(world, pathOf(world, crumb))).toBe(crumb);
    expect(lookup(world, "Potion::Cork", { from: bag })).toBe(cork);
    expect(pathOf(world, cork, { from: bag })).toBe("Potion::Cork");
    expect(findAll(world, "Bag::*")).toEqual([strap, potion]);
    expect(findAll(world, "**::Cork")).toEqual([cork]);
    expect(findAll(world, "Bag::**")).toEqual([bag, strap, potion, cork, crumb]);
    expect(findAll(world, "*").length).toBe(3);
    expect(lookup(world, "Strap", { from: cork, upwards: true })).toBe(strap);
  });

  it("refuse a taken name when an entity is put, moved, taken out or named, without a trace", () => {
    const { world, bag, box, potion, other } = bags();
    const elixir = spawn(world, In(bag));
    const relationEntity = entityOf(world, In);
    const taken = (change: () => void): void => {
      expect(refusalOf(world, change).code).toBe("name-taken");
    };

    taken(() => spawn(world, Name("Potion"), In(bag)));
    taken(() => spawnMany(world, 2, Name("Cup"), In(bag)));
    taken(() => add(world, other, In(bag)));
    taken(() => remove(world, other, In(box)));
    taken(() => remove(world, other, In(Any)));
    taken(() => rename(world, potion, "Strap"));
    taken(() => add(world, elixir, Name("Potion")));
    taken(() => removeFromAll(world, parseTerm(world, In(Any))));
    taken(() => destroy(world, box));
    taken(() => destroy(world, relationEntity));
    expect(pathOf(world, other)).toBe("Box::Potion");
  });

  it("let a destroyed entity's own name go to what it contained", () => {
    const { world, box, root, other } = bags();
    destroy(world, root);
    rename(world, box, "Potion");

    destroy(world, box);

    expect([pathOf(world, other), lookup(world, "Potion")]).toEqual(["Potion", other]);
    expect(verify(world)).toEqual([]);
  });

  it("are not checked where entities lose them in the same destruction", () => {
    const { world, bag, other, root, box } = bags();
    const names = entityOf(world, Name);
    add(world, box, ChildOf(names));
    const told: string[] = [];
    observe(world, { set: Name }, () => told.push("set"));

    destroyAll(world, [indexOf(names)]);

    expect([told, isAlive(world, box), get(world, other, Name)]).toEqual([[], false, undefined]);
    expect([get(world, bag, Name), get(world, root, Name), verify(world)]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });

  it("give suffixes in the new scope under that policy", () => {
    const { world, bag, box, other, cork } = bags();
    configureNames(world, { collisions: "suffix" });

    add(world, other, In(bag));
    expect(pathOf(world, other)).toBe("Bag::Potion (2)");
    add(world, cork, In(box));
    spawn(world, Name("Cork"));
    destroy(world, box);
    expect(pathOf(world, cork)).toBe("Cork (2)");
    expect(verify(world)).toEqual([]);
  });

  it("may be shared under the policy that allows it, and the first to arrive is found", () => {
    const { world, bag, potion, other } = bags();
    configureNames(world, { collisions: "allow" });

    add(world, other, In(bag));
    expect(lookup(world, "Bag::Potion")).toBe(potion);
    remove(world, potion, In(Any));
    expect(lookup(world, "Bag::Potion")).toBe(other);
    expect(verify(world)).toEqual([]);
  });

  it("give way to aliases at the roots only", () => {
    const { world, bag, cork, potion } = bags();
    add(world, bag, Alias("Cork"));

    expect([lookup(world, "Cork"), lookup(world, "Bag::Potion::Cork")]).toEqual([bag, cork]);
    expect(refusalOf(world, () => remove(world, cork, In(potion))).code).toBe("name-taken");
  });

  it("end in a step by index where a parent and a relation make a circle", () => {
    const { world, bag, potion } = bags();
    add(world, bag, ChildOf(potion));

    const text = pathOf(world, potion);

    expect(text).toBe(`#${indexOf(bag)}::Potion`);
    expect(lookup(world, text)).toBe(potion);
    expect(lookup(world, "Nothing", { from: bag, upwards: true })).toBe(undefined);
    expect(findAll(world, "**", { from: bag }).includes(bag)).toBe(false);
    expect(verify(world)).toEqual([]);
  });
});

describe("ensurePath and place along a relation", () => {
  it("create by the relation where it is given as the storage", () => {
    const { world, bag } = bags();

    const gem = ensurePath(world, "Bag::Pouch::Gem", { storage: In });

    expect([parentOf(world, gem), pathOf(world, gem), lookup(world, "Bag::Pouch::Gem")]).toEqual([
      undefined,
      "Bag::Pouch::Gem",
      gem,
    ]);
    expect(childNamed(world, bag, "Pouch")).not.toBe(undefined);
    expect(codeOf(() => ensurePath(world, "Bag::Cup", { storage: On }))).toBe("bad-term");
  });

  it("move an entity from one container to another, or from a parent into a container", () => {
    const { world, potion, strap, other } = bags();

    place(world, potion, "Box::Second Potion");
    place(world, strap, "Box::Strap", { storage: In });
    place(world, other, "Bag::Potion", { storage: ChildOf });

    expect([potion, strap, other].map((entity) => pathOf(world, entity))).toEqual([
      "Box::Second Potion",
      "Box::Strap",
      "Bag::Potion",
    ]);
    expect([parentOf(world, potion), parentOf(world, strap)]).toEqual([undefined, undefined]);
    expect(verify(world)).toEqual([]);
  });

  it("do not take an entity below itself, even if missing ancestors would be children", () => {
    const { world, potion } = bags();

    const { code } = refusalOf(world, () => place(world, potion, "New::Potion", { from: potion }));

    expect(code).toBe("cycle");
  });

  it("take an entity out of its container for a path of one step", () => {
    const { world, potion, box, other } = bags();

    place(world, potion, "Flask");

    expect([pathOf(world, potion), lookup(world, "Bag::Potion")]).toEqual(["Flask", undefined]);
    expect(refusalOf(world, () => place(world, other, "Potion")).code).toBe("name-taken");
    expect(refusalOf(world, () => place(world, box, "Box::Potion::x", { storage: In })).code).toBe("cycle");
  });
});

describe("configureNames with along", () => {
  it("gives present names their scopes, and takes them back", () => {
    const world = createWorld();
    const bag = spawn(world, Name("Bag"));
    const potion = spawn(world, Name("Potion"), In(bag));

    configureNames(world, { along: [In] });
    expect([pathOf(world, potion), lookup(world, "Potion")]).toEqual(["Bag::Potion", undefined]);
    configureNames(world, { along: [] });
    expect([pathOf(world, potion), lookup(world, "Bag::Potion")]).toEqual(["Potion", undefined]);
    expect(verify(world)).toEqual([]);
  });

  it("refuses present conflicts without a trace, also together with other options", () => {
    const { world, potion } = bags();

    expect(refusalOf(world, () => configureNames(world, { along: [] })).code).toBe("name-taken");
    expect(
      refusalOf(world, () => configureNames(world, { along: [], collisions: "suffix", separator: "/" })).code,
    ).toBe("name-taken");
    expect(pathOf(world, potion)).toBe("Bag::Potion");
    configureNames(world, { along: [], collisions: "allow" });
    expect(refusalOf(world, () => configureNames(world, { along: On, collisions: "error" })).code).toBe(
      "name-taken",
    );
    configureNames(world, { along: In, collisions: "error" });
    expect(pathOf(world, potion)).toBe("Bag::Potion");
  });

  it("refuses an alias that would be the name of a root", () => {
    const { world, bag } = bags();
    add(world, bag, Alias("Cork"));
    expect(refusalOf(world, () => configureNames(world, { along: On })).code).toBe("name-taken");
  });

  it("takes only exclusive, traversable relations", () => {
    const { world } = bags();
    const Likes = relation("Likes", { exclusive: true });
    const Needs = relation("Needs", { traversable: true, exclusive: false });

    for (const along of [Likes, Needs, ChildOf, [In, Likes], [undefined], "In", Name, Any]) {
      expect(refusalOf(world, () => configureNames(world, { along: along as never })).code).toBe("bad-value");
    }
  });

  it("keeps the scopes if it is not given", () => {
    const { world, potion } = bags();
    configureNames(world, { separator: "/" });
    expect([pathOf(world, potion), isAlive(world, potion), get(world, potion, Name)]).toEqual([
      "Bag/Potion",
      true,
      "Potion",
    ]);
    expect(dump(world)).toContain("Potion");
  });
});
