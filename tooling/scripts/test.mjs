// What `npm test` runs after the build: first what needs no test to fail, lint beside types, then the tests. These use all cores; the checks
// that use one run beside them, and print what they said when they end. The first failure decides the exit code; what runs beside it still
// runs to its end.
import { spawn } from "node:child_process";
import { root } from "./lib.mjs";

const LINT = [
  ["npm", "run", "-s", "lint"],
  ["npm", "run", "-s", "check:layers"],
];
const TYPES = [["npm", "run", "-s", "check:types"]];
const TESTS = [
  ["npx", "vitest", "run", "--config", "tooling/vitest/vitest.config.ts"],
  ["npx", "vitest", "run", "--config", "tooling/vitest/shipped.config.ts"],
];
const CHECKS = [
  ["node", "tooling/scripts/check-api.mjs"],
  ["node", "tooling/scripts/packages/check-changesets.mjs"],
  ["node", "tooling/scripts/reference/check.mjs"],
  ["node", "tooling/scripts/check-size.mjs"],
  ["node", "tooling/scripts/packages/check.mjs"],
];

/** @returns its exit code: 1 for a command that a signal ended, or that could not start. */
function run([command, ...args], isQuiet) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, TREELINE_BUNDLED: "1" }, // see tooling/vitest/vitest.config.ts
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

/** @returns the first exit code that is not 0, or 0. */
const firstFailure = (statuses) => statuses.find((status) => status !== 0) ?? 0;

const status = firstFailure(await Promise.all([runAll(LINT), runAll(TYPES, true)]));
process.exit(status || firstFailure(await Promise.all([runAll(TESTS), runAll(CHECKS, true)])));
