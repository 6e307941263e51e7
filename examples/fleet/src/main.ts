// Prints the `report`.
import { report } from "./queries.ts";

console.log(report());
