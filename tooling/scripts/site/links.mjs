// Finds links of the built site that lead nowhere, and files that it would fetch from other hosts.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A fragment `code=` is a program for the playground, not a place. @param folder the built site. @returns a line for each problem. */
export function brokenLinks(folder) {
  const pages = readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith(".html"))
    .map((path) => ({ path: path.replaceAll("\\", "/"), text: readFileSync(join(folder, path), "utf8") }));
  const anchors = new Map(
    pages.map(({ path, text }) => [path, new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))]),
  );

  const problems = [];
  for (const { path, text } of pages) {
    for (const [, tag, name, url] of text.matchAll(/<(\w+)[^>]*?\s(href|src)="([^"]*)"/g)) {
      if (/^[a-z]+:|^\/\//.test(url)) {
        const isFetched = tag !== "a" && !url.startsWith("data:");
        if (isFetched) problems.push(`${path} fetches ${url} (${tag} ${name})`);
        continue;
      }
      const [file, hash] = decodeURI(url.replaceAll("&amp;", "&")).split("#");
      const target = targetOf(folder, path, file);
      if (target === undefined) problems.push(`${path} links to ${url}`);
      else if (hash && !hash.startsWith("code=") && anchors.has(target) && !anchors.get(target).has(hash))
        problems.push(`${path} links to ${url}, which has no such place`);
    }
  }
  return [...new Set(problems)];
}

/** The file of the site that a link means, or undefined. */
function targetOf(folder, path, link) {
  if (link === "") return path;
  const base = process.env.SITE_BASE ?? "/";
  const inside = link.startsWith("/") ? link.slice(base.length) : join(dirname(path), link);
  const tries = [inside, `${inside}.html`, join(inside, "index.html")].map((one) =>
    one.replaceAll("\\", "/").replace(/^\.\//, ""),
  );
  return tries.find((one) => /\.\w+$/.test(one) && existsSync(join(folder, one)));
}
