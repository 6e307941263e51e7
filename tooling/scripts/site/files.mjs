// Fills the page that lists all source files, in the order of folders, each with what it says of itself in its first comment.
import { filesBelow, firstCommentOf, foldersIn, readText } from "../lib.mjs";

const PLACE = "<!-- files -->";

/** Core first, then what is built upon it. */
const PACKAGES = [
  "packages/core",
  "packages/query",
  "packages/names",
  "packages/document",
  "packages/prefab",
  "packages/transform",
  "packages/three",
];

/** Every source file of the repository, but tests. */
export function sourceFiles() {
  const others = foldersIn("packages").filter((folder) => !PACKAGES.includes(folder));
  const folders = [...PACKAGES, ...others, "benchmarks", ...foldersIn("examples")].map((one) => `${one}/src`);
  return [
    ...folders.flatMap((folder) => filesBelow(folder, ".ts")),
    ...filesBelow("tooling/scripts", ".mjs"),
    ...filesBelow("tooling/site/.vitepress", ".ts"),
  ];
}

/** What a file decides: the first sentence of its first comment. */
export const lineOf = (path) => /^.*?[.:?](?= [A-Z`@-]|$)|.*/.exec(firstCommentOf(readText(path)) ?? "")[0];

/** A cell of a table: what is no code may be taken for elements of the page. */
const cellOf = (text) =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "&lt;")))
    .join("")
    .replaceAll("|", "\\|");

/** A page with a table for each folder in the place that is left for them. */
export function withFiles(page) {
  const tables = new Map(); // folder -> the rows of its table
  for (const path of sourceFiles()) {
    const end = path.lastIndexOf("/");
    const row = `| \`${path.slice(end + 1)}\` | ${cellOf(lineOf(path))} |`;
    tables.set(path.slice(0, end), [...(tables.get(path.slice(0, end)) ?? []), row]);
  }
  const text = [...tables].map(([folder, rows]) => {
    return `## \`${folder}\`\n\n| file | what it decides |\n| --- | --- |\n${rows.join("\n")}`;
  });
  return page.replace(PLACE, () => text.join("\n\n"));
}
