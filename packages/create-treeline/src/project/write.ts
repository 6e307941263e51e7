// Which names and folders are accepted, and what is written (`writeProject`), or taken back.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { type Template, UsageError } from "../base/options.ts";

/** The version of Treeline is that of this package: they are released together. */
const OWN_VERSION = "*";
const LONGEST_NAME = 214;

/** @returns the name of the package in a folder. @throws UsageError if npm would refuse it. */
export function packageNameOf(folder: string): string {
  const name = basename(folder);
  const isTaken = name === "node_modules" || name === "favicon.ico";
  if (/^[a-z0-9-~][a-z0-9-._~]*$/.test(name) && name.length <= LONGEST_NAME && !isTaken) return name;
  const other = name
    .toLowerCase()
    .replace(/[^a-z0-9-._~]+/g, "-")
    .replace(/^[-._]+|[-._]+$/g, "")
    .slice(0, LONGEST_NAME);
  const example = other === "" || isTaken ? "" : `, such as "${other}"`;
  throw new UsageError(
    `a package cannot be called "${name}"; name a folder with small letters, digits and "-"${example}`,
  );
}

/** A folder may have a repository without files. @throws UsageError if the folder has files, or is a file. */
export function requireEmpty(folder: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new UsageError(`${folder} is a file; name another folder`);
  const [file] = filesIn(folder);
  if (file !== undefined) throw new UsageError(`${folder} is not empty: it has ${file}; name another folder`);
}

const filesIn = (folder: string): string[] => readdirSync(folder).filter((name) => name !== ".git");

/**
 * Writes a template into a folder that `requireEmpty` accepts. If that fails, for want of room or rights, the folder is as before.
 *
 * @param home the folder of this package.
 * @param folder an absolute path, whose name `packageNameOf` accepts.
 */
export function writeProject(home: string, folder: string, template: Template): void {
  const name = packageNameOf(folder);
  const made = mkdirSync(folder, { recursive: true });
  const source = join(home, "templates", template);
  try {
    cpSync(source, folder, { recursive: true });
    renameSync(join(folder, "_gitignore"), join(folder, ".gitignore")); // npm leaves the latter out of tarballs
    writeFileSync(join(folder, "package.json"), manifestOf(home, source, name));
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    else for (const one of filesIn(folder)) rmSync(join(folder, one), { recursive: true, force: true });
    throw error;
  }
}

function manifestOf(home: string, source: string, name: string): string {
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  const dependencies = Object.entries(manifest.dependencies).map(([dependency, range]) => {
    return [dependency, range === OWN_VERSION ? `^${version}` : range];
  });
  const filled = { ...manifest, name, dependencies: Object.fromEntries(dependencies) };
  return `${JSON.stringify(filled, undefined, 2)}\n`;
}
