import { fileURLToPath } from "node:url";
import { type BrowserPage, describePage, expectPicture, type Locator } from "@treeline/page-tests";
import { expect, it } from "vitest";
import { boxOfOrange } from "./pixels.ts";

const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const NEW_YEAR = "?at=2026-01-01&paused";

const textOf = (page: BrowserPage, id: string): Promise<string | null> =>
  page.locator(`#${id}`).textContent();
const rowOf = (page: BrowserPage, name: string): Locator =>
  page.getByRole("treeitem", { name: new RegExp(`^[▸▾ ]*${name}\\b`) });

/** Waits until all that has happened is drawn. */
async function drawn(page: BrowserPage): Promise<void> {
  await page.waitForFunction(() => "frames" in document.body.dataset && !("stale" in document.body.dataset));
}

/** Waits while time passes. */
async function waitForFrames(page: BrowserPage, count: number): Promise<void> {
  const seen = await page.evaluate(() => Number(document.body.dataset.frames));
  await page.waitForFunction((end) => Number(document.body.dataset.frames) >= end, seen + count);
}

/** Where the entity with a label is seen in the canvas. */
function spotOf(page: BrowserPage, name: string): Promise<{ x: number; y: number }> {
  return page.evaluate((name) => {
    const label = [...document.querySelectorAll<HTMLElement>("#labels > span")].find(
      ({ textContent }) => textContent === name,
    )!;
    const [x, y] = label.style.translate.split(" ").map(Number.parseFloat);
    return { x: x! - 8, y: y! + 8 };
  }, name);
}

describePage(here(""), (open) => {
  it("draws the planets, and tells the path of what is clicked", async () => {
    const page = await open(NEW_YEAR);
    await drawn(page);

    await page.locator("canvas").click({ position: await spotOf(page, "Jupiter") });
    await drawn(page);
    expect(await textOf(page, "path")).toBe("Sun::Jupiter");
    expect(await textOf(page, "details")).toMatch(/^5\.2\d\d AU from the Sun/);
    expect(await rowOf(page, "Jupiter").getAttribute("aria-selected")).toBe("true");

    await page.evaluate(() => document.querySelector("#labels")!.remove()); // fonts differ
    await expectPicture(page, page.locator("canvas"), here("test/expected/start.png"));
  });

  it("keeps what is dragged in the outliner where it is, and takes it along then", async () => {
    const page = await open(NEW_YEAR);
    await rowOf(page, "Earth").locator(".twisty").click();
    await rowOf(page, "Moon").click();
    await drawn(page);
    const before = await textOf(page, "details");

    await rowOf(page, "Moon").dragTo(rowOf(page, "Saturn"));
    await drawn(page);

    expect(await textOf(page, "path")).toBe("Sun::Saturn::Moon");
    expect(await textOf(page, "details")).toBe(before);
    expect(await textOf(page, "message")).toMatch(/^is below Sun::Saturn now, and has moved by 0/);

    await rowOf(page, "Saturn").dragTo(rowOf(page, "Moon"));
    expect(await textOf(page, "message")).toMatch(/is already below/);
    await page.keyboard.press(" ");
    await waitForFrames(page, 3);
    expect(await textOf(page, "path")).toBe("Sun::Saturn::Moon");
    expect(await textOf(page, "details")).not.toBe(before);
  });

  it("has rows only for what is in sight of 2,000 asteroids", async () => {
    const page = await open(NEW_YEAR);

    await rowOf(page, "Main belt").locator(".twisty").click();
    await page.evaluate(() => {
      const outliner = document.querySelector("#outliner")!;
      outliner.scrollTop = 22 * 1_500;
    });
    await rowOf(page, "Main belt 1491").click();

    expect(await page.getByRole("treeitem").count()).toBeLessThan(30);
    await drawn(page);
    expect(await textOf(page, "path")).toBe("Sun::Main belt::Main belt 1491");
  });

  it("is paused, made faster and slower, and focused by keys", async () => {
    const page = await open("?at=2026-01-01");
    const speed = () => textOf(page, "speed");
    await drawn(page);
    expect(await speed()).toBe("10 days a second");

    await page.keyboard.press("+");
    await drawn(page);
    expect(await speed()).toBe("100 days a second");
    for (let presses = 0; presses < 9; presses++) await page.keyboard.press("-");
    await drawn(page);
    expect(await speed()).toBe("real time");
    await page.keyboard.press(" ");
    await drawn(page);
    expect(await speed()).toBe("paused");

    const time = await textOf(page, "time");
    await rowOf(page, "Neptune").click();
    await page.keyboard.press("f");
    await drawn(page);
    expect(await textOf(page, "time")).toBe(time);
    const { width, height } = await page.evaluate(() => {
      const { clientWidth: width, clientHeight: height } = document.querySelector("canvas")!;
      return { width, height };
    });
    const spot = await spotOf(page, "Neptune");
    expect(Math.hypot(spot.x - width / 2, spot.y - height / 2)).toBeLessThan(1);
  });

  it("stands still in a frame of another page until it is scrolled into sight", async () => {
    const page = await open(NEW_YEAR);
    await page.evaluate(() => {
      const frame = document.body.appendChild(document.createElement("iframe"));
      frame.src = "./";
      frame.style.cssText = "position: absolute; top: 3000px; height: 300px";
    });
    const frame = (): Promise<unknown> =>
      page.evaluate(() => ({ ...document.querySelector("iframe")!.contentDocument!.body.dataset }));
    await page.waitForFunction(
      () => document.querySelector("iframe")!.contentDocument?.body?.dataset.seen === "false",
    );
    expect(await frame()).not.toHaveProperty("frames");

    await page.evaluate(() => document.querySelector("iframe")!.scrollIntoView());
    await page.waitForFunction(
      () => Number(document.querySelector("iframe")!.contentDocument!.body.dataset.frames) >= 2,
    );

    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForFunction(
      () => document.querySelector("iframe")!.contentDocument!.body.dataset.seen === "false",
    );
    const before = await frame();
    await page.evaluate(async () => {
      for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
    });
    expect(await frame()).toEqual(before);
  });

  it("says so in words where there is no WebGL", async () => {
    const page = await open("", undefined, () => {
      HTMLCanvasElement.prototype.getContext = () => null;
      console.error = () => {};
      addEventListener("error", (event) => event.preventDefault());
    });

    expect(await page.getByRole("alert").textContent()).toMatch(/^This page needs WebGL 2/);
    expect(await page.locator("canvas").count()).toBe(0);
  });

  it("shows a tug 10 m from its station, 30 astronomical units from the Sun, and nothing trembles", async () => {
    const page = await open("?at=2026-01-01&focus=Sun::Neptune::Station");
    const canvas = page.locator("canvas");
    await drawn(page);
    const height = await page.evaluate(() => document.querySelector("canvas")!.clientHeight);
    const boxes: unknown[] = [];

    for (let look = 0; look < 3; look++) {
      await waitForFrames(page, 2);
      await page.keyboard.press(" ");
      await drawn(page);
      const [station, tug] = [await spotOf(page, "Station"), await spotOf(page, "Tug")];
      const metres = ((tug.x - station.x) / height) * 2 * Math.tan(Math.PI / 8) * 60; // 60 m away, 45 degrees
      boxes.push(await boxOfOrange(page, await canvas.screenshot()));
      await page.keyboard.press(" ");

      expect(metres).toBeCloseTo(10, 1);
      expect(tug.y - station.y).toBeCloseTo(0, 1);
    }

    const metre = height / (2 * Math.tan(Math.PI / 8) * 60);
    const { left, right } = boxes[0] as { left: number; right: number };
    expect((right - left) / metre).toBeGreaterThan(4); // the tug is 4 m wide
    expect((right - left) / metre).toBeLessThan(7);
    expect(boxes).toEqual([boxes[0], boxes[0], boxes[0]]);
    expect(await textOf(page, "details")).toMatch(/^29\.\d\d\d AU/);
  });
});
