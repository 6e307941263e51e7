/**
 * Treeline, with loops by `each`, parents in the type and components in tables: as programs are written, or compiled. Only the
 * workloads that iterate: the others have nothing to compile.
 */
import { ChildOf } from "@treeline/core";
import type * as written from "../../../fixtures/each/written.ts";
import type { Subjects } from "../../workloads/subject.ts";
import { frameIn } from "./frame.ts";
import { iterationsIn } from "./loops.ts";
import { cut, IN_TABLES } from "./storages.ts";

export function eachIn(loops: typeof written): Subjects {
  const { query: _, ...iterations } = iterationsIn(ChildOf, loops);
  return {
    ...iterations,
    cut: (given) => cut(IN_TABLES, given, loops.move),
    frame: (given) => frameIn(ChildOf, given, loops),
  };
}
