import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { type BrowserPage, describePage, expectPicture, holdFrames, playFrames } from "@treeline/page-tests";
import { afterAll, expect, it } from "vitest";
import { newProject, testFile } from "./project.ts";

const folder = await newProject("three");
afterAll(() => rmSync(dirname(folder), { recursive: true }));

/** After the frame that shows what has happened. */
async function moons(page: BrowserPage): Promise<string | null> {
  await playFrames(page, 1);
  return page.locator("output").textContent();
}

describePage(folder, (open) => {
  it("draws a tree of bodies", async () => {
    const page = await open("", { width: 480, height: 320 }, holdFrames);

    expect(await moons(page)).toBe("Moons: 2");
    await playFrames(page, 60);

    await page.evaluate(() => document.querySelector("p")!.remove()); // fonts differ
    await expectPicture(page, page.locator("canvas"), testFile("expected/three.png"));
  });

  it("gives a body that is clicked a moon, and takes it with its moons by the keyboard", async () => {
    const page = await open("", { width: 480, height: 320 }, holdFrames);
    await moons(page);

    await page.mouse.click(240, 160);
    await page.mouse.click(240, 160);
    expect(await moons(page)).toBe("Moons: 4");
    await page.mouse.click(470, 310); // beside all bodies
    expect(await moons(page)).toBe("Moons: 4");

    await page.keyboard.press("Backspace");
    expect(await moons(page)).toBe("Moons: 2");
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press("Backspace");
    expect(await moons(page)).toBe("Moons: 0");
  });

  it("fits its window", async () => {
    const page = await open("", { width: 300, height: 400 }, holdFrames);

    await moons(page);

    const size = await page.evaluate(() => {
      const { width, height } = document.querySelector("canvas")!.getBoundingClientRect();
      return [width, height, document.documentElement.scrollWidth];
    });
    expect(size).toEqual([300, 400, 300]);
  });
});
