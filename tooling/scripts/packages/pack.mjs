// Packs the published packages, as `npm publish` would. The bundles and declarations in dist/ must be current.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { packageFolders, readJson, root } from "../lib.mjs";

/** The packages that are published, each after those that it depends on: [{ folder, manifest }]. */
export function publishedPackages() {
  const all = packageFolders().map((folder) => ({ folder, manifest: readJson(`${folder}/package.json`) }));
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

/** @returns the path of the tarball, in the folder `into`. */
export function packInto(into, folder) {
  const { status, stdout, stderr } = spawnSync("npm", ["pack", "--json", "--pack-destination", into], {
    cwd: join(root, folder),
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`npm pack failed in ${folder}:\n${stderr}`);
  const [{ filename }] = JSON.parse(stdout);
  return join(into, filename.replace("@", "").replace("/", "-"));
}
