import { fileURLToPath } from "node:url";
import { type BrowserPage, describePage, expectPicture, type OpenPage } from "@treeline/page-tests";
import { expect, it } from "vitest";

const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The page while time stands still, with the camera at the first ship. */
async function openAtShip(open: OpenPage): Promise<BrowserPage> {
  const page = await open("?paused", SIZE);
  await page.locator("body[data-ready]").waitFor();
  await page.keyboard.press("n");
  await page.getByText("Ship 1", { exact: true }).waitFor();
  return page;
}

const SIZE = { width: 800, height: 450 };

const textOf = (page: BrowserPage, id: string) => page.locator(`#${id}`).textContent();

describePage(here(""), (open) => {
  it("shows the fleet around the station", async () => {
    const page = await open("?paused", SIZE);
    await page.locator("body[data-ready]").waitFor();
    expect(await textOf(page, "counts")).toBe("200 ships, 0 docked, 0 pieces of debris, paused");
    await expectPicture(page, page.locator("canvas"), here("test/expected/start.png"));
  });

  it("tells the path of a part that is clicked", async () => {
    const page = await openAtShip(open);
    await page.locator("canvas").click();
    await page.getByText(/^Ship 1::Hull.* \(100 points\)$/).waitFor();
  });

  it("leaves debris where the parts were, and lets it fly off", async () => {
    const page = await openAtShip(open);
    const canvas = page.locator("canvas");
    await expectPicture(page, canvas, here("test/expected/ship.png"));
    await page.keyboard.press("x");
    await page.getByText("199 ships, 0 docked, 50 pieces of debris, paused").waitFor();
    await expectPicture(page, canvas, here("test/expected/ship.png"));

    for (let step = 0; step < 12; step++) await page.keyboard.press(".");
    await expectPicture(page, canvas, here("test/expected/debris.png"));
  });

  it("docks and hits by buttons", async () => {
    const page = await openAtShip(open);
    await page.getByRole("button", { name: /Dock/ }).click();
    await page.getByText("200 ships, 1 docked, 0 pieces of debris, paused").waitFor();
    expect(await textOf(page, "path")).toMatch(/^Station::Arm 1::Dock::Ship 1$/);
    await page.locator("canvas").click();
    await page.getByRole("button", { name: /Hit/ }).click();
    await page.getByText(/^Station::Arm 1::Dock::Ship 1::.* \(60 points\)$/).waitFor();
  });

  it("runs until the space bar is pressed", async () => {
    const page = await open("", SIZE);
    await page.locator("body[data-ready]").waitFor();
    expect(await textOf(page, "counts")).not.toContain("paused");
    await page.keyboard.press(" ");
    await page.getByText(/paused/).waitFor();
  });
});
