/**
 * Treeline, with parents in the type (ChildOf) or as a value (Parent). It is used as the README's "Hot loops" and "Questions"
 * describe: whole columns by `eachRun`, parents first by `eachBatch`, both with kernels; children of one parent after another by
 * a query with a variable; templates by `clone`. Rows are in the order of creation: nothing is packed.
 */
import { ChildOf, Parent } from "@treeline/core";
import type { Subjects } from "../../workloads/subject.ts";
import { changesIn } from "./changes.ts";
import { frameIn } from "./frame.ts";
import { freshIn } from "./fresh.ts";
import { iterationsIn } from "./loops.ts";
import { manyIn } from "./many.ts";
import { naming } from "./names.ts";
import { ownIn } from "./own.ts";

export function treelineIn(storage: "ChildOf" | "Parent"): Subjects {
  const below = storage === "ChildOf" ? ChildOf : Parent;
  return {
    ...iterationsIn(below),
    ...changesIn(below),
    ...manyIn(below),
    ...ownIn(below),
    ...freshIn(below),
    names: (given) => naming(below, given),
    frame: (given) => frameIn(below, given),
  };
}
