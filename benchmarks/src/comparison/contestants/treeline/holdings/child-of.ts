// The memory of Treeline with parents by `ChildOf`.
import { ChildOf } from "@treeline/core";
import type { Holdings } from "../../../memory/holdings.ts";
import { holdingsIn } from "./holdings.ts";

export const holdings: Holdings = holdingsIn(ChildOf);
