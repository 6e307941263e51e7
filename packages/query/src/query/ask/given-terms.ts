import type { Component, Entity, Tag, Variable } from "@treeline/core";
import { isVariable, isWrapped, type Plain, type ReadOf, type Wrapped } from "../../term/operators.ts";
import { type Aside, type AsideTest, type Draft, giftOf, namesTarget } from "../../term/plan.ts";
import {
  demandTest,
  give,
  note,
  placeOf,
  questionIn,
  type Reader,
  refuse,
  requireHandle,
  wrap,
} from "../../term/read.ts";
import { givenGiving, givings } from "../outputs/givers.ts";
import { hasFalseAside, lookAside } from "../rows/gather.ts";
import { engine } from "../state/scene.ts";
import { relationOf } from "./ancestor-terms.ts";

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
  return wrap("on", givenReader, [what], entity);
}

/**
 * A component on the entity that stands for it: one value for the whole world. `add(world, entityOf(world, Time), Time)` makes
 * it. Hands over the value, read-only; while it is not there, nobody is visited. Cost: as `on`.
 */
export function singleton<const T extends Component | Tag>(what: T): Wrapped<"on", ReadOf<T>> {
  bringGiven();
  return wrap("on", givenReader, [what], what);
}

function bringGiven(): void {
  engine.lookAside = lookAside;
  engine.hasFalseAside = hasFalseAside;
  givings.on = givenGiving;
}

const givenReader: Reader = {
  demand(draft, term) {
    const test = givenTest(draft, term);
    const { source, definition, target, relation } = draft.asides[test.aside]!;
    if (relation !== undefined || !(isVariable(source) || isVariable(target))) demandTest(draft, test);
    else {
      draft.bonds.push({ source, definition, target, clause: -1 });
      give(draft, giftOf(test));
    }
  },
  test: givenTest,
};

/** What is asked of a given entity stands in the list of the plan once. */
function givenTest(draft: Draft, { of, by }: Wrapped): AsideTest {
  const what = of[0];
  const above = isWrapped(what) ? what : undefined;
  if (above !== undefined && above.operator !== "up" && above.operator !== "selfOrUp")
    refuse("on takes a plain term, up or selfOrUp");
  if (isVariable(by)) note(draft.variables, by);
  const question = questionIn(draft, above === undefined ? what : above.of[0]);
  const { definition, target } = question;
  const relation = above === undefined ? undefined : relationOf(above.by);
  const isSingleton = typeof by === "function";
  if (isSingleton && definition.kind === "relation") refuse("singleton takes a component or tag");
  if (!isSingleton && !isVariable(by)) requireHandle(draft.world, by as Entity);
  const source = isSingleton ? 0 : (by as number);
  const self = above?.operator === "selfOrUp";
  draft.namesEntity ||= source > 0 || (namesTarget(question) && !isVariable(target));
  const aside = { definition, target, source, relation, self };
  const keys = Object.keys(aside) as (keyof Aside)[];
  return { kind: "on", definition, target, aside: placeOf(draft.asides, aside, keys) };
}
