// Writes the declarations that users get: those of the public entry points, each file rolled up with what it needs of others, comments kept.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { entryPointsOf, root } from "../lib.mjs";

/** Promises nothing to users: its declarations are only those that declarations of our other packages name. */
const BORDER = "internal";
const FROM_BORDER = /^(?:import|export)(?: type)? \{([^}]*)\} from "([^"]+)\/internal";$/gm;

/** The names that declarations import from `internal.ts` of other packages: package -> names. */
export function namesFromBorders(text) {
  const found = [...text.matchAll(FROM_BORDER)];
  return found.map(([, list, name]) => ({
    name,
    names: list.split(",").map((one) => one.trim().split(" as ")[0]),
  }));
}

/**
 * @param into the folder `dist` of what is packed.
 * @param wanted the names in `internal.ts` of this package that other packages' declarations import.
 * @returns the text of all files that it has written.
 */
export async function writeDeclarations(folder, into, wanted) {
  const names = entryPointsOf(folder).map(({ name }) => name);
  const isBorderEmpty = names.includes(BORDER) && wanted.length === 0;
  const declared = (name) => join(root, folder, "dist", `${name}.d.ts`);
  const input = Object.fromEntries(names.map((name) => [name, declared(name)]));
  mkdirSync(into, { recursive: true });
  const part = join(into, `part-of-${BORDER}.d.ts`);
  if (isBorderEmpty) delete input[BORDER];
  else if (BORDER in input) {
    input[BORDER] = part;
    const from = relative(into, declared(BORDER)).replaceAll("\\", "/");
    writeFileSync(part, `export { ${wanted.join(", ")} } from "${from}";\n`);
  }
  const bundle = await rolldown({
    input,
    external: (id) => !id.startsWith(".") && !isAbsolute(id),
    plugins: [dts({ dtsOnly: true, generator: "oxc", tsconfig: false, sourcemap: false })],
  });
  const { output } = await bundle.write({
    dir: into,
    format: "es",
    minifyInternalExports: false,
    entryFileNames: "[name].ts",
    chunkFileNames: "types/[name].d.ts",
  });
  rmSync(part, { force: true });
  if (isBorderEmpty) writeFileSync(join(into, `${BORDER}.d.ts`), "export {};\n");
  return output.map(({ code }) => code).join("\n");
}
