// What `npm test` runs after the build. Tests use all cores; the checks that use one run beside them, and print what they said when
// they end. The first failure decides the exit code; the other half still runs to its end.
import { spawn } from "node:child_process";
import { root } from "./lib.mjs";

const QUICK = [
  ["npm", "run", "-s", "lint"],
  ["npm", "run", "-s", "check:layers"],
  ["npm", "run", "-s", "check:types"],
];
const TESTS = [
  ["npx", "vitest", "run"],
  ["npx", "vitest", "run", "--config", "vitest.shipped.config.ts"],
];
const CHECKS = [
  ["node", "scripts/check-api.mjs"],
  ["node", "scripts/check-size.mjs"],
  ["node", "scripts/packages/check.mjs"],
];

/** @returns its exit code: 1 for a command that a signal ended, or that could not start. */
function run([command, ...args], isQuiet) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, TREELINE_BUNDLED: "1" }, // see vitest.config.ts
      stdio: isQuiet ? ["ignore", "pipe", "pipe"] : "inherit",
      shell: process.platform === "win32",
    });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => said.push(chunk));
    const end = (status) => {
      process.stdout.write(Buffer.concat(said));
      if (status !== 0) console.error(`${[command, ...args].join(" ")} FAILED`);
      resolve(status ?? 1);
    };
    child.on("error", () => end(1));
    child.on("close", end);
  });
}

/** One after another, up to the first that fails. @returns its exit code, or 0. */
async function runAll(commands, isQuiet = false) {
  for (const command of commands) {
    const status = await run(command, isQuiet);
    if (status !== 0) return status;
  }
  return 0;
}

const status = await runAll(QUICK);
if (status !== 0) process.exit(status);
const [ofTests, ofChecks] = await Promise.all([runAll(TESTS), runAll(CHECKS, true)]);
process.exit(ofTests || ofChecks);
