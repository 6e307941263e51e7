// How long does the type checker take for a large program? It writes a program with `SIZE` components and as many queries, each
// with a loop that reads and writes its rows, and checks it against the declarations that users get. It fails if that takes more
// than `MOST_SECONDS` of user time: CPU time, since wall time on a busy machine says little. Needs a POSIX shell, for `times`.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib.mjs";

const SIZE = 200;
const MOST_SECONDS = 4;
const ROUNDS = 3;
const OPTIONS =
  "--noEmit --strict --target es2023 --module nodenext --moduleDetection force --lib es2023,dom --types node --ignoreConfig";

const START = `import { add, component, createWorld, entity, f32, get, observe, patch, relation, set, spawn, value } from "@treeline/core";
import { cascade, changed, each, eachRun, maybe, not, orderBy, query, rows, up } from "@treeline/query";
const world = createWorld();`;

/** One component, with what a program does with it. */
function componentText(place) {
  return `
const C${place} = component("C${place}", { x: f32, y: f32(1), count: 0, isOn: false, by: entity, name: "", list: value<readonly string[]>([]) });
const R${place} = relation("R${place}", { fields: { since: f32 } });
const e${place} = spawn(world, C${place}({ x: ${place}, name: "a" }));
add(world, e${place}, R${place}(e${place}, { since: 1 }));
set(world, e${place}, C${place}, { y: get(world, e${place}, C${place})!.x });
patch(world, e${place}, C${place}, (row) => { row.count += 1; });
observe(world, { added: C${place}, removed: C${place} }, () => {});`;
}

/** One query over components and a relation, with three loops. */
function queryText(place) {
  const [one, other, third, fourth] = [0, 1, 7, 31].map((step) => (place + step) % SIZE);
  return `
const q${place} = query(world, C${one}, C${other}, up(C${third}), maybe(C${fourth}), not(changed(C${third})), orderBy(C${one}, "x"));
each(q${place}, (one, other, above, some) => { one.x += other.y + above.x + (some?.count ?? 0); });
for (const [one, , above] of rows(q${place})) one.name = above.name;
const d${place} = query(world, C${one}, cascade(C${other}), R${place}(e${place}));
eachRun(d${place}, (run) => { run.columns(C${one}).x[run.first] = run.columns(R${place}(e${place})).since[run.first]!; });`;
}

function programText() {
  const places = Array.from({ length: SIZE }, (_, place) => place);
  return [START, ...places.map(componentText), ...places.map(queryText), ""].join("\n");
}

/** @returns the user time of a check in seconds, of all its threads. */
function checkSeconds(folder) {
  const check = `'${process.execPath}' '${join(root, "node_modules/typescript/bin/tsc")}' ${OPTIONS} program.ts`;
  const { status, stdout } = spawnSync("sh", ["-c", `${check} || exit 1; times`], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0)
    throw new Error(`the program does not satisfy the type checker:\n${stdout.slice(0, 2000)}`);
  const [, minutes, seconds] = /^(\d+)m([\d.]+)s/.exec(stdout.trim().split("\n").at(-1));
  return Number(minutes) * 60 + Number(seconds);
}

const parent = join(root, "examples/readme/dist");
mkdirSync(parent, { recursive: true });
const folder = mkdtempSync(join(parent, "types-"));
try {
  const text = programText();
  writeFileSync(join(folder, "program.ts"), text);
  const times = Array.from({ length: ROUNDS }, () => checkSeconds(folder)).sort((one, other) => one - other);
  const shown = times.map((time) => time.toFixed(2)).join(", ");
  const lines = text.split("\n").length;
  console.log(
    `types: ${SIZE} components, ${2 * SIZE} queries, ${lines} lines: ${shown} s of user time, at most ${MOST_SECONDS} s`,
  );
  // The least one: others on the machine can only add to it.
  if (times[0] > MOST_SECONDS) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
