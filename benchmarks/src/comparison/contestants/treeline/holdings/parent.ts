// The memory of Treeline with parents by `Parent`.
import { Parent } from "@treeline/core";
import type { Holdings } from "../../../memory/holdings.ts";
import { holdingsIn } from "./holdings.ts";

export const holdings: Holdings = holdingsIn(Parent);
