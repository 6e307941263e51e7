import { add, component, Disabled, type Entity, Parent, relation, spawn } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import {
  $this,
  all,
  bind,
  changed,
  collect,
  entities,
  explain,
  maybe,
  not,
  on,
  or,
  type QueryTerm,
  query,
  selfOrUp,
  up,
  variable,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Docked, Frozen, Likes, Owes, Position, Tag } from "../definitions.ts";
import { plant } from "../drawn-tree.ts";
import { matchesOf, sorted } from "../matches.ts";
import { ChildOf } from "../public/builtins.ts";
import { setWorld, verifyWorld, world } from "../test-world.ts";

const child = variable("child");
const other = variable("other");
const team = variable("team");
const Team = relation("Team", { exclusive: true });
const Nothing = component("Nothing", {});

beforeEach(setWorld);

describe.each([ChildOf, Parent])("variables that only a not names, with parents stored by %o", (storage) => {
  it("find entities without a child that has something", () => {
    const { a, b, c, d, e } = plant(world, "a\n  b\n    c\n  d\ne", storage);
    add(world, c, Position);

    const without = not(all(on(child, ChildOf($this)), on(child, Position)));
    expect(matchesOf(world, without)).toEqual(sorted([a, c, d, e]));
    add(world, d, Position);
    expect(matchesOf(world, without)).toEqual(sorted([c, d, e]));
    expect(matchesOf(world, Position, without)).toEqual(sorted([c, d]));
    expect(matchesOf(world, not(without))).toEqual(sorted([a, b]));
    verifyWorld();
  });

  it("find leaves, and parents all of whose children have something", () => {
    const { a, b, c, d, e } = plant(world, "a\n  b\n    c\n  d\ne", storage);
    for (const entity of [b, d]) add(world, entity, Frozen);

    expect(matchesOf(world, not(on(child, ChildOf($this))))).toEqual(sorted([c, d, e]));
    const allFrozen = not(all(on(child, ChildOf($this)), not(on(child, Frozen))));
    expect(matchesOf(world, allFrozen)).toEqual(sorted([a, c, d, e]));
  });
});

describe("variables inside not", () => {
  it("may be several, with or inside, and beside one that is found outside", () => {
    const [red, blue] = [spawn(world), spawn(world)];
    const [one, two, three] = [spawn(world, Team(red)), spawn(world, Team(red)), spawn(world, Team(blue))];
    add(world, one, Likes(two));
    add(world, three, Likes(one));
    const likesOwn = all(on($this, Likes(other)), on(other, Team(team)));

    expect(matchesOf(world, Team(team), not(likesOwn))).toEqual(sorted([two, three]));
    expect(matchesOf(world, Team(team), not(not(likesOwn)))).toEqual([one]);
    add(world, two, Frozen);
    const frozenOrTagged = or(on(other, Frozen), on(other, Tag));
    expect(matchesOf(world, Team(red), not(all(on($this, Likes(other)), frozenOrTagged)))).toEqual([two]);
    const byTeam = query(world, Team(team), not(likesOwn));
    expect(entities(bind(byTeam, team, red))).toEqual([two]);
  });

  it("are separate in two not, and each alternative of an or has its own", () => {
    const { a, b, c, d } = plant(world, "a\n  b\nc\n  d");
    add(world, b, Frozen);
    add(world, d, Tag);
    const frozenChild = all(on(child, ChildOf($this)), on(child, Frozen));
    const taggedChild = all(on(child, ChildOf($this)), on(child, Tag));

    expect(matchesOf(world, not(frozenChild), not(taggedChild))).toEqual(sorted([b, d]));
    expect(matchesOf(world, not(or(frozenChild, taggedChild)))).toEqual(sorted([b, d]));
    expect(matchesOf(world, or(not(frozenChild), Tag))).toEqual(sorted([b, c, d]));
    expect(matchesOf(world, not(frozenChild))).not.toContain(a);
  });

  it("count disabled entities, while matches that are disabled are left out", () => {
    const { a, b, c } = plant(world, "a\n  b\nc");
    add(world, b, Disabled);
    add(world, b, Position);
    const without = not(all(on(child, ChildOf($this)), on(child, Position)));

    expect(matchesOf(world, without)).toEqual([c]);
    expect(matchesOf(world, without, maybe(Disabled))).toEqual(sorted([b, c]));
    expect(matchesOf(world, without)).not.toContain(a);
  });

  it("follow changes of the world", () => {
    const { a, b, c } = plant(world, "a\n  b\nc");
    const leaves = query(world, not(on(child, ChildOf($this))));
    expect(sorted(entities(leaves))).toEqual(sorted([b, c]));

    add(world, c, Parent(b));
    expect(entities(leaves)).toEqual([c]);
    expect(entities(leaves)).not.toContain(a);
  });

  it("are explained", () => {
    const text = explain(query(world, Position, not(all(on(child, ChildOf($this)), on(child, Frozen)))));

    expect(text).toContain("query(Position, not(all(on(child, ChildOf($this)), on(child, Frozen))))");
    expect(text).toContain("search in not: of each row, child");
  });

  it.each<[string, (() => QueryTerm)[]]>([
    ["$this outside of not", [(): QueryTerm => ChildOf($this)]],
    ["a variable that nothing finds", [(): QueryTerm => not(or(all(on(child, up(Frozen)), Tag), Frozen))]],
    ["changes beside a variable", [(): QueryTerm => not(all(on(child, ChildOf($this)), changed(Position)))]],
    ["a variable of its own without $this", [(): QueryTerm => not(all(ChildOf(child), on(child, Frozen)))]],
    ["a bare variable", [(): QueryTerm => not(all(on(child, ChildOf($this)), child as never))]],
  ])("refuse %s", (_, terms) => {
    expect(codeOf(() => query(world, ...terms.map((make) => make())))).toBe("bad-query");
  });
});

describe("variables inside up", () => {
  let red: Entity;
  let blue: Entity;
  let tree: Readonly<Record<"a" | "b" | "c" | "d" | "e", Entity>>;

  beforeEach(() => {
    [red, blue] = [spawn(world), spawn(world)];
    tree = plant(world, "a\n  b\n    c\nd\n  e", Parent);
    add(world, tree.a, Team(red));
    add(world, tree.b, Team(blue));
    add(world, tree.d, Team(blue));
  });

  it("are each target that an ancestor has, once", () => {
    const { b, c, e } = tree;
    const matched = collect(query(world, up(Team(team)), team));

    expect(matched).toHaveLength(4);
    expect(new Set(matched.map(([of, entity]) => `${of} ${entity}`))).toEqual(
      new Set([`${red} ${b}`, `${red} ${c}`, `${blue} ${c}`, `${blue} ${e}`]),
    );
  });

  it("may be bound, found by other terms, and include the entity itself", () => {
    const { a, b, c, d, e } = tree;
    const ofTeam = query(world, up(Team(team)));
    expect(sorted(entities(bind(ofTeam, team, blue)))).toEqual(sorted([c, e]));
    expect(sorted(entities(bind(ofTeam, team, red)))).toEqual(sorted([b, c]));
    expect(matchesOf(world, selfOrUp(Team(team)), on(team, Frozen))).toEqual([]);
    add(world, red, Frozen);
    expect(matchesOf(world, selfOrUp(Team(team)), on(team, Frozen))).toEqual(sorted([a, b, c]));
    expect(matchesOf(world, Team(team), up(Team(team)))).toEqual([]);
    add(world, e, Team(blue));
    expect(matchesOf(world, Team(team), up(Team(team)))).toEqual([e]);
    expect(matchesOf(world, Team(team), not(on($this, up(Team(team)))))).toEqual(sorted([a, b, d]));
  });

  it("follow another relation", () => {
    const inner = spawn(world, Docked(tree.a));

    expect(matchesOf(world, up(Team(team), { relation: Docked }), on(team, Nothing))).toEqual([]);
    expect(collect(query(world, up(Team(team), { relation: Docked }), team))).toEqual([[red, inner]]);
  });

  it("are refused where values would be passed, and inside or and on", () => {
    expect(codeOf(() => query(world, up(Owes(team))))).toBe("bad-query");
    expect(codeOf(() => query(world, Team(team), or(up(Team(team)), Tag)))).toBe("bad-query");
    expect(codeOf(() => query(world, Team(team), maybe(up(Team(team)))))).toBe("bad-query");
  });
});
