// A change of the public interface (`tooling/api/`) brings a note for the changelogs (`.changeset/`): in the same commit, for each commit since
// the version was last raised, and in what is not committed.
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { FRONT, readJson, root } from "../lib.mjs";
import { publishedPackages } from "./pack.mjs";

const INTERFACE = /^tooling\/api\/[^/]+\.d\.txt$/;
const NOTE = /^\.changeset\/(?!README)[^/]+\.md$/;
/** Of a later commit whose notes are also those of another one, which had none. */
const TRAILER = "Changeset-for";

function git(folder, ...args) {
  const { status, stdout } = spawnSync("git", args, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 });
  return status === 0 ? stdout : undefined;
}

/** The changes of one or two commits: [{ status: "R100", paths: [from, to] }]. A move without a change has the status R100. */
function changesIn(text) {
  const words = text.split("\0").filter((word) => word !== "");
  const changes = [];
  for (let at = 0; at < words.length; ) {
    const status = words[at];
    const count = /^[RC]/.test(status) ? 2 : 1;
    changes.push({ status, paths: words.slice(at + 1, at + 1 + count) });
    at += 1 + count;
  }
  return changes;
}

const changesInterface = (changes) =>
  changes.some(({ status, paths }) => status !== "R100" && paths.some((path) => INTERFACE.test(path)));
const bringsNote = (changes) =>
  changes.some(({ status, paths }) => status !== "D" && NOTE.test(paths[paths.length - 1]));

/**
 * A file that was moved and is not staged counts as changed.
 *
 * @returns `{ problems }`, or `{ missing }`: why nothing can be said.
 */
export function checkChangesets(folder) {
  const head = git(folder, "rev-parse", "--verify", "HEAD");
  if (head === undefined) return { missing: "there is no git history" };
  const raised = ["log", "-1", "--format=%H", "-G", '^ *"version":', "--", `${FRONT}/package.json`];
  const start = git(folder, ...raised)?.trim();
  const isShallow = git(folder, "rev-parse", "--is-shallow-repository")?.trim() === "true";
  if (isShallow) return { missing: "the clone is shallow, so commits are missing" };
  if (start === undefined || start === "") return { missing: `no commit has set the version of ${FRONT}` };

  const problems = [];
  const range = `${start}..HEAD`;
  const trailers = git(
    folder,
    "log",
    `--format=%(trailers:key=${TRAILER},valueonly)`,
    range,
    "--",
    ".changeset",
  );
  const noted = trailers.split(/\s+/).filter((hash) => hash.length >= 7);
  for (const commit of git(folder, "rev-list", "--no-merges", "--reverse", range)
    .split("\n")
    .filter(Boolean)) {
    const tree = git(
      folder,
      "diff-tree",
      "-r",
      "-M",
      "-z",
      "--no-commit-id",
      "--name-status",
      "--root",
      commit,
    );
    const changes = changesIn(tree);
    if (!changesInterface(changes) || bringsNote(changes)) continue;
    if (noted.some((hash) => commit.startsWith(hash))) continue;
    const name = git(folder, "log", "-1", "--format=%h %s", commit).trim();
    problems.push(`${name}: changes tooling/api/ without a file in .changeset/`);
  }
  const open = changesIn(git(folder, "diff", "-M", "-z", "--name-status", "HEAD"));
  const added = git(folder, "ls-files", "-z", "--others", "--exclude-standard").split("\0").filter(Boolean);
  open.push(...added.map((path) => ({ status: "A", paths: [path] })));
  if (changesInterface(open) && !bringsNote(open))
    problems.push("what is not committed changes tooling/api/ without a file in .changeset/");
  return { problems };
}

/** All packages that are published have one version: the configuration of changesets must name each. */
function unequalVersions() {
  const released = publishedPackages().map(({ manifest }) => manifest.name);
  const named = readJson(".changeset/config.json").fixed.flat();
  const missing = released.filter((name) => !named.includes(name));
  const strange = named.filter((name) => !released.includes(name));
  return [
    ...missing.map((name) => `.changeset/config.json: "fixed" does not have ${name}`),
    ...strange.map((name) => `.changeset/config.json: "fixed" has ${name}, which is not published`),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const problem of unequalVersions()) {
    console.error(`changesets: ${problem}`);
    process.exitCode = 1;
  }
  const { problems, missing } = checkChangesets(root);
  if (missing !== undefined) console.log(`changesets: THE CHECK WAS LEFT OUT: ${missing}`);
  for (const problem of problems ?? []) console.error(`changesets: ${problem}`);
  if (problems?.length > 0) {
    console.error(
      `changesets: npm run changeset writes one, npm run changeset -- --empty one for what users do not see; a commit that was pushed gets
it by a later one with "${TRAILER}: HASH" at the end of its message`,
    );
    process.exitCode = 1;
  } else if (problems !== undefined) console.log("changesets: every change of the public interface has one");
}
