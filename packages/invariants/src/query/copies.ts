/** Compares rows of `collect` again after the world has changed: they are copies, and stay the same. */
import type { Entity } from "@treeline/core";
import type { RealWorld } from "../step/real-world.ts";
import { textOf } from "../step/step.ts";
import type { Match, QueryDescription } from "./twin.ts";
import { hasOutput } from "./twin.ts";
import { isEqualOutput } from "./values.ts";

export interface Copies {
  readonly description: QueryDescription;
  readonly rows: readonly (readonly unknown[])[];
  readonly expected: readonly Match[];
}

export function compareCopies(real: RealWorld, { description, rows, expected }: Copies): void {
  const outputTerms = description.terms.filter(hasOutput);
  const left = [...expected];
  for (const row of rows) {
    const twin = real.twins.get(row[outputTerms.length] as Entity);
    const at = left.findIndex(
      (match) =>
        match.twin === twin &&
        outputTerms.every((term, place) => isEqualOutput(real, term, row[place], match.outputs[place])),
    );
    if (at < 0) throw new Error(`collect of ${textOf(description)}: the row of e${twin} has changed`);
    left.splice(at, 1);
  }
}
