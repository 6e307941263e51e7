import { Any, ChildOf, type Entity } from "@treeline/core";
import { not, type Plain, type QueryTerm } from "../src/index.ts";
import { anyone, type Facts, Frozen, Harms, Likes, Local, Mark, Placed, type Twin } from "./twin.ts";

/** A random question: its terms, who answers it, and which pairs with data it asks for, in order. */
export interface ParsedTerm {
  readonly terms: readonly QueryTerm[];
  readonly holds: (facts: Facts) => boolean;
  readonly harmed: readonly Entity[];
  readonly text: string;
}

interface Part {
  readonly term: Plain;
  readonly text: string;
  readonly holds: (facts: Facts) => boolean;
  /** The target, if it is a pair with data. */
  readonly harmed?: Entity;
}

function pairPart(twin: Twin, target: Entity): Part {
  const relation = twin.dice.pick([ChildOf, Likes, Harms]);
  const text = `${relation.name}(${target})`;
  if (relation === ChildOf) return { term: ChildOf(target), text, holds: ({ parent }) => parent === target };
  const link = relation === Likes ? Likes : Harms;
  const holds: Part["holds"] = ({ targets }) => targets.get(link)!.has(target);
  return { term: link(target), text, holds, ...(link === Harms ? { harmed: target } : {}) };
}

function anyPart(twin: Twin): Part {
  const relation = twin.dice.pick([ChildOf, Likes, Harms]);
  const text = `${relation.name}(Any)`;
  if (relation === ChildOf) return { term: ChildOf(Any), text, holds: ({ parent }) => parent !== undefined };
  const link = relation === Likes ? Likes : Harms;
  return { term: link(Any), text, holds: ({ targets }) => targets.get(link)!.size > 0 };
}

function plainPart({ dice }: Twin): Part {
  const what = dice.pick([Local, Placed, Frozen]);
  return { term: what, text: what.name, holds: ({ has }) => has.has(what) };
}

/** @param targets how many terms name an entity. */
export function randomQuestion(twin: Twin, targets: number): ParsedTerm {
  const { dice, dead } = twin;
  const parts: Part[] = [];
  for (let at = 0; at < targets; at++) {
    const isDead = dead.length > 0 && dice.chance(0.1);
    parts.push(pairPart(twin, isDead ? dice.pick(dead) : anyone(twin)));
  }
  if (dice.chance(0.3)) parts.push(anyPart(twin));
  if (dice.chance(0.5)) parts.push(plainPart(twin));

  const terms: QueryTerm[] = [Mark];
  const texts: string[] = [];
  const harmed: Entity[] = [];
  const tests: ((facts: Facts) => boolean)[] = [];
  for (const { term, text, holds, harmed: target } of parts) {
    if (dice.chance(0.35)) {
      terms.push(not(term));
      texts.push(`not ${text}`);
      tests.push((facts) => !holds(facts));
    } else {
      terms.push(term);
      texts.push(text);
      tests.push(holds);
      if (target !== undefined) harmed.push(target);
    }
  }
  return { terms, harmed, text: texts.join(", "), holds: (facts) => tests.every((test) => test(facts)) };
}

/** Everybody who answers, in no order. */
export function matchesIn({ living }: Twin, { holds }: ParsedTerm): Entity[] {
  return [...living].filter(([, facts]) => holds(facts)).map(([entity]) => entity);
}
