/** Serves the bundles of one folder to pages on this machine. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface PageServer {
  readonly port: number;
  readonly close: () => void;
}

/** With these headers a page is isolated from all others, and has a clock of 5 instead of 100 microseconds. */
const HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/** @param page the response for `/`; every other path is a file of the folder. */
export function servePages(folder: URL, page: string): Promise<PageServer> {
  const server = createServer(async ({ url = "/" }, response) => {
    if (url === "/") {
      response.writeHead(200, { ...HEADERS, "content-type": "text/html; charset=utf-8" }).end(page);
      return;
    }
    const name = /^\/([\w.-]+\.js)$/.exec(url)?.[1];
    const text =
      name === undefined ? undefined : await readFile(new URL(name, folder)).catch(() => undefined);
    if (text === undefined) response.writeHead(404, HEADERS).end();
    else response.writeHead(200, { ...HEADERS, "content-type": "text/javascript; charset=utf-8" }).end(text);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({ port, close: () => server.close() });
    });
  });
}
