// The memory of Treeline with components in sparse storage.
import type { Holdings } from "../../../memory/holdings.ts";
import { equipIn } from "../storages.ts";

export const holdings: Holdings = { equip: equipIn("sparse") };
