// Treeline with components in sparse storage.
import type { Subjects } from "../../workloads/subject.ts";
import { storedIn } from "./storages.ts";

export const subjects: Subjects = storedIn("sparse");
