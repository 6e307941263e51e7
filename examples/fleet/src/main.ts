import { tour } from "./ask.ts";

console.log(tour());
