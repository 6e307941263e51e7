import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BrowserPage, describePage, expectPicture } from "@treeline/page-tests";
import { afterAll, expect, it } from "vitest";
import { programFolder, typeErrors } from "./programs.ts";
import { at, blocksOf, readDocument } from "./support.ts";

/** All blocks of the tutorial, pasted one after another, those that need a page included. */
const program = blocksOf(readDocument("docs/guide/tutorial.md"))
  .filter(({ language }) => language === "ts")
  .map(({ text }) => text)
  .join("\n\n");

/** What `npm create vite -- --template vanilla-ts` makes, as far as it matters here. */
const folder = programFolder();
mkdirSync(join(folder, "src"));
writeFileSync(join(folder, "src/main.ts"), program);
writeFileSync(
  join(folder, "index.html"),
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"></head>
<body><div id="app"></div><script type="module" src="/src/main.ts"></script></body></html>`,
);
afterAll(() => rmSync(folder, { recursive: true }));

/** The options of the template. */
const TEMPLATE = [
  "--verbatimModuleSyntax",
  "--noUnusedLocals",
  "--noUnusedParameters",
  "--erasableSyntaxOnly",
  "--noFallthroughCasesInSwitch",
];

it("type-checks with the options of the template that it begins with", () => {
  expect(program.split("\n").length).toBeGreaterThan(150);

  expect(typeErrors(folder, new Map([["tutorial", program]]), { options: TEMPLATE })).toBe("");
});

/** Replaces the frames of the screen by those of `playFrames`. */
function holdFrames(): void {
  const held: FrameRequestCallback[] = [];
  const page = globalThis as unknown as { frames: FrameRequestCallback[] };
  page.frames = held;
  globalThis.requestAnimationFrame = (frame) => held.push(frame);
}

/** Lets a number of frames pass, each a sixtieth of a second. */
function playFrames(page: BrowserPage, count: number): Promise<void> {
  return page.evaluate((count) => {
    const { frames, time = 0 } = globalThis as unknown as { frames: FrameRequestCallback[]; time?: number };
    for (let frame = 0; frame < count; frame++) {
      for (const run of frames.splice(0)) run(time + (frame * 1000) / 60);
    }
    Object.assign(globalThis, { time: time + (count * 1000) / 60 });
  }, count);
}

describePage(folder, (open) => {
  it("is the game of the picture at its beginning", async () => {
    const page = await open("", { width: 680, height: 500 }, holdFrames);

    await playFrames(page, 60);
    await page.keyboard.down(" ");
    await playFrames(page, 45);

    await expectPicture(page, page.locator("canvas"), at("docs/pictures/tutorial.png"));
  });

  it("is won by the arrow keys and the space bar, level after level", async () => {
    const page = await open("", { width: 680, height: 500 }, holdFrames);
    const score = page.locator("p");

    await page.keyboard.down(" ");
    await page.keyboard.down("ArrowUp");
    await playFrames(page, 70);
    await page.keyboard.up("ArrowUp");
    await page.keyboard.down("ArrowDown");
    await playFrames(page, 130);
    expect(await score.textContent()).toMatch(/^Level 1, [2-6] points/);

    for (const key of ["ArrowUp", "ArrowDown", "ArrowUp", "ArrowDown", "ArrowUp", "ArrowDown"]) {
      await page.keyboard.up(key === "ArrowUp" ? "ArrowDown" : "ArrowUp");
      await page.keyboard.down(key);
      await playFrames(page, 130);
    }
    expect(await score.textContent()).toMatch(/^Level [2-9], \d+ points/);
  });
});
