import { Parent } from "@treeline/core";
import type { Holdings } from "../weigh-holdings.ts";
import { holdingsIn } from "./treeline-grow.ts";

export const holdings: Holdings = holdingsIn(Parent);
