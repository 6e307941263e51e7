// Treeline's `each` with loops that the compiler has made.
import * as compiled from "../../../fixtures/each/compiled.ts";
import type { Subjects } from "../../workloads/subject.ts";
import { eachIn } from "./each.ts";

export const subjects: Subjects = eachIn(compiled);
