// `npm run docs -- --serve`: shows the site at once, and follows changes of docs/ and tooling/site/pages/.
import { watch } from "node:fs";
import { join } from "node:path";
import { root } from "../lib.mjs";
import { tool } from "../tools.mjs";
import { writeModules } from "./modules.mjs";
import { OWN, PAGES, writePages } from "./pages.mjs";
import { writeReference } from "./reference.mjs";

/**
 * @param port the first one that it tries.
 * @returns where the site is shown, as soon as it is, with its configuration; the demos are left to the caller.
 */
export async function showSite(port) {
  const { module: vitepress, missing } = await tool("vitepress", "tooling/site");
  if (missing !== undefined) throw new Error(missing);
  writePages();
  await writeModules(join(root, PAGES, "public/modules"));
  writeReference();

  let server;
  const start = async () => {
    server = await vitepress.createServer(join(root, "tooling/site"), { port }, restart);
    await server.listen();
  };
  let restarting = Promise.resolve();
  /** Reads the configuration and the list of pages again, at the same address. */
  const restart = () => {
    restarting = restarting.then(async () => {
      await server.close();
      await start();
    });
    return restarting;
  };
  await start();

  const watchers = ["docs", OWN].map((folder) =>
    watch(join(root, folder), { recursive: true }, () => {
      if (writePages()) restart();
    }),
  );
  return {
    url: server.resolvedUrls.local[0],
    site: server.config.vitepress.site,
    close: async () => {
      for (const watcher of watchers) watcher.close();
      await restarting;
      await server.close();
    },
  };
}
