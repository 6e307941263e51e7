// Serves a folder of built files to a browser on this machine. Texts are compressed, as hosts do, so that transferred bytes are those of readers.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { createGzip } from "node:zlib";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

/** @returns the server, which listens at a free port. */
export function serve(folder) {
  const server = createServer((request, response) => {
    const path = join(folder, normalize(decodeURI(new URL(request.url, "http://localhost").pathname)));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
    if (!existsSync(file)) return response.writeHead(404).end();
    const type = TYPES[extname(file)];
    const isCompressed = type !== undefined && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
    response.writeHead(200, {
      "content-type": type ?? "application/octet-stream",
      ...(isCompressed ? { "content-encoding": "gzip" } : {}),
    });
    const bytes = createReadStream(file);
    return (isCompressed ? bytes.pipe(createGzip({ level: 6 })) : bytes).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
