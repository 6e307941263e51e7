/** What `collect` has given, looked at again when the world has changed: it stays what it was. */
import type { Entity } from "@treeline/core";
import type { FastWorld } from "../step/fast-world.ts";
import { textOf } from "../step/step.ts";
import type { Match, Question } from "./twin.ts";
import { givesOne } from "./twin.ts";
import { isGiven } from "./values.ts";

export interface Copies {
  readonly question: Question;
  readonly rows: readonly (readonly unknown[])[];
  readonly expected: readonly Match[];
}

export function compareCopies(fast: FastWorld, { question, rows, expected }: Copies): void {
  const giving = question.terms.filter(givesOne);
  const left = [...expected];
  for (const row of rows) {
    const twin = fast.twins.get(row[giving.length] as Entity);
    const at = left.findIndex(
      (answer) =>
        answer.twin === twin &&
        giving.every((term, place) => isGiven(fast, term, row[place], answer.given[place])),
    );
    if (at < 0) throw new Error(`collect of ${textOf(question)}: what was given for e${twin} is another now`);
    left.splice(at, 1);
  }
}
