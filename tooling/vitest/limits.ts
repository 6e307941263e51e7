import { HUNG } from "../scripts/tests/limits.mjs";

/** Of every project of Vitest. Tests, hooks and conditions have no limits of their own: `waits.test.ts` refuses them. */
export const limits = {
  testTimeout: HUNG,
  hookTimeout: HUNG,
  teardownTimeout: HUNG,
  expect: { poll: { timeout: HUNG } },
};

/**
 * How far random walks go in `npm test`: half as far as with 1, of which `npm run test:long` walks a multiple. From 1 on, tests also take all
 * combinations of what they otherwise draw from.
 */
export const walks = process.env.TREELINE_WALKS ?? "0.5";
export const isLong: boolean = Number(walks) >= 1;
