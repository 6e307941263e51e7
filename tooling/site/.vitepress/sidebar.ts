// Which pages a sidebar lists, in which order (`ORDER`).
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DefaultTheme } from "vitepress";

const pages = fileURLToPath(new URL("../dist/pages", import.meta.url));

/** Pages of a folder in this order; those that are not named follow by name. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  guide: ["index", "tutorial"],
  concepts: ["index", "entities", "trees", "order", "queries", "changes", "names", "storage", "limits"],
  "coming-from": [
    "index",
    "koota",
    "bitecs",
    "flecs",
    "bevy",
    "unity",
    "three",
    "miniplex",
    "entt",
    "shipyard",
  ],
};

function titleOf(path: string): string {
  const title = /^# (.*)$/m.exec(readFileSync(path, "utf8"))?.[1];
  if (title === undefined) throw new Error(`${path} has no title`);
  return title.replaceAll("`", "").replaceAll("\\", "");
}

function itemsOf(folder: string): DefaultTheme.SidebarItem[] {
  const inside = `${pages}/${folder}`;
  if (!existsSync(inside)) return [];
  const names = readdirSync(inside)
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.slice(0, -3));
  const order = ORDER[folder] ?? [];
  const placeOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return names
    .sort((one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1))
    .map((name) => ({
      text: titleOf(`${inside}/${name}.md`),
      link: `/${folder}/${name === "index" ? "" : name}`,
    }));
}

const section = (text: string, folder: string): DefaultTheme.SidebarItem => ({
  text,
  items: itemsOf(folder),
});
const page = (name: string): DefaultTheme.SidebarItem => ({
  text: titleOf(`${pages}/${name}.md`),
  link: `/${name}`,
});

/** The pages of the cookbook in the groups of its index, each where the index names it first. */
function cookbook(): DefaultTheme.SidebarItem {
  const [, ...groups] = readFileSync(`${pages}/how-to/index.md`, "utf8").split(/^## /m);
  const seen = new Set<string>();
  const items = groups.map((group) => {
    const names = [...group.matchAll(/\]\(([\w-]+)\.md[#)]/g)].map(([, name]) => name!);
    const own = [...new Set(names)].filter((name) => !seen.has(name));
    for (const name of own) seen.add(name);
    const text = group.split("\n")[0]!;
    // With a link, since the whole line of a group without one would be a button around that of the arrow.
    const link = `/how-to/#${text.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
    return { text, link, collapsed: true, items: own.map((name) => page(`how-to/${name}`)) };
  });
  return { text: "Cookbook", link: "/how-to/", items };
}

/** Pages for those who know another library, by its name. */
function comingFrom(): DefaultTheme.SidebarItem {
  const items = itemsOf("coming-from").filter(({ link }) => link !== "/coming-from/");
  return {
    text: "Coming from",
    link: "/coming-from/",
    items: items.map(({ text, link }) => ({ text: text!.replace("Coming from ", ""), link })),
  };
}

const forUsers = [
  section("Guide", "guide"),
  cookbook(),
  section("Concepts", "concepts"),
  comingFrom(),
  {
    text: "Reference",
    items: [
      page("hierarchies"),
      page("errors"),
      { text: "All functions", link: "/reference/" },
      page("changelog"),
    ],
  },
];

/** Entry points with their topics, as the reference lists them. */
function reference(): DefaultTheme.SidebarItem[] {
  const file = `${pages}/reference/reference.json`;
  const { sidebar: entries } = JSON.parse(readFileSync(file, "utf8")) as {
    sidebar: DefaultTheme.SidebarItem[];
  };
  return [
    { text: "Reference", items: entries },
    { text: "By subject", items: [page("errors"), page("hierarchies")] },
  ];
}

/** Pages for people who change Treeline. */
const CONTRIBUTING = [
  "contributing",
  "architecture",
  "walkthroughs",
  "invariants",
  "style",
  "glossary",
  "files",
];

const contributing = [{ text: "Contributing", items: CONTRIBUTING.map(page) }];

/** One list for users; others for people who change Treeline. */
export const sidebar: DefaultTheme.SidebarMulti = {
  "/reference/": reference(),
  "/benchmarks/": [section("Benchmarks", "benchmarks")],
  ...Object.fromEntries(CONTRIBUTING.map((name) => [`/${name}`, contributing])),
  "/decisions/": [...contributing, section("Decisions", "decisions")], // listed here only, since there are many
  "/": forUsers, // the last one: of those with equally many slashes, the first that fits is taken
};
