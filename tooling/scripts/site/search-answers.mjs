// Asks the index of the built site what newcomers ask: each query has places that may be its first hit. Also that the index has every page for
// users, and no other.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { filesBelow, readJson, root } from "../lib.mjs";
import { isLeftOut, placeOf, searchOptions } from "./search.mjs";

/** The tasks of newcomers, and what they type who know another library. */
const QUERIES = ["tooling/site/tasks.json", "tooling/site/queries.json"];

/** Pages that are more than text; links lead to them. */
const OF_PARTS = /^(?:index|playground|gallery\/.*)\.md$/;

/** As the search box of VitePress loads it. */
async function loadIndex(folder, base) {
  const file = filesBelow(`${folder}/assets/chunks`, ".js").find((path) =>
    path.includes("@localSearchIndexroot"),
  );
  const { default: json } = await import(pathToFileURL(join(root, file)).href);
  const vitepress = createRequire(join(root, "tooling/site/package.json")).resolve("vitepress");
  const { default: MiniSearch } = await import(
    pathToFileURL(createRequire(vitepress).resolve("minisearch")).href
  );
  const { options, searchOptions: searching } = searchOptions(base).miniSearch;
  const index = MiniSearch.loadJSON(json, {
    storeFields: ["title", "titles"],
    ...options,
    searchOptions: searching,
  });
  return { index, ids: Object.values(JSON.parse(json).documentIds) };
}

/**
 * @param folder the built site, as a path below the repository.
 * @param base where the site will be.
 * @returns `{ problems, count }`: a line for each query whose first hit is another one, and for each page that should (not) be found.
 */
export async function wrongAnswers(folder, base) {
  const { index, ids } = await loadIndex(folder, base);
  const inside = (id) => placeOf(id.slice(base.length - 1), false);
  const queries = QUERIES.flatMap((path) => readJson(path));
  const problems = queries.flatMap(({ words, answers }) => {
    const hits = index
      .search(words)
      .slice(0, 3)
      .map(({ id }) => inside(id));
    const first = hits[0] ?? "nothing";
    const isRight = answers.some((answer) => first === answer || first.split("#")[0] === answer);
    return isRight
      ? []
      : [`"${words}" finds ${hits.join(", ") || "nothing"} instead of ${answers.join(" or ")}`];
  });

  const found = new Set(ids.map((id) => inside(id).split("#")[0]));
  const pages = filesBelow("tooling/site/dist/pages", ".md").map((path) =>
    path.slice("tooling/site/dist/pages/".length),
  );
  for (const page of pages) {
    const isFound = found.has(page.slice(0, -3));
    if (isLeftOut(page) && isFound) problems.push(`${page} is for those who change Treeline, and is found`);
    if (!isLeftOut(page) && !OF_PARTS.test(page) && !isFound)
      problems.push(`${page} is not found by any word`);
  }
  return { problems, count: queries.length };
}
