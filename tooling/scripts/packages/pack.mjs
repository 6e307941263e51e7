// What is published, and the tarballs. The bundles and declarations in dist/ must be current.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { foldersIn, readJson } from "../lib.mjs";
import { stageAll } from "./stage.mjs";

/** The packages that are published, each after those that it depends on: [{ folder, manifest }]. */
export function publishedPackages() {
  const all = foldersIn("packages").map((folder) => ({
    folder,
    manifest: readJson(`${folder}/package.json`),
  }));
  const open = new Set(all.filter(({ manifest }) => !manifest.private));
  const sorted = [];
  while (open.size > 0) {
    const names = new Set([...open].map(({ manifest }) => manifest.name));
    const ready = [...open].filter(({ manifest }) => {
      return !Object.keys(manifest.dependencies ?? {}).some((name) => names.has(name));
    });
    if (ready.length === 0) throw new Error(`packages depend on each other: ${[...names].join(", ")}`);
    for (const one of ready) open.delete(one);
    sorted.push(...ready);
  }
  return sorted;
}

/**
 * Packs all packages that are published, as users get them; `npm publish` in a package's own folder would publish what this repository
 * needs of it: it is refused.
 *
 * @param into an empty folder.
 * @returns [{ folder, manifest, path, bytes, files }]: the path of the tarball, what it unpacks to, and in how many files.
 */
export async function packAll(into) {
  const staged = await stageAll(publishedPackages(), join(into, "staged"));
  return Promise.all(staged.map((one) => pack(into, one)));
}

async function pack(into, { folder, manifest, staged }) {
  const { stdout } = await promisify(execFile)("npm", ["pack", "--json", "--pack-destination", into], {
    cwd: staged,
    shell: process.platform === "win32",
  });
  const [{ filename, unpackedSize, entryCount }] = JSON.parse(stdout);
  const path = join(into, filename.replace("@", "").replace("/", "-"));
  return { folder, manifest, path, bytes: unpackedSize, files: entryCount };
}
