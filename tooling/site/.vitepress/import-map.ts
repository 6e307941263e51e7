// Where a page finds what examples import: the development build of every entry point of every package.
import { readdirSync, readFileSync } from "node:fs";

const packages = new URL("../../../packages/", import.meta.url);

/** @param base where the site will be. @returns the entries of the import map. */
export function importMap(base: string): Readonly<Record<string, string>> {
  const imports: Record<string, string> = {};
  for (const folder of readdirSync(packages)) {
    const { name, exports = {} } = JSON.parse(
      readFileSync(new URL(`${folder}/package.json`, packages), "utf8"),
    );
    for (const [entry, conditions] of Object.entries<{ readonly development?: string }>(exports)) {
      const path = conditions.development?.replace("./dist/", "");
      if (path !== undefined) imports[`${name}${entry.slice(1)}`] = `${base}treeline/${folder}/${path}`;
    }
  }
  return imports;
}
