// Opens the served site: its home page, an example, and what its sidebars list (`linksOf`).
import { pathToFileURL } from "node:url";
import { describeServed, type Served } from "@treeline/page-tests";
import { expect, it } from "vitest";
import { at, filesBelow } from "../support.ts";

interface SidebarItem {
  readonly link?: string;
  readonly items?: readonly SidebarItem[];
}

/** What `npm run docs -- --serve` shows. */
interface ShownSite extends Served {
  readonly site: {
    readonly themeConfig: { readonly sidebar: Readonly<Record<string, readonly SidebarItem[]>> };
  };
}
/** The first one that it tries. */
const PORT = 5200;

async function showSite(): Promise<ShownSite> {
  const path = pathToFileURL(at("tooling/scripts/site/serve.mjs")).href;
  const { showSite: show } = await import(/* @vite-ignore */ path);
  return show(PORT);
}

const linksOf = ({ link, items = [] }: SidebarItem): string[] => [
  ...(link === undefined ? [] : [link.split("#")[0]!]),
  ...items.flatMap(linksOf),
];

describeServed(showSite, (open, shown) => {
  it("shows the home page, and what an example of the guide prints", async () => {
    const page = await open("");
    await page.locator("h1").waitFor();

    const guide = await open("guide/");
    await guide.locator(".example").first().getByText("Run", { exact: true }).click();
    await guide.locator(".example[data-state=settled]").waitFor();
    expect(await guide.locator(".example-output").first().textContent()).toContain("{ x: 11, y: 0 }");
  });

  it("lists every page for users in a sidebar", () => {
    const lists = Object.values(shown().site.themeConfig.sidebar);
    const linked = new Set(lists.flat().flatMap(linksOf));

    const pages = ["guide", "how-to", "concepts", "coming-from", "decisions"].flatMap((folder) =>
      filesBelow(`docs/${folder}`, ".md").map((path) => path.slice("docs".length, -".md".length)),
    );
    const missing = pages
      .map((path) => path.replace(/(?:index|README)$/, ""))
      .filter((path) => !linked.has(path));
    expect(pages.length).toBeGreaterThan(150);
    expect(missing).toEqual([]);
  });
});
