import { fileURLToPath } from "node:url";
import { describePage, expectPicture } from "@treeline/page-tests";
import { it } from "vitest";

const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

describePage(here(""), (open) => {
  it("shows the Sun", async () => {
    const page = await open();
    await page.locator("body[data-ready]").waitFor();

    await expectPicture(page, page.locator("canvas"), here("test/expected/start.png"));
  });
});
