/** The context of one comparison of a query in both worlds. */
import type { Entity } from "@treeline/core";
import type { RealWorld } from "../step/real-world.ts";
import { same } from "../step/same.ts";
import type { Twin } from "../twin/rules.ts";
import type { Match, QueryContext, QueryDescription } from "./twin.ts";
import { hasOutput } from "./twin.ts";
import { isEqualOutput, unexpectedCall } from "./values.ts";

export interface Comparison {
  readonly real: RealWorld;
  readonly context: QueryContext;
  readonly description: QueryDescription;
  readonly query: object;
  readonly label: () => string;
  /** Called for each match during the iteration. */
  readonly onMatch: (() => void) | undefined;
}

/** Iterates with one method. @returns the matches. */
export type IterateMethod = (comparison: Comparison, expected: readonly Match[]) => Twin[];

export function twinOfMatch({ real, context, label, onMatch }: Comparison, handle: Entity): Twin {
  const twin = real.twins.get(handle);
  if (twin === undefined) throw new Error(`${label()}: iterates the unknown handle ${handle}`);
  if (!context.naive.living.has(twin)) throw new Error(`${label()}: iterates e${twin}, which is not alive`);
  onMatch?.();
  return twin;
}

/** The arguments of a callback: one for each term with an output, and the entity. */
type Call = (args: readonly unknown[]) => Twin;

/** Every call is one of the remaining matches: an entity that matches several times has other values each time. */
export function callOf(comparison: Comparison, expected: readonly Match[]): Call {
  const { real, description, label } = comparison;
  const outputTerms = description.terms.filter(hasOutput);
  const left = [...expected];
  return (args) => {
    same(args.length, outputTerms.length + 1, () => `${label()}: arguments`);
    const twin = twinOfMatch(comparison, args[outputTerms.length] as Entity);
    const at = left.findIndex(
      (match) =>
        match.twin === twin &&
        outputTerms.every((term, place) => isEqualOutput(real, term, args[place], match.outputs[place])),
    );
    if (at < 0) throw new Error(`${label()}: ${unexpectedCall(real, outputTerms, args, twin, expected)}`);
    left.splice(at, 1);
    return twin;
  };
}
