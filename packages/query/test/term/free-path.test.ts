import { spawn } from "@treeline/core";
import { describe, expect, it } from "vitest";
import type { QueryTerm } from "../../src/index.ts";
import { readTerms } from "../../src/term/read.ts";
import { Docked, Likes, Owes, Tag, Warm } from "../definitions.ts";
import { Any, ChildOf, Parent } from "../public/builtins.ts";
import { createWorld } from "../public/define.ts";
import { changed, maybe, not, or } from "../public/filters.ts";
import { groupBy, orderBy } from "../public/parts.ts";
import { cascade, on, up, variable } from "../public/terms.ts";

const [v, w] = [variable(), variable()];
const world = createWorld();
const ship = spawn(world);

describe("a free variable is found without a search", () => {
  it.each<[string, QueryTerm[], string[]]>([
    ["if it is the parent of all", [ChildOf(v)], []],
    ["beside components and ancestors", [Warm, not(Tag), ChildOf(v), up(Warm)], []],
    ["in order of depths", [ChildOf(v), cascade(Warm)], []],
    [
      "if something is required of it that archetypes decide",
      [ChildOf(v), on(v, Warm), on(v, Tag)],
      ["Warm", "Tag"],
    ],
    ["along any relation that keeps depths", [Docked(v)], []],
    ["if it is handed over", [ChildOf(v), v, maybe(on(ship, Warm))], []],
  ])("%s", (_, terms, gates) => {
    const { freePath, traversals } = readTerms(world, terms).plan;

    expect(freePath?.variable).toBe(v);
    expect(freePath?.gates.map(({ name }) => name)).toEqual(gates);
    expect(freePath?.traversals.slice(0, -1)).toEqual(traversals);
  });

  it.each<[string, QueryTerm[]]>([
    ["without a variable", [ChildOf(Any), up(Warm)]],
    ["with two", [ChildOf(v), on(v, Docked(w))]],
    ["along a relation that cannot be followed", [Likes(v)]],
    ["in the storage of values alone", [Parent(v)]],
    ["with two pairs of it", [ChildOf(v), Docked(v)]],
    ["if pairs are required of it", [ChildOf(v), on(v, Likes(Any))]],
    ["if it is required elsewhere", [ChildOf(v), not(Likes(v))]],
    ["if it is required in alternatives", [ChildOf(v), or(Tag, on(v, Warm))]],
    ["if ancestors of it are handed over", [ChildOf(v), on(v, up(Warm))]],
    ["if values of pairs are handed over", [ChildOf(v), Owes(ship)]],
    ["with changes", [ChildOf(v), changed(Warm)]],
    ["with an order", [ChildOf(v), orderBy(Warm, "of")]],
    ["with groups", [ChildOf(v), groupBy(Docked)]],
  ])("not %s", (_, terms) => {
    expect(readTerms(world, terms).plan.freePath).toBeUndefined();
  });
});
