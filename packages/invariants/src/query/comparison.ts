/** A question that is asked on both sides, while its answers come. */
import type { Entity } from "@treeline/core";
import type { FastWorld } from "../step/fast-world.ts";
import { same } from "../step/same.ts";
import type { Twin } from "../twin/rules.ts";
import type { Asking, Match, Question } from "./twin.ts";
import { givesOne } from "./twin.ts";
import { isGiven, strangeCall } from "./values.ts";

export interface Comparison {
  readonly fast: FastWorld;
  readonly asking: Asking;
  readonly question: Question;
  readonly query: object;
  readonly story: () => string;
  /** Called while somebody is visited. */
  readonly onGuest: (() => void) | undefined;
}

/** Visits in one way. @returns who came. */
export type Visit = (comparison: Comparison, expected: readonly Match[]) => Twin[];

export function guest({ fast, asking, story, onGuest }: Comparison, handle: Entity): Twin {
  const twin = fast.twins.get(handle);
  if (twin === undefined) throw new Error(`${story()}: visits the unknown handle ${handle}`);
  if (!asking.slow.living.has(twin)) throw new Error(`${story()}: visits e${twin}, which is dead`);
  onGuest?.();
  return twin;
}

/** What visitors are called with: one argument for each term that gives one, and the entity. */
type Call = (args: readonly unknown[]) => Twin;

/** Every call is one of the answers that are left: who answers several times is told with other values each time. */
export function callOf(comparison: Comparison, expected: readonly Match[]): Call {
  const { fast, question, story } = comparison;
  const giving = question.terms.filter(givesOne);
  const left = [...expected];
  return (args) => {
    same(args.length, giving.length + 1, () => `${story()}: arguments`);
    const twin = guest(comparison, args[giving.length] as Entity);
    const at = left.findIndex(
      (answer) =>
        answer.twin === twin &&
        giving.every((term, place) => isGiven(fast, term, args[place], answer.given[place])),
    );
    if (at < 0) throw new Error(`${story()}: ${strangeCall(fast, giving, args, twin, expected)}`);
    left.splice(at, 1);
    return twin;
  };
}
