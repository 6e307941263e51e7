// Treeline with parents by `ChildOf`.
import type { Subjects } from "../../workloads/subject.ts";
import { treelineIn } from "./subjects.ts";

export const subjects: Subjects = treelineIn("ChildOf");
