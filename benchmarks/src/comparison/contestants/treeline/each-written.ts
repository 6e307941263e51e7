// Treeline's `each` with callbacks as they are written.
import * as written from "../../../fixtures/each/written.ts";
import type { Subjects } from "../../workloads/subject.ts";
import { eachIn } from "./each.ts";

export const subjects: Subjects = eachIn(written);
