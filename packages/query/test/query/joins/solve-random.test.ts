import type { Entity, SpawnTerm, TermPattern, Variable, World } from "@treeline/core";
import { add, has, isAlive, isDisabled, pack, remove, spawn } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { destroy, type Plain, type Query, type QueryTerm, query } from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { DockedTo, Frozen, Includes, Knows, Likes } from "../../definitions.ts";
import { Any, asTag, ChildOf, Disabled, DisabledTree, Parent } from "../../public/builtins.ts";
import { createWorld, tag } from "../../public/define.ts";
import { maybe, not } from "../../public/filters.ts";
import { bind, unbind } from "../../public/parts.ts";
import { on, variable } from "../../public/terms.ts";
import { createDice, type Dice, seeds } from "../../random/dice.ts";
import { indexOf } from "../../world-state.ts";
import { inOrder, solved } from "./solved.ts";

const Heavy = tag("Heavy");
const LINKS = [Likes, DockedTo, Knows, Includes] as const;
const RELATIONS = [ChildOf, ChildOf, Parent, ...LINKS] as const;
const VARIABLES = [variable("a"), variable("b"), variable("c")];

interface Bunch {
  readonly world: World;
  readonly dice: Dice;
  readonly shareByValue: number;
  /** No more are spawned then. */
  readonly most: number;
  /** The maximum in one query. */
  readonly variables: number;
  readonly spawned: Entity[];
}

function livingIn({ world, spawned }: Bunch): Entity[] {
  return spawned.filter((one) => isAlive(world, one));
}

function change(bunch: Bunch): void {
  const { world, dice, shareByValue, spawned } = bunch;
  const living = livingIn(bunch);
  const below = (parent: Entity): SpawnTerm => (dice.chance(shareByValue) ? Parent(parent) : ChildOf(parent));
  if (living.length < 5 || (living.length < bunch.most && dice.chance(0.3))) {
    const tags = [Frozen, Heavy].filter(() => dice.chance(0.3));
    spawned.push(
      spawn(world, ...tags, ...(living.length > 0 && dice.chance(0.8) ? [below(dice.pick(living))] : [])),
    );
    return;
  }
  const [one, other] = [dice.pick(living), dice.pick(living)];
  const changes: (() => unknown)[] = [
    () => codeOf(() => add(world, one, below(other))),
    () => remove(world, one, ChildOf(Any)),
    () => add(world, one, dice.pick(LINKS)(other)),
    () => add(world, one, dice.pick(LINKS)(other)),
    () => add(world, one, dice.pick(LINKS)(other)),
    () => remove(world, one, dice.pick(LINKS)(Any)),
    () => add(world, one, asTag(other)),
    () => remove(world, one, asTag(other)),
    () => add(world, one, dice.pick([Frozen, Heavy])),
    () => remove(world, one, dice.pick([Frozen, Heavy])),
    () => dice.chance(0.3) && add(world, one, dice.pick([Disabled, DisabledTree])),
    () => remove(world, one, dice.pick([Disabled, DisabledTree])),
    () => dice.chance(0.2) && destroy(world, one),
    () => dice.chance(0.2) && pack(world),
  ];
  dice.pick(changes)();
}

/** What a term's ends are bound to: the matched entity, and the variables. */
type Case = readonly [entity: Entity, ...variables: Entity[]];

interface Part {
  readonly term: QueryTerm;
  readonly text: string;
  /** So many variables have to be known. */
  readonly needs: number;
  readonly holds: (one: Case) => boolean;
}

/** What an entity can have: as part of a term, and as `has` accepts it in a case. */
interface What {
  readonly plain: Plain;
  readonly text: string;
  readonly needs: number;
  readonly in: (one: Case) => TermPattern;
}

/** 0 for a given entity. */
function placeOf(end: number): number {
  return VARIABLES.indexOf(end as Variable) + 1;
}

function endIn(end: number, one: Case): Entity {
  return placeOf(end) === 0 ? (end as Entity) : one[placeOf(end)]!;
}

function textOf(end: number): string {
  return placeOf(end) === 0 ? `e${indexOf(end)}` : "abc"[placeOf(end) - 1]!;
}

function pairOf({ dice }: Bunch, target: number): What {
  const relation = dice.pick(RELATIONS);
  return {
    plain: relation(target as Variable),
    text: `${relation.name}(${textOf(target)})`,
    needs: placeOf(target),
    in: (one) => relation(endIn(target, one)),
  };
}

function plainOf({ dice }: Bunch, target: Entity): What {
  const relation = dice.pick(RELATIONS);
  const what = dice.pick([Frozen, Heavy]);
  const [tested, text] = dice.pick<[TermPattern, string]>([
    [what, what.name],
    [relation(Any), `${relation.name}(Any)`],
    [Any(target), `Any(${textOf(target)})`],
    [Any(Any), "Any(Any)"],
    [asTag(target), textOf(target)],
  ]);
  return { plain: tested, text, needs: 0, in: () => tested };
}

function partOf(bunch: Bunch, free: readonly Variable[]): Part {
  const { world, dice, spawned } = bunch;
  const given = dice.chance(0.95) ? dice.pick(livingIn(bunch)) : dice.pick(spawned);
  const v = dice.pick(free);
  const isSo = (entity: Entity, tested: TermPattern): boolean =>
    isAlive(world, entity) && has(world, entity, tested);

  function own(what: What): Part {
    return { ...what, term: what.plain, holds: (one) => isSo(one[0], what.in(one)) };
  }
  function excluded(what: What): Part {
    const term = not(what.plain as TermPattern);
    return { needs: 0, term, text: `not(${what.text})`, holds: (one) => !isSo(one[0], what.in(one)) };
  }
  function onEnd(source: Entity | Variable, what: What): Part {
    return {
      needs: Math.max(what.needs, placeOf(source)),
      term: on(source, what.plain),
      text: `on(${textOf(source)}, ${what.text})`,
      holds: (one) => isSo(endIn(source, one), what.in(one)),
    };
  }
  const parts: (() => Part)[] = [
    () => own(pairOf(bunch, v)),
    () => own(pairOf(bunch, v)),
    () => own(pairOf(bunch, given)),
    () => own(plainOf(bunch, given)),
    () => excluded(pairOf(bunch, given)),
    () => excluded(plainOf(bunch, given)),
    () => onEnd(v, pairOf(bunch, dice.pick([...free, given]))),
    () => onEnd(given, pairOf(bunch, v)),
    () => onEnd(v, plainOf(bunch, given)),
  ];
  return dice.pick(parts)();
}

/** All cases in which all parts hold, by trying all entities for everything. */
function tried(bunch: Bunch, { plan, bound, world }: Query, parts: readonly Part[]): Entity[][] {
  const living = livingIn(bunch);
  const iterated = living.filter((one) => plan.namesDisabled || !isDisabled(world, one));
  let cases: Entity[][] = iterated.map((one) => [one]);
  for (let known = 0; known <= VARIABLES.length; known++) {
    if (known > 0) {
      const place = plan.variables.indexOf(VARIABLES[known - 1]!);
      const handle = place < 0 ? 0 : bound[place]!;
      const choices =
        place < 0 ? [0 as Entity] : handle === 0 ? living : living.filter((entity) => entity === handle);
      cases = cases.flatMap((before) => choices.map((entity) => [...before, entity]));
    }
    const now = parts.filter(({ needs }) => needs === known);
    cases = cases.filter((one) => now.every(({ holds }) => holds(one as unknown as Case)));
  }
  return cases.map((one) => [one[0]!, ...plan.variables.map((name) => one[placeOf(name)]!)]);
}

/** @returns how many matches were compared. */
function compare(bunch: Bunch): number {
  const { world, dice, spawned } = bunch;
  const free = VARIABLES.slice(0, 1 + dice.below(bunch.variables));
  const parts = Array.from({ length: 1 + dice.below(4) }, () => partOf(bunch, free));
  const terms = parts.map(({ term }) => term);
  if (dice.chance(0.2)) terms.push(maybe(Disabled));
  const tested = query(world, ...terms);
  const { variables } = tested.plan;
  if (variables.length === 0) return 0;
  for (const one of variables) {
    const isBound = dice.chance(0.25);
    const entity = dice.pick(dice.chance(0.9) ? livingIn(bunch) : spawned);
    if (isBound) bind(tested, one as Variable, entity);
    else unbind(tested, one as Variable);
  }
  const text = `${parts.map((part) => part.text).join(", ")} with ${tested.bound.map(indexOf)}`;

  const expected = inOrder(tried(bunch, tested, parts));

  expect(inOrder(solved(tested)), text).toEqual(expected);
  return expected.length;
}

describe("the solver finds what trying all entities for everything finds", () => {
  it.each([
    ["parents in types", 0, 10, 3],
    ["parents as values", 1, 10, 3],
    ["both storages", 0.5, 10, 3],
    ["both storages, more of everything", 0.5, 50, 2],
  ])("%s", (_, shareByValue, most, variables) => {
    let count = 0;
    for (const seed of seeds(1, 4)) {
      const bunch: Bunch = {
        world: createWorld(),
        dice: createDice(seed),
        shareByValue,
        most,
        variables,
        spawned: [],
      };
      for (let step = 0; step < 30; step++) {
        for (let again = 0; again < 6; again++) change(bunch);
        for (let again = 0; again < 3; again++) count += livingIn(bunch).length > 0 ? compare(bunch) : 0;
      }
    }
    expect(count).toBeGreaterThan(125 * seeds(1, 4).length);
  });
});
