// Serves a folder of built files to a browser on this machine, as a host of static files does: text is compressed, and files whose names have
// a hash are kept by the browser.
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

/** As VitePress names them: `assets/chunks/theme.3dYkk0To.js`. */
const HASHED = /[\\/]assets[\\/].*\.[\w-]{8}\.(?:lean\.)?(?:js|css)$/;

/** @returns the server, which listens at a free port. */
export function serve(folder) {
  /** Compressed text by path. */
  const packed = new Map();
  const server = createServer((request, response) => {
    const path = join(folder, normalize(decodeURI(new URL(request.url, "http://localhost").pathname)));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
    if (!existsSync(file)) return response.writeHead(404).end();
    const type = TYPES[extname(file)];
    response.setHeader("content-type", type ?? "application/octet-stream");
    if (HASHED.test(file)) response.setHeader("cache-control", "max-age=31536000, immutable");
    if (type === undefined || !/\bgzip\b/.test(request.headers["accept-encoding"] ?? ""))
      return createReadStream(file).pipe(response);
    if (!packed.has(file)) packed.set(file, gzipSync(readFileSync(file)));
    return response.setHeader("content-encoding", "gzip").end(packed.get(file));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
