import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { create } from "../src/project/create.ts";

export const home = fileURLToPath(new URL("..", import.meta.url));

/** A new folder from which programs find what the templates depend on. The caller removes it. */
export function newFolder(): string {
  mkdirSync(join(home, "dist"), { recursive: true });
  return mkdtempSync(join(home, "dist/test-"));
}

/** A project from a template, as `npm create treeline` writes it. The caller removes the folder that it is in. */
export async function newProject(template: string): Promise<string> {
  const folder = newFolder();
  await create(["my-app", "--template", template], {
    home,
    folder,
    ask: undefined,
    print: () => {},
    manager: "npm",
  });
  return join(folder, "my-app");
}

/** A file in the folder of the tests. */
export const testFile = (path: string): string => join(home, "test", path);
