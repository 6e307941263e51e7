import { add, type Entity, remove } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { count, destroy, each, entities, type Query, type QueryTerm, query } from "../../src/index.ts";
import { Docked, Likes, Tag } from "../definitions.ts";
import { Any, ChildOf, Disabled, Parent } from "../public/builtins.ts";
import { relation } from "../public/define.ts";
import { maybe, not, or } from "../public/filters.ts";
import { bind, page, unbind } from "../public/parts.ts";
import { cascade, on, selfOrUp, up, variable } from "../public/terms.ts";
import { Heavy, named, setUpNamedWorld, Warm } from "./named-world.ts";

/** A free variable is bound to each of its targets in turn: the matches are those of all targets together. */

const Member = relation("Member", { exclusive: true });
const v = variable("target");

let all: Entity[];

setUpNamedWorld();

beforeEach(() => {
  plant();
});

/** Three levels in both storages, with values, tags, other pairs and a few disabled entities. */
function plant(): void {
  const { world, spawnNamed, addOwn } = named;
  const roots = ["r0", "r1", "r2"].map((name) => spawnNamed(name));
  const second = roots.flatMap((root, at) => [
    spawnNamed(`f${at}`, ChildOf(root)),
    spawnNamed(`k${at}`, Parent(root)),
  ]);
  const third = second.flatMap((one, at) => [
    spawnNamed(`a${at}`, Parent(one)),
    spawnNamed(`b${at}`, ChildOf(one)),
  ]);
  all = [...roots, ...second, ...third];
  all.forEach((one, at) => {
    if (at % 2 === 0) add(world, one, Tag);
    if (at % 3 === 0) addOwn(one, Warm);
    if (at % 4 === 0) addOwn(one, Heavy);
    if (at % 5 === 4) add(world, one, Docked(all[at - 4]!));
    if (at % 3 === 2) add(world, one, Member(all[at % 4]!));
    if (at % 4 === 2) add(world, one, Likes(all[at - 1]!));
    if (at % 4 === 3) add(world, one, Likes(all[at - 3]!));
    if (at % 11 === 7) add(world, one, Disabled);
  });
  add(world, third[0]!, Likes(second[0]!));
}

/** The entity, what the variable is bound to, and everything that is passed, as text. */
function textsOf(tested: Query): string[] {
  const found: string[] = [];
  each(tested, (...row: unknown[]) => {
    const values = row.map((one) =>
      typeof one === "object" ? `{${(one as { of?: number }).of}}` : String(one),
    );
    found.push(values.join(" "));
  });
  return found;
}

const RELATIONS = [
  ["ChildOf", ChildOf],
  ["Parent", Parent],
  ["a relation that can be followed", Docked],
  ["an exclusive one", Member],
  ["one with many targets", Likes],
] as const;

const rests: [string, () => QueryTerm[]][] = [
  ["nothing else", () => []],
  ["a tag", () => [Tag]],
  ["values", () => [Warm, maybe(Heavy)]],
  ["something excluded", () => [not(Tag)]],
  ["ancestors", () => [up(Warm), maybe(up(Heavy, { relation: Docked }))]],
  ["ancestors or itself", () => [selfOrUp(Warm)]],
  ["no such ancestors", () => [not(up(Warm))]],
  ["parents first", () => [cascade(Warm), maybe(Heavy)]],
  ["children first", () => [cascade(Warm, { desc: true })]],
  ["a value of the target", () => [on(v, Warm)]],
  ["a tag of the target", () => [on(v, Tag), Tag]],
  ["a tag and a value of the target", () => [on(v, Tag), on(v, Heavy)]],
  ["an ancestor of the target", () => [on(v, up(Warm))]],
  ["a parent of the target", () => [on(v, ChildOf(Any))]],
  ["alternatives", () => [or(Tag, up(Heavy))]],
  ["a pair with the target, or not", () => [not(Likes(v)), maybe(ChildOf(v))]],
  ["a target that is given", () => [not(ChildOf(all[0]!)), not(Likes(all[1]!))]],
  ["disabled entities", () => [maybe(Disabled)]],
  ["given entities", () => [on(all[0]!, Warm), maybe(on(all[1]!, Heavy)), maybe(on(all[3]!, up(Tag)))]],
];

describe.each(RELATIONS)("a free target of %s", (_, link) => {
  it.each(rests)("with %s matches for each target what it matches when set to that", (_rest, rest) => {
    const tested = query(named.world, link(v), v, ...rest()) as Query;
    const free = textsOf(unbind(tested, v));

    const one = all.flatMap((target) => textsOf(bind(tested, v, target)));

    expect(free.toSorted()).toEqual(one.toSorted());
    expect(new Set(free).size).toBe(free.length);
    expect(count(unbind(tested, v))).toBe(free.length);
  });

  it("follows the world: moves, values, destructions, disabled entities", () => {
    const { world } = named;
    const tested = query(world, link(v), v, maybe(up(Warm)), maybe(on(v, Heavy))) as Query;
    const changes = [
      () => add(world, all[5]!, ChildOf(all[4]!)),
      () => add(world, all[9]!, Parent(all[3]!)),
      () => remove(world, all[3]!, Warm),
      () => named.addOwn(all[2]!, Heavy),
      () => add(world, all[4]!, Disabled),
      () => destroy(world, all[3]!),
      () => add(world, all[8]!, Likes(all[2]!)),
      () => remove(world, all[4]!, ChildOf(Any)),
    ];

    for (const change of changes) {
      change();
      const one = all.flatMap((target) => textsOf(bind(tested, v, target)));
      expect(textsOf(unbind(tested, v)).toSorted()).toEqual(one.toSorted());
    }
  });

  it("can be cut into pages", () => {
    const tested = query(named.world, link(v)) as Query;
    const whole = entities(tested);

    expect([0, 3, 6, 9, 12, 15, 18].flatMap((at) => entities(page(tested, at, 3)))).toEqual(whole);
  });
});

describe("parents first with a free variable", () => {
  it.each([false, true])("holds over all matches together: children first is %s", (desc) => {
    const tested = query(named.world, ChildOf(v), cascade(Warm, { desc }), maybe(Disabled));
    const levels = named
      .inOrder(tested)
      .split(" ")
      .map((name) => (/[fk]/.test(name) ? 1 : 2));

    expect(levels).toHaveLength(18);
    expect(levels).toEqual(desc ? levels.toSorted((one, other) => other - one) : levels.toSorted());
  });
});
