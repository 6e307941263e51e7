// Builds the page that the blocks of the tutorial make (`program`), type-checks it, plays it, and compares its picture.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BrowserPage, describePage, expectPicture, holdFrames, playFrames } from "@treeline/page-tests";
import { afterAll, expect, it } from "vitest";
import { programFolder, typeErrors } from "./programs.ts";
import { at, blocksOf, readDocument } from "./support.ts";

/** The mark below the picture of a step. */
const PLAY = /<!-- play(?:, keys: .*)? -->/;

/** The program so far at the end of each step: all its blocks and those before, pasted one after another. */
const text = readDocument("docs/guide/tutorial.md");
const programs = text
  .split(PLAY)
  .slice(0, -1)
  .map((_, step, parts) => blocksOf(parts.slice(0, step + 1).join("")))
  .map((blocks) => blocks.filter(({ language }) => language === "ts").map(({ text }) => text))
  .map((blocks) => blocks.join("\n\n"));
const [page] = blocksOf(text).filter(({ language }) => language === "html");

/** The folder of the tutorial, with one program for each step: `?3` is the game at the end of step 3. */
const folder = programFolder();
mkdirSync(join(folder, "steps"));
for (const [step, program] of programs.entries())
  writeFileSync(join(folder, `steps/step-${step + 1}.ts`), program);
const loads = programs.map((_, step) => `() => import(${JSON.stringify(`./steps/step-${step + 1}.ts`)})`);
writeFileSync(
  join(folder, "main.ts"),
  `const loads = [${loads.join(", ")}];\nloads[Number(location.search.slice(1)) - 1]();\n`,
);
writeFileSync(
  join(folder, "index.html"),
  page!.text.replace("<head>", '<head><link rel="icon" href="data:,">'),
);
afterAll(() => rmSync(folder, { recursive: true }));

/** The options of Vite's template for TypeScript. */
const OPTIONS = [
  "--verbatimModuleSyntax",
  "--noUnusedLocals",
  "--noUnusedParameters",
  "--erasableSyntaxOnly",
  "--noFallthroughCasesInSwitch",
];

it("has seven steps, whose programs type-check with the options of Vite's template", () => {
  expect(programs.length).toBe(7);
  expect(programs.at(-1)!.split("\n").length).toBeGreaterThan(150);

  const steps = new Map(programs.map((program, step) => [`step-${step + 1}`, program]));
  expect(typeErrors(folder, steps, { options: OPTIONS })).toBe("");
});

/** Compares the game with the picture of its step in the tutorial. */
async function expectStep(page: BrowserPage, name: string): Promise<void> {
  await expectPicture(page, page.locator("canvas"), at(`docs/pictures/${name}.png`));
}

describePage(folder, (open) => {
  const openStep = async (step: number): Promise<BrowserPage> => {
    const page = await open(`?${step}`, { width: 680, height: 500 }, holdFrames);
    await page.locator("canvas").waitFor();
    return page;
  };

  it("shows five rocks after step 1", async () => {
    const page = await openStep(1);

    await expectStep(page, "tutorial-rocks");
  });

  it("moves the rocks after step 2, and brings them back at the right edge", async () => {
    const page = await openStep(2);

    await playFrames(page, 240);
    await expectStep(page, "tutorial-move");

    await playFrames(page, 28 * 60); // 700 px in 28 s: all are where they were
    await expectStep(page, "tutorial-move");
  });

  it("shows the ship and its turrets after step 3", async () => {
    const page = await openStep(3);

    await playFrames(page, 60);

    await expectStep(page, "tutorial-ship");
  });

  it("shows the turrets at the ship in its first picture already", async () => {
    const page = await openStep(3);

    await playFrames(page, 1);

    expect(await goldenPixels(page)).toBeGreaterThan(0);
    expect(await cornerPixels(page)).toBe(0);
  });

  it("steers by the arrow keys after step 4, until the page loses the focus", async () => {
    const page = await openStep(4);

    await page.keyboard.down("ArrowUp");
    await playFrames(page, 60);
    await page.evaluate(() => dispatchEvent(new Event("blur")));
    await playFrames(page, 60);

    await expectStep(page, "tutorial-steer");
  });

  it("fires by the space bar after step 5, and shots end", async () => {
    const page = await openStep(5);

    await playFrames(page, 60);
    await page.keyboard.down(" ");
    await playFrames(page, 75);
    await expectStep(page, "tutorial-shoot");

    await page.keyboard.up(" ");
    await playFrames(page, 125);
    expect(await goldenPixels(page)).toBeLessThan(200); // the turrets
  });

  it("counts points after step 6", async () => {
    const page = await openStep(6);

    await page.keyboard.down(" ");
    await page.keyboard.down("ArrowUp");
    await playFrames(page, 40);
    await page.keyboard.up("ArrowUp");
    await playFrames(page, 60);
    await expectStep(page, "tutorial-hit");
    expect(await page.locator("p").textContent()).toMatch(/^Level 1, points: [1-4]\./);
  });

  it("is won by the arrow keys and the space bar, level after level", async () => {
    const page = await openStep(7);

    await playFrames(page, 60);
    await page.keyboard.down(" ");
    await playFrames(page, 45);
    await expectStep(page, "tutorial");

    for (const key of ["ArrowUp", "ArrowDown", "ArrowUp", "ArrowDown", "ArrowUp", "ArrowDown"]) {
      await page.keyboard.down(key);
      await playFrames(page, 140); // from one edge to the other
      await page.keyboard.up(key);
    }
    expect(await page.locator("p").textContent()).toMatch(/^Level [2-9], points: \d+\./);
  });
});

/** How many pixels of the upper left corner have another colour than the pixel beside it. */
function cornerPixels(page: BrowserPage): Promise<number> {
  return page.evaluate(() => {
    const SIDE = 20;
    const { data } = document.querySelector("canvas")!.getContext("2d")!.getImageData(0, 0, SIDE, SIDE);
    const colours = new Uint32Array(data.buffer);
    return colours.filter((colour) => colour !== colours.at(-1)).length;
  });
}

function goldenPixels(page: BrowserPage): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.querySelector("canvas")!;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (data[at] === 255 && data[at + 1] === 215 && data[at + 2] === 0) count += 1;
    }
    return count;
  });
}
