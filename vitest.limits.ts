import { HUNG } from "./scripts/tests/limits.mjs";

/** Of every project of Vitest. Tests, hooks and conditions have no limits of their own: `waits.test.ts` refuses them. */
export const limits = {
  testTimeout: HUNG,
  hookTimeout: HUNG,
  teardownTimeout: HUNG,
  expect: { poll: { timeout: HUNG } },
};
