// Whether the tarball of create-treeline writes programs, offline, that pass their own checks with the tarballs of the other packages.
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib.mjs";

const HOME = "packages/create-treeline";
/** What templates depend on beside our packages: it is installed here. */
const OTHERS = {
  react: HOME,
  "react-dom": HOME,
  "@types/react": HOME,
  "@types/react-dom": HOME,
  "@types/three": HOME,
  "@types/node": "",
  typescript: "",
};

/** This one is made by what users type; npm takes a while. */
const AS_TYPED = "three";

/** Lets programs in a project of tarballs find these as well. */
function linkOthers(project) {
  mkdirSync(join(project, "node_modules/@types"), { recursive: true });
  for (const [name, folder] of Object.entries(OTHERS)) {
    const path = realpathSync(join(root, folder, "node_modules", name));
    symlinkSync(path, join(project, "node_modules", name), "junction");
  }
}

/**
 * Tasks that do not depend on one another.
 *
 * @param tarball of create-treeline.
 * @param project a folder in which all tarballs are installed.
 * @param mustPrint as in `check.mjs`.
 */
export function templateTasks(tarball, project, mustPrint) {
  linkOthers(project);
  const node = process.execPath;
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const vite = join(project, "node_modules/vite/bin/vite.js");
  const installed = join(project, "node_modules/create-treeline/dist/main.js");
  const exec = ["exec", "--offline", "--yes", `--package=${tarball}`, "--", "create-treeline"];
  const env = { npm_config_cache: join(project, ".npm-exec") };
  const expected = readFileSync(join(root, HOME, "test/expected/terminal.txt"), "utf8").trim();
  return readdirSync(join(root, HOME, "templates")).map((template) => async () => {
    const what = `template ${template}`;
    const words = [template, "--template", template];
    if (template === AS_TYPED)
      await mustPrint(`${what}, npm exec`, undefined, "npm", [...exec, ...words], project, env);
    else await mustPrint(`${what}, create-treeline`, undefined, node, [installed, ...words], project);
    const folder = join(project, template);
    await mustPrint(`${what}, tsc`, "", node, [tsc], folder);
    if (template === "terminal") await mustPrint(what, expected, node, ["dist/main.js"], folder);
    else await mustPrint(`${what}, vite build`, "", node, [vite, "build", "--logLevel", "error"], folder);
  });
}
