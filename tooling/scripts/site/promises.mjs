// Tries in Chromium what parts of the built site promise.
import { launch } from "../browser/launch.mjs";
import { serve } from "../browser/serve.mjs";
import { HUNG } from "../tests/limits.mjs";

/** @throws Error unless it is right. @param what was found instead. */
export function expect(isRight, what) {
  if (!isRight) throw new Error(what);
}

/**
 * @param folder the built site.
 * @param checks a promise as a sentence, and an async function that throws if it does not hold. It gets a reader, for a page of its own.
 * @param readerOf makes that of a page and the address of the site.
 * @returns a line for each promise that does not hold, and how many there are; `missing` if there is no browser.
 */
export async function keep(folder, checks, readerOf) {
  const { browser, missing } = await launch();
  if (missing !== undefined) return { missing, problems: [], count: 0 };
  const server = await serve(folder);
  const problems = [];
  try {
    for (const [promise, check] of Object.entries(checks)) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      page.setDefaultTimeout(HUNG);
      try {
        await check(readerOf(page, `http://127.0.0.1:${server.address().port}/`));
      } catch (error) {
        problems.push(`${promise}: ${error.message}`);
      }
      await page.close();
    }
  } finally {
    await browser.close();
    server.close();
  }
  return { problems, count: Object.keys(checks).length };
}
