// Treeline with components in tables.
import type { Subjects } from "../../workloads/subject.ts";
import { storedIn } from "./storages.ts";

export const subjects: Subjects = storedIn("table");
