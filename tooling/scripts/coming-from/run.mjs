// `npm run coming-from`: compiles and runs the programs in C and Rust of docs/coming-from, and compares what they print with the page.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readText } from "../lib.mjs";
import { pairsOf } from "./pairs.mjs";

/** The crate of the page about bevy. */
const BEVY_ECS = "0.17";

const folder = mkdtempSync(join(tmpdir(), "coming-from-"));
let failed = 0;
let passed = 0;

function run(command, args, cwd = folder) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  return {
    isOk: error === undefined && status === 0,
    stdout: stdout ?? "",
    message: error?.message ?? stderr,
  };
}

function compare(name, { isOk, stdout, message }, expected) {
  const printed = stdout.trim();
  if (isOk && printed === expected) passed += 1;
  else {
    failed += 1;
    console.error(`coming-from: ${name} ${isOk ? `prints\n${printed}\ninstead of\n${expected}` : message}`);
  }
}

/** @returns why the programs were not run, if they were not. */
function runFlecs(pairs) {
  const source = process.env.FLECS ?? "";
  if (!existsSync(join(source, "flecs.c"))) {
    return "set FLECS to the folder that has flecs.c and flecs.h, such as distr/ of a checkout of Flecs 4.1";
  }
  const { isOk, message } = run("gcc", ["-std=gnu11", "-O1", "-c", join(source, "flecs.c"), "-o", "flecs.o"]);
  if (!isOk) return `gcc does not compile flecs.c: ${message}`;
  for (const [place, { program, output }] of pairs.entries()) {
    writeFileSync(join(folder, `${place}.c`), program);
    const libraries = ["flecs.o", "-lm", "-lpthread"];
    const built = run("gcc", ["-std=gnu11", `-I${source}`, `${place}.c`, ...libraries, "-o", `${place}.out`]);
    compare(
      `program ${place + 1} of Flecs`,
      built.isOk ? run(join(folder, `${place}.out`), []) : built,
      output,
    );
  }
}

/** @returns why the programs were not run, if they were not. */
function runBevy(pairs) {
  const crate = join(folder, "bevy");
  mkdirSync(join(crate, "src/bin"), { recursive: true });
  const manifest = `[package]\nname = "pairs"\nversion = "0.0.0"\nedition = "2024"\n\n[dependencies]\nbevy_ecs = "${BEVY_ECS}"\n`;
  writeFileSync(join(crate, "Cargo.toml"), manifest);
  for (const [place, { program }] of pairs.entries()) {
    writeFileSync(join(crate, `src/bin/p${place}.rs`), program);
  }
  const { isOk, message } = run("cargo", ["fetch", "--quiet"], crate);
  if (!isOk) return `cargo cannot fetch bevy_ecs ${BEVY_ECS}: ${message.trim().split("\n").at(-1)}`;
  for (const [place, { output }] of pairs.entries()) {
    compare(
      `program ${place + 1} of bevy`,
      run("cargo", ["run", "--quiet", "--bin", `p${place}`], crate),
      output,
    );
  }
}

try {
  for (const [page, runAll] of Object.entries({ flecs: runFlecs, bevy: runBevy })) {
    const leftOut = runAll(pairsOf(readText(`docs/coming-from/${page}.md`)));
    if (leftOut !== undefined)
      console.log(`coming-from: THE PROGRAMS OF ${page.toUpperCase()} WERE NOT RUN: ${leftOut}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`coming-from: ${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
