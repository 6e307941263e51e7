import type { Subjects } from "../subject.ts";
import { treelineIn } from "./treeline.ts";

export const subjects: Subjects = treelineIn("Parent");
