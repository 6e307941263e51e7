// Plays the games of the tutorial on the built site, and edits its examples, as readers do, in Chromium.
import { expect, keep } from "./promises.mjs";

const STEPS = 7;

/** What a reader can do on the page. */
function readerOf(page, url) {
  const game = (at) => page.locator(".play").nth(at);
  return {
    page,
    game,
    open: () => page.goto(`${url}guide/tutorial.html`),
    async play(at) {
      await game(at).locator(".play-start").click();
      await page.locator('.play:is([data-state="settled"], [data-state="failed"])').waitFor();
      await game(at).locator("iframe").waitFor();
    },
    frames: (count) =>
      page.evaluate(
        (count) =>
          new Promise((resolve) => {
            const next = (left) => (left === 0 ? resolve() : requestAnimationFrame(() => next(left - 1)));
            next(count);
          }),
        count,
      ),
    /** Of the ship: the mean height of the pixels in its colour. */
    ship: (at) =>
      game(at)
        .locator("iframe")
        .evaluate((frame) => {
          const canvas = frame.contentDocument.querySelector("canvas");
          const { data, width } = canvas.getContext("2d").getImageData(0, 0, 120, canvas.height);
          let [sum, count] = [0, 0];
          for (let at = 0; at < data.length; at += 4) {
            if (data[at] !== 135 || data[at + 1] !== 206) continue; // skyblue
            sum += Math.floor(at / 4 / width);
            count += 1;
          }
          return sum / count;
        }),
    example: (at) => page.locator(".example").nth(at),
  };
}

const CHECKS = {
  async "the whole game and the game of each step play, one at a time"(reader) {
    await reader.open();
    expect((await reader.page.locator(".play").count()) === STEPS + 1, "a game is missing");
    expect((await reader.page.locator("iframe").count()) === 0, "a game plays before it is asked to");
    for (let at = 0; at <= STEPS; at++) {
      await reader.play(at);
      const state = await reader.game(at).getAttribute("data-state");
      const hint = await reader.game(at).locator(".play-hint").textContent();
      expect(state === "settled", `game ${at} is ${state}: ${hint}`);
      expect((await reader.page.locator("iframe").count()) === 1, "two games play at once");
    }
  },

  async "a game gets the keyboard, the page does not scroll, and Escape leaves it"(reader) {
    await reader.open();
    await reader.play(4);
    const before = { scroll: await reader.page.evaluate(() => scrollY), ship: await reader.ship(4) };
    await reader.page.keyboard.down("ArrowUp");
    await reader.page.keyboard.press("Space");
    await reader.page.keyboard.press("PageDown");
    await reader.frames(20);
    await reader.page.keyboard.up("ArrowUp");
    expect((await reader.ship(4)) < before.ship - 5, "the ship has not moved");
    expect((await reader.page.evaluate(() => scrollY)) === before.scroll, "the page has scrolled");

    await reader.page.keyboard.press("Escape");
    expect(
      (await reader.page.evaluate(() => document.activeElement.textContent.trim())) === "Stop",
      "the focus is elsewhere",
    );
    await reader.page.keyboard.press("Enter");
    await reader.page.locator('.play[data-state="idle"]').nth(4).waitFor();
    const isBack = await reader
      .game(4)
      .evaluate((game) => document.activeElement === game.querySelector(".play-start"));
    expect(isBack, "the focus does not go back to the button that plays");
  },

  async "buttons steer for readers without keys"(reader) {
    await reader.open();
    await reader.play(4);
    const before = await reader.ship(4);
    const down = reader.game(4).getByRole("button", { name: "Down" });
    await down.hover();
    await reader.page.mouse.down();
    await reader.frames(20);
    await reader.page.mouse.up();
    const after = await reader.ship(4);
    expect(after > before + 5, `the ship was at ${before}, and is at ${after}`);
    await reader.frames(10);
    const later = await reader.ship(4);
    await reader.frames(10);
    expect(Math.abs((await reader.ship(4)) - later) < 1, "it does not stop when the button is released");
  },

  async "a game ends when it is out of sight"(reader) {
    await reader.open();
    await reader.play(0);
    await reader.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await reader.page.locator('.play[data-state="idle"]').first().waitFor({ state: "attached" });
    await reader.page.locator(".play iframe").waitFor({ state: "detached" });
  },

  async "an example can be edited, run by the keyboard, and reset; errors name its line"(reader) {
    await reader.open();
    const example = reader.example(4); // continues four others
    await example.getByRole("button", { name: "Edit" }).click();
    const editor = example.locator(".cm-content");
    await editor.waitFor();
    await reader.page.keyboard.press("Control+End");
    await reader.page.keyboard.insertText("\nthrow new Error(String(children(world, ship).length));");
    await reader.page.keyboard.press("Control+Enter");
    await example.locator(".is-failure").waitFor();
    const lines = await example.locator(".cm-line").allTextContents();
    const line = lines.findIndex((text) => text.startsWith("throw")) + 1;
    const printed = await example.locator(".is-failure").textContent();
    expect(printed.trim() === `Error: 2 (line ${line})`, `it prints ${printed}, of line ${line}`);
    await example.locator(".cm-markedLine").waitFor();

    await example.getByRole("button", { name: "Reset" }).click();
    await example.getByRole("button", { name: "Run" }).click();
    await example.locator(".example-output").waitFor();
    expect(
      (await example.locator(".example-output").textContent()).includes("Level::Ship::Left"),
      "it is not reset",
    );
    await editor.focus();
    await reader.page.keyboard.press("Escape");
    await reader.page.keyboard.press("Tab");
    expect(
      await editor.evaluate((element) => !element.contains(document.activeElement)),
      "the focus stays in the editor",
    );
  },
};

/** @param folder the built site. @returns see `keep`. */
export const failedTutorial = (folder) => keep(folder, CHECKS, readerOf);
