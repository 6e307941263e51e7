// Packs the packages and uses the tarballs as a user would: a fresh project, offline, type-checked with each way to resolve
// modules, bundled by Vite and esbuild, shown by an editor, and run by Node, Deno and Bun. publint and attw read the tarballs as well.
import { execFile } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { isOurs, readJson, readText, root } from "../lib.mjs";
import { HUNG } from "../tests/limits.mjs";
import { tool, toolCommand } from "../tools.mjs";
import { problemsInEditor } from "./editor.mjs";
import { packAll } from "./pack.mjs";
import { copyPrograms, largerBundles } from "./programs.mjs";
import { templateTasks } from "./templates.mjs";

const BUDGETS = "tooling/scripts/packages/budgets.json";
const PROJECT = "tooling/scripts/packages/project";
/** `npm publish` in a package's own folder would publish what this repository needs of it. */
const NOT_HERE = "echo run npm run release at the root && exit 1";
const EXPECTED = "Ship::Cockpit::Seat 1 [ 7 ] cycle 0 true Ship 0 [ 5, 0, 0 ] true";
const REQUIRED = "1 { x: 1 }";
const RESOLUTIONS = {
  bundler: ["--module", "esnext", "--moduleResolution", "bundler"],
  node16: ["--module", "node16", "--moduleResolution", "node16"],
  nodenext: ["--module", "nodenext", "--moduleResolution", "nodenext"],
};

let failures = 0;
function report(what, problem) {
  console.log(`packages: ${what}${problem === undefined ? "" : ` FAILED\n${problem}`}`);
  if (problem !== undefined) failures += 1;
}

/** Runs a program; when it has ended, the promise has what it printed. */
function run(command, args, cwd, env = {}) {
  const options = {
    cwd,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", ...env },
    timeout: HUNG,
    maxBuffer: 2 ** 26,
    shell: process.platform === "win32" && command === "npm",
  };
  return new Promise((resolve) => {
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      const refused = error !== null && typeof error.code !== "number" ? error : "";
      resolve({
        status: error === null ? 0 : error.code, // a text if it was not started
        output: `${stdout}${stderr}${refused}`.trim(),
        printed: stdout.trim(),
      });
    });
    child.stdin?.end();
  });
}

/** Runs tasks that do not depend on each other, as many at once as there are processors. */
async function runAll(tasks) {
  const left = [...tasks];
  const lane = async () => {
    for (let task = left.shift(); task !== undefined; task = left.shift()) await task();
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, lane));
}

/** Runs a program, which must succeed and, if a text is given, print exactly that. */
async function mustPrint(what, expected, command, args, cwd, env) {
  const { status, output, printed } = await run(command, args, cwd, env);
  const isRight = status === 0 && (expected === undefined || printed === expected);
  report(what, isRight ? undefined : `ended with ${status} and printed\n${output.slice(-2000)}`);
}

/** Whether a tarball can be installed without a network: it depends on nothing but our packages. */
const standsAlone = ({ manifest }) => Object.keys(manifest.dependencies ?? {}).every(isOurs);

/** What every published manifest has, and what a link in a README must be. */
function checkManifest({ folder, manifest }) {
  const { name, version, repository, homepage, keywords, engines, license, scripts } = manifest;
  const problems = [];
  if (repository?.directory !== folder) problems.push("repository.directory is not its folder");
  if (!/^git\+https:/.test(repository?.url ?? "")) problems.push("repository.url is not an address");
  if (!/^https:/.test(homepage ?? "")) problems.push("homepage is missing");
  if (!(keywords?.length > 0)) problems.push("keywords are missing");
  if (engines?.node !== readJson("package.json").engines.node)
    problems.push("engines.node differs from the root's");
  if (scripts?.prepublishOnly !== NOT_HERE) problems.push("npm publish in its folder is not refused");
  if (license !== "MIT") problems.push("license is not that of the project");
  for (const [dependency, range] of Object.entries(manifest.dependencies ?? {})) {
    if (isOurs(dependency) && range !== version)
      problems.push(`${dependency} is ${range}, not the exact version ${version}`);
  }
  for (const [, link] of readText(`${folder}/README.md`).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (!/^(?:https:|#)/.test(link)) problems.push(`README.md has the relative link ${link}`);
  }
  report(`manifest and README of ${name}`, problems.length === 0 ? undefined : problems.join("\n"));
}

/** Tarballs stay within the bytes and files of `budgets.json`. `--accept` makes these the measured ones, and leaves room for one per cent. */
function checkBudgets(tarballs) {
  const accepts = process.argv.includes("--accept");
  const budgets = accepts ? {} : readJson(BUDGETS);
  for (const { manifest, bytes, files } of tarballs) {
    const { name } = manifest;
    if (accepts) budgets[name] = { bytes: Math.ceil(bytes * 1.01), files };
    const isWithin = bytes <= budgets[name]?.bytes && files <= budgets[name].files;
    const measured = `${name} unpacks to ${bytes} bytes in ${files} files`;
    report(
      measured,
      isWithin ? undefined : `${BUDGETS} has ${JSON.stringify(budgets[name])}; --accept writes it`,
    );
  }
  if (accepts) writeFileSync(join(root, BUDGETS), `${JSON.stringify(budgets, undefined, 2)}\n`);
}

/** A copy of the project with the tarballs installed; Vite and three are those of this repository. */
async function freshProject(parent, tarballs) {
  const folder = join(parent, "project");
  cpSync(join(root, PROJECT), folder, { recursive: true });
  const manifest = readJson(`${PROJECT}/package.json`);
  const dependencies = Object.fromEntries(
    tarballs.map(({ manifest, path }) => [manifest.name, `file:${path}`]),
  );
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ ...manifest, dependencies, devDependencies: {} }),
  );
  const installing = [
    "install",
    "--offline",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--legacy-peer-deps",
  ];
  await mustPrint("npm install of the tarballs, offline", undefined, "npm", installing, folder, {
    npm_config_cache: join(folder, ".npm"),
  });
  const others = { vite: "node_modules/vite", three: "packages/three/node_modules/three" }; // there is no network
  for (const [name, path] of Object.entries(others))
    symlinkSync(realpathSync(join(root, path)), join(folder, "node_modules", name), "junction");
  return folder;
}

function typeTasks(folder) {
  const tasks = [];
  const { node16: _, ...some } = RESOLUTIONS; // TypeScript 5.9 is slow, and resolves our packages as by nodenext there
  const compilers = [
    ["TypeScript 7", join(root, "node_modules/.bin/tsc"), RESOLUTIONS],
    ["TypeScript 5.9", commandOf("tsc"), some],
  ];
  for (const [compiler, path, resolutions] of compilers) {
    if (path === undefined) continue;
    for (const [resolution, options] of Object.entries(resolutions)) {
      const what = `${compiler}, moduleResolution ${resolution}`;
      tasks.push(() => mustPrint(what, "", path, ["-p", ".", ...options], folder));
    }
  }
  return tasks;
}

async function checkVite(folder) {
  const vite = join(folder, "node_modules/vite/bin/vite.js");
  await mustPrint("vite build", "", process.execPath, [vite, "build", "--logLevel", "warn"], folder);
  const assets = join(folder, "dist/assets");
  const bundle = readdirSync(assets).find((name) => name.endsWith(".js"));
  await mustPrint("the bundle of Vite", EXPECTED, process.execPath, [join(assets, bundle)], folder);
}

async function checkRuntimes(folder) {
  // Node 20 does not run TypeScript.
  await build({
    absWorkingDir: folder,
    entryPoints: ["src/main.ts"],
    outfile: "main.mjs",
    bundle: true,
    packages: "external",
    format: "esm",
    target: "es2023",
  });
  await mustPrint("node, import", EXPECTED, process.execPath, ["main.mjs"], folder);
  await mustPrint(
    "node, import, development",
    EXPECTED,
    process.execPath,
    ["-C", "development", "main.mjs"],
    folder,
  );
  await mustPrint("node, require", REQUIRED, process.execPath, ["--no-warnings", "required.cjs"], folder);
  const deno = commandOf("deno");
  if (deno !== undefined) {
    await mustPrint("deno", EXPECTED, deno, ["run", "src/main.ts"], folder, {
      DENO_DIR: join(folder, ".deno"),
    });
  }
  const bun = commandOf("bun");
  if (bun !== undefined) await mustPrint("bun", EXPECTED, bun, ["run", "src/main.ts"], folder);
}

async function checkPrograms(folder) {
  const { shipped, development } = copyPrograms(folder);
  const node = process.execPath;
  await mustPrint("programs", shipped.expected, node, [shipped.path], folder);
  const checked = ["-C", "development", development.path];
  await mustPrint("programs, development", development.expected, node, checked, folder);
}

/** The ways to resolve modules in which packages that have modules only cannot be imported. */
const WITHOUT_MODULES = ["node10", "node16-cjs"];

/**
 * publint reads manifests and files, attw whether types and modules agree in each way to resolve them. In this process:
 * TypeScript, which attw runs, takes seconds to warm up.
 */
async function checkTarballs(tarballs) {
  const publint = await moduleOf("publint");
  const attw = await moduleOf("@arethetypeswrong/core");
  for (const { manifest, path } of tarballs) {
    const { name } = manifest;
    const bytes = new Uint8Array(readFileSync(path));
    if (publint !== undefined) {
      const { messages } = await publint.publint({ pack: { tarball: bytes.buffer }, strict: true });
      reportProblems(`publint ${name}`, messages);
    }
    if (attw !== undefined && manifest.exports !== undefined) {
      const { types, problems = [] } = await attw.checkPackage(attw.createPackageFromTarballData(bytes));
      const ours = problems.filter(({ resolutionKind }) => !WITHOUT_MODULES.includes(resolutionKind));
      reportProblems(`attw ${name}`, types === false ? ["it has no types"] : ours);
    }
  }
}

function reportProblems(what, problems) {
  report(what, problems.length === 0 ? undefined : JSON.stringify(problems, undefined, 2).slice(0, 2000));
}

function sayLeftOut(name, missing) {
  if (missing !== undefined) console.log(`packages: ${name.toUpperCase()} WAS LEFT OUT: ${missing}`);
}

/** The command of a tool; says loudly if there is none. */
function commandOf(name) {
  const { path, missing } = toolCommand(name);
  sayLeftOut(name, missing);
  return path;
}

/** The module of a tool; says loudly if there is none. */
async function moduleOf(name) {
  const { module, missing } = await tool(name);
  sayLeftOut(name, missing);
  return module;
}

const folder = mkdtempSync(join(tmpdir(), "treeline-"));
try {
  const tarballs = await packAll(folder);
  for (const one of tarballs) checkManifest(one);
  checkBudgets(tarballs);
  const others = tarballs.filter((one) => !standsAlone(one));
  for (const { manifest } of others)
    console.log(`packages: ${manifest.name} is not installed: it depends on packages of others`);
  const creator = tarballs.find(({ manifest }) => manifest.bin !== undefined);
  const installed = tarballs.filter((one) => !others.includes(one));
  const project = await freshProject(folder, installed);
  await runAll([
    ...typeTasks(project), // first, because they take longest
    ...templateTasks(creator.path, project, mustPrint),
    () => checkTarballs(tarballs),
    () => checkVite(project),
    () => checkRuntimes(project),
    () => checkPrograms(project),
    async () => reportProblems("what editors show", await problemsInEditor(installed, project)),
    async () => reportProblems("bundles of programs", await largerBundles(project)),
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
