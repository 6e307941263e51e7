// Builds the examples that are pages into the site, at demos/NAME/, each with its picture. What was built from the same sources is copied.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { examplesIn, filesBelow, packageFolders, root } from "../lib.mjs";

/** These stand side by side on the home page, and share one copy of three.js. The others are built alone, so that each loads only its own. */
const TOGETHER = ["fleet-3d", "solar-system"];
const BUILT = join(root, "node_modules/.cache/demos");

/** What the pages are made of: their own files, the packages' bundles, and the versions of all others. */
function hashOf(folders) {
  const own = folders.flatMap((folder) =>
    ["src", "sample"].flatMap((part) => filesBelow(`${folder}/${part}`, "")),
  );
  const bundles = packageFolders().flatMap((folder) => filesBelow(`${folder}/dist`, ".js"));
  const hash = createHash("sha256");
  for (const path of [
    "pnpm-lock.yaml",
    "tooling/scripts/site/demos.mjs",
    ...folders.flatMap((folder) => [`${folder}/index.html`, `${folder}/picture.webp`]),
    ...own,
    ...filesBelow("examples/page-parts/src", ""),
    ...bundles,
  ]) {
    hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex").slice(0, 16);
}

/** As users get them: from the shipped bundles. Addresses are relative, so that they may be anywhere. */
async function build(folders, outDir) {
  const vite = await import("vite");
  await vite.build({
    root: join(root, "examples"),
    base: "./",
    mode: "production",
    publicDir: false,
    logLevel: "warn",
    build: {
      outDir,
      emptyOutDir: false,
      chunkSizeWarningLimit: 5_000,
      reportCompressedSize: false,
      rollupOptions: { input: folders.map((folder) => join(root, folder, "index.html")) },
    },
  });
  for (const folder of folders)
    cpSync(join(root, folder, "picture.webp"), join(outDir, basename(folder), "poster.webp"));
}

/**
 * Builds the pages of the gallery, or copies them if nothing has changed since.
 *
 * @param target the folder for them: each is below it, as `NAME/index.html`.
 * @returns their names.
 */
export async function buildDemos(target) {
  const folders = examplesIn("browser");
  const built = join(BUILT, hashOf(folders));
  if (!existsSync(built)) {
    rmSync(BUILT, { recursive: true, force: true });
    mkdirSync(BUILT, { recursive: true });
    const together = folders.filter((folder) => TOGETHER.includes(basename(folder)));
    const alone = folders.filter((folder) => !together.includes(folder)).map((folder) => [folder]);
    for (const group of [together, ...alone]) await build(group, `${built}.part`);
    renameSync(`${built}.part`, built);
  }
  rmSync(target, { recursive: true, force: true });
  cpSync(built, target, { recursive: true });
  return folders.map((folder) => basename(folder));
}
