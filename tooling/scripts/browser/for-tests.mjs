// A global set-up of Vitest: one browser for all files that test pages.
import { launchServer } from "./launch.mjs";

/** Tests get the `browser` endpoint by `inject`; "" if there is no browser. @returns what ends it. */
export async function setup(project) {
  const { server, missing } = await launchServer();
  project.provide("browser", server?.wsEndpoint() ?? "");
  if (missing !== undefined) console.warn(`THE PAGES WERE NOT TESTED IN A BROWSER: ${missing}`);
  return () => server?.close();
}
