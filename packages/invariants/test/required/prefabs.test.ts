import {
  add,
  ChildOf,
  type Component,
  component,
  createWorld,
  type Entity,
  get,
  has,
  observe,
  remove,
  type SpawnTerm,
  set,
  spawn,
  tag,
  type World,
} from "@treeline/core";
import { onWarning, verify } from "@treeline/core/debug";
import { fromDocument, toDocument } from "@treeline/document/json";
import { childNamed, Name } from "@treeline/names";
import { IsA, instantiate, overridesOf, prefab, refreshInstances, revert } from "@treeline/prefab";
import { loadPrefabs, PrefabKey, prefabs } from "@treeline/prefab/document";
import { children, destroy, each, query } from "@treeline/query";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const Copied = component("Copied", { x: 1 });
const Shared = component("Shared", { x: 1 }, { onInstantiate: "inherit" });
const Skipped = component("Skipped", { x: 1 }, { onInstantiate: "skip" });
const Requirer = tag("Requirer", { requires: [Copied, Shared, Skipped] });
/** Instances inherit it as well. */
const SharedRequirer = component(
  "SharedRequirer",
  { x: 3 },
  { onInstantiate: "inherit", requires: [Copied, Shared] },
);

const Crate = tag("Crate");
let world: World;
const warnings: string[] = [];

beforeEach(() => {
  world = createWorld();
  warnings.length = 0;
  onWarning((text) => warnings.push(text));
});
afterEach(() => {
  onWarning(undefined);
  expect(verify(world)).toEqual([]);
});

function values(one: Entity): unknown[] {
  return [Copied, Shared, Skipped].map((what) => get(world, one, what)?.x);
}

/** Does an entity read the value of its prefab? */
function follows(
  one: Entity,
  part: Entity,
  what: Component<{ x: number }, unknown, { x?: number }>,
): boolean {
  const before = get(world, part, what)!.x;
  set(world, part, what, { x: 77 });
  const isFollowing = get(world, one, what)?.x === 77;
  set(world, part, what, { x: before });
  return isFollowing;
}

const Z = { x: 5 };

/** Each way of making an instance whose root gets some terms. */
const WAYS: { readonly [name: string]: (base: Entity, terms: readonly SpawnTerm[]) => Entity } = {
  instantiate: (base, terms) => instantiate(world, base, { with: terms }),
  "instantiate with a count": (base, terms) => instantiate(world, base, { with: terms, count: 2 })[1]!,
  "instantiate in an iteration": (base, terms) => {
    spawn(world, Crate);
    let made: Entity | undefined;
    each(query(world, Crate), () => {
      made ??= instantiate(world, base, { with: terms });
    });
    return made!;
  },
  "spawn with IsA": (base, terms) => spawn(world, ...terms, IsA(base)),
  "add of IsA": (base, terms) => {
    const one = spawn(world, ...terms.slice(0, 0));
    add(world, one, ...terms, IsA(base));
    return one;
  },
};

describe.each(Object.keys(WAYS))("an instance made by %s", (way) => {
  it("has what its part has, inherits what is inherited, and gets the rest with defaults", () => {
    const base = prefab(world, Copied(Z), Shared(Z), Requirer, Skipped(Z));

    const one = WAYS[way]!(base, []);

    expect(values(one)).toEqual([5, 5, 1]);
    expect(follows(one, base, Shared)).toBe(true);
    expect(overridesOf(world, one)).toEqual([]);
  });

  it("takes what is required by what it is given from the prefab first", () => {
    const base = prefab(world, Copied(Z), Shared(Z));

    const one = WAYS[way]!(base, [Requirer]);

    expect(values(one)).toEqual([5, 5, 1]);
    expect(follows(one, base, Shared)).toBe(true);
    expect(overridesOf(world, one).map(({ kind, definition }) => `${kind} ${definition!.name}`)).toEqual([
      "added Requirer",
    ]);
  });

  it("keeps values that are given for what is required", () => {
    const base = prefab(world, Copied(Z), Shared(Z), Requirer);

    const one = WAYS[way]!(base, [Requirer, Copied({ x: 9 }), Shared({ x: 8 }), Skipped({ x: 7 })]);

    expect(values(one)).toEqual([9, 8, 7]);
    expect(follows(one, base, Shared)).toBe(false);
  });

  it("gets what a component that it inherits requires", () => {
    const base = prefab(world, SharedRequirer);
    remove(world, base, Copied);

    const one = WAYS[way]!(base, []);

    expect([get(world, one, SharedRequirer)?.x, get(world, one, Copied)?.x]).toEqual([3, 1]);
    expect(follows(one, base, SharedRequirer)).toBe(true);
    expect(follows(one, base, Shared)).toBe(true);
  });

  it("below its root has all that its parts require", () => {
    const base = prefab(world);
    const part = spawn(world, Name("Part"), ChildOf(base), Requirer, Copied(Z), Shared(Z));

    const one = childNamed(world, WAYS[way]!(base, []), "Part")!;

    expect(values(one)).toEqual([5, 5, 1]);
    expect(follows(one, part, Shared)).toBe(true);
  });
});

describe("an edit of a prefab", () => {
  let base: Entity;
  let one: Entity;
  beforeEach(() => {
    base = prefab(world, PrefabKey("base"));
    one = instantiate(world, base);
  });

  it("gives instances what is required, with the values of the part", () => {
    add(world, base, Requirer, Copied(Z), Shared(Z));
    refreshInstances(world, base);

    expect(values(one)).toEqual([5, 5, 1]);
    expect(follows(one, base, Shared)).toBe(true);
    expect(overridesOf(world, one)).toEqual([]);
  });

  it("keeps what an instance has of its own", () => {
    add(world, one, Copied({ x: 9 }));
    add(world, base, Requirer);
    refreshInstances(world, base);

    expect(values(one)).toEqual([9, 1, 1]);
    expect(overridesOf(world, one).map(({ kind, definition }) => `${kind} ${definition!.name}`)).toEqual([
      "value Copied",
    ]);
    revert(world, one);
    expect(values(one)).toEqual([1, 1, 1]);
  });

  it("takes a component and what it requires away without a warning", () => {
    add(world, base, Requirer);
    refreshInstances(world, base);

    remove(world, base, Requirer, Copied, Shared, Skipped);
    refreshInstances(world, base);

    expect([has(world, one, Requirer), has(world, one, Copied), has(world, one, Shared)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(warnings).toEqual([]);
  });

  it("by a newer file that leaves out what is required brings it all the same", () => {
    const file = (terms: readonly SpawnTerm[]): ReturnType<typeof toDocument> => {
      const other = createWorld();
      const root = prefab(other, PrefabKey("base"));
      const part = spawn(other, Name("Part"), ChildOf(root), ...terms);
      for (const what of [Copied, Shared, Skipped]) remove(other, part, what);
      return toDocument(other, { root, prefabs });
    };
    const definitions = [Requirer, Copied, Shared, Skipped];

    loadPrefabs(world, new Map([["base", file([])]]), { definitions });
    loadPrefabs(world, new Map([["base", file([Requirer])]]), { definitions });

    const [part] = children(world, base);
    const [own] = children(world, one);
    expect(values(part!)).toEqual([1, 1, 1]);
    expect(values(own!)).toEqual([1, 1, 1]);
    expect(follows(own!, part!, Shared)).toBe(true);
    expect(overridesOf(world, one)).toEqual([]);
  });
});

describe("a file of an instance", () => {
  it("that lacks what is required is loaded with it", () => {
    const base = prefab(world, PrefabKey("base"), Shared(Z));
    const root = spawn(world);
    const made = instantiate(world, base, { parent: root, with: [Requirer, Name("Made")] });
    remove(world, made, Copied);
    remove(world, made, Skipped);
    const saved = toDocument(world, { root, prefabs });

    const [top] = fromDocument(world, saved, { prefabs });

    const one = childNamed(world, top!, "Made")!;
    expect(values(one)).toEqual([1, 5, 1]);
    expect(follows(one, base, Shared)).toBe(true);
  });
});

describe("observers", () => {
  it("of an instance hear of the required first", () => {
    const Late = tag("Late", { requires: () => [After] });
    const After = tag("After");
    const base = prefab(world);
    const log: string[] = [];
    for (const what of [Late, After]) observe(world, { added: what }, () => log.push(what.name));

    instantiate(world, base, { with: [Late] });
    add(world, base, Late);
    log.push("|");
    refreshInstances(world, base);
    instantiate(world, base);

    expect(log.join(" ")).toBe("After Late After Late | After Late");
  });
});

describe("an entity that is no instance any more", () => {
  it("keeps its own values, and loses what it inherited with the prefab", () => {
    const base = prefab(world, Shared(Z));
    const one = instantiate(world, base, { with: [Requirer] });

    destroy(world, base);

    expect(values(one)).toEqual([1, undefined, 1]);
  });
});
