import type { Component, Entity, Tag, Variable } from "@treeline/core";
import { readers } from "../../term/draft.ts";
import { type Plain, type ReadOf, type Wrapped, wrap } from "../../term/operators.ts";
import { givenReader } from "../../term/read-given.ts";
import { givenGiving } from "../outputs/give-given.ts";
import { givings } from "../outputs/givers.ts";
import { hasFalseAside, lookAside } from "../rows/look-aside.ts";
import { engine } from "../state/engine.ts";
import { given } from "../state/sight.ts";

/**
 * A term about one given entity, or about a variable, instead of those who are visited: `on(game, Paused)`. If it does not
 * hold, nobody is visited. Hands over that entity's value, read-only. `up` and `selfOrUp` may be inside.
 *
 * With a variable, terms are joined: `query(world, DockedTo(ship), on(ship, MemberOf(team)), MemberOf(team))`.
 *
 * Cost: one look at the entity before each visit; of a variable that is free, one for each that it may stand for. With `up`
 * inside, each look goes up step by step.
 */
export function on<const T extends Plain | Wrapped<"up" | "selfOrUp">>(
  entity: Entity | Variable,
  what: T,
): Wrapped<"on", ReadOf<T>> {
  bringGiven();
  return wrap("on", [what], entity);
}

/**
 * A component on the entity that stands for it: one value for the whole world. `add(world, entityOf(world, Time), Time)` makes
 * it. Hands over the value, read-only; while it is not there, nobody is visited. Cost: as `on`.
 */
export function singleton<const T extends Component | Tag>(what: T): Wrapped<"on", ReadOf<T>> {
  bringGiven();
  return wrap("on", [what], what);
}

function bringGiven(): void {
  readers.on = givenReader;
  given.lookAside = lookAside;
  engine.hasFalseAside = hasFalseAside;
  givings.on = givenGiving;
}
