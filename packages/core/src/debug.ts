// What users import for debugging: `advise`, `describe`, `dump`, `stats`, `verify`.
export { onWarning } from "./base/warn.ts";
export { type Advice, advise } from "./debug/advise.ts";
export { describe, dump } from "./debug/describe.ts";
export { type PartBytes, type RelationStats, type Stats, stats } from "./debug/stats.ts";
export { verify } from "./debug/verify.ts";
