// Checks that the tasks of `tooling/site/tasks.json` are answered, two clicks from each page (`anchorOf`).
import { describe, expect, it } from "vitest";
import { filesBelow, proseOf, readDocument } from "../support.ts";

interface Task {
  readonly task: string;
  /** What a newcomer types into the search. */
  readonly words: string;
  /** Where people have asked it. */
  readonly question: string;
  /** Pages, or parts of them, that answer it, the best one first. */
  readonly answers: readonly string[];
}
const tasks: Task[] = JSON.parse(readDocument("tooling/site/tasks.json"));

/** The anchor of a heading, as the site makes it. */
function anchorOf(heading: string): string {
  const text = heading.replaceAll("`", "").toLowerCase();
  return text
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .replace(/^(\d)/, "_$1");
}

/** Pages and parts of them, as "how-to/undo#deleting". */
const places = new Set(
  filesBelow("docs", ".md").flatMap((path) => {
    const page = path.slice("docs/".length, -".md".length);
    const headings = [...proseOf(readDocument(path)).matchAll(/^##+ (.*)$/gm)].map(([, heading]) =>
      anchorOf(heading!),
    );
    return [page, ...headings.map((heading) => `${page}#${heading}`)];
  }),
);

/** Where the links of the cookbook lead, in the same form. */
const index = readDocument("docs/how-to/index.md");
const links = [...index.matchAll(/\]\(([\w./-]+?)\.md(#[\w-]+)?\)/g)].map(([, page, anchor = ""]) =>
  page!.startsWith("../") ? `${page!.slice(3)}${anchor}` : `how-to/${page}${anchor}`,
);

describe("the tasks of tooling/site/tasks.json", () => {
  it("are twenty, each asked in public and answered by a place that exists", () => {
    expect(new Set(tasks.map(({ task }) => task)).size).toBe(20);
    expect(tasks.filter(({ question }) => !/^https:\/\/\S+\/\d+$/.test(question))).toEqual([]);
    expect(tasks.flatMap(({ answers }) => answers).filter((place) => !places.has(place))).toEqual([]);
  });

  it("are answered two clicks from each page: the cookbook, and a line of it", () => {
    const unlinked = tasks.filter(({ answers }) => !answers.some((place) => links.includes(place)));

    expect(unlinked.map(({ task }) => task)).toEqual([]);
  });
});

describe("the cookbook", () => {
  it("lists every page of docs/how-to, each line leading to a part that exists", () => {
    const pages = filesBelow("docs/how-to", ".md").map((path) => path.slice("docs/".length, -".md".length));
    const listed = new Set(links.map((link) => link.split("#")[0]));

    expect(pages.filter((page) => page !== "how-to/index" && !listed.has(page))).toEqual([]);
    expect(links.filter((link) => !places.has(link))).toEqual([]);
  });
});
