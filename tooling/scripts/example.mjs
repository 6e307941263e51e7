// `npm run example files -- ./packages`: installs and builds what is missing, then runs an example with the arguments
// after its name. An example that is a page is served by Vite, which prints its address. Both use the shipped bundles of the packages,
// unless NODE_ENV is "development" for a page. Without a name, lists the examples.
import { spawnSync } from "node:child_process";
import { basename, join } from "node:path";
import { examplesIn, readJson, root } from "./lib.mjs";

const pages = examplesIn("browser");
const examples = [...examplesIn("node"), ...pages].sort();

/** Runs a script of Node, and ends with its exit code unless that is 0. */
function runOrExit(path, args = [], cwd = root) {
  const { status } = spawnSync(process.execPath, [join(root, path), ...args], { cwd, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

function listExamples() {
  const names = examples.map((folder) => basename(folder));
  const width = Math.max(...names.map((name) => name.length));
  return [
    "usage: npm run example NAME -- [arguments of the example]",
    "",
    ...examples.map((folder, at) => {
      return `  ${names[at].padEnd(width)}  ${readJson(`${folder}/package.json`).description}`;
    }),
  ].join("\n");
}

const [name, ...args] = process.argv.slice(2);
const folder = examples.find((each) => basename(each) === name);
if (folder !== undefined) {
  runOrExit("tooling/scripts/bootstrap.mjs");
  runOrExit("tooling/scripts/build.mjs");
  if (pages.includes(folder)) {
    process.env.NODE_ENV ??= "production";
    runOrExit("node_modules/vite/bin/vite.js", [folder, ...args]);
  } else {
    // Paths among the arguments are relative to the caller's folder; npm runs scripts at the root.
    const typedIn = process.env.npm_lifecycle_event === "example" ? process.env.INIT_CWD : undefined;
    runOrExit(`${folder}/dist/main.js`, args, typedIn ?? process.cwd());
  }
} else if (name === undefined) {
  console.log(listExamples());
} else {
  console.error(`error: there is no example ${JSON.stringify(name)}\n\n${listExamples()}`);
  process.exitCode = 1;
}
