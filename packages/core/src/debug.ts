export { describe } from "./debug/describe.ts";
export { dump } from "./debug/dump.ts";
export { type Stats, stats } from "./debug/stats.ts";
export { verify } from "./debug/verify.ts";
