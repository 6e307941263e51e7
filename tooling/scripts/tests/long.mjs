// `npm run test:long`: all tests with long walks and all combinations, on sources and on shipped bundles. `npm run test:long -- 40` walks ten
// times as far as without a number.
import { spawnSync } from "node:child_process";
import { root } from "../lib.mjs";

const [length = "4", ...words] = process.argv.slice(2);
const env = { ...process.env, TREELINE_WALKS: length, TREELINE_BUNDLED: "1" };
let failed = 0;
for (const config of ["tooling/vitest/vitest.config.ts", "tooling/vitest/shipped.config.ts"]) {
  const { status } = spawnSync("npx", ["vitest", "run", "--config", config, ...words], {
    cwd: root,
    env,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) failed = status ?? 1;
}
process.exit(failed);
