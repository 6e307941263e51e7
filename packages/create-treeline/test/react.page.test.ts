import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { type BrowserPage, describePage } from "@treeline/page-tests";
import { afterAll, expect, it } from "vitest";
import { newProject } from "./project.ts";

const folder = await newProject("react");
afterAll(() => rmSync(dirname(folder), { recursive: true }));

/** The names that the page shows, with two spaces for each level. */
function outline(page: BrowserPage): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("input")].map((input) => {
      let level = -1;
      for (let above = input.closest("li"); above !== null; above = above.parentElement!.closest("li"))
        level += 1;
      return "  ".repeat(level) + input.value;
    }),
  );
}

const START = ["Things to do", "  Plant a tree"];

describePage(folder, (open) => {
  it("shows a list", async () => {
    const page = await open("", { width: 480, height: 200 });
    await page.locator("input").first().waitFor();

    expect(await outline(page)).toEqual(START);
  });

  it("adds, renames and removes items, and all below them", async () => {
    const page = await open();
    const [add, remove] = ["Add", "Remove"].map((name) => page.getByRole("button", { name }));

    await add!.first().click();
    await add!.first().click();
    expect(await outline(page)).toEqual([...START, "  New", "  New (2)"]);

    await page.locator("li li input").first().fill("");
    expect(await outline(page)).toEqual([...START, "  New", "  New (2)"]); // a name is not empty
    await page.locator("li li input").first().fill("Water it");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter"); // on its button to add
    expect(await outline(page)).toEqual([START[0], "  Water it", "    New", "  New", "  New (2)"]);

    await page.locator("li li button").first().click(); // another one below it
    await page.locator("li li").first().getByText("Remove").first().click();
    expect(await outline(page)).toEqual([START[0], "  New", "  New (2)"]);
    expect(await remove!.count()).toBe(3);
  });
});
