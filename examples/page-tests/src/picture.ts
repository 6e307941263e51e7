// Compares what is seen with a stored picture (`expectPicture`), up to a `TOLERANCE`; writes it if `ACCEPT` is 1.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect } from "vitest";
import type { BrowserPage, Locator } from "./browser.ts";

/** How much of the range of a colour may differ: edges are smoothed in other ways by other versions of a browser. */
const TOLERANCE = 0.1;
/** The share of pixels that may differ by more. */
const MOST_DIFFERENT = 0.01;

/**
 * Expects what is seen of an element to be as in a PNG file, except for 1 % of its pixels. With the environment variable `ACCEPT=1` the file
 * is written. What was seen instead is written to the folder `dist/pictures` of the example.
 *
 * @param file in the folder of the tests, such as `test/expected/start.png`.
 */
export async function expectPicture(page: BrowserPage, element: Locator, file: string): Promise<void> {
  const seen = await element.screenshot();
  if (process.env.ACCEPT === "1") {
    write(file, seen);
    return;
  }
  expect(existsSync(file), `${file} is missing; ACCEPT=1 writes it`).toBe(true);

  const different = await differenceOf(page, seen, readFileSync(file));
  if (different <= MOST_DIFFERENT) return;
  const instead = join(dirname(file), "../../dist/pictures", basename(file));
  write(instead, seen);
  expect.fail(`${(different * 100).toFixed(1)} % of the pixels differ from ${file}; see ${instead}`);
}

function write(file: string, bytes: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

/** The share of pixels that differ by more than the tolerance: 1 if the sizes do. The page decodes both. */
function differenceOf(page: BrowserPage, one: Uint8Array, other: Uint8Array): Promise<number> {
  const urls = [one, other].map((bytes) => `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`);
  return page.evaluate(
    async ({ urls, most }) => {
      const [seen, expected] = await Promise.all(
        urls.map(async (url) => {
          const image = new Image();
          image.src = url;
          await image.decode();
          const canvas = document.createElement("canvas");
          canvas.width = image.width;
          canvas.height = image.height;
          const context = canvas.getContext("2d")!;
          context.drawImage(image, 0, 0);
          return context.getImageData(0, 0, image.width, image.height);
        }),
      );
      if (seen!.width !== expected!.width || seen!.height !== expected!.height) return 1;
      let different = 0;
      for (let at = 0; at < seen!.data.length; at += 4) {
        const isFar = (channel: number) =>
          Math.abs(seen!.data[at + channel]! - expected!.data[at + channel]!) > most;
        if (isFar(0) || isFar(1) || isFar(2)) different += 1;
      }
      return different / (seen!.data.length / 4);
    },
    { urls, most: TOLERANCE * 255 },
  );
}
