import { Any, ChildOf, type Entity } from "@treeline/core";
import { not, type Plain, type QueryTerm } from "../../src/index.ts";
import { anyEntity, Frozen, Harms, Likes, Local, Mark, Placed, type Traits, type Twin } from "./twin.ts";

/** A random query: its terms, the entities that match, and the pairs with data that it requires, in order. */
export interface TwinQuery {
  readonly terms: readonly QueryTerm[];
  readonly holds: (traits: Traits) => boolean;
  readonly harmed: readonly Entity[];
  readonly text: string;
}

interface Part {
  readonly term: Plain;
  readonly text: string;
  readonly holds: (traits: Traits) => boolean;
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
export function randomTwinQuery(twin: Twin, targets: number): TwinQuery {
  const { dice, dead } = twin;
  const parts: Part[] = [];
  for (let at = 0; at < targets; at++) {
    const isDead = dead.length > 0 && dice.chance(0.1);
    parts.push(pairPart(twin, isDead ? dice.pick(dead) : anyEntity(twin)));
  }
  if (dice.chance(0.3)) parts.push(anyPart(twin));
  if (dice.chance(0.5)) parts.push(plainPart(twin));

  const terms: QueryTerm[] = [Mark];
  const texts: string[] = [];
  const harmed: Entity[] = [];
  const tests: ((traits: Traits) => boolean)[] = [];
  for (const { term, text, holds, harmed: target } of parts) {
    if (dice.chance(0.35)) {
      terms.push(not(term));
      texts.push(`not ${text}`);
      tests.push((traits) => !holds(traits));
    } else {
      terms.push(term);
      texts.push(text);
      tests.push(holds);
      if (target !== undefined) harmed.push(target);
    }
  }
  return { terms, harmed, text: texts.join(", "), holds: (traits) => tests.every((test) => test(traits)) };
}

/** All entities that match, in no order. */
export function matchesIn({ living }: Twin, { holds }: TwinQuery): Entity[] {
  return [...living].filter(([, traits]) => holds(traits)).map(([entity]) => entity);
}
